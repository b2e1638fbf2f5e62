/* One element of D = A * B + C, for the matrices of 16 x 16 elements of gfx11's WMMA.
 *
 * Layout (RDNA3 ISA guide, 7.9; LLVM, WMMA): lane n of each group of 16 lanes has row n of A and column n of B, 16
 * elements from the low bits of the first dword on. Each group has a copy, and computes with its own. Register i of C
 * and D has, in lane l, row i * groups + l / 16, column l % 16; a wave32 has 2 groups, a wave64 has 4.
 *
 * MODE has no effect. Floats: products are exact; they are added to C one after another, in order, each sum rounded to
 * nearest even and denormals kept; a 16-bit result is then rounded to 16 bits. The guide does not specify the order;
 * this is that of AMD's emulator (rocjitsu, mma_exec.h). neg and neg_hi flip the signs of the even and odd elements of
 * A (bit 0) and B (bit 1); for C (bit 2) neg_hi takes the absolute value, then neg flips. For integers, neg says that A
 * (bit 0) or B (bit 1) is signed.
 */
#ifndef SOFTGPU_ISA_SEMANTICS_MATRIX_H
#define SOFTGPU_ISA_SEMANTICS_MATRIX_H

#include "softgpu/isa/semantics_packed.h"

enum { MATRIX_SIDE = 16 };

struct matrix_modifiers {
	uint8_t neg, neg_hi, clamp;
};

/* Element k of a row of A or a column of B, with the sign that modifier bit `bit` gives it. */
static inline uint16_t matrix_half(const uint32_t *v, int k, struct matrix_modifiers m, int bit)
{
	unsigned flips = k & 1 ? m.neg_hi : m.neg;

	return (uint16_t)(v[k / 2] >> 16 * (k & 1)) ^ (flips >> bit & 1) << 15;
}

static inline float matrix_accumulator(float c, struct matrix_modifiers m)
{
	uint32_t u = f32_bits(c);

	if (m.neg_hi & 4)
		u &= 0x7fffffff;
	return bits_f32(m.neg & 4 ? u ^ 0x80000000 : u);
}

static inline float matrix_sum_f16(const uint32_t *a, const uint32_t *b, float c, struct matrix_modifiers m)
{
	c = matrix_accumulator(c, m);
	for (int k = 0; k < MATRIX_SIDE; k++)
		c = fma_f32(f16_to_f32(matrix_half(a, k, m, 0)), f16_to_f32(matrix_half(b, k, m, 1)), c);
	return c;
}

static inline float matrix_sum_bf16(const uint32_t *a, const uint32_t *b, float c, struct matrix_modifiers m)
{
	c = matrix_accumulator(c, m);
	for (int k = 0; k < MATRIX_SIDE; k++)
		c = fma_f32(bf16_to_f32(matrix_half(a, k, m, 0)), bf16_to_f32(matrix_half(b, k, m, 1)), c);
	return c;
}

static inline int32_t matrix_sum_integer(
	const uint32_t *a, const uint32_t *b, int32_t c, int bits, struct matrix_modifiers m)
{
	int64_t sum = c;

	for (int k = 0; k < MATRIX_SIDE * bits / 32; k++)
		sum += dot_mixed(a[k], b[k], bits, m.neg & 1, m.neg >> 1 & 1);
	return saturate_i32(sum, m.clamp);
}

/* The operations, on the bits of C; those of 16 bits use and return the low half. */
static inline uint32_t wmma_f32_f16(const uint32_t *a, const uint32_t *b, uint32_t c, struct matrix_modifiers m)
{
	return f32_bits(matrix_sum_f16(a, b, bits_f32(c), m));
}

static inline uint32_t wmma_f32_bf16(const uint32_t *a, const uint32_t *b, uint32_t c, struct matrix_modifiers m)
{
	return f32_bits(matrix_sum_bf16(a, b, bits_f32(c), m));
}

static inline uint32_t wmma_f16_f16(const uint32_t *a, const uint32_t *b, uint32_t c, struct matrix_modifiers m)
{
	return f32_to_f16_nearest(matrix_sum_f16(a, b, f16_to_f32((uint16_t)c), m));
}

static inline uint32_t wmma_bf16_bf16(const uint32_t *a, const uint32_t *b, uint32_t c, struct matrix_modifiers m)
{
	return f32_to_bf16(matrix_sum_bf16(a, b, bf16_to_f32((uint16_t)c), m));
}

static inline uint32_t wmma_i32_iu8(const uint32_t *a, const uint32_t *b, uint32_t c, struct matrix_modifiers m)
{
	return (uint32_t)matrix_sum_integer(a, b, (int32_t)c, 8, m);
}

static inline uint32_t wmma_i32_iu4(const uint32_t *a, const uint32_t *b, uint32_t c, struct matrix_modifiers m)
{
	return (uint32_t)matrix_sum_integer(a, b, (int32_t)c, 4, m);
}

#endif
