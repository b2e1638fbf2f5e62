/* Sums and products of f32 with host vectors. The host returns the first operand that is a NaN, as the rows do
 * (semantics_float.h), but a compiler may exchange operands of C's + and *; it does not exchange those of an asm. One
 * active lane calls the function of the row. */
#ifndef SOFTGPU_CORE_OPS_OPS_FLOAT32_H
#define SOFTGPU_CORE_OPS_OPS_FLOAT32_H

#include "softgpu/core/ops/ops_vector.h"

typedef float host_floats __attribute__((vector_size(sizeof(host_vector)), aligned(4), may_alias));

#if defined __AVX__
#define HOST_FLOAT_OP(name, instruction)                                            \
	static inline host_floats name(host_floats x, host_floats y)                \
	{                                                                           \
		__asm__("v" instruction " %2, %0, %0" : "=v"(x) : "0"(x), "vm"(y)); \
		return x;                                                           \
	}
#else
#define HOST_FLOAT_OP(name, instruction)                                   \
	static inline host_floats name(host_floats x, host_floats y)       \
	{                                                                  \
		__asm__(instruction " %2, %0" : "=x"(x) : "0"(x), "x"(y)); \
		return x;                                                  \
	}
#endif
HOST_FLOAT_OP(add_floats, "addps")
HOST_FLOAT_OP(sub_floats, "subps")
HOST_FLOAT_OP(mul_floats, "mulps")
#undef HOST_FLOAT_OP

#define FLOATS_LOOP(result, keep)                                                                                     \
	_Pragma("GCC unroll 8") for (unsigned l = 0; l < LANES; l += HOST_VECTOR_LANES)                               \
	{                                                                                                             \
		const host_floats x UNUSED = *(const host_floats *)(a + l), y UNUSED = *(const host_floats *)(b + l), \
				    z UNUSED = *(const host_floats *)((adds_old ? d : c) + l);                        \
		const host_vector r = (host_vector)(result);                                                          \
		*(host_vector *)(d + l) = keep;                                                                       \
	}

/* result: of x, y and z, the sources; z is the old destination where READS_D is in the traits. */
#define FLOATS(name, row, traits, result)                                                                    \
	static void op_##row(struct wave *w, const struct uop *i);                                           \
	static void op_##name(struct wave *w, const struct uop *i)                                           \
	{                                                                                                    \
		const bool adds_old UNUSED = (traits)&READS_D;                                               \
		if (!(active_lanes(w) & (active_lanes(w) - 1))) {                                            \
			op_##row(w, i);                                                                      \
			return;                                                                              \
		}                                                                                            \
		VECTOR_BEGIN(w, i, F32, T__, _, RATE_FULL, 0);                                               \
		if (e == ALL_LANES) {                                                                        \
			FLOATS_LOOP(result, r)                                                               \
		} else {                                                                                     \
			const uint32_t *mask = expand_exec_mask(w->m, e);                                    \
			FLOATS_LOOP(result,                                                                  \
				(r & *(const host_vector *)(mask + l)) |                                     \
					(*(const host_vector *)(d + l) & ~*(const host_vector *)(mask + l))) \
		}                                                                                            \
	}

FLOATS(add_floats, v_add_f32, 0, add_floats(x, y))
FLOATS(sub_floats, v_sub_f32, 0, sub_floats(x, y))
FLOATS(subrev_floats, v_subrev_f32, 0, sub_floats(y, x))
FLOATS(mul_floats, v_mul_f32, 0, mul_floats(x, y))
FLOATS(mad_floats, v_mad_f32, 0, add_floats(mul_floats(x, y), z))
FLOATS(mac_floats, v_mac_f32, READS_D, add_floats(mul_floats(x, y), z))

#if defined __FMA__
static inline host_floats multiply_add_floats(host_floats x, host_floats y, host_floats z)
{
	__asm__("vfmadd231ps %2, %1, %0" : "+v"(z) : "v"(x), "vm"(y));
	return z;
}

FLOATS(fma_floats, v_fma_f32, 0, multiply_add_floats(x, y, z))
FLOATS(fmac_floats, v_fmac_f32, READS_D, multiply_add_floats(x, y, z))
#endif

#endif
