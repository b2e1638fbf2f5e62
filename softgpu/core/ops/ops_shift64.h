/* Fast versions of 64-bit shifts of all lanes by the same amount, as compilers emit them for indices: each half is a
 * separate register. Other cases call the function of the row. */
#ifndef SOFTGPU_CORE_OPS_OPS_SHIFT64_H
#define SOFTGPU_CORE_OPS_OPS_SHIFT64_H

#include "softgpu/core/ops/ops_vector.h"

/* The shift amount if it is the same for all lanes, all lanes are active and it is below 32; otherwise 32. */
static inline uint32_t uniform_shift_count(const struct wave *w, const struct uop *i)
{
	if (active_lanes(w) != ALL_LANES || i->d.src[0] >= ISA_VGPR0 || i->broadcast & 2)
		return 32;
	uint32_t n = (i->broadcast & 1 ? scalar_value(w, i->d.src[0]) : *vector_source(w, i, 0)) & 63;
	return n < 32 ? n : 32;
}

#define SHIFT_ALL(name, row, new_low, new_high)                                            \
	static void op_##row(struct wave *w, const struct uop *i);                         \
	static void op_##name(struct wave *w, const struct uop *i)                         \
	{                                                                                  \
		const uint32_t *b = vector_source(w, i, 1), n = uniform_shift_count(w, i); \
		uint32_t *d = (uint32_t *)((char *)w->v + i->dst);                         \
		if (n == 32) {                                                             \
			op_##row(w, i);                                                    \
			return;                                                            \
		}                                                                          \
		_Pragma("GCC ivdep") for (unsigned l = 0; l < LANES; l++)                  \
		{                                                                          \
			uint32_t low = b[l], high = b[LANES + l];                          \
			d[l] = (new_low);                                                  \
			d[LANES + l] = (new_high);                                         \
		}                                                                          \
	}

SHIFT_ALL(shift_left, v_lshlrev_b64, low << n, high << n | low >> 1 >> (31 - n))
SHIFT_ALL(shift_right, v_lshrrev_b64, low >> n | high << 1 << (31 - n), high >> n)
SHIFT_ALL(shift_right_signed, v_ashrrev_i64, low >> n | high << 1 << (31 - n), (uint32_t)((int32_t)high >> n))

#endif
