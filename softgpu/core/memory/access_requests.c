#include "softgpu/core/memory/access_requests.h"

#include "base/min_max.h"
#include "softgpu/core/memory/l1_address.h"
#include "softgpu/core/memory/l2.h"

/* --- by lines, whatever the order of the lanes --- */
static void collect_lines(const struct memory_access *x, struct access_lines *s)
{
	const uint32_t span = access_pieces(x) == 1 ? x->elements * x->bytes : x->bytes;

	for (uint32_t k = 0; k < access_pieces(x); k++)
		for (uint64_t e = x->heads; e; e &= e - 1) {
			const uint64_t at = x->at[__builtin_ctzll(e)] + x->to_phys + (uint64_t)k * x->step;
			access_lines_add(s, at >> LINE_BITS);
			access_lines_add(s, (at + span - 1) >> LINE_BITS);
		}
}

/* The same if some lanes are partly outside of a buffer: they touch the lines inside. */
static void collect_lines_inside(const struct memory_access *x, struct access_lines *s)
{
	for (uint32_t k = 0; k < access_pieces(x); k++)
		for (uint64_t e = x->heads; e; e &= e - 1) {
			const unsigned l = __builtin_ctzll(e);
			const uint32_t bytes = access_piece_bytes(x, l, k);
			const uint64_t at = x->at[l] + x->to_phys + (uint64_t)k * x->step;
			if (!bytes)
				continue;
			access_lines_add(s, at >> LINE_BITS);
			access_lines_add(s, (at + bytes - 1) >> LINE_BITS);
		}
}

/* --- by the address stage --- */
/* Contiguous elements in all lanes: sixteen dwords, or four wider elements, are a cycle, whose banks never meet. */
static void request_linear(uint64_t first, uint32_t element, unsigned lanes, struct access_lines *out)
{
	const uint32_t each = element * (element > 4 ? 4 : 16);
	const uint64_t last = first + (uint64_t)lanes * element - 1;

	for (uint64_t line = first >> LINE_BITS; line <= last >> LINE_BITS; line++) {
		const uint64_t begin = line << LINE_BITS;
		access_lines_append(out, line, begin > first ? (begin - first) / each : 0);
	}
	out->cycles = (last - first) / each + 1;
}

static void request_lanes(
	const struct machine *m, const struct memory_access *x, enum memory_kind kind, struct access_lines *out)
{
	struct lane_bytes lanes = {.lanes = x->memory,
		.wide = access_pieces(x) == 1 && x->elements * x->bytes > 4,
		.reads = kind == MEMORY_LOAD};

	for (uint32_t k = 0; k < access_pieces(x); k++) {
		for (uint64_t e = x->memory; e; e &= e - 1) {
			const unsigned l = __builtin_ctzll(e);
			lanes.at[l] = x->at[l] + x->to_phys + (uint64_t)k * x->step;
			lanes.bytes[l] = access_piece_bytes(x, l, k);
		}
		l1_address_lanes(m->model.l1_tag_banks, &lanes, out);
	}
}

/* --- ideal --- */
static uint64_t find_lowest_address(const struct memory_access *x)
{
	uint64_t lowest = UINT64_MAX;

	for (uint64_t e = x->memory; e; e &= e - 1)
		lowest = min_u64(lowest, x->at[__builtin_ctzll(e)]);
	return lowest + x->to_phys;
}

/* Leaves as many of the requests as the access's bytes fill lines, when contiguous elements would request them; unless
 * these are more, because lanes share what they access. Accesses that together need all bytes of the lines differ in
 * where in a line they begin: each keeps its own part of the lines, so that all of them are still read or written. */
static void coalesce_requests(const struct machine *m, const struct memory_access *x, struct access_lines *out)
{
	struct access_lines dense, lines;

	if (!x->memory)
		return;
	access_lines_clear(&lines);
	for (unsigned k = 0; k < out->count; k++) /* several cycles may request one line */
		access_lines_add(&lines, out->line[k]);
	const uint64_t lowest = find_lowest_address(x), inside = lowest & ((1 << LINE_BITS) - 1);
	access_lines_clear(&dense);
	request_linear(lowest - inside, x->elements * x->bytes, (unsigned)__builtin_popcountll(x->memory), &dense);
	if (dense.count > out->count || (dense.count == out->count && dense.cycles >= out->cycles))
		return;
	const unsigned from = inside * lines.count >> LINE_BITS;
	for (unsigned k = 0; k < dense.count; k++) {
		dense.line[k] = lines.line[(from + k) % lines.count];
		if (!m->model.l1_tag_banks)
			dense.cycle[k] = k;
	}
	*out = dense;
}

void requests_count_same(const struct memory_access *x, struct access_lines *s)
{
	for (unsigned k = 0; k < s->count; k++) {
		uint8_t lanes[1 << LINE_BITS >> 2] = {0};
		s->same[k] = 1;
		if (s->count == (unsigned)__builtin_popcountll(x->memory)) /* one lane per line */
			continue;
		for (uint64_t e = x->memory; e; e &= e - 1) {
			uint64_t at = x->at[__builtin_ctzll(e)] + x->to_phys;
			if (at >> LINE_BITS == s->line[k] && ++lanes[at >> 2 & (sizeof lanes - 1)] > s->same[k])
				s->same[k] = lanes[at >> 2 & (sizeof lanes - 1)];
		}
	}
}

void requests_of_access(
	const struct wave *w, const struct memory_access *x, enum memory_kind kind, struct access_lines *out)
{
	const struct machine *m = w->m;
	const bool by_lanes = m->model.l1_tag_banks && kind != MEMORY_ATOMIC;

	access_lines_clear(out);
	if (by_lanes && x->linear)
		request_linear(x->at[0] + x->to_phys, x->elements * x->bytes, w->launch->lanes, out);
	else if (by_lanes)
		request_lanes(m, x, kind, out);
	else if (x->cut)
		collect_lines_inside(x, out);
	else
		collect_lines(x, out);
	if (kind == MEMORY_ATOMIC)
		requests_count_same(x, out);
	else if (__builtin_expect(model_is_ideal(&m->model, IDEAL_coalescing), 0))
		coalesce_requests(m, x, out);
}

void requests_of_image(const struct image_access *x, struct access_lines *out)
{
	access_lines_clear(out);
	for (unsigned k = 0; k < x->texels; k++)
		for (uint64_t e = x->memory[k]; e; e &= e - 1)
			access_lines_add(out, x->at[k][__builtin_ctzll(e)] >> LINE_BITS);
}
