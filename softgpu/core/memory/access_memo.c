#include "softgpu/core/memory/access_memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/memory/l1_address.h"

struct memory_memos *memory_memos_create(uint32_t count)
{
	struct memory_memos *s = calloc(1, sizeof *s + count * sizeof *s->memo);

	if (s)
		s->count = count;
	return s;
}

void memory_memos_free(struct memory_memos *s)
{
	for (uint32_t k = 0; s && k < s->count; k++)
		free(s->memo[k]);
	free(s);
}

struct memory_memo *memory_memo_renew(const struct cu *cu, struct memory_memos *s)
{
	struct memory_memo **memo = &s->memo[cu->memo];

	if (!*memo)
		*memo = aligned_alloc(64, sizeof **memo);
	if (!*memo)
		return NULL;
	memset(*memo, 0, sizeof **memo);
	(*memo)->epoch = cu->memo_epoch;
	return *memo;
}

enum { LINE_SHIFT = 6, LINE = 1 << LINE_SHIFT };

/* How far an access may move before one of its ends reaches another line. Moved by whole lines, all its requests meet
 * in the same way: a line's banks follow those of the line before. */
struct room {
	uint8_t down, up;
};

static void narrow_room(struct room *r, uint64_t at)
{
	const uint8_t down = at % LINE, up = LINE - 1 - down;

	r->down = down < r->down ? down : r->down;
	r->up = up < r->up ? up : r->up;
}

/* Any address far from both ends. */
static uint64_t first_address(uint32_t align)
{
	return (UINT64_C(1) << 40) + align;
}

/* Each line once, whatever the order of the lanes; runs of lanes that follow each other are taken together. */
static struct room collect_runs(const struct memory_memo *memo, uint32_t align, uint32_t bytes, struct access_lines *s)
{
	const uint64_t first = first_address(align), exec = memo->lanes.exec;
	const int32_t *relative = (const int32_t *)memo->lanes.relative;
	struct room room = {align, LINE - 1 - align};

	for (uint64_t e = memo->lanes.heads, next; e; e = next) {
		next = e & (e - 1);
		uint64_t run = next ? exec & ((next & -next) - 1) : exec;
		uint64_t start = first + relative[__builtin_ctzll(e)],
			 end = first + relative[63 - __builtin_clzll(run)] + bytes - 1;
		for (uint64_t line = start >> LINE_SHIFT; line <= end >> LINE_SHIFT; line++)
			access_lines_add(s, line);
		narrow_room(&room, start);
		narrow_room(&room, end);
	}
	return room;
}

static struct room address_pattern(const struct machine *m, const struct memory_memo *memo, uint32_t align,
	uint32_t bytes, bool reads, struct access_lines *s)
{
	const int32_t *relative = (const int32_t *)memo->lanes.relative;
	struct lane_bytes lanes = {.lanes = memo->lanes.exec, .wide = bytes > 4, .reads = reads};
	struct room room = {align, LINE - 1 - align};

	for (uint64_t e = memo->lanes.exec; e; e &= e - 1) {
		const unsigned l = __builtin_ctzll(e);
		lanes.at[l] = first_address(align) + relative[l];
		lanes.bytes[l] = bytes;
		narrow_room(&room, lanes.at[l]);
		narrow_room(&room, lanes.at[l] + bytes - 1);
	}
	l1_address_lanes(m->model.l1_tag_banks, &lanes, s);
	return room;
}

void memory_memo_find_lines(
	const struct machine *m, struct memory_memo *memo, uint32_t align, uint32_t bytes, enum memory_kind kind)
{
	struct access_lines s;

	access_lines_clear(&s);
	const struct room room = m->model.l1_tag_banks ? address_pattern(m, memo, align, bytes, kind == MEMORY_LOAD, &s)
						       : collect_runs(memo, align, bytes, &s);
	memo->from = align - room.down;
	memo->to = align + room.up;
	const bool known = !model_is_ideal(&m->model, IDEAL_coalescing); /* otherwise each access is computed */
	memo->count = known && s.count <= MEMO_LINES ? s.count : 0;
	memo->cycles = s.cycles;
	for (unsigned k = 0; k < memo->count; k++) {
		memo->cycle[k] = s.cycle[k];
		memo->line[k] = s.line[k] - (first_address(align) >> LINE_SHIFT);
	}
}
