/* Image instructions (MIMG). They are not compiled for each host variant, except the atomics, whose operation is in the
 * row. */
#ifndef SOFTGPU_CORE_OPS_OPS_IMAGE_H
#define SOFTGPU_CORE_OPS_OPS_IMAGE_H

#include "softgpu/core/image/image_ops.h"
#include "softgpu/core/ops/ops_vmem.h"

#define IMAGE_LOAD(flags)   image_load(w, i, flags)
#define IMAGE_STORE(flags)  image_store(w, i, flags)
#define IMAGE_SAMPLE(flags) image_sample(w, i, flags)
#define IMAGE_GET_RESINFO   image_get_resinfo(w, i)

#define IMAGE_CELLS(ctype, new)                                                      \
	EACH_LANE(l, x.memory[0])                                                    \
	{                                                                            \
		ctype A UNUSED, B UNUSED = 0, OLD, after;                            \
		cell_read(s, l, &A, sizeof A);                                       \
		if (i->sources & 0x80) /* compare and swap: the data is two cells */ \
			cell_read(s + sizeof(ctype) / 4 * LANES, l, &B, sizeof B);   \
		do {                                                                 \
			memcpy(&OLD, x.host[0][l], sizeof OLD);                      \
			after = (new);                                               \
		} while (!cell_swap(x.host[0][l], &OLD, &after, sizeof OLD));        \
		if (i->d.dst != ISA_NONE)                                            \
			cell_write(vgpr_data(w, i->d.dst), l, &OLD, sizeof OLD);     \
	}

/* Cells of 32 bits, of 64 where dmask has twice the components. Lanes outside the image read 0. */
#define IMAGE_ATOMIC(kind, new)                                                 \
	do {                                                                    \
		struct image_access x;                                          \
		unsigned l;                                                     \
		const uint32_t *s = access_data(w, vgpr_data(w, i->d.data));    \
		if (!image_begin_atomic(w, i, &x))                              \
			break;                                                  \
		if (x.bytes == 8)                                               \
			IMAGE_CELLS(kind##64_t, new)                            \
		else                                                            \
			IMAGE_CELLS(kind##32_t, new)                            \
		if (i->d.dst != ISA_NONE)                                       \
			EACH_LANE(l, active_lanes(w) & ~x.memory[0])            \
		cell_write(vgpr_data(w, i->d.dst), l, &(uint64_t){0}, x.bytes); \
	} while (0)

#endif
