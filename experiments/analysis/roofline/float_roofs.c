#include "experiments/analysis/roofline/float_roofs.h"

#include <stdio.h>
#include <stdbool.h>
#include <string.h>

static bool text_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* --- kinds --- */
const char *float_kind_name(enum float_kind kind)
{
	static const char *const names[FLOAT_KIND_COUNT] = {
		[VECTOR_F32] = "f32",
		[PACKED_F32] = "packed f32",
		[VECTOR_F16] = "f16",
		[VECTOR_F64] = "f64",
		[MATRIX_F32] = "f32 on matrix cores",
		[MATRIX_F16] = "f16 on matrix cores",
		[MATRIX_BF16] = "bf16 on matrix cores",
		[MATRIX_BF16_1K] = "bf16_1k on matrix cores",
		[MATRIX_F64] = "f64 on matrix cores",
	};
	return names[kind];
}

/* --- instructions of the vector ALUs --- */
/* The type at the end of the mnemonic: "_f32" in "v_add_f32_e32". */
static bool find_float_type(const char *text, enum float_kind *kind)
{
	static const struct {
		const char *type;
		enum float_kind kind;
	} types[] = {{"_f16", VECTOR_F16}, {"_f32", VECTOR_F32}, {"_f64", VECTOR_F64}};
	size_t n = strcspn(text, " ");
	for (size_t i = n; i >= 4; i--)
		for (size_t k = 0; k < sizeof types / sizeof *types; k++)
			if (text_begins(text + i - 4, types[k].type)) {
				*kind = types[k].kind;
				return true;
			}
	return false;
}

static int operation_flops(const char *text, enum float_kind *kind)
{
	static const struct {
		const char *begins;
		int flops;
	} kinds[] = {{"fma", 2}, {"fmac", 2}, {"mad", 2}, {"mac", 2}, {"dot2_f32", 4}, {"dot2c_f32", 4}, {"add_f", 1},
		{"sub_f", 1}, {"subrev_f", 1}, {"mul_f", 1}, {"mul_legacy_f", 1}, {"min_f", 1}, {"max_f", 1},
		{"rcp_f", 1}, {"rsq_f", 1}, {"sqrt_f", 1}, {"exp_f", 1}, {"log_f", 1}, {"sin_f", 1}, {"cos_f", 1},
		{"div_fmas", 2}};
	if (!text_begins(text, "v_") || !find_float_type(text, kind))
		return 0;
	text += strlen("v_");
	int values = text_begins(text, "pk_") ? 2 : 1;
	text += values > 1 ? strlen("pk_") : text_begins(text, "dual_") ? strlen("dual_") : 0;
	if (values > 1 && *kind == VECTOR_F32)
		*kind = PACKED_F32;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (text_begins(text, kinds[i].begins))
			return values * kinds[i].flops;
	return 0;
}

/* --- instructions of the matrix cores --- */
/* "v_mfma_f32_16x16x16f16": a lane has `each` factors, so that the depth follows from the shape. */
static double mfma_flops(const char *text, enum float_kind *kind)
{
	static const struct {
		const char *type;
		enum float_kind kind;
		int each;
	} types[] = {{"f32", MATRIX_F32, 1}, {"f16", MATRIX_F16, 4}, {"bf16_1k", MATRIX_BF16_1K, 4},
		{"bf16", MATRIX_BF16, 2}, {"f64", MATRIX_F64, 1}};
	enum { LANES = 64, FMA = 2 };
	unsigned side, depth;
	char type[16];
	if (sscanf(text, "v_mfma_%*3s_%ux%*ux%u%15[^ ]", &side, &depth, type) != 3)
		return 0;
	for (size_t k = 0; k < sizeof types / sizeof *types; k++)
		if (text_begins(type, types[k].type)) {
			*kind = types[k].kind;
			return FMA * (double)side * types[k].each * LANES;
		}
	return 0;
}

/* "v_wmma_f32_16x16x16_f16", whatever the number of lanes */
static double wmma_flops(const char *text, enum float_kind *kind)
{
	unsigned rows, columns, depth;
	char type[8];
	if (sscanf(text, "v_wmma_%*[a-z0-9]_%ux%ux%u_%7[^ ]", &rows, &columns, &depth, type) != 4 || type[0] == 'i')
		return 0;
	*kind = text_begins(type, "bf16") ? MATRIX_BF16 : MATRIX_F16;
	return 2.0 * rows * columns * depth;
}

/* "v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5" is two operations. */
double instruction_flops(const char *text, unsigned lanes, enum float_kind *kind)
{
	const char *second = strstr(text, ":: ");
	if (text_begins(text, "v_mfma_"))
		return mfma_flops(text, kind);
	if (text_begins(text, "v_wmma_"))
		return wmma_flops(text, kind);
	int flops = operation_flops(text, kind);
	if (second)
		flops += operation_flops(second + strlen(":: "), kind);
	return (double)flops * lanes;
}

/* --- roofs --- */
double float_roof(const char *arch, enum float_kind kind)
{
	static const struct {
		const char *arch;
		enum float_kind kind;
		int flops;
	} roofs[] = {
#define FLOAT_ROOF(arch, kind, flops) {arch, kind, flops},
#include "experiments/analysis/roofline/float_roofs.def"
#undef FLOAT_ROOF
	};
	for (size_t i = 0; i < sizeof roofs / sizeof *roofs; i++)
		if (roofs[i].kind == kind && text_begins(arch, roofs[i].arch))
			return roofs[i].flops;
	return 0;
}
