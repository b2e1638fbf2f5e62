#include "softgpu/core/memory/window/overlay_merge.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/memory/window/store_overlay.h"
#include "softgpu/core/timing/counting_sort.h"

enum { LINE = 64, DWORDS = LINE / 4, FIRST_SLOTS = 1024 };

/* The lines of a window by number: of each, the last cluster's copy. */
struct merged_lines {
	struct merged_line {
		uint32_t window; /* in another one, it is free */
		uint32_t cluster, place;
	} * slot;
	uint32_t slots; /* a power of two */
};

void merged_lines_close(struct merged_lines *t)
{
	if (t)
		free(t->slot);
	free(t);
}

/* A table at most half full. Without memory the process ends, as in cluster_grow_list. */
static struct merged_lines *take_table(struct machine *view, size_t lines)
{
	struct merged_lines *t = view->thread.merged;
	uint32_t slots = FIRST_SLOTS;

	if (!t && !(t = view->thread.merged = calloc(1, sizeof *t)))
		abort();
	while (slots < 2 * lines)
		slots *= 2;
	if (slots <= t->slots)
		return t;
	free(t->slot);
	t->slot = calloc(slots, sizeof *t->slot);
	if (!t->slot)
		abort();
	t->slots = slots;
	return t;
}

/* The copy of the line that an earlier cluster left, NULL: none did. From now on, it is this one. */
static const struct stored_line *replace_merged_line(
	const struct machine *view, struct merged_lines *t, uint32_t cluster, uint32_t place)
{
	const struct cluster *all = view->cluster;
	const uintptr_t number = all[cluster].stores.line.at[place].number;
	const uint32_t window = view->owner->window;

	for (uint32_t k = overlay_hash_line(number);; k++) {
		struct merged_line *slot = &t->slot[k & (t->slots - 1)];
		const struct stored_line *earlier =
			slot->window == window ? &all[slot->cluster].stores.line.at[slot->place] : NULL;
		if (earlier && earlier->number != number)
			continue;
		*slot = (struct merged_line){window, cluster, place};
		return earlier;
	}
}

/* Without a branch, so that the host's vectors do it. */
static void merge_whole_lines(struct stored_line *line, const struct stored_line *earlier)
{
	uint32_t data[DWORDS], other[DWORDS];

	memcpy(data, line->data, LINE);
	memcpy(other, earlier->data, LINE);
	for (uint32_t d = 0; d < DWORDS; d++) {
		const uint32_t take = -(uint32_t)(earlier->when[d] > line->when[d]);
		data[d] ^= (data[d] ^ other[d]) & take;
		line->when[d] ^= (line->when[d] ^ earlier->when[d]) & take;
	}
	memcpy(line->data, data, LINE);
}

/* Takes over what the line does not have, or has from an instruction before. */
static void merge_stored_line(struct stored_line *line, const struct stored_line *earlier)
{
	if (line->written == UINT64_MAX && earlier->written == UINT64_MAX) {
		merge_whole_lines(line, earlier);
		return;
	}
	for (uint32_t k = 0; k < LINE; k++) {
		const uint32_t d = k / 4;
		if (earlier->written >> k & 1 && (!(line->written >> k & 1) || earlier->when[d] > line->when[d]))
			line->data[k] = earlier->data[k];
	}
	for (uint32_t d = 0; d < DWORDS; d++) {
		const bool mine = line->written >> 4 * d & 15, other = earlier->written >> 4 * d & 15;
		if (other && (!mine || earlier->when[d] > line->when[d]))
			line->when[d] = earlier->when[d];
	}
	line->written |= earlier->written;
}

/* Threads of the host may look at the memory meanwhile, so dwords are written at once. */
static void write_stored_line(const struct stored_line *line)
{
	uint8_t *to = (uint8_t *)(line->number * LINE);

	if (line->written == UINT64_MAX) {
		memcpy(to, line->data, LINE);
		return;
	}
	for (uint32_t k = 0; k < LINE; k += 4) {
		const uint32_t some = line->written >> k & 15;
		if (some == 15)
			memcpy(to + k, line->data + k, 4);
		else
			for (uint32_t n = k; n < k + 4; n++)
				if (line->written >> n & 1)
					to[n] = line->data[n];
	}
}

static uint32_t part_of_line(const struct stored_line *line, uint32_t parts)
{
	return (overlay_hash_line(line->number) >> 8) % parts;
}

void overlay_sort(struct store_overlay *o, uint32_t parts)
{
	uint32_t *from = o->part_from;

	while (o->by_part.room < o->line.count)
		o->by_part.at = cluster_grow_list(o->by_part.at, &o->by_part.room, sizeof *o->by_part.at);
	memset(from, 0, (parts + 1) * sizeof *from);
	for (size_t n = 0; n < o->line.count; n++)
		from[part_of_line(&o->line.at[n], parts)]++;
	counts_add_up(from, parts);
	for (size_t n = 0; n < o->line.count; n++)
		o->by_part.at[from[part_of_line(&o->line.at[n], parts)]++] = n;
	counts_step_back(from, parts);
}

static void write_line(struct machine *view, struct merged_lines *t, uint32_t cluster, uint32_t place)
{
	struct stored_line *line = &view->cluster[cluster].stores.line.at[place];
	const struct stored_line *earlier = replace_merged_line(view, t, cluster, place);

	if (earlier)
		merge_stored_line(line, earlier);
	write_stored_line(line);
}

void overlays_write(struct machine *m)
{
	size_t lines = 0;

	for (uint32_t k = 0; k < m->clusters; k++)
		lines += m->cluster[k].stores.line.count;
	if (!lines)
		return;
	struct merged_lines *t = take_table(m, lines);
	for (uint32_t k = 0; k < m->clusters; k++)
		for (size_t n = 0; n < m->cluster[k].stores.line.count; n++)
			write_line(m, t, k, n);
}

void overlays_write_part(struct machine *view, uint32_t part)
{
	size_t lines = 0;

	for (uint32_t k = 0; k < view->clusters; k++)
		lines += view->cluster[k].stores.part_from[part + 1] - view->cluster[k].stores.part_from[part];
	struct merged_lines *t = take_table(view, lines);
	for (uint32_t k = 0; k < view->clusters; k++) {
		const struct store_overlay *o = &view->cluster[k].stores;
		for (uint32_t n = o->part_from[part]; n < o->part_from[part + 1]; n++)
			write_line(view, t, k, o->by_part.at[n]);
	}
}
