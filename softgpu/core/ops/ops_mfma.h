/* v_mfma: multiplies blocks of matrices that are spread over the lanes of a wave (semantics_mfma.h). */
#ifndef SOFTGPU_CORE_OPS_OPS_MFMA_H
#define SOFTGPU_CORE_OPS_OPS_MFMA_H

#include "softgpu/core/ops/ops_vector.h"
#include "softgpu/isa/semantics_mfma.h"

enum { MFMA_FACTORS_MAX = 4 * LANES, MFMA_REGISTERS_MAX = 32 };

/* The factors, and what says how they are multiplied. */
struct mfma_factors {
	const uint32_t *a, *b;
	const struct mfma_shape *shape;
	const struct isa_inst *d;
};

/* Begins as C. */
union mfma_result {
	uint32_t u[MFMA_REGISTERS_MAX * LANES];
	float f[MFMA_REGISTERS_MAX * LANES];
	int32_t i[MFMA_REGISTERS_MAX * LANES];
};

/* The elements of A or B: element k of a row is in out[k * rows + row], where rows count through the blocks. Each lane
 * has `each` of them: element x of v in lane `from` is `element`. */
#define MFMA_UNPACK(elements, ctype, each, element)                                                \
	static void unpack_##elements(ctype *out, const uint32_t *v, unsigned rows, unsigned blgp) \
	{                                                                                          \
		for (unsigned lane = 0; lane < LANES; lane++) {                                    \
			const unsigned from = mfma_source_lane(lane, blgp);                        \
			for (unsigned x = 0; x < (each); x++)                                      \
				out[(lane / rows * (each) + x) * rows + lane % rows] = element;    \
		}                                                                                  \
	}
MFMA_UNPACK(f32, float, 1, bits_f32(v[from]))
MFMA_UNPACK(f16, float, 4, f16_to_f32((uint16_t)(v[x / 2 * LANES + from] >> 16 * (x % 2))))
MFMA_UNPACK(bf16, float, 2, bf16_to_f32((uint16_t)(v[from] >> 16 * x)))
MFMA_UNPACK(i8, int32_t, 4, (int8_t)(v[from] >> 8 * x))
#undef MFMA_UNPACK

/* Adds the products of a row of A, whose elements begin at a, and the columns of B, from b on. */
#define MFMA_ADD_ROW(elements, ctype, each)                                                          \
	static void add_row_##elements(                                                              \
		ctype *c, const ctype *a, const ctype *b, unsigned rows, const struct mfma_shape *s) \
	{                                                                                            \
		for (unsigned k = 0; k < s->depth; k += (each), a += (each)*rows, b += (each)*rows)  \
			for (unsigned j = 0; j < s->side; j++) {                                     \
				ctype of_a[each], of_b[each];                                        \
				for (unsigned x = 0; x < (each); x++) {                              \
					of_a[x] = a[x * rows];                                       \
					of_b[x] = b[x * rows + j];                                   \
				}                                                                    \
				c[j] = mfma_add_##elements(of_a, of_b, c[j]);                        \
			}                                                                            \
	}
MFMA_ADD_ROW(f32, float, 1)
MFMA_ADD_ROW(f16, float, 4)
MFMA_ADD_ROW(bf16, float, 2)
MFMA_ADD_ROW(i8, int32_t, 4)
#undef MFMA_ADD_ROW

#define MFMA_MULTIPLY(elements, ctype, field)                                                              \
	static void multiply_##elements(union mfma_result *result, const struct mfma_factors *f)           \
	{                                                                                                  \
		const struct mfma_shape *s = f->shape;                                                     \
		const unsigned rows = s->side * s->blocks;                                                 \
		ctype a[MFMA_FACTORS_MAX], b[MFMA_FACTORS_MAX];                                            \
		unpack_##elements(a, f->a, rows, 0);                                                       \
		unpack_##elements(b, f->b, rows, f->d->blgp);                                              \
		for (unsigned block = 0; block < s->blocks; block++)                                       \
			for (unsigned row = 0; row < s->side; row++) {                                     \
				const struct mfma_place at = mfma_result_place(s, block, row);             \
				const unsigned from = mfma_source_block(s, block, f->d->cbsz, f->d->abid); \
				add_row_##elements(&result->field[at.number * LANES + at.lane],            \
					&a[from * s->side + row], &b[block * s->side], rows, s);           \
			}                                                                                  \
	}
MFMA_MULTIPLY(f32, float, f)
MFMA_MULTIPLY(f16, float, f)
MFMA_MULTIPLY(bf16, float, f)
MFMA_MULTIPLY(i8, int32_t, i)
#undef MFMA_MULTIPLY

static void add_products(union mfma_result *result, const struct mfma_factors *f)
{
	switch (f->shape->elements) {
	case MFMA_f32: multiply_f32(result, f); break;
	case MFMA_f16: multiply_f16(result, f); break;
	case MFMA_bf16: multiply_bf16(result, f); break;
	default: multiply_i8(result, f); break;
	}
}

/* The result is written at the end: it may be in the registers of a source. A constant C is the same in all. */
static void op_multiply_blocks(struct wave *w, const struct uop *i)
{
	const struct mfma_factors f = {vector_source(w, i, 0), vector_source(w, i, 1), isa_mfma_shape(i->d.op), &i->d};
	const unsigned registers = mfma_result_registers(f.shape), csr = _mm_getcsr();
	const uint32_t *c = vector_source(w, i, 2);
	union mfma_result result;

	for (unsigned r = 0; r < registers; r++)
		memcpy(&result.u[r * LANES], i->rel[2] ? c + r * LANES : c, LANES * sizeof *c);
	_mm_setcsr(w->mxcsr[FP_NONE]);
	add_products(&result, &f);
	_mm_setcsr(csr);
	memcpy((char *)w->v + i->dst, result.u, registers * LANES * sizeof *c);
}

#endif
