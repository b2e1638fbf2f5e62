/* D = A * B + C of the matrix cores of gfx908 and gfx90a, v_mfma: one or more products of small matrices, the blocks,
 * at once.
 *
 * Layout (AMD Matrix Instruction Calculator, CDNA1), for `blocks` products of side x depth by depth x side elements:
 * lane l has row l % rows of A and column l % rows of B, where rows = side * blocks counts through the blocks. Its
 * elements are consecutive in k, from the low bits of the first dword on; the lanes from rows on have the next k. C and
 * D have four rows of a block in four registers, in `side` lanes. The next four rows are in the next lanes, then in the
 * next registers; with 4 x 4 elements, so are the blocks.
 * f64 has one element in two registers: row i of C and D is in the pair i / 4, from lane i % 4 * 16 + block * side on.
 *
 * cbsz: blocks come in groups of 2^cbsz, which all read block abid of their group of A. blgp: lanes read B from other
 * lanes (same source). What abid does beyond the group, and cbsz beyond the number of blocks, is not described: here
 * the excess bits have no effect. Forms of f64 have none of them (calculator, CDNA2), though LLVM accepts the bits.
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
 *
 * gfx90a adds
 *   bf16_1k  as f16, four products
 *   f64      as f32, with denormals
 * and flushes denormals with halves of either kind (MIOpen, "MI200 MFMA Behavior Specifics"): in the elements of A and
 * B and in C, which become +0; in products and sums, which keep their sign (MMA-Sim). FTTN reports 0 for its product on
 * an MI250X, where this gives 255.875 as on the MI100. Flushing cannot be the reason: the factors are 2^10, 2^-2 and
 * 2^-3, and no product or sum is smaller than 2^-6. 0 needs products of 2^-6 and 2^-5 that are lost one by one next to
 * 2^20, by single additions to C or because each is truncated to C's exponent, which explains 0 on a V100. Neither fits
 * the sums of four products that MMA-Sim found on CDNA2 and compared with that board bit by bit. FTTN's program
 * (LLNL/FTTN, init_host_matrices and simple_wmma_run) begins with a result of 0 and does not check whether its kernel
 * was launched, so that its 0 proves less.
 */
#ifndef SOFTGPU_ISA_SEMANTICS_MFMA_H
#define SOFTGPU_ISA_SEMANTICS_MFMA_H

#include <stdbool.h>

#include "softgpu/isa/semantics_float.h"

enum mfma_elements { MFMA_f32, MFMA_f16, MFMA_bf16, MFMA_i8, MFMA_bf16_1k, MFMA_f64, MFMA_ELEMENTS };

struct mfma_shape {
	uint8_t elements; /* enum mfma_elements */
	uint8_t side, depth, blocks;
};

/* Of a v_mfma operation; of others all zeros. Never NULL. */
const struct mfma_shape *isa_mfma_shape(unsigned op);

/* LLVM, SISchedule.td: 2 for 4 x 4 elements, 8 for 16 x 16, 16 for 32 x 32; 4 for 4 x 4 of f64. */
static inline unsigned mfma_passes(const struct mfma_shape *s)
{
	return s->elements == MFMA_f64 && s->side == 4 ? 4 : s->side / 2;
}

/* Whether the vector ALU works next to the product (AMD Matrix Instruction Calculator, CDNA2: "Can co-execute with
 * VALU", False for f64). LLVM has no wait for the matrix that a product of f64 adds, either. */
static inline bool mfma_coexecutes(const struct mfma_shape *s)
{
	return s->elements != MFMA_f64;
}

/* Multiplications and additions. */
static inline unsigned mfma_operations(const struct mfma_shape *s)
{
	return 2u * s->side * s->side * s->depth * s->blocks;
}

static inline unsigned mfma_result_registers(const struct mfma_shape *s)
{
	if (s->elements == MFMA_f64)
		return s->blocks * s->side * s->side / 32;
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

	if (s->elements == MFMA_f64)
		return (struct mfma_place){i / 4 * 2, i % 4 * 16 + block * s->side};
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
/* What holds for the numbers of a product, below `rules`. A compiler drops what a constant leaves out. */
enum {
	MFMA_FLUSHES = 1, /* the target flushes denormals */
	MFMA_NANS = 2, /* NaNs can be among them: the first one is the result. Without it a result is still a NaN if one
	                * was, but any */
};

static inline float mfma_flush(float x, unsigned rules)
{
	return rules & MFMA_FLUSHES && f32_bits(x) << 1 < 0x01000000 ? bits_f32(f32_bits(x) & 0x80000000) : x;
}

/* A denormal of A, B or C becomes +0. */
static inline float mfma_flush_source(float x, float least, unsigned rules)
{
	return rules & MFMA_FLUSHES && x > -least && x < least ? 0 : x;
}

static inline float mfma_sum(float a, float b, unsigned rules)
{
	return mfma_flush(rules & MFMA_NANS ? add_f32(a, b) : a + b, rules);
}

static inline float mfma_product(float a, float b, unsigned rules)
{
	return mfma_sum(rules & MFMA_NANS ? mul_f32(a, b) : a * b, 0, rules);
}

static inline float mfma_sum_pair(const float a[2], const float b[2], unsigned rules)
{
	return mfma_sum(mfma_product(a[0], b[0], rules), mfma_product(a[1], b[1], rules), rules);
}

static inline float mfma_add_f32(const float a[1], const float b[1], float c, unsigned rules)
{
	return rules & MFMA_NANS ? fma_f32(a[0], b[0], c) : __builtin_fmaf(a[0], b[0], c);
}

static inline double mfma_add_f64(const double a[1], const double b[1], double c, unsigned rules)
{
	return rules & MFMA_NANS ? fma_f64(a[0], b[0], c) : __builtin_fma(a[0], b[0], c);
}

static inline float mfma_add_f16(const float a[4], const float b[4], float c, unsigned rules)
{
	return mfma_sum(mfma_sum(mfma_sum_pair(a, b, rules), mfma_sum_pair(a + 2, b + 2, rules), rules), c, rules);
}

static inline float mfma_add_bf16(const float a[2], const float b[2], float c, unsigned rules)
{
	return mfma_sum(mfma_sum_pair(a, b, rules), c, rules);
}

static inline int32_t mfma_add_i8(const int32_t a[4], const int32_t b[4], int32_t c, unsigned rules)
{
	(void)rules;
	return (int32_t)((uint32_t)c + (uint32_t)(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]));
}

#endif
