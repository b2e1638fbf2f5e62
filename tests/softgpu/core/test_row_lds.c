/* LDS rows with two offsets or two data, with floats, across lanes, and with M0: one kernel each, some lanes inactive,
 * some addresses out of range; compared with plain C on a copy of LDS. */
#include <math.h>

#include "tests/softgpu/core/row_lanes.h"

#define MASK UINT64_C(0xfffbf00f5555aaff)

static uint8_t lds[LDS_SIZE];
static uint32_t expected[MAX_LANES][4];

/* The operands of a row, and an instruction to run before it. */
struct lds_case {
	unsigned op;
	const char *operands, *first;
};

static const struct lds_case cases[] = {
	{OP_ds_write2_b32, "v2, v10, v12 offset0:0 offset1:1", NULL},
	{OP_ds_write2st64_b32, "v2, v10, v12 offset0:1 offset1:3", NULL},
	{OP_ds_write2_b64, "v2, v[10:11], v[12:13] offset0:0 offset1:1", NULL},
	{OP_ds_write2st64_b64, "v2, v[10:11], v[12:13] offset0:1 offset1:3", NULL},
	{OP_ds_read2_b32, "v[20:21], v2 offset0:0 offset1:1", NULL},
	{OP_ds_read2st64_b32, "v[20:21], v2 offset0:1 offset1:3", NULL},
	{OP_ds_read2_b64, "v[20:23], v2 offset0:0 offset1:1", NULL},
	{OP_ds_read2st64_b64, "v[20:23], v2 offset0:1 offset1:3", NULL},
	{OP_ds_wrxchg2_rtn_b32, "v[20:21], v2, v10, v12 offset0:0 offset1:1", NULL},
	{OP_ds_wrxchg2st64_rtn_b32, "v[20:21], v2, v10, v12 offset0:1 offset1:3", NULL},
	{OP_ds_wrxchg2_rtn_b64, "v[20:23], v2, v[10:11], v[12:13] offset0:0 offset1:1", NULL},
	{OP_ds_wrxchg2st64_rtn_b64, "v[20:23], v2, v[10:11], v[12:13] offset0:1 offset1:3", NULL},
	{OP_ds_mskor_b32, "v2, v10, v12 offset:8", NULL},
	{OP_ds_mskor_rtn_b32, "v20, v2, v10, v12 offset:8", NULL},
	{OP_ds_mskor_b64, "v2, v[10:11], v[12:13] offset:8", NULL},
	{OP_ds_mskor_rtn_b64, "v[20:21], v2, v[10:11], v[12:13] offset:8", NULL},
	{OP_ds_cmpst_b32, "v2, v10, v12 offset:8", NULL},
	{OP_ds_cmpst_rtn_b32, "v20, v2, v10, v12 offset:8", NULL},
	{OP_ds_cmpst_f32, "v2, v10, v12 offset:8", NULL},
	{OP_ds_cmpst_rtn_f32, "v20, v2, v10, v12 offset:8", NULL},
	{OP_ds_cmpst_b64, "v2, v[10:11], v[12:13] offset:8", NULL},
	{OP_ds_cmpst_rtn_b64, "v[20:21], v2, v[10:11], v[12:13] offset:8", NULL},
	{OP_ds_cmpst_f64, "v2, v[10:11], v[12:13] offset:8", NULL},
	{OP_ds_cmpst_rtn_f64, "v[20:21], v2, v[10:11], v[12:13] offset:8", NULL},
	{OP_ds_wrap_rtn_b32, "v20, v2, v10, v12 offset:8", NULL},
	{OP_ds_min_f32, "v2, v10 offset:8", NULL},
	{OP_ds_min_rtn_f32, "v20, v2, v10 offset:8", NULL},
	{OP_ds_max_f32, "v2, v10 offset:8", NULL},
	{OP_ds_max_rtn_f32, "v20, v2, v10 offset:8", NULL},
	{OP_ds_add_f32, "v2, v10 offset:8", NULL},
	{OP_ds_add_f64, "v2, v[10:11] offset:8", NULL},
	{OP_ds_add_rtn_f64, "v[20:21], v2, v[10:11] offset:8", NULL},
	{OP_ds_add_rtn_f32, "v20, v2, v10 offset:8", NULL},
	{OP_ds_min_f64, "v2, v[10:11] offset:8", NULL},
	{OP_ds_min_rtn_f64, "v[20:21], v2, v[10:11] offset:8", NULL},
	{OP_ds_max_f64, "v2, v[10:11] offset:8", NULL},
	{OP_ds_max_rtn_f64, "v[20:21], v2, v[10:11] offset:8", NULL},
	{OP_ds_min_src2_f32, "v2 offset:128", NULL},
	{OP_ds_max_src2_f32, "v2 offset:128", NULL},
	{OP_ds_add_src2_f32, "v2 offset:128", NULL},
	{OP_ds_min_src2_f64, "v2 offset:128", NULL},
	{OP_ds_max_src2_f64, "v2 offset:128", NULL},
	{OP_ds_write_addtid_b32, "v10 offset:64", "s_mov_b32 m0, 16"},
	{OP_ds_read_addtid_b32, "v20 offset:64", "s_mov_b32 m0, 16"},
	{OP_ds_append, "v20 offset:8", "s_mov_b32 m0, 0x400000"},
	{OP_ds_consume, "v20 offset:8", "s_mov_b32 m0, 0x400000"},
	{OP_ds_permute_b32, "v20, v2, v10 offset:8", NULL},
	{OP_ds_bpermute_b32, "v20, v2, v10 offset:8", NULL},
	{OP_ds_swizzle_b32, "v20, v10 offset:0x8139", NULL},
	{OP_ds_swizzle_b32, "v20, v10 offset:0x0c6b", NULL},
	{OP_ds_nop, "", NULL},
};
enum { CASES = sizeof cases / sizeof *cases };

static void write_rows(FILE *f)
{
	for (int k = 0; k < CASES; k++)
		if (target_has_row(cases[k].op, lanes_target))
			fprintf(f, "\tkernel case%d\n\t%s\n\t%s %s\n\tfinish\n", k,
				cases[k].first ? cases[k].first : "s_nop 0", row_mnemonic(cases[k].op, lanes_target),
				cases[k].operands);
}

static bool name_has(unsigned op, const char *part)
{
	return strstr(isa_info(op)->name, part) != NULL;
}

/* --- cells --- */
static uint64_t read_cell(uint32_t at, unsigned bytes)
{
	uint64_t v = 0;

	if (at + bytes <= LDS_SIZE)
		memcpy(&v, lds + at, bytes);
	return v;
}

static void write_cell(uint32_t at, unsigned bytes, uint64_t v)
{
	if (at + bytes <= LDS_SIZE)
		memcpy(lds + at, &v, bytes);
}

static double float_value(uint64_t v, unsigned bytes)
{
	float f;
	double g;
	uint32_t u = v;

	memcpy(&f, &u, 4);
	memcpy(&g, &v, 8);
	return bytes == 4 ? f : g;
}

/* If one value is a NaN, the other; -0 is less than +0. */
static uint64_t min_or_max(uint64_t a, uint64_t b, unsigned bytes, int sign)
{
	double x = float_value(a, bytes), y = float_value(b, bytes);

	if (x == y)
		return sign > 0 ? a | b : a & b;
	return isnan(x) ? b : isnan(y) ? a : sign * x < sign * y ? a : b;
}

static uint64_t float_sum(uint64_t a, uint64_t b, unsigned bytes)
{
	const double wide = float_value(a, 8) + float_value(b, 8);
	float f = (float)float_value(a, 4) + (float)float_value(b, 4);
	uint32_t u;

	if (bytes == 8) {
		memcpy(&a, &wide, 8);
		return a;
	}
	if (fabsf(f) < 0x1p-126f) /* these kernels flush f32 denormals */
		f = copysignf(0, f);
	memcpy(&u, &f, 4);
	return u;
}

static uint64_t expected_cell(unsigned op, uint64_t old, uint64_t a, uint64_t b, unsigned bytes)
{
	uint64_t m = bytes == 4 ? UINT32_MAX : UINT64_MAX;
	bool floats = name_has(op, "_f32") || name_has(op, "_f64");

	if (name_has(op, "mskor"))
		return ((old & ~a) | b) & m;
	if (name_has(op, "cmpst"))
		return (floats ? float_value(old, bytes) == float_value(a, bytes) : old == a) ? b : old;
	if (name_has(op, "wrap"))
		return (uint32_t)(old >= a ? old - a : old + b);
	return name_has(op, "add") ? float_sum(old, a, bytes) : min_or_max(old, a, bytes, name_has(op, "min") ? 1 : -1);
}

/* --- operations of a lane --- */
static void apply_pair(unsigned op, unsigned l, unsigned bytes)
{
	unsigned unit = name_has(op, "st64") ? 64 * bytes : bytes;
	const uint32_t at[2] = {
		offset[l] + unit * (name_has(op, "st64") ? 1 : 0), offset[l] + unit * (name_has(op, "st64") ? 3 : 1)};

	for (int k = 0; k < 2; k++) {
		uint64_t old = read_cell(at[k], bytes), new = 0;
		memcpy(&new, &data[l][2 * k], bytes);
		if (!name_has(op, "write"))
			memcpy(&expected[l][k * bytes / 4], &old, bytes);
		if (!name_has(op, "read"))
			write_cell(at[k], bytes, new);
	}
}

static void apply_atomic(unsigned op, unsigned l, unsigned bytes)
{
	bool src2 = name_has(op, "src2");
	uint32_t at = offset[l] + (src2 ? 0 : 8);
	uint64_t old = read_cell(at, bytes), a = 0, b = 0;

	memcpy(&a, &data[l][0], bytes);
	memcpy(&b, &data[l][2], bytes);
	write_cell(at, bytes, expected_cell(op, old, src2 ? read_cell(at + 512, bytes) : a, b, bytes));
	if (name_has(op, "rtn"))
		memcpy(expected[l], &old, bytes);
}

static bool is_active(unsigned l)
{
	return MASK >> l & 1;
}

static unsigned swizzle_source(unsigned k, unsigned l)
{
	if (strstr(cases[k].operands, "0x8139")) /* quad_perm 1, 2, 3, 0 */
		return l / 4 * 4 + (l + 1) % 4;
	return l / 32 * 32 + (((l % 32 & 0xb) | 3) ^ 3); /* masks: and 01011, or 00011, xor 00011 */
}

/* The lane that a permutation's address selects. gfx11 permutes within 32 lanes, also in waves of 64 (RDNA3
 * ISA 12.5.2).
 */
static unsigned permuted_lane_of(unsigned l, uint32_t address)
{
	const unsigned group = lanes_target & ISA_GFX11 ? 32 : lane_count;

	return l / group * group + address / 4 % group;
}

/* Rows that move values between lanes, or count lanes. False for other rows. */
static bool apply_lane_operation(unsigned k)
{
	unsigned op = cases[k].op,
		 count = lane_count == 64 ? __builtin_popcountll(MASK) : __builtin_popcount((uint32_t)MASK);
	uint32_t old = (uint32_t)read_cell(0x48, 4);

	for (unsigned l = 0; l < lane_count; l++) {
		unsigned from = permuted_lane_of(l, offset[l] + 8);
		if (!is_active(l))
			continue;
		switch (op) {
		case OP_ds_swizzle_b32:
			from = swizzle_source(k, l);
			expected[l][0] = is_active(from) ? data[from][0] : 0;
			break;
		case OP_ds_bpermute_b32: expected[l][0] = is_active(from) ? data[from][0] : 0; break;
		case OP_ds_write_addtid_b32: write_cell(16 + 64 + l * 4, 4, data[l][0]); break;
		case OP_ds_read_addtid_b32: expected[l][0] = (uint32_t)read_cell(16 + 64 + l * 4, 4); break;
		case OP_ds_append:
		case OP_ds_consume: expected[l][0] = old; break;
		case OP_ds_permute_b32:
			expected[l][0] = 0;
			for (unsigned s = 0; s < lane_count; s++) /* the highest lane that sends to this lane wins */
				if (is_active(s) && permuted_lane_of(s, offset[s] + 8) == l)
					expected[l][0] = data[s][0];
			break;
		case OP_ds_nop: break;
		default: return false;
		}
	}
	if (op == OP_ds_append || op == OP_ds_consume)
		write_cell(0x48, 4, op == OP_ds_append ? old + count : old - count);
	return true;
}

/* --- cases --- */
static uint32_t random_float(bool wide)
{
	static const uint32_t specials[] = {
		0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00800000, 0x80800001};

	if (wide)
		return (random_u32() & 0x800fffff) | (1000 + random_u32() % 50) << 20;
	return random_u32() % 4 ? (random_u32() & 0x807fffff) | (100 + random_u32() % 50) << 23
				: specials[random_u32() % 9];
}

static void prepare_lds(unsigned op)
{
	bool floats = name_has(op, "_f32") || name_has(op, "_f64"), two = name_has(op, "2_") || name_has(op, "2st64"),
	     near = name_has(op, "st64") || name_has(op, "src2");

	for (unsigned k = 0; k < MEMORY / 4; k++)
		((uint32_t *)memory)[k] = floats ? random_float(name_has(op, "f64")) : random_u32();
	for (unsigned l = 0; l < lane_count; l++) {
		offset[l] = (l * 27 % 64) * (near ? 8 : 24);
		if (l % 21 == 7 && !name_has(op, "src2")) /* out of range */
			offset[l] = LDS_SIZE - (two ? 0 : 8) + l * 24;
		for (int e = 0; e < 4; e++) {
			data[l][e] = floats ? random_float(name_has(op, "f64")) : random_u32();
			result[l][e] = random_u32();
		}
		if (name_has(op, "cmpst") && l % 2 && offset[l] + 16 <= LDS_SIZE)
			memcpy(data[l], memory + offset[l] + 8, 8);
	}
	memcpy(lds, memory, LDS_SIZE);
	memcpy(expected, result, sizeof expected);
}

static void check_case(unsigned k)
{
	unsigned op = cases[k].op,
		 bytes = name_has(op, "64") && !name_has(op, "st64_b32") && !name_has(op, "st64_rtn_b32") ? 8 : 4;
	char name[32];

	prepare_lds(op);
	if (!apply_lane_operation(k))
		for (unsigned l = 0; l < lane_count; l++)
			if (is_active(l)) {
				if (name_has(op, "2_b") || name_has(op, "2st64") || name_has(op, "xchg2"))
					apply_pair(op, l, bytes);
				else
					apply_atomic(op, l, bytes);
			}
	snprintf(name, sizeof name, "case%u", k);
	launch_lanes(name, isa_info(op)->name, MASK);
	check_results(isa_info(op)->name, expected);
	check_bytes(isa_info(op)->name, "LDS", lds_after(), lds, LDS_SIZE);
}

static void check_target(enum isa_target target)
{
	unsigned tested = 0;

	open_lanes(target, write_rows);
	for (unsigned k = 0; k < CASES; k++)
		if (target_has_row(cases[k].op, target))
			check_case(k), tested++;
	printf("# %s, %u lanes: %u cases\n", target_arch(target), lane_count, tested);
	device_close(&d);
}

static void lds_rows_match_c(void **state)
{
	(void)state;
	check_target(ISA_GFX900);
	check_target(ISA_GFX90A);
	check_target(ISA_GFX1100_WAVE64);
	check_target(ISA_GFX1100_WAVE32);
}

static void every_special_row_has_a_case(void **state)
{
	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++) {
		bool found = false;
		for (unsigned k = 0; k < CASES; k++)
			found = found || cases[k].op == op;
		if ((is_lds_special(op) && !is_row_of_gfx11(op)) != found)
			fail_msg("%s: is_lds_special() and the cases of this test disagree", isa_info(op)->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lds_rows_match_c), cmocka_unit_test(every_special_row_has_a_case)};

	return cmocka_run_group_tests_name("row lds", tests, NULL, NULL);
}
