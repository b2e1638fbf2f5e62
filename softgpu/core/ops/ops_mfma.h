/* v_mfma: multiplies blocks of matrices that are spread over the lanes of a wave (semantics_mfma.h). */
#ifndef SOFTGPU_CORE_OPS_OPS_MFMA_H
#define SOFTGPU_CORE_OPS_OPS_MFMA_H

#include "softgpu/core/ops/ops_lane_data.h"
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
	double d[MFMA_REGISTERS_MAX * LANES / 2]; /* a pair of registers after the other, lane by lane */
};

#define LEAST_F32 0x1p-126f
#define LEAST_F16 0x1p-14f

static unsigned factor_registers(const struct mfma_shape *s)
{
	return s->elements == MFMA_f16 || s->elements == MFMA_bf16_1k ? 2 : 1;
}

/* The registers of B, with the lanes that blgp selects. */
static const uint32_t *select_lanes(uint32_t selected[2 * LANES], const uint32_t *v, unsigned registers, unsigned blgp)
{
	if (!blgp)
		return v;
	for (unsigned n = 0; n < registers * LANES; n++)
		selected[n] = v[n / LANES * LANES + mfma_source_lane(n % LANES, blgp)];
	return selected;
}

/* The elements of A or B: element k of a row is in out[k * rows + row], where rows count through the blocks. Each lane
 * has `each` of them: element x of `lane` is `element`. */
#define MFMA_UNPACK(elements, ctype, each, element)                                                              \
	FORCE_INLINE void unpack_##elements(ctype *out, const uint32_t *v, unsigned rows, unsigned rules UNUSED) \
	{                                                                                                        \
		for (unsigned first = 0; first < LANES; first += rows)                                           \
			for (unsigned x = 0; x < (each); x++)                                                    \
				for (unsigned lane = first; lane < first + rows; lane++)                         \
					*out++ = element;                                                        \
	}
MFMA_UNPACK(f32, float, 1, bits_f32(v[lane]))
#define HALF(x) ((uint16_t)(v[(x) / 2 * LANES + lane] >> 16 * ((x) % 2)))
MFMA_UNPACK(f16, float, 4, mfma_flush_source(f16_to_f32(HALF(x)), LEAST_F16, rules))
MFMA_UNPACK(bf16, float, 2, mfma_flush_source(bf16_to_f32(HALF(x)), LEAST_F32, rules))
MFMA_UNPACK(bf16_1k, float, 4, mfma_flush_source(bf16_to_f32(HALF(x)), LEAST_F32, rules))
#undef HALF
MFMA_UNPACK(f64, double, 1, bits_f64((uint64_t)v[LANES + lane] << 32 | v[lane]))
MFMA_UNPACK(i8, int32_t, 4, (int8_t)(v[lane] >> 8 * x))
#undef MFMA_UNPACK

/* Adds the products of a row of A, whose elements begin at a, and the columns of B, from b on. */
#define MFMA_ADD_ROW(elements, sum, ctype, each)                                                                      \
	FORCE_INLINE void add_row_##elements(ctype *c, const ctype *a, const ctype *b, unsigned rows, unsigned depth, \
		unsigned side, unsigned rules)                                                                        \
	{                                                                                                             \
		for (unsigned k = 0; k < depth; k += (each), a += (each)*rows, b += (each)*rows)                      \
			for (unsigned j = 0; j < side; j++) {                                                         \
				ctype of_a[each], of_b[each];                                                         \
				for (unsigned x = 0; x < (each); x++) {                                               \
					of_a[x] = a[x * rows];                                                        \
					of_b[x] = b[x * rows + j];                                                    \
				}                                                                                     \
				c[j] = mfma_add_##sum(of_a, of_b, c[j], rules);                                       \
			}                                                                                             \
	}
MFMA_ADD_ROW(f32, f32, float, 1)
MFMA_ADD_ROW(f16, f16, float, 4)
MFMA_ADD_ROW(bf16, bf16, float, 2)
MFMA_ADD_ROW(bf16_1k, f16, float, 4)
MFMA_ADD_ROW(f64, f64, double, 1)
MFMA_ADD_ROW(i8, i8, int32_t, 4)
#undef MFMA_ADD_ROW

/* multiply_X adds the products to the result. The side of a block and the rules are constants in each copy of
 * multiply_sides_X: with 16 or 32 columns and without NaNs it is all vector instructions of the host. */
#define MFMA_MULTIPLY(elements, ctype, field)                                                                         \
	FORCE_INLINE void multiply_sides_##elements(                                                                  \
		union mfma_result *result, const struct mfma_factors *f, unsigned side, unsigned rules)               \
	{                                                                                                             \
		const struct mfma_shape *s = f->shape;                                                                \
		const bool wide = MFMA_##elements == MFMA_f64;                                                        \
		const unsigned rows = side * s->blocks;                                                               \
		uint32_t selected[2 * LANES];                                                                         \
		ctype a[MFMA_FACTORS_MAX], b[MFMA_FACTORS_MAX];                                                       \
		unpack_##elements(a, f->a, rows, rules);                                                              \
		unpack_##elements(                                                                                    \
			b, select_lanes(selected, f->b, factor_registers(s), wide ? 0 : f->d->blgp), rows, rules);    \
		for (unsigned block = 0; block < s->blocks; block++)                                                  \
			for (unsigned row = 0; row < side; row++) {                                                   \
				const struct mfma_place at = mfma_result_place(s, block, row);                        \
				const unsigned from =                                                                 \
					wide ? block : mfma_source_block(s, block, f->d->cbsz, f->d->abid);           \
				add_row_##elements(&result->field[at.number * LANES / (sizeof(ctype) / 4) + at.lane], \
					&a[from * side + row], &b[block * side], rows, s->depth, side, rules);        \
			}                                                                                             \
	}                                                                                                             \
	FORCE_INLINE void multiply_with_##elements(                                                                   \
		union mfma_result *result, const struct mfma_factors *f, unsigned rules)                              \
	{                                                                                                             \
		switch (f->shape->side) {                                                                             \
		case 32: multiply_sides_##elements(result, f, 32, rules); break;                                      \
		case 16: multiply_sides_##elements(result, f, 16, rules); break;                                      \
		default: multiply_sides_##elements(result, f, 4, rules); break;                                       \
		}                                                                                                     \
	}                                                                                                             \
	static void multiply_##elements(union mfma_result *result, const struct mfma_factors *f, unsigned rules)      \
	{                                                                                                             \
		switch (rules) {                                                                                      \
		case 0: multiply_with_##elements(result, f, 0); break;                                                \
		case MFMA_FLUSHES: multiply_with_##elements(result, f, MFMA_FLUSHES); break;                          \
		default: multiply_sides_##elements(result, f, f->shape->side, rules);                                 \
		}                                                                                                     \
	}
MFMA_MULTIPLY(f32, float, f)
MFMA_MULTIPLY(f16, float, f)
MFMA_MULTIPLY(bf16, float, f)
MFMA_MULTIPLY(bf16_1k, float, f)
MFMA_MULTIPLY(f64, double, d)
MFMA_MULTIPLY(i8, int32_t, i)
#undef MFMA_MULTIPLY

static void add_products(union mfma_result *result, const struct mfma_factors *f, unsigned rules)
{
	switch (f->shape->elements) {
	case MFMA_f32: multiply_f32(result, f, rules); break;
	case MFMA_f16: multiply_f16(result, f, rules); break;
	case MFMA_bf16: multiply_bf16(result, f, rules); break;
	case MFMA_bf16_1k: multiply_bf16_1k(result, f, rules); break;
	case MFMA_f64: multiply_f64(result, f, rules); break;
	default: multiply_i8(result, f, rules); break;
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

static bool has_nan(const union mfma_result *result, const struct mfma_shape *s)
{
	const unsigned dwords = mfma_result_registers(s) * LANES;
	unsigned nans = 0;

	if (s->elements == MFMA_f64)
		for (unsigned n = 0; n < dwords / 2; n++)
			nans |= result->d[n] != result->d[n];
	else if (s->elements != MFMA_i8)
		for (unsigned n = 0; n < dwords; n++)
			nans |= result->f[n] != result->f[n];
	return nans;
}

static void multiply_factors(union mfma_result *result, const struct wave *w, const struct uop *i,
	const struct mfma_factors *f, unsigned rules)
{
	const unsigned registers = mfma_result_registers(f->shape);

	load_addend(result, w, i, registers);
	for (unsigned n = 0; rules & MFMA_FLUSHES && n < registers * LANES; n++)
		result->f[n] = mfma_flush_source(result->f[n], LEAST_F32, rules);
	if (f->shape->elements == MFMA_f64)
		join_pairs(result, registers);
	add_products(result, f, rules);
}

/* Which NaN is the result of several is worked out only if there is one. The result is written at the end: it may be in
 * the registers of a source. */
static void op_multiply_blocks(struct wave *w, const struct uop *i)
{
	const struct mfma_factors f = {vector_source(w, i, 0), vector_source(w, i, 1), isa_mfma_shape(i->d.op), &i->d};
	const unsigned registers = mfma_result_registers(f.shape), csr = _mm_getcsr(),
		       rules = flushes_denormals(&i->d) ? MFMA_FLUSHES : 0;
	union mfma_result result;

	_mm_setcsr(w->mxcsr[FP_NONE]);
	multiply_factors(&result, w, i, &f, rules);
	if (has_nan(&result, f.shape))
		multiply_factors(&result, w, i, &f, rules | MFMA_NANS);
	_mm_setcsr(csr);
	if (f.shape->elements == MFMA_f64)
		split_pairs(&result, registers);
	memcpy((char *)w->v + i->dst, result.u, registers * LANES * sizeof *result.u);
}

#endif
