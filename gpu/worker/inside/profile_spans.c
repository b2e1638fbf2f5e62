/* Reduces the spans of a timeline to as many as a screen can show: per wave and interval, the longest activity. */
#include <stdlib.h>
#include <string.h>

#include "gpu/worker/inside/launch_profile.h"

static int by_wave(const void *a, const void *b)
{
	const struct softgpu_span *x = a, *y = b;
	if (x->wave != y->wave)
		return x->wave < y->wave ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

static void put_span(json_t *list, const struct softgpu_span *s)
{
	json_array_append_new(list,
		json_pack("[i,i,i,I,I,i,I,i,i,I]", (int)s->wave, s->simd, s->slot, (json_int_t)s->start,
			(json_int_t)s->end, s->cause, (json_int_t)s->offset, s->issue, s->cu, (json_int_t)s->issued));
}

static size_t count_waves(const struct softgpu_span *s, size_t n)
{
	size_t waves = 0;
	for (size_t k = 0; k < n; k++)
		waves += !k || s[k].wave != s[k - 1].wave;
	return waves;
}

static uint64_t overlap_cycles(const struct softgpu_span *s, uint64_t from, uint64_t to)
{
	uint64_t a = s->start > from ? s->start : from, b = s->end < to ? s->end : to;
	return b > a ? b - a : 0;
}

/* The longest activity between two cycles, of the wave of `s`: the stall reason with the most cycles, and the
 * instruction with the longest span for it. */
static struct softgpu_span longest_activity(
	const struct softgpu_span *s, const struct softgpu_span *end, uint64_t from, uint64_t to)
{
	uint64_t sum[SOFTGPU_STALL_REASONS][2] = {{0}}, longest[SOFTGPU_STALL_REASONS][2] = {{0}}, best = 0;
	int64_t offset[SOFTGPU_STALL_REASONS][2];
	struct softgpu_span out = *s;
	out.issued = 0;
	for (const struct softgpu_span *k = s; k < end && k->wave == s->wave && k->start < to; k++) {
		uint64_t cycles = overlap_cycles(k, from, to), *here = &sum[k->cause][k->issue];
		if (cycles > longest[k->cause][k->issue]) {
			longest[k->cause][k->issue] = cycles;
			offset[k->cause][k->issue] = k->offset;
		}
		*here += cycles;
		out.issued += k->start >= from ? k->issued : 0;
		out.end = k->end < to ? k->end : to;
	}
	for (unsigned c = 0; c < SOFTGPU_STALL_REASONS; c++)
		for (unsigned issue = 0; issue < 2; issue++)
			if (sum[c][issue] > best) {
				best = sum[c][issue];
				out.cause = (uint8_t)c;
				out.issue = (uint8_t)issue;
				out.offset = offset[c][issue];
			}
	out.start = s->start > from ? s->start : from;
	return out;
}

/* Merges a piece with the previous one if they are adjacent and equal. */
static void put_piece(json_t *list, struct softgpu_span *held, const struct softgpu_span *piece)
{
	bool continues = held->end == piece->start && held->wave == piece->wave && held->cause == piece->cause &&
		held->issue == piece->issue && held->offset == piece->offset;
	if (continues) {
		held->end = piece->end;
		held->issued += piece->issued;
		return;
	}
	if (held->end > held->start)
		put_span(list, held);
	*held = *piece;
}

static void put_pieces(json_t *list, const struct softgpu_span *s, const struct softgpu_span *end, uint64_t from,
	uint64_t to, uint64_t grain)
{
	struct softgpu_span held = {.end = 0};
	while (s < end) {
		uint64_t begin = s->start > from ? s->start : from;
		const struct softgpu_span *k = s;
		while (k < end && k->wave == s->wave && begin < to) {
			uint64_t next = from + ((begin - from) / grain + 1) * grain;
			struct softgpu_span piece = longest_activity(k, end, begin, next < to ? next : to);
			if (piece.end > piece.start)
				put_piece(list, &held, &piece);
			while (k < end && k->wave == s->wave && k->end <= next)
				k++;
			begin = k < end && k->start > next ? k->start : next;
		}
		for (uint32_t wave = s->wave; s < end && s->wave == wave;)
			s++;
	}
	if (held.end > held.start)
		put_span(list, &held);
}

json_t *launch_profile_spans(
	struct softgpu_span *s, size_t n, size_t limit, uint64_t from, uint64_t to, uint64_t *grain)
{
	json_t *list = json_array();
	*grain = 0;
	qsort(s, n, sizeof *s, by_wave);
	if (n <= limit) {
		for (size_t k = 0; k < n; k++)
			put_span(list, &s[k]);
		return list;
	}
	size_t pieces = limit / count_waves(s, n);
	*grain = (to - from) / (pieces > 1 ? pieces - 1 : 1) + 1;
	put_pieces(list, s, s + n, from, to, *grain);
	return list;
}
