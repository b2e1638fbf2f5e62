/* A model of v_mfma in plain C. It has its own layout, that of the formulas of AMD's Matrix Instruction Calculator
 * (CDNA1, CDNA2): it finds elements of matrices in registers, multiplies the matrices, and looks for the results. */
#ifndef TESTS_SOFTGPU_CORE_MATRIX_MODEL_H
#define TESTS_SOFTGPU_CORE_MATRIX_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "softgpu/isa/isa.h"

enum { LANES = 64, FACTOR_REGISTERS = 2, REGISTERS = 32, SIDE_MAX = 32, DEPTH_MAX = 16, BLOCKS_MAX = 16 };

enum kind { F32, F16, BF16, I8, BF16_1K, F64 };

static const struct form {
	unsigned op;
	enum kind kind;
	unsigned side, depth, blocks;
} forms[] = {
	{OP_v_mfma_f32_32x32x1f32, F32, 32, 1, 2},
	{OP_v_mfma_f32_16x16x1f32, F32, 16, 1, 4},
	{OP_v_mfma_f32_4x4x1f32, F32, 4, 1, 16},
	{OP_v_mfma_f32_32x32x2f32, F32, 32, 2, 1},
	{OP_v_mfma_f32_16x16x4f32, F32, 16, 4, 1},
	{OP_v_mfma_f32_32x32x4f16, F16, 32, 4, 2},
	{OP_v_mfma_f32_16x16x4f16, F16, 16, 4, 4},
	{OP_v_mfma_f32_4x4x4f16, F16, 4, 4, 16},
	{OP_v_mfma_f32_32x32x8f16, F16, 32, 8, 1},
	{OP_v_mfma_f32_16x16x16f16, F16, 16, 16, 1},
	{OP_v_mfma_i32_32x32x4i8, I8, 32, 4, 2},
	{OP_v_mfma_i32_16x16x4i8, I8, 16, 4, 4},
	{OP_v_mfma_i32_4x4x4i8, I8, 4, 4, 16},
	{OP_v_mfma_i32_32x32x8i8, I8, 32, 8, 1},
	{OP_v_mfma_i32_16x16x16i8, I8, 16, 16, 1},
	{OP_v_mfma_f32_32x32x2bf16, BF16, 32, 2, 2},
	{OP_v_mfma_f32_16x16x2bf16, BF16, 16, 2, 4},
	{OP_v_mfma_f32_4x4x2bf16, BF16, 4, 2, 16},
	{OP_v_mfma_f32_32x32x4bf16, BF16, 32, 4, 1},
	{OP_v_mfma_f32_16x16x8bf16, BF16, 16, 8, 1},
	{OP_v_mfma_f32_32x32x4bf16_1k, BF16_1K, 32, 4, 2},
	{OP_v_mfma_f32_16x16x4bf16_1k, BF16_1K, 16, 4, 4},
	{OP_v_mfma_f32_4x4x4bf16_1k, BF16_1K, 4, 4, 16},
	{OP_v_mfma_f32_32x32x8bf16_1k, BF16_1K, 32, 8, 1},
	{OP_v_mfma_f32_16x16x16bf16_1k, BF16_1K, 16, 16, 1},
	{OP_v_mfma_f64_16x16x4f64, F64, 16, 4, 1},
	{OP_v_mfma_f64_4x4x4f64, F64, 4, 4, 4},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* What the kernels read and write: a register of 64 lanes after the other. */
struct registers {
	uint32_t a[FACTOR_REGISTERS][LANES], b[FACTOR_REGISTERS][LANES], c[REGISTERS][LANES], d[REGISTERS][LANES];
};

/* What selects blocks of A and lanes of B. */
struct matrix_bits {
	unsigned cbsz, abid, blgp;
};

static uint64_t seed = 1;

static uint32_t random_u32(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 32);
}

/* --- the model --- */
struct matrices {
	double a[BLOCKS_MAX][SIDE_MAX][DEPTH_MAX], b[BLOCKS_MAX][DEPTH_MAX][SIDE_MAX];
};

static inline bool has_halves(enum kind kind)
{
	return kind == F16 || kind == BF16 || kind == BF16_1K;
}

static inline unsigned element_bits(enum kind kind)
{
	return kind == F64 ? 64 : kind == F32 ? 32 : kind == I8 ? 8 : 16;
}

static inline double double_of_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static double value_of_bits(enum kind kind, uint64_t element)
{
	const uint32_t bits = (uint32_t)element, wide = kind == BF16 || kind == BF16_1K ? bits << 16 : bits;
	const int exponent = bits >> 10 & 31, fraction = bits & 1023;
	float f;

	if (kind == I8)
		return (int8_t)bits;
	if (kind == F64)
		return double_of_bits(element);
	if (kind == F16)
		return (bits >> 15 ? -1 : 1) *
			(exponent ? ldexp(fraction + 1024, exponent - 25) : ldexp(fraction, -24));
	memcpy(&f, &wide, sizeof f);
	return (double)f;
}

/* gfx90a: denormal factors count as 0. */
static double element_value(enum kind kind, uint64_t bits, bool flushes)
{
	const double x = value_of_bits(kind, bits);

	return flushes && has_halves(kind) && fabs(x) < (kind == F16 ? 0x1p-14 : 0x1p-126) ? 0 : x;
}

/* Finite values, some of which are denormal or equal. */
static uint32_t random_dword(enum kind kind)
{
	uint32_t u = random_u32();

	switch (kind) {
	case F32: return random_u32() % 8 ? (u & 0x83ffffff) + 0x3e000000 : u & 0xbfffffff;
	case BF16:
	case BF16_1K: return (u & (random_u32() % 8 ? 0x81ff81ff : 0xbfffbfff)) | (random_u32() % 8 ? 0x3e003e00 : 0);
	case F16: return u & (random_u32() % 4 ? 0xbfffbfff : 0x83ff83ff);
	case F64: return u;
	default: return u;
	}
}

/* blgp in the words of the calculator's guide: the lane that another one's data replaces. */
static unsigned lane_of_b(unsigned lane, unsigned blgp)
{
	static const unsigned first_of_16[] = {0, 16, 32, 48};

	if (blgp == 1 && lane >= 32)
		return lane - 32;
	if (blgp == 2 && lane < 32)
		return lane + 32;
	if (blgp == 3)
		return lane < 48 ? lane + 16 : lane - 48;
	return blgp >= 4 ? first_of_16[blgp - 4] + lane % 16 : lane;
}

/* Element (outer, k) of a block of A or B: which register and lane, and which bits. */
static uint64_t find_factor(const struct form *f, uint32_t v[FACTOR_REGISTERS][LANES], unsigned block, unsigned outer,
	unsigned k, unsigned blgp)
{
	const unsigned groups = LANES / (f->side * f->blocks), each = f->depth / groups, bits = element_bits(f->kind);
	const unsigned lane = lane_of_b(block * f->side + k / each * f->side * f->blocks + outer, blgp),
		       at = k % each * bits;

	if (bits == 64)
		return v[0][lane] | (uint64_t)v[1][lane] << 32;
	return (uint64_t)v[at / 32][lane] >> at % 32 & ((UINT64_C(1) << bits) - 1);
}

static void read_matrices(
	const struct form *f, struct registers *r, const struct matrix_bits *v, bool flushes, struct matrices *m)
{
	for (unsigned block = 0; block < f->blocks; block++) {
		const unsigned receivers = 1u << v->cbsz, of_a = block / receivers * receivers + v->abid,
			       blgp = f->kind == F64 ? 0 : v->blgp;
		for (unsigned n = 0; n < f->side; n++)
			for (unsigned k = 0; k < f->depth; k++) {
				m->a[block][n][k] =
					element_value(f->kind, find_factor(f, r->a, of_a, n, k, 0), flushes);
				m->b[block][k][n] =
					element_value(f->kind, find_factor(f, r->b, block, n, k, blgp), flushes);
			}
	}
}

/* The place of element (i, j) of C and D. */
static void find_result(const struct form *f, unsigned block, unsigned i, unsigned j, unsigned *number, unsigned *lane)
{
	const unsigned in_register = LANES / f->side, area = f->side * f->side,
		       blocks = (LANES + area / 4 - 1) / (area / 4);

	if (f->kind == F64) {
		*number = i / 4 * 2;
		*lane = i % 4 * 16 + block * f->side + j;
		return;
	}
	*number = block * (area / LANES) + i / (4 * in_register) * 4 + i % 4;
	*lane = block % blocks * f->side + i / 4 % in_register * blocks * f->side + j;
}

static float flushed(float x, bool flushes)
{
	return flushes && fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static float sum_two(const double *a, const double *b, bool flushes)
{
	return flushed(flushed((float)(a[0] * b[0]), flushes) + flushed((float)(a[1] * b[SIDE_MAX]), flushes), flushes);
}

static uint64_t multiply_f64(const struct form *f, const double *a, const double *b, uint64_t c)
{
	double sum = double_of_bits(c);

	for (unsigned k = 0; k < f->depth; k++)
		sum = fma(a[k], b[k * SIDE_MAX], sum);
	memcpy(&c, &sum, sizeof c);
	return c;
}

static uint64_t multiply_i8(const struct form *f, const double *a, const double *b, uint32_t c)
{
	for (unsigned k = 0; k < f->depth; k++)
		c += (uint32_t)(int32_t)(a[k] * b[k * SIDE_MAX]);
	return c;
}

/* The sum of `step` products at a time is added to C. */
static uint64_t multiply_f32(const struct form *f, const double *a, const double *b, uint32_t c, bool flushes)
{
	const unsigned step = f->kind == F32 ? 1 : f->kind == BF16 ? 2 : 4;
	float sum;

	memcpy(&sum, &c, sizeof sum);
	flushes = flushes && has_halves(f->kind);
	sum = flushes && fabsf(sum) < 0x1p-126f ? 0 : sum;
	for (unsigned k = 0; k < f->depth; k += step) {
		const double *x = a + k, *y = b + k * SIDE_MAX;
		if (step == 1) {
			sum = fmaf((float)*x, (float)*y, sum);
			continue;
		}
		float products = sum_two(x, y, flushes);
		if (step == 4)
			products = flushed(products + sum_two(x + 2, y + 2 * SIDE_MAX, flushes), flushes);
		sum = flushed(sum + products, flushes);
	}
	memcpy(&c, &sum, sizeof c);
	return c;
}

static uint64_t multiply_element(const struct form *f, const double *a, const double *b, uint64_t c, bool flushes)
{
	switch (f->kind) {
	case F64: return multiply_f64(f, a, b, c);
	case I8: return multiply_i8(f, a, b, (uint32_t)c);
	default: return multiply_f32(f, a, b, (uint32_t)c, flushes);
	}
}

#endif
