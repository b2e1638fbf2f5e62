/* Moves the data of accesses with a known address pattern (lane_pattern.h): whole groups of lanes at once where
 * possible. Each lane has n elements of `bytes` bytes; narrow elements are zero- or sign-extended to a register. */
#ifndef SOFTGPU_CORE_OPS_OPS_LANE_DATA_H
#define SOFTGPU_CORE_OPS_OPS_LANE_DATA_H

#include "softgpu/core/memory/lane_pattern.h"
#include "softgpu/core/ops/ops_vector.h"

#define READ_AT(ctype, p)                  \
	({                                 \
		ctype v_;                  \
		memcpy(&v_, p, sizeof v_); \
		v_;                        \
	})
#define WRITE_AT(ctype, p, value)          \
	do {                               \
		ctype v_ = (value);        \
		memcpy(p, &v_, sizeof v_); \
	} while (0)
enum { MAX_LANE_ELEMENTS = 4 /* per lane */ };
#define FORCE_INLINE static inline __attribute__((always_inline)) /* the callers pass constant sizes */

#if defined __AVX__ && !defined __AVX512F__
#define VECTOR_IS_ZERO(differs) _mm256_testz_si256((__m256i)(differs), (__m256i)(differs))
#else
#define VECTOR_IS_ZERO(differs) (!MASK_FROM_VECTOR((host_vector)((differs) != 0)))
#endif

/* Whether the addresses `a` of the lanes in e have the recorded pattern. With `high`, the upper halves of the
 * addresses, in the following register, must also be equal. */
FORCE_INLINE bool lane_pattern_compare(
	struct machine *m, const struct lane_pattern *k, const uint32_t *a, uint64_t e, bool high)
{
	const unsigned l = __builtin_ctzll(e);
	const host_vector first = a[l] + (host_vector){0}, upper = (high ? a[LANES + l] : 0) + (host_vector){0};
	host_vector differs = {0};

	if (k->exec != e)
		return false;
	if (e == ALL_LANES) {
		_Pragma("GCC unroll 8") for (unsigned g = 0; g < LANES; g += HOST_VECTOR_LANES)
		{
			differs |= (*(const host_vector *)(a + g) - first) ^ *(const host_vector *)(k->relative + g);
			if (high)
				differs |= *(const host_vector *)(a + LANES + g) ^ upper;
		}
		return VECTOR_IS_ZERO(differs);
	}
	const uint32_t *mask = expand_exec_mask(m, e);
	for (unsigned g = 0; g < LANES && e >> g; g += HOST_VECTOR_LANES) {
		host_vector here = (*(const host_vector *)(a + g) - first) ^ *(const host_vector *)(k->relative + g);
		if (high)
			here |= *(const host_vector *)(a + LANES + g) ^ upper;
		differs |= here & *(const host_vector *)(mask + g);
	}
	return VECTOR_IS_ZERO(differs);
}

static inline bool lane_pattern_matches(struct machine *m, const struct lane_pattern *k, const uint32_t *a, uint64_t e)
{
	return lane_pattern_compare(m, k, a, e, false);
}

static inline bool lane_pattern_matches_64(
	struct machine *m, const struct lane_pattern *k, const uint32_t *a, uint64_t e)
{
	return lane_pattern_compare(m, k, a, e, true);
}

/* --- loads --- */
FORCE_INLINE uint32_t load_one_element(const uint8_t *p, unsigned bytes, bool sign)
{
	switch (bytes) {
	case 1: return sign ? (uint32_t)(int8_t)*p : *p;
	case 2: return sign ? (uint32_t)READ_AT(int16_t, p) : READ_AT(uint16_t, p);
	default: return READ_AT(uint32_t, p);
	}
}

static inline uint32_t replace_half(uint32_t old, uint32_t value, unsigned shift)
{
	return (old & ~(0xffffu << shift)) | (value & 0xffff) << shift;
}

/* Loads pairs or quads of dwords for four lanes. */
static inline void load_dword_pairs(const uint8_t *from, uint32_t *d)
{
	__m128 a = _mm_loadu_ps((const float *)from), b = _mm_loadu_ps((const float *)(from + 16));

	_mm_storeu_ps((float *)d, _mm_shuffle_ps(a, b, 0x88));
	_mm_storeu_ps((float *)(d + LANES), _mm_shuffle_ps(a, b, 0xdd));
}

static inline void load_dword_quads(const uint8_t *from, uint32_t *d)
{
	__m128 a = _mm_loadu_ps((const float *)from), b = _mm_loadu_ps((const float *)(from + 16));
	__m128 c = _mm_loadu_ps((const float *)(from + 32)), e = _mm_loadu_ps((const float *)(from + 48));

	_MM_TRANSPOSE4_PS(a, b, c, e);
	_mm_storeu_ps((float *)d, a);
	_mm_storeu_ps((float *)(d + LANES), b);
	_mm_storeu_ps((float *)(d + 2 * LANES), c);
	_mm_storeu_ps((float *)(d + 3 * LANES), e);
}

FORCE_INLINE void load_contiguous(
	const uint8_t *from, uint32_t *d, unsigned lanes, unsigned n, unsigned bytes, bool sign)
{
	if (bytes == 4 && n == 1) {
		memcpy(d, from, 4 * lanes);
	} else if (bytes == 4 && (n == 2 || n == 4)) {
		for (unsigned l = 0; l < lanes; l += 4)
			if (n == 2)
				load_dword_pairs(from + l * 8, d + l);
			else
				load_dword_quads(from + l * 16, d + l);
	} else {
		for (unsigned k = 0; k < n; k++)
			for (unsigned l = 0; l < lanes; l++)
				d[k * LANES + l] = load_one_element(from + (l * n + k) * bytes, bytes, sign);
	}
}

/* Loads the elements of a lane. Pairs of dwords are read at once, because 64-bit accesses are atomic on the hardware
 * and a host thread may write them concurrently (LLVM AMDGPU usage, memory model of gfx9). */
FORCE_INLINE void load_elements(
	const uint8_t *from, uint32_t v[MAX_LANE_ELEMENTS], unsigned n, unsigned bytes, bool sign)
{
	unsigned k = 0;

	for (; bytes == 4 && k + 2 <= n; k += 2) {
		uint64_t pair = READ_AT(uint64_t, from + 4 * k);
		v[k] = (uint32_t)pair;
		v[k + 1] = (uint32_t)(pair >> 32);
	}
	for (; k < n; k++)
		v[k] = load_one_element(from + k * bytes, bytes, sign);
}

FORCE_INLINE void load_lane(const uint8_t *from, uint32_t *d, unsigned n, unsigned bytes, bool sign)
{
	uint32_t v[MAX_LANE_ELEMENTS];

	load_elements(from, v, n, bytes, sign);
	for (unsigned k = 0; k < n; k++)
		d[k * LANES] = v[k];
}

FORCE_INLINE void load_uniform(const uint8_t *from, uint32_t *d, unsigned lanes, unsigned n, unsigned bytes, bool sign)
{
	uint32_t v[MAX_LANE_ELEMENTS];

	load_elements(from, v, n, bytes, sign);
	for (unsigned k = 0; k < n; k++)
		for (unsigned l = 0; l < lanes; l++)
			d[k * LANES + l] = v[k];
}

/* Loads the lanes in `exec`. `base` is the address of the first lane's element. */
FORCE_INLINE void load_octets(
	const struct lane_pattern *lanes, const uint8_t *base, uint32_t *d, unsigned n, unsigned bytes, bool sign)
{
	const int32_t *relative = (const int32_t *)lanes->relative;
	uint64_t e = lanes->exec;

	for (unsigned g = 0; g < LANES && e >> g; g += 8) {
		unsigned some = e >> g & 255;
		if (some < 255)
			for (; some; some &= some - 1) {
				unsigned l = g + __builtin_ctz(some);
				load_lane(base + relative[l], d + l, n, bytes, sign);
			}
		else if (lanes->shape[g / 8] == OCTET_CONTIGUOUS)
			load_contiguous(base + relative[g], d + g, 8, n, bytes, sign);
		else if (lanes->shape[g / 8] == OCTET_UNIFORM)
			load_uniform(base + relative[g], d + g, 8, n, bytes, sign);
		else
			for (unsigned l = g; l < g + 8; l++)
				load_lane(base + relative[l], d + l, n, bytes, sign);
	}
}

FORCE_INLINE void load_lanes(
	const struct lane_pattern *lanes, const uint8_t *base, uint32_t *d, unsigned n, unsigned bytes, bool sign)
{
	const int32_t *relative = (const int32_t *)lanes->relative;

	if (lanes->exec != ALL_LANES || lanes->whole == WAVE_SHAPE_SCATTERED) {
		load_octets(lanes, base, d, n, bytes, sign);
	} else if (lanes->whole == WAVE_SHAPE_UNIFORM) {
		for (unsigned g = 0; g < LANES; g += 16)
			load_uniform(base + relative[g], d + g, 16, n, bytes, sign);
	} else if (lanes->whole == WAVE_SHAPE_CONTIGUOUS) {
		for (unsigned g = 0; g < LANES; g += 16)
			load_contiguous(base + relative[g], d + g, 16, n, bytes, sign);
	} else {
		load_contiguous(base, d, 16, n, bytes, sign);
		for (unsigned k = 0; k < n; k++)
			for (unsigned g = 16; g < LANES; g += 16)
				memcpy(d + k * LANES + g, d + k * LANES, 64);
	}
}

/* --- stores --- */
/* If lanes store to the same address, the last lane wins. Pairs of dwords are written at once, as in load_elements. */
FORCE_INLINE void store_lane(uint8_t *to, const uint32_t *d, unsigned n, unsigned bytes, unsigned shift)
{
	unsigned k = 0;

	for (; bytes == 4 && k + 2 <= n; k += 2)
		WRITE_AT(uint64_t, to + 4 * k, d[k * LANES] | (uint64_t)d[(k + 1) * LANES] << 32);
	for (; k < n; k++) {
		uint32_t v = d[k * LANES] >> shift;
		memcpy(to + k * bytes, &v, bytes);
	}
}

static inline void store_dword_pairs(uint8_t *to, const uint32_t *d)
{
	__m128 a = _mm_loadu_ps((const float *)d), b = _mm_loadu_ps((const float *)(d + LANES));

	_mm_storeu_ps((float *)to, _mm_unpacklo_ps(a, b));
	_mm_storeu_ps((float *)(to + 16), _mm_unpackhi_ps(a, b));
}

static inline void store_dword_quads(uint8_t *to, const uint32_t *d)
{
	__m128 a = _mm_loadu_ps((const float *)d), b = _mm_loadu_ps((const float *)(d + LANES));
	__m128 c = _mm_loadu_ps((const float *)(d + 2 * LANES)), e = _mm_loadu_ps((const float *)(d + 3 * LANES));

	_MM_TRANSPOSE4_PS(a, b, c, e);
	_mm_storeu_ps((float *)to, a);
	_mm_storeu_ps((float *)(to + 16), b);
	_mm_storeu_ps((float *)(to + 32), c);
	_mm_storeu_ps((float *)(to + 48), e);
}

FORCE_INLINE void store_contiguous(
	uint8_t *to, const uint32_t *d, unsigned lanes, unsigned n, unsigned bytes, unsigned shift)
{
	if (bytes == 4 && n == 1)
		memcpy(to, d, 4 * lanes);
	else if (bytes == 4 && (n == 2 || n == 4))
		for (unsigned l = 0; l < lanes; l += 4)
			if (n == 2)
				store_dword_pairs(to + l * 8, d + l);
			else
				store_dword_quads(to + l * 16, d + l);
	else
		for (unsigned l = 0; l < lanes; l++)
			store_lane(to + l * n * bytes, d + l, n, bytes, shift);
}

FORCE_INLINE void store_octets(
	const struct lane_pattern *lanes, uint8_t *base, const uint32_t *d, unsigned n, unsigned bytes, unsigned shift)
{
	const int32_t *relative = (const int32_t *)lanes->relative;
	uint64_t e = lanes->exec;

	for (unsigned g = 0; g < LANES && e >> g; g += 8) {
		unsigned some = e >> g & 255;
		if (some == 255 && lanes->shape[g / 8] == OCTET_CONTIGUOUS)
			store_contiguous(base + relative[g], d + g, 8, n, bytes, shift);
		else
			for (; some; some &= some - 1) {
				unsigned l = g + __builtin_ctz(some);
				store_lane(base + relative[l], d + l, n, bytes, shift);
			}
	}
}

FORCE_INLINE void store_lanes(
	const struct lane_pattern *lanes, uint8_t *base, const uint32_t *d, unsigned n, unsigned bytes, unsigned shift)
{
	const int32_t *relative = (const int32_t *)lanes->relative;

	if (lanes->exec != ALL_LANES || lanes->whole == WAVE_SHAPE_SCATTERED)
		store_octets(lanes, base, d, n, bytes, shift);
	else if (lanes->whole == WAVE_SHAPE_UNIFORM)
		for (unsigned g = 0; g < LANES; g += 16)
			store_lane(base + relative[g], d + g + 15, n, bytes, shift);
	else if (lanes->whole == WAVE_SHAPE_CONTIGUOUS)
		for (unsigned g = 0; g < LANES; g += 16)
			store_contiguous(base + relative[g], d + g, 16, n, bytes, shift);
	else
		store_contiguous(base, d + LANES - 16, 16, n, bytes, shift);
}

/* --- one function for each kind of element, which all instructions share --- */
typedef void lane_load_fn(const struct lane_pattern *lanes, const uint8_t *base, uint32_t *d);
typedef void lane_store_fn(const struct lane_pattern *lanes, uint8_t *base, const uint32_t *d);

#define IS_SIGNED(ctype) ((ctype)-1 < 1)
#define LANE_LOADER(ctype, n)                                                       \
	static __attribute__((noinline)) void load_lanes_##ctype##_##n(             \
		const struct lane_pattern *lanes, const uint8_t *base, uint32_t *d) \
	{                                                                           \
		load_lanes(lanes, base, d, n, sizeof(ctype), IS_SIGNED(ctype));     \
	}
LANE_LOADER(uint8_t, 1)
LANE_LOADER(int8_t, 1)
LANE_LOADER(uint16_t, 1)
LANE_LOADER(int16_t, 1)
LANE_LOADER(uint32_t, 1)
LANE_LOADER(uint32_t, 2)
LANE_LOADER(uint32_t, 3)
LANE_LOADER(uint32_t, 4)
#undef LANE_LOADER

#define LANE_STORER(ctype, n, shift)                                                \
	static __attribute__((noinline)) void store_lanes_##ctype##_##n##_##shift(  \
		const struct lane_pattern *lanes, uint8_t *base, const uint32_t *d) \
	{                                                                           \
		store_lanes(lanes, base, d, n, sizeof(ctype), shift);               \
	}
LANE_STORER(uint8_t, 1, 0)
LANE_STORER(uint8_t, 1, 16)
LANE_STORER(uint16_t, 1, 0)
LANE_STORER(uint16_t, 1, 16)
LANE_STORER(uint32_t, 1, 0)
LANE_STORER(uint32_t, 2, 0)
LANE_STORER(uint32_t, 3, 0)
LANE_STORER(uint32_t, 4, 0)
#undef LANE_STORER

#endif
