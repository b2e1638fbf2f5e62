/* D = A * B + C of gfx908's matrix cores, v_mfma: one or more products of small matrices, the blocks, at once.
 *
 * Layout (AMD Matrix Instruction Calculator, CDNA1), for `blocks` products of side x depth by depth x side elements:
 * lane l has row l % rows of A and column l % rows of B, where rows = side * blocks counts through the blocks. Its
 * elements are consecutive in k, from the low bits of the first dword on; the lanes from rows on have the next k. C and
 * D have four rows of a block in four registers, in `side` lanes. The next four rows are in the next lanes, then in the
 * next registers; with 4 x 4 elements, so are the blocks.
 *
 * cbsz: blocks come in groups of 2^cbsz, which all read block abid of their group of A. blgp: lanes read B from other
 * lanes (same source). What abid does beyond the group, and cbsz beyond the number of blocks, is not described: here
 * the excess bits have no effect.
 *
 * EXEC and MODE have no effect; floats round to nearest even and denormals are kept (AMD's emulator, rocjitsu,
 * mma_exec.h, reads neither. AMD's MIOpen documents that MI200 flushes denormals, and no other board).
 *
 * The guides do not describe how products are summed. This is what MMA-Sim (Xie and others, 2025) found for CDNA2,
 * without its flushing, and gives for CDNA1 too:
 *   f32   each product is added to C with one rounding, in the order of k
 *   f16   four products: (p0 + p1) + (p2 + p3), each sum rounded to f32; then that is added to C, and so on
 *   bf16  two products: p0 + p1, and so on; a product too small or too large for f32 is rounded, too
 * With it, the product of FTTN (Li and others, 2024), f16 with C subtracted, gives 255.875, as on their MI100. So would
 * sums of four products and C with one rounding. A product of -0 counts as +0 (MMA-Sim).
 *   i8    exact; D keeps the low 32 bits (assumed: the encoding has no clamp bit)
 */
#ifndef SOFTGPU_ISA_SEMANTICS_MFMA_H
#define SOFTGPU_ISA_SEMANTICS_MFMA_H

#include "softgpu/isa/semantics_float.h"

enum mfma_elements { MFMA_f32, MFMA_f16, MFMA_bf16, MFMA_i8, MFMA_ELEMENTS };

struct mfma_shape {
	uint8_t elements; /* enum mfma_elements */
	uint8_t side, depth, blocks;
};

/* Of a v_mfma operation; of others all zeros. Never NULL. */
const struct mfma_shape *isa_mfma_shape(unsigned op);

/* LLVM, SISchedule.td: 2 for 4 x 4 elements, 8 for 16 x 16, 16 for 32 x 32. */
static inline unsigned mfma_passes(const struct mfma_shape *s)
{
	return s->side / 2;
}

/* Multiplications and additions. */
static inline unsigned mfma_operations(const struct mfma_shape *s)
{
	return 2u * s->side * s->side * s->depth * s->blocks;
}

static inline unsigned mfma_result_registers(const struct mfma_shape *s)
{
	return s->side == 4 ? 4 : s->blocks * s->side * s->side / 64;
}

/* --- layout --- */
/* Where row i of a block of C and D begins; its elements are in consecutive lanes. */
struct mfma_place {
	unsigned number, lane; /* number: of the register */
};

static inline struct mfma_place mfma_result_place(const struct mfma_shape *s, unsigned block, unsigned i)
{
	const unsigned across = 64 / s->side; /* groups of four rows next to each other */

	if (s->side == 4)
		return (struct mfma_place){i, block * 4};
	return (struct mfma_place){
		block * s->side * s->side / 64 + i / (4 * across) * 4 + i % 4, i / 4 % across * s->side};
}

static inline unsigned mfma_source_block(const struct mfma_shape *s, unsigned block, unsigned cbsz, unsigned abid)
{
	const unsigned others = ((1u << cbsz) - 1) & (s->blocks - 1u);

	return (block & ~others) | (abid & others);
}

static inline unsigned mfma_source_lane(unsigned lane, unsigned blgp)
{
	switch (blgp) {
	case 0: return lane;
	case 1: return lane % 32;
	case 2: return lane % 32 + 32;
	case 3: return (lane + 16) % 64;
	default: return lane % 16 + 16 * (blgp - 4);
	}
}

/* --- sums --- */
static inline float mfma_product(float a, float b)
{
	return add_f32(mul_f32(a, b), 0);
}

static inline float mfma_sum_pair(const float a[2], const float b[2])
{
	return add_f32(mfma_product(a[0], b[0]), mfma_product(a[1], b[1]));
}

static inline float mfma_add_f32(const float a[1], const float b[1], float c)
{
	return fma_f32(a[0], b[0], c);
}

static inline float mfma_add_f16(const float a[4], const float b[4], float c)
{
	return add_f32(add_f32(mfma_sum_pair(a, b), mfma_sum_pair(a + 2, b + 2)), c);
}

static inline float mfma_add_bf16(const float a[2], const float b[2], float c)
{
	return add_f32(mfma_sum_pair(a, b), c);
}

static inline int32_t mfma_add_i8(const int32_t a[4], const int32_t b[4], int32_t c)
{
	return (int32_t)((uint32_t)c + (uint32_t)(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]));
}

#endif
