#include "softgpu/core/memory/window/store_overlay.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"

enum { LINE = 64, FIRST_SLOTS = 256 };

void overlay_close(struct store_overlay *o)
{
	free(o->line.at);
	free(o->slot);
	free(o->by_part.at);
}

/* --- lines --- */
static uintptr_t line_number_of(const uint8_t *host)
{
	return (uintptr_t)host / LINE;
}

/* Where the line is in the table, or would be. */
static uint32_t *find_overlay_slot(const struct store_overlay *o, uintptr_t number)
{
	const uint32_t mask = o->slot_count - 1;
	uint32_t k = overlay_hash_line(number) & mask;

	while (o->slot[k] && o->line.at[o->slot[k] - 1].number != number)
		k = (k + 1) & mask;
	return &o->slot[k];
}

/* NULL: the cluster has not stored there. */
static struct stored_line *find_stored_line(const struct store_overlay *o, uintptr_t number)
{
	const uint32_t place = o->line.count ? *find_overlay_slot(o, number) : 0;

	return place ? &o->line.at[place - 1] : NULL;
}

static void grow_overlay_table(struct store_overlay *o)
{
	o->slot_count = o->slot_count ? 2 * o->slot_count : FIRST_SLOTS;
	free(o->slot);
	o->slot = calloc(o->slot_count, sizeof *o->slot);
	if (!o->slot)
		abort(); /* as cluster_grow_list */
	for (uint32_t k = 0; k < o->line.count; k++)
		*find_overlay_slot(o, o->line.at[k].number) = k + 1;
}

/* A line that is new has no data yet. */
static struct stored_line *take_stored_line(struct store_overlay *o, uintptr_t number, bool *is_new)
{
	if (2 * (o->line.count + 1) > o->slot_count)
		grow_overlay_table(o);
	uint32_t *slot = find_overlay_slot(o, number);
	*is_new = !*slot;
	if (*slot)
		return &o->line.at[*slot - 1];
	struct stored_line *line = CLUSTER_APPEND(o->line);
	*slot = o->line.count;
	line->number = number;
	line->written = 0;
	return line;
}

void overlay_clear(struct store_overlay *o)
{
	if (o->line.count > o->slot_count / 8) {
		memset(o->slot, 0, o->slot_count * sizeof *o->slot);
	} else {
		for (uint32_t k = o->line.count; k--;) /* the last first: each is found before its slot is free */
			*find_overlay_slot(o, o->line.at[k].number) = 0;
	}
	o->line.count = 0;
}

/* --- bytes --- */
/* How many of the bytes are in the line of the first one. */
static uint32_t bytes_in_line(const uint8_t *at, uint32_t bytes)
{
	return min_u64(bytes, LINE - (uintptr_t)at % LINE);
}

static uint64_t mask_bytes(uint32_t first, uint32_t bytes)
{
	return (bytes < LINE ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX) << first;
}

static void write_bytes(
	const struct store_overlay *o, struct stored_line *line, const uint8_t *to, const void *from, uint32_t bytes)
{
	const uint32_t first = (uintptr_t)to % LINE;

	memcpy(line->data + first, from, bytes);
	line->written |= mask_bytes(first, bytes);
	for (uint32_t k = first / 4; k <= (first + bytes - 1) / 4; k++)
		line->when[k] = o->when;
}

/* What memory has there does not matter; it is prefetched for overlay_merge.c. */
static void write_whole_line(struct store_overlay *o, uint8_t *to, const void *from)
{
	bool is_new;
	struct stored_line *line = take_stored_line(o, line_number_of(to), &is_new);

	__builtin_prefetch(to, 1);
	write_bytes(o, line, to, from, LINE);
}

static void write_part_of_line(struct store_overlay *o, uint8_t *to, const void *from, uint32_t bytes)
{
	bool is_new;
	struct stored_line *line = take_stored_line(o, line_number_of(to), &is_new);

	if (is_new)
		memcpy(line->data, to - (uintptr_t)to % LINE, LINE);
	write_bytes(o, line, to, from, bytes);
}

void overlay_read(const struct store_overlay *o, const uint8_t *from, void *to, uint32_t bytes)
{
	uint8_t *out = to;

	for (uint32_t some; bytes; bytes -= some, from += some, out += some) {
		const struct stored_line *line = find_stored_line(o, line_number_of(from));
		some = bytes_in_line(from, bytes);
		memcpy(out, line ? line->data + (uintptr_t)from % LINE : from, some);
	}
}

void overlay_write(struct store_overlay *o, uint8_t *to, const void *from, uint32_t bytes)
{
	const uint8_t *in = from;

	for (uint32_t some; bytes; bytes -= some, to += some, in += some) {
		some = bytes_in_line(to, bytes);
		if (some == LINE)
			write_whole_line(o, to, in);
		else
			write_part_of_line(o, to, in, some);
	}
}

void overlay_write_private(struct store_overlay *o, uint8_t *to, const void *from, uint32_t bytes)
{
	const uint8_t *in = from;

	for (uint32_t some; bytes; bytes -= some, to += some, in += some) {
		struct stored_line *line = find_stored_line(o, line_number_of(to));
		some = bytes_in_line(to, bytes);
		if (line)
			write_bytes(o, line, to, in, some);
		else
			memcpy(to, in, some);
	}
}

bool overlay_has_line(const struct store_overlay *o, const uint8_t *first, const uint64_t *number, unsigned count)
{
	for (unsigned k = 0; k < count; k++)
		if (find_stored_line(o, line_number_of(first) + number[k]))
			return true;
	return false;
}
