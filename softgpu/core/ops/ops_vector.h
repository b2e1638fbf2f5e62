/* Vector instructions: each row becomes a loop over the lanes. */
#ifndef SOFTGPU_CORE_OPS_OPS_VECTOR_H
#define SOFTGPU_CORE_OPS_OPS_VECTOR_H

#include <immintrin.h>

#include "softgpu/core/ops/ops_scalar.h"

static inline const uint32_t *vector_source(const struct wave *w, const struct uop *i, unsigned k)
{
	return (const uint32_t *)(i->src[k] + ((uintptr_t)w->v & i->rel[k]));
}

/* number: an operand; gfx90a has data in accumulation registers, too. */
static inline uint32_t *vgpr_data(const struct wave *w, unsigned number)
{
#if !GFX11
	if (__builtin_expect(number >= ISA_AGPR0, 0))
		return w->v + w->m->agprs + (number - ISA_AGPR0) * LANES;
#endif
	return w->v + (number - ISA_VGPR0) * LANES;
}

#define EACH_LANE(l, mask) for (uint64_t e_ = (mask); e_ ? (l = __builtin_ctzll(e_), true) : false; e_ &= e_ - 1)

/* A host vector of lanes. A mask converts to a vector with all ones in lanes whose bit is set, and back. */
#if defined __AVX512F__
typedef uint32_t host_vector __attribute__((vector_size(64), aligned(4), may_alias));
#define VECTOR_FROM_MASK(mask) ((host_vector)_mm512_maskz_set1_epi32(mask, -1))
#define MASK_FROM_VECTOR(ones) ((uint64_t)_mm512_test_epi32_mask((__m512i)(ones), (__m512i)(ones)))
#elif defined __AVX2__
typedef uint32_t host_vector __attribute__((vector_size(32), aligned(4), may_alias));
#define VECTOR_FROM_MASK(mask)                                                         \
	({                                                                             \
		const host_vector bit_ = {1, 2, 4, 8, 16, 32, 64, 128};                \
		(host_vector)((((uint32_t)(mask) + (host_vector){0}) & bit_) == bit_); \
	})
#define MASK_FROM_VECTOR(ones) ((uint64_t)(uint32_t)_mm256_movemask_ps((__m256)(ones)))
#else
typedef uint32_t host_vector __attribute__((vector_size(16), aligned(4), may_alias));
#define VECTOR_FROM_MASK(mask)                                                         \
	({                                                                             \
		const host_vector bit_ = {1, 2, 4, 8};                                 \
		(host_vector)((((uint32_t)(mask) + (host_vector){0}) & bit_) == bit_); \
	})
#define MASK_FROM_VECTOR(ones) ((uint64_t)(uint32_t)_mm_movemask_ps((__m128)(ones)))
#endif
enum { HOST_VECTOR_LANES = sizeof(host_vector) / 4 };

/* Converts a mask of all 64 lanes. */
static inline void expand_lane_mask(uint64_t mask, uint32_t *out)
{
	for (unsigned l = 0; l < LANES; l += HOST_VECTOR_LANES)
		*(host_vector *)(out + l) = VECTOR_FROM_MASK(mask >> l);
}

static inline uint64_t pack_lane_mask(const uint32_t *ones)
{
	uint64_t mask = 0;

	for (unsigned l = 0; l < LANES; l += HOST_VECTOR_LANES)
		mask |= MASK_FROM_VECTOR(*(const host_vector *)(ones + l)) << l;
	return mask;
}

static inline const uint32_t *expand_exec_mask(struct machine *m, uint64_t e)
{
	struct lane_mask *mask = &m->thread.lane_mask[LANES / 64];

	if (mask->exec != e) {
		expand_lane_mask(e, mask->lane);
		mask->exec = e;
	}
	return mask->lane;
}

static uint32_t scalar_value(const struct wave *w, unsigned operand)
{
	switch (operand) {
	case ISA_VCCZ: return !VCC;
	case ISA_EXECZ: return !active_lanes(w);
	case ISA_SCC: return w->scc;
	default: return w->s[operand & 127];
	}
}

/* Copies the SGPRs that the instruction reads to all lanes of the broadcast registers. */
static __attribute__((noinline)) void fill_broadcast(struct wave *w, const struct uop *i)
{
	for (unsigned k = 0; k < 3; k++) {
		if (!(i->broadcast >> k & 1))
			continue;
		uint32_t low = scalar_value(w, i->d.src[k]), *out = w->m->thread.broadcast[k];
		for (unsigned l = 0; l < LANES; l++)
			out[l] = low;
		if (!(i->broadcast >> k & 8)) /* a pair */
			continue;
		uint32_t high = w->s[(i->d.src[k] + 1) & 127];
		for (unsigned l = 0; l < LANES; l++)
			out[LANES + l] = high;
	}
}

#define READLANE      D = 0
#define READFIRSTLANE D = 0
#define WRITELANE     D = A
#define SWAP          D = A
#define MFMA(...)     D = 0
#define MIXLO(x)      (D = (x))
#define MIXHI(x)      (D = (x), half = 16)
#define CIN           ((int)(carry[LANE] & 1))
#define COUT          cout
#define LANE          l
/* A product with 1. The compiler must not know that it is 1. */
#define CANONICAL(x)      ((x)*one)
#define TAKEN(x)          ((x) == 0 ? (x)*0 : (x))
#define MODE_FLUSH_IN(x)  (w->mode & MODE_IN_32 ? (x) : ftz_f32(x))
#define MODE_FLUSH_OUT(x) (w->mode & MODE_OUT_32 ? (x) : ftz_f32(x))

/* ops_any_mode.c defines these: ENTER_MODE sets SEMANTICS_MODE, OPERATION is the function without modifiers. */
#ifndef ENTER_MODE
#define ENTER_MODE(w, rate) ((void)0)
#define OPERATION(i)        ((i)->base_fn)
#endif

#define LANE_BODY(td, t0, t1, t2, ...)                    \
	{                                                 \
		CT_##t0 A UNUSED = RD_##t0(a, l);         \
		CT_##t1 B UNUSED = RD_##t1(b, l);         \
		CT_##t2 C UNUSED = RD_##t2(c, l);         \
		CT_##td D UNUSED = RD_##td(d, l);         \
		int cout UNUSED = 0;                      \
		__VA_ARGS__;                              \
		WR_##td(d, l, D);                         \
		if (carries)                              \
			bits[l] = -(uint32_t)(cout != 0); \
	}

/* Defines the names that the semantics of a row use. */
#define VECTOR_BEGIN(w, i, td, td2, t2, rate, traits)                                          \
	ENTER_MODE(w, rate);                                                                   \
	const bool to_mask UNUSED = T_##td == T_MASK, carries UNUSED = (td2) == T_CARRY,       \
			   is_class_test UNUSED = (traits)&CLASS_TEST;                         \
	const uint64_t e UNUSED = active_lanes(w);                                             \
	uint32_t half UNUSED = (i->d.op_sel & 8) * 2;                                          \
	uint32_t *d UNUSED = (uint32_t *)((char *)w->v + i->dst);                              \
	uint32_t bits[LANES] UNUSED;                                                           \
	float one UNUSED = 1;                                                                  \
	__asm__("" : "+x"(one));                                                               \
	uint32_t carry[LANES] UNUSED;                                                          \
	if (__builtin_expect(i->broadcast, 0))                                                 \
		fill_broadcast(w, i);                                                          \
	const uint32_t *a UNUSED = vector_source(w, i, 0), *b UNUSED = vector_source(w, i, 1), \
			  *c UNUSED = vector_source(w, i, 2);                                  \
	if (T_##t2 == T_CARRY || (traits)&READS_VCC)                                           \
	expand_lane_mask(*(const lane_bits *)&w->s[i->mask_src], carry)

/* Writes a mask result: to one SGPR pair, or two (v_cmpx). Masks are not blended per lane; the whole mask is ANDed with
 * EXEC. */
#define VECTOR_END(w, i, mask)                               \
	if (to_mask || carries) {                            \
		const uint64_t set = (mask)&e;               \
		if (to_mask)                                 \
			*(lane_bits *)&w->s[i->d.dst] = set; \
		*(lane_bits *)&w->s[i->dst2] = set;          \
	}

/* One loop for any EXEC, since the JIT runs what often has all lanes active; and one lane alone. The rows of v_cmp and
 * v_cmpx become equal functions, which the compiler merges. */
#define VECTOR(name, td, td2, t0, t1, t2, rate, traits, ...)                              \
	static void op_##name(struct wave *w, const struct uop *i)                        \
	{                                                                                 \
		VECTOR_BEGIN(w, i, td, td2, t2, rate, traits);                            \
		if (e && !(e & (e - 1))) {                                                \
			const unsigned l = __builtin_ctzll(e);                            \
			const bool m_ UNUSED = true;                                      \
			LANE_BODY(td, t0, t1, t2, __VA_ARGS__)                            \
			VECTOR_END(w, i, (int64_t)(int32_t)bits[l])                       \
			return;                                                           \
		}                                                                         \
		const uint32_t *mask UNUSED = to_mask ? NULL : expand_exec_mask(w->m, e); \
		_Pragma("GCC ivdep") for (unsigned l = 0; l < LANES; l++)                 \
		{                                                                         \
			const bool m_ UNUSED = to_mask || mask[l] != 0;                   \
			LANE_BODY(td, t0, t1, t2, __VA_ARGS__)                            \
		}                                                                         \
		VECTOR_END(w, i, pack_lane_mask(bits))                                    \
	}

/* --- operations across lanes --- */
static uint32_t lane_operand(struct wave *w, const struct uop *i, unsigned k)
{
	if (i->broadcast >> k & 1)
		return scalar_value(w, i->d.src[k]);
	return vector_source(w, i, k)[0];
}

static void op_readlane(struct wave *w, const struct uop *i)
{
	uint32_t lane = lane_operand(w, i, 1) & (LANES - 1);

	if (i->broadcast)
		fill_broadcast(w, i);
	w->s[i->d.dst] = vector_source(w, i, 0)[lane];
}

static void op_readfirstlane(struct wave *w, const struct uop *i)
{
	uint64_t e = active_lanes(w);

	if (i->broadcast)
		fill_broadcast(w, i);
	w->s[i->d.dst] = vector_source(w, i, 0)[e ? __builtin_ctzll(e) : 0];
}

static void op_writelane(struct wave *w, const struct uop *i)
{
	uint32_t *d = (uint32_t *)((char *)w->v + i->dst);

	d[lane_operand(w, i, 1) & (LANES - 1)] = lane_operand(w, i, 0);
}

static void op_swap(struct wave *w, const struct uop *i)
{
	uint32_t *d = (uint32_t *)((char *)w->v + i->dst), *a = (uint32_t *)vector_source(w, i, 0);
	const uint32_t *mask = expand_exec_mask(w->m, active_lanes(w));

	for (unsigned l = 0; l < LANES; l++) {
		uint32_t x = d[l], y = a[l];
		d[l] = mask[l] ? y : x;
		a[l] = mask[l] ? x : y;
	}
}

#endif
