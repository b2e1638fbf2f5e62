/* Fast versions of additions and subtractions with carry for all lanes, as compilers emit them for addresses: with host
 * vectors, and masks as bit masks. Other cases call the function of the row. */
#ifndef SOFTGPU_CORE_OPS_OPS_ADD_CARRY_H
#define SOFTGPU_CORE_OPS_OPS_ADD_CARRY_H

#include "softgpu/core/ops/ops_vector.h"

#define CARRY_ALL(name, row, result, out)                                                       \
	static void op_##row(struct wave *w, const struct uop *i);                              \
	static void op_##name(struct wave *w, const struct uop *i)                              \
	{                                                                                       \
		if (active_lanes(w) != ALL_LANES || i->d.clamp) {                               \
			op_##row(w, i);                                                         \
			return;                                                                 \
		}                                                                               \
		if (i->broadcast)                                                               \
			fill_broadcast(w, i);                                                   \
		const uint32_t *from[] = {vector_source(w, i, 0), vector_source(w, i, 1)};      \
		uint32_t *d = (uint32_t *)((char *)w->v + i->dst);                              \
		uint64_t in = *(const lane_bits *)&w->s[i->mask_src], set = 0;                  \
		_Pragma("GCC unroll 8") for (unsigned l = 0; l < LANES; l += HOST_VECTOR_LANES) \
		{                                                                               \
			const host_vector a = *(const host_vector *)(from[0] + l),              \
					  b = *(const host_vector *)(from[1] + l),              \
					  c UNUSED = VECTOR_FROM_MASK(in >> l), r = (result);   \
			*(host_vector *)(d + l) = r;                                            \
			set |= MASK_FROM_VECTOR((host_vector)(out)) << l;                       \
		}                                                                               \
		*(lane_bits *)&w->s[i->dst2] = set;                                             \
	}

/* c is -1 in lanes with a carry or borrow */
CARRY_ALL(add_all, v_add_co_u32, a + b, r < a)
CARRY_ALL(sub_all, v_sub_co_u32, a - b, a < b)
CARRY_ALL(add_carry_all, v_addc_co_u32, a + b - c, (r < a) | ((r == a) & c))
CARRY_ALL(sub_carry_all, v_subb_co_u32, a - b + c, (a < b) | ((a == b) & c))

#endif
