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
	bool flushes; /* denormals */
};

/* Begins as C. */
union mfma_result {
	uint32_t u[MFMA_REGISTERS_MAX * LANES];
	float f[MFMA_REGISTERS_MAX * LANES];
	int32_t i[MFMA_REGISTERS_MAX * LANES];
	double d[MFMA_REGISTERS_MAX * LANES / 2]; /* a pair of registers after the other, lane by lane */
};

#define LEAST_F32 0x1p-126f
#define LEAST_F16 0x1p-14f

/* The elements of A or B: element k of a row is in out[k * rows + row], where rows count through the blocks. Each lane
 * has `each` of them: element x of v in lane `from` is `element`. */
#define MFMA_UNPACK(elements, ctype, each, element)                                                               \
	static void unpack_##elements(ctype *out, const uint32_t *v, unsigned rows, unsigned blgp, bool f UNUSED) \
	{                                                                                                         \
		for (unsigned lane = 0; lane < LANES; lane++) {                                                   \
			const unsigned from = mfma_source_lane(lane, blgp);                                       \
			for (unsigned x = 0; x < (each); x++)                                                     \
				out[(lane / rows * (each) + x) * rows + lane % rows] = element;                   \
		}                                                                                                 \
	}
MFMA_UNPACK(f32, float, 1, bits_f32(v[from]))
#define HALF(x) ((uint16_t)(v[(x) / 2 * LANES + from] >> 16 * ((x) % 2)))
MFMA_UNPACK(f16, float, 4, mfma_flush_source(f16_to_f32(HALF(x)), LEAST_F16, f))
MFMA_UNPACK(bf16, float, 2, mfma_flush_source(bf16_to_f32(HALF(x)), LEAST_F32, f))
MFMA_UNPACK(bf16_1k, float, 4, mfma_flush_source(bf16_to_f32(HALF(x)), LEAST_F32, f))
#undef HALF
MFMA_UNPACK(f64, double, 1, bits_f64((uint64_t)v[LANES + from] << 32 | v[from]))
MFMA_UNPACK(i8, int32_t, 4, (int8_t)(v[from] >> 8 * x))
#undef MFMA_UNPACK

/* Adds the products of a row of A, whose elements begin at a, and the columns of B, from b on. */
#define MFMA_ADD_ROW(elements, sum, ctype, each)                                                             \
	static void add_row_##elements(                                                                      \
		ctype *c, const ctype *a, const ctype *b, unsigned rows, const struct mfma_shape *s, bool f) \
	{                                                                                                    \
		for (unsigned k = 0; k < s->depth; k += (each), a += (each)*rows, b += (each)*rows)          \
			for (unsigned j = 0; j < s->side; j++) {                                             \
				ctype of_a[each], of_b[each];                                                \
				for (unsigned x = 0; x < (each); x++) {                                      \
					of_a[x] = a[x * rows];                                               \
					of_b[x] = b[x * rows + j];                                           \
				}                                                                            \
				c[j] = mfma_add_##sum(of_a, of_b, c[j], f);                                  \
			}                                                                                    \
	}
MFMA_ADD_ROW(f32, f32, float, 1)
MFMA_ADD_ROW(f16, f16, float, 4)
MFMA_ADD_ROW(bf16, bf16, float, 2)
MFMA_ADD_ROW(bf16_1k, f16, float, 4)
MFMA_ADD_ROW(f64, f64, double, 1)
MFMA_ADD_ROW(i8, i8, int32_t, 4)
#undef MFMA_ADD_ROW

#define MFMA_MULTIPLY(elements, ctype, field)                                                                         \
	static void multiply_##elements(union mfma_result *result, const struct mfma_factors *f)                      \
	{                                                                                                             \
		const struct mfma_shape *s = f->shape;                                                                \
		const unsigned rows = s->side * s->blocks;                                                            \
		ctype a[MFMA_FACTORS_MAX], b[MFMA_FACTORS_MAX];                                                       \
		unpack_##elements(a, f->a, rows, 0, f->flushes);                                                      \
		unpack_##elements(b, f->b, rows, MFMA_##elements == MFMA_f64 ? 0 : f->d->blgp, f->flushes);           \
		for (unsigned block = 0; block < s->blocks; block++)                                                  \
			for (unsigned row = 0; row < s->side; row++) {                                                \
				const struct mfma_place at = mfma_result_place(s, block, row);                        \
				const unsigned from = MFMA_##elements == MFMA_f64                                     \
					? block                                                                       \
					: mfma_source_block(s, block, f->d->cbsz, f->d->abid);                        \
				add_row_##elements(&result->field[at.number * LANES / (sizeof(ctype) / 4) + at.lane], \
					&a[from * s->side + row], &b[block * s->side], rows, s, f->flushes);          \
			}                                                                                             \
	}
MFMA_MULTIPLY(f32, float, f)
MFMA_MULTIPLY(f16, float, f)
MFMA_MULTIPLY(bf16, float, f)
MFMA_MULTIPLY(bf16_1k, float, f)
MFMA_MULTIPLY(f64, double, d)
MFMA_MULTIPLY(i8, int32_t, i)
#undef MFMA_MULTIPLY

static void add_products(union mfma_result *result, const struct mfma_factors *f)
{
	switch (f->shape->elements) {
	case MFMA_f32: multiply_f32(result, f); break;
	case MFMA_f16: multiply_f16(result, f); break;
	case MFMA_bf16: multiply_bf16(result, f); break;
	case MFMA_bf16_1k: multiply_bf16_1k(result, f); break;
	case MFMA_f64: multiply_f64(result, f); break;
	default: multiply_i8(result, f); break;
	}
}

/* gfx90a flushes where a factor has halves. */
static bool flushes_denormals(const struct isa_inst *d)
{
	switch (isa_mfma_shape(d->op)->elements) {
	case MFMA_f16:
	case MFMA_bf16:
	case MFMA_bf16_1k: return d->target == ISA_GFX90A;
	default: return false;
	}
}

/* A constant C is the same in all registers, or pairs of them. */
static void load_addend(union mfma_result *result, const struct wave *w, const struct uop *i, unsigned registers)
{
	const uint32_t *c = vector_source(w, i, 2);
	const bool wide = isa_mfma_shape(i->d.op)->elements == MFMA_f64;

	for (unsigned r = 0; r < registers; r++)
		memcpy(&result->u[r * LANES], c + (i->rel[2] ? r : wide ? r % 2 : 0) * LANES, LANES * sizeof *c);
}

/* Registers hold the low dwords of all lanes, then the high ones; the products need doubles. */
static void join_pairs(union mfma_result *result, unsigned registers)
{
	uint32_t pair[2 * LANES];

	for (unsigned r = 0; r < registers; r += 2) {
		memcpy(pair, &result->u[r * LANES], sizeof pair);
		for (unsigned l = 0; l < LANES; l++)
			result->d[r / 2 * LANES + l] = bits_f64((uint64_t)pair[LANES + l] << 32 | pair[l]);
	}
}

static void split_pairs(union mfma_result *result, unsigned registers)
{
	double pair[LANES];

	for (unsigned r = 0; r < registers; r += 2) {
		memcpy(pair, &result->d[r / 2 * LANES], sizeof pair);
		for (unsigned l = 0; l < LANES; l++) {
			result->u[r * LANES + l] = (uint32_t)f64_bits(pair[l]);
			result->u[(r + 1) * LANES + l] = (uint32_t)(f64_bits(pair[l]) >> 32);
		}
	}
}

/* The result is written at the end: it may be in the registers of a source. */
static void op_multiply_blocks(struct wave *w, const struct uop *i)
{
	const struct mfma_factors f = {vector_source(w, i, 0), vector_source(w, i, 1), isa_mfma_shape(i->d.op), &i->d,
		flushes_denormals(&i->d)};
	const unsigned registers = mfma_result_registers(f.shape), csr = _mm_getcsr();
	const bool wide = f.shape->elements == MFMA_f64;
	union mfma_result result;

	load_addend(&result, w, i, registers);
	for (unsigned n = 0; f.flushes && n < registers * LANES; n++)
		result.f[n] = mfma_flush_source(result.f[n], LEAST_F32, true);
	if (wide)
		join_pairs(&result, registers);
	_mm_setcsr(w->mxcsr[FP_NONE]);
	add_products(&result, &f);
	_mm_setcsr(csr);
	if (wide)
		split_pairs(&result, registers);
	memcpy((char *)w->v + i->dst, result.u, registers * LANES * sizeof *result.u);
}

#endif
