/* WMMA: multiplies matrices of 16 x 16 elements that are spread over the lanes of a wave (semantics_matrix.h). */
#ifndef SOFTGPU_CORE_OPS_OPS_MATRIX_H
#define SOFTGPU_CORE_OPS_OPS_MATRIX_H

#include "softgpu/core/ops/ops_vector.h"
#include "softgpu/isa/semantics_matrix.h"

typedef uint32_t matrix_element(const uint32_t *a, const uint32_t *b, uint32_t c, struct matrix_modifiers m);

enum { MATRIX_GROUPS = LANES / MATRIX_SIDE, MATRIX_REGISTERS = MATRIX_SIDE / MATRIX_GROUPS, FACTOR_DWORDS_MAX = 8 };

static void read_factor(uint32_t *out, const uint32_t *v, unsigned lane, unsigned dwords)
{
	for (unsigned k = 0; k < dwords; k++)
		out[k] = v[k * LANES + lane];
}

/* Elements of 16 bits are in the half of their registers that `shift` selects. A constant C is the same in all. */
static void multiply_matrices(struct wave *w, const struct uop *i, matrix_element *element, bool is_half)
{
	const struct matrix_modifiers m = {i->d.neg, i->d.neg_hi, i->d.clamp};
	const unsigned dwords = isa_type_dwords(isa_info(i->d.op)->src[0]), shift = is_half && i->d.op_sel & 4 ? 16 : 0;
	const uint32_t *a = vector_source(w, i, 0), *b = vector_source(w, i, 1), csr = _mm_getcsr();
	uint32_t *d = (uint32_t *)((char *)w->v + i->dst), result[MATRIX_REGISTERS][LANES];

	_mm_setcsr(w->mxcsr[FP_NONE]);
	if (i->broadcast)
		fill_broadcast(w, i);
	const uint32_t *c = vector_source(w, i, 2), c_stride = i->rel[2] ? LANES : 0;
	for (unsigned r = 0; r < MATRIX_REGISTERS; r++)
		for (unsigned l = 0; l < LANES; l++) {
			const unsigned group = l / MATRIX_SIDE, row = r * MATRIX_GROUPS + group;
			uint32_t of_row[FACTOR_DWORDS_MAX], of_column[FACTOR_DWORDS_MAX];
			read_factor(of_row, a, group * MATRIX_SIDE + row, dwords);
			read_factor(of_column, b, l, dwords);
			result[r][l] = element(of_row, of_column, c[r * c_stride + l] >> shift, m);
		}
	for (unsigned r = 0; r < MATRIX_REGISTERS; r++)
		for (unsigned l = 0; l < LANES; l++) {
			uint32_t *to = &d[r * LANES + l], kept = is_half ? *to & ~(0xffffu << shift) : 0;
			*to = kept | result[r][l] << shift;
		}
	_mm_setcsr(csr);
}

#define MATRIX_OP(name, is_half)                                         \
	static void multiply_##name(struct wave *w, const struct uop *i) \
	{                                                                \
		multiply_matrices(w, i, name, is_half);                  \
	}
MATRIX_OP(wmma_f32_f16, false)
MATRIX_OP(wmma_f32_bf16, false)
MATRIX_OP(wmma_f16_f16, true)
MATRIX_OP(wmma_bf16_bf16, true)
MATRIX_OP(wmma_i32_iu8, false)
MATRIX_OP(wmma_i32_iu4, false)
#undef MATRIX_OP

#endif
