#include "softgpu/core/memory/lane_pattern.h"

static bool is_uniform(const uint32_t *r, unsigned lanes)
{
	uint32_t differs = 0;

	for (unsigned l = 1; l < lanes; l++)
		differs |= r[l] ^ r[0];
	return !differs;
}

static bool is_contiguous(const uint32_t *r, unsigned lanes, uint32_t bytes)
{
	uint32_t differs = 0;

	for (unsigned l = 1; l < lanes; l++)
		differs |= r[l] ^ (r[0] + l * bytes);
	return !differs;
}

static enum wave_shape wave_shape_of(const uint32_t *r, unsigned lanes, uint32_t bytes)
{
	bool all_same = true, all_in_line = true, repeats = true;

	for (unsigned l = 0; l < lanes; l += 16) {
		all_same &= is_uniform(r + l, 16);
		all_in_line &= is_contiguous(r + l, 16, bytes);
		repeats &= r[l] == r[0];
	}
	return all_same        ? WAVE_SHAPE_UNIFORM
		: !all_in_line ? WAVE_SHAPE_SCATTERED
		: repeats      ? WAVE_SHAPE_REPEATED
			       : WAVE_SHAPE_CONTIGUOUS;
}

static void find_address_range(struct lane_pattern *k)
{
	enum { LINE = 64 };
	int32_t low = 0, high = 0;
	int64_t before = INT64_MAX;

	k->heads = 0;
	for (uint64_t e = k->exec; e; e &= e - 1) {
		int32_t r = k->relative[__builtin_ctzll(e)];
		low = r < low ? r : low;
		high = r > high ? r : high;
		if (r < before || r > before + LINE)
			k->heads |= e & -e;
		before = r;
	}
	k->low = low;
	k->reach = (uint32_t)high - (uint32_t)low;
}

void lane_pattern_record(struct lane_pattern *k, unsigned lanes, const uint32_t *at, uint64_t e, uint32_t bytes)
{
	uint32_t first = at[__builtin_ctzll(e)];

	k->exec = e;
	for (unsigned l = 0; l < lanes; l++)
		k->relative[l] = at[l] - first;
	for (unsigned g = 0; g < lanes / 8; g++) {
		const uint32_t *r = k->relative + 8 * g;
		k->shape[g] = is_uniform(r, 8)       ? OCTET_UNIFORM
			: is_contiguous(r, 8, bytes) ? OCTET_CONTIGUOUS
						     : OCTET_SCATTERED;
	}
	k->whole = wave_shape_of(k->relative, lanes, bytes);
	find_address_range(k);
}
