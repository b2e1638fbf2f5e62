/* Sums and products of f32 with host vectors. The host returns the first operand that is a NaN, as the rows do
 * (semantics_float.h), but a compiler may exchange operands of C's + and *; it does not exchange those of an asm. One
 * active lane calls the function of the row. */
#ifndef SOFTGPU_CORE_OPS_OPS_FLOAT32_H
#define SOFTGPU_CORE_OPS_OPS_FLOAT32_H

#include "softgpu/core/ops/ops_vector.h"

typedef float host_floats __attribute__((vector_size(sizeof(host_vector)), aligned(4), may_alias));

/* x and the floats at y. A memory operand, since the compiler would load it into a register first. */
#if defined __AVX__
#define HOST_FLOAT_OP(name, instruction)                                                         \
	static inline host_floats name(host_floats x, const uint32_t *y)                         \
	{                                                                                        \
		__asm__("v" instruction " %1, %0, %0" : "+v"(x) : "m"(*(const host_floats *)y)); \
		return x;                                                                        \
	}
#else
#define HOST_FLOAT_OP(name, instruction)                                                 \
	static inline host_floats name(host_floats x, const uint32_t *y)                 \
	{                                                                                \
		__asm__(instruction " %1, %0" : "+x"(x) : "x"(*(const host_floats *)y)); \
		return x;                                                                \
	}
#endif
HOST_FLOAT_OP(add_floats, "addps")
HOST_FLOAT_OP(sub_floats, "subps")
HOST_FLOAT_OP(mul_floats, "mulps")
#undef HOST_FLOAT_OP
#define LOAD_FLOATS(from) (*(const host_floats *)(from))

/* result: of the sources x, y and z; z is the old destination where READS_D is in the traits. Stored where `keep` says.
 */
#define FLOATS_LOOP(result, keep)                                                                        \
	_Pragma("GCC unroll 8") for (unsigned l = 0; l < LANES; l += HOST_VECTOR_LANES)                  \
	{                                                                                                \
		const uint32_t *x UNUSED = a + l, *y UNUSED = b + l, *z UNUSED = (adds_old ? d : c) + l; \
		const host_vector r = (host_vector)(result);                                             \
		*(host_vector *)(d + l) = keep;                                                          \
	}

#define FLOATS(name, row, traits, result)                                                            \
	static void op_##row(struct wave *w, const struct uop *i);                                   \
	static __attribute__((noinline)) void masked_##name(struct wave *w, const struct uop *i)     \
	{                                                                                            \
		const bool adds_old UNUSED = (traits)&READS_D;                                       \
		if (!(active_lanes(w) & (active_lanes(w) - 1))) {                                    \
			op_##row(w, i);                                                              \
			return;                                                                      \
		}                                                                                    \
		VECTOR_BEGIN(w, i, F32, T__, _, RATE_FULL, 0);                                       \
		const uint32_t *mask = expand_exec_mask(w->m, e);                                    \
		FLOATS_LOOP(result,                                                                  \
			(r & *(const host_vector *)(mask + l)) |                                     \
				(*(const host_vector *)(d + l) & ~*(const host_vector *)(mask + l))) \
	}                                                                                            \
	static void op_##name(struct wave *w, const struct uop *i)                                   \
	{                                                                                            \
		const bool adds_old UNUSED = (traits)&READS_D;                                       \
		if (active_lanes(w) != ALL_LANES) {                                                  \
			masked_##name(w, i);                                                         \
			return;                                                                      \
		}                                                                                    \
		VECTOR_BEGIN(w, i, F32, T__, _, RATE_FULL, 0);                                       \
		__asm__("" : "+r"(d)); /* one register, not a sum for each part */                   \
		FLOATS_LOOP(result, r)                                                               \
	}

FLOATS(add_floats, v_add_f32, 0, add_floats(LOAD_FLOATS(x), y))
FLOATS(sub_floats, v_sub_f32, 0, sub_floats(LOAD_FLOATS(x), y))
FLOATS(subrev_floats, v_subrev_f32, 0, sub_floats(LOAD_FLOATS(y), x))
FLOATS(mul_floats, v_mul_f32, 0, mul_floats(LOAD_FLOATS(x), y))
FLOATS(mad_floats, v_mad_f32, 0, add_floats(mul_floats(LOAD_FLOATS(x), y), z))
FLOATS(mac_floats, v_mac_f32, READS_D, add_floats(mul_floats(LOAD_FLOATS(x), y), z))

#if defined __FMA__
static inline host_floats multiply_add_floats(host_floats x, const uint32_t *y, host_floats z)
{
	__asm__("vfmadd231ps %2, %1, %0" : "+v"(z) : "v"(x), "m"(*(const host_floats *)y));
	return z;
}

FLOATS(fma_floats, v_fma_f32, 0, multiply_add_floats(LOAD_FLOATS(x), y, LOAD_FLOATS(z)))
FLOATS(fmac_floats, v_fmac_f32, READS_D, multiply_add_floats(LOAD_FLOATS(x), y, LOAD_FLOATS(z)))
#endif

#endif
