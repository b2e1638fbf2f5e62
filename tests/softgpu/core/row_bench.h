/* Shared by the tests of row values: one kernel per case, operands in all lanes, comparison with row_model.h.
 *
 * A kernel loads its operands into v10-v17, the old value of the destination into v20-v21 and VCC from a flag; sets
 * MODE and EXEC; runs one instruction; and stores the destination and both masks (row_values.inc).
 */
#ifndef TESTS_SOFTGPU_CORE_ROW_BENCH_H
#define TESTS_SOFTGPU_CORE_ROW_BENCH_H

#include "tests/softgpu/core/device.h"
#include "tests/softgpu/core/each_variant.h"
#include "tests/softgpu/core/row_model.h"
#include "tests/softgpu/core/row_targets.h"
#include "tests/softgpu/isa/row_tests.h"
#include "tests/scratch.h"

enum { WAVES = 12, ITEMS = WAVES * 64 };

struct item {
	uint64_t s[3], old;
	uint32_t flag, pad[3];
};
struct result {
	uint32_t d[2], flag, exec;
};

static const uint64_t specials[] = {
	0,
	1,
	2,
	0x80000000,
	0x7fffffff,
	0xffffffff,
	0x3f800000,
	0xbf800000,
	0x7f800000,
	0xff800000,
	0x7fc00000,
	0x00000001,
	0x807fffff,
	0x00800000,
	0x7f7fffff,
	0x3f000000,
	0x3fc00000,
	0x40200000,
	0xc0200000,
	0x4f000000,
	0xcf000000,
	0x4f800000,
	0x477fe000,
	0x40490fdb,
	0x33000001,
	0x3c00,
	0xbc00,
	0x7c00,
	0xfc00,
	0x7e00,
	0x0001,
	0x03ff,
	0x7bff,
	0x8000,
	0x8001,
	0xffff,
	31,
	32,
	33,
	63,
	64,
	0xff,
	0x00ff00ff,
	0x12345678,
	0x80018001,
	0x7fff8000,
	0x3ff0000000000000,
	0xbff0000000000000,
	0x7ff0000000000000,
	0xfff0000000000000,
	0x7ff8000000000000,
	0x8000000000000000,
	0x7fffffffffffffff,
	0xffffffffffffffff,
	0x0010000000000000,
	0x000fffffffffffff,
	0x7fefffffffffffff,
	0x3fe0000000000000,
	0x4004000000000000,
	0x41dfffffffc00000,
	0xc1e0000000200000,
	0x41efffffffe00000,
	0x4009 << 16,
	0x369fffffe0000000,
};

static enum isa_target bench_target;
static struct device d;
static struct item *item;
static struct result *result;
static uint64_t seed = 1;

static inline uint64_t random_u64(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return seed >> 33 | seed << 31;
}

/* Random bits, or with equal probability a number of moderate size. NaNs are quiet; draw_nans makes others. */
static inline uint64_t random_operand(enum isa_type t)
{
	uint64_t v =
		random_u64() % 5 < 2 ? specials[random_u64() % (sizeof specials / sizeof *specials)] : random_u64();
	bool moderate = random_u64() & 1;

	switch (t) {
	case T_F64:
		if (v < UINT64_C(1) << 32)
			v <<= 32;
		if (moderate)
			v = (v & ~(UINT64_C(0x7ff) << 52)) | (UINT64_C(1000) + random_u64() % 60) << 52;
		return v << 1 > UINT64_C(0x7ff) << 53 ? v | UINT64_C(1) << 51 : v;
	case T_F32:
	case T_MIX:
		if (moderate && v > UINT32_MAX)
			v = (v & 0x807fffff) | (uint64_t)(110 + random_u64() % 40) << 23;
		return (v & 0x7fffffff) > 0x7f800000 ? v | 0x400000 : v;
	case T_P32: {
		const uint64_t low = random_operand(T_F32);
		return (low & UINT32_MAX) | random_operand(T_F32) << 32;
	}
	case T_F16:
	case T_F16K:
	case T_P16:
		for (int k = 0; k < 32; k += 16) /* the other half is ignored, or is also a half */
			if ((v >> k & 0x7fff) > 0x7c00)
				v |= UINT64_C(0x200) << k;
		return v;
	default: return v;
	}
}

static inline bool is_vector(const struct isa_info *row)
{
	return row->unit == UNIT_VALU;
}

static inline bool is_float_type(enum isa_type t)
{
	return t == T_F32 || t == T_F64 || t == T_F16 || t == T_F16K;
}

/* Each row of gfx9 is tested on the first target that has it, and each on gfx1100, whose executors are others. Scalar
 * rows are the same in waves of both sizes. */
static inline bool is_tested_on(unsigned op, enum isa_target target)
{
	const struct isa_info *row = isa_info(op);
	bool first = target == ISA_GFX900 || target & ISA_GFX11 || !(row->targets & ISA_GFX900);

	if (!first || !target_has_row(op, target))
		return false;
	return (row->unit == UNIT_VALU || (row->unit == UNIT_SALU && !isa_is_wave32(target))) &&
		!is_wave_operation(op) && !is_sequence_step(op);
}

static inline void write_register(FILE *f, const char *before, char file, int n, enum isa_type t)
{
	if (isa_type_dwords(t) > 1)
		fprintf(f, "%s%c[%d:%d]", before, file, n, n + 1);
	else
		fprintf(f, "%s%c%d", before, file, n);
}

/* The name of a vector row and its destination, v20 or VCC. Returns what comes before the first source. */
static inline const char *write_name(FILE *f, unsigned op, bool is_long)
{
	const struct isa_info *row = isa_info(op);

	fprintf(f, "\t%s%s ", row_mnemonic(op, bench_target), row_suffix(op, bench_target, is_long));
	if (row->dst2 == T_EXEC && bench_target & ISA_GFX11)
		return ""; /* v_cmpx writes EXEC alone */
	if (row->dst == T_MASK)
		fprintf(f, "%s", target_vcc(bench_target));
	else
		write_register(f, "", 'v', 20, row->dst);
	return ", ";
}

static inline void write_masks(FILE *f, const char *end_of_line)
{
	fprintf(f, "%s\n\tmasks\n", end_of_line);
}

/* Assembles and loads the kernels that `write` writes for the target. */
static inline void open_rows(enum isa_target target, void (*write)(FILE *f))
{
	char path[SCRATCH_PATH], co[SCRATCH_PATH + 8], command[1024], why[256];

	bench_target = target;
	scratch_path(path, "rows.s");
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f,
		"\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n\t.set LANES, %d\n\t.set GFX90A, %d\n"
		"\t.include \"tests/softgpu/core/row_values.inc\"\n",
		target_arch(target), target_lanes(target), target == ISA_GFX90A);
	write(f);
	fclose(f);
	snprintf(co, sizeof co, "%s.co", path);
	snprintf(command, sizeof command, "%s -x assembler -target amdgcn-amd-amdhsa %s -I. -o %s %s",
		toolchain_value("CLANG"), target_flags(target), co, path);
	assert_int_equal(system(command), 0);
	memset(&d, 0, sizeof d);
	d.gpu = open_gpu(target_model(target));
	bool loaded = loaded_object_open(&d.object, d.gpu, co, CODE_VA, UINT64_C(1) << 37, why, sizeof why);
	unlink(path);
	unlink(co);
	assert_true(loaded);
	d.kernarg = pages(KERNARG_BYTES);
	assert_true(gpu_map(d.gpu, KERNARG_VA, KERNARG_BYTES, d.kernarg, VM_SYSTEM, VM_READ));
	d.next = BUFFER_VA;
	device_args(&d);
	item = (struct item *)push_buffer(&d, 1 << 16, 0);
	result = (struct result *)push_buffer(&d, 1 << 16, 0);
}

/* In waves of 32 lanes, the upper half of the mask. */
static inline uint64_t bench_mask(uint64_t mask)
{
	return target_lanes(bench_target) == 32 ? mask >> 32 : mask;
}

static inline int bench_lane(int item_number)
{
	return item_number % target_lanes(bench_target);
}

static inline void launch_row(const char *kernel, const char *name, uint64_t mask, uint32_t mode)
{
	d.used = 16;
	push(&d, &mask, 8);
	push(&d, &mode, 4);
	if (device_launch(&d, kernel, ITEMS, 64) != LAUNCH_OK)
		fail_msg("%s: %s", name, d.out.message);
}

/* --- comparing --- */
static inline bool is_nan_of(uint64_t v, enum isa_type t)
{
	return t == T_F64     ? isnan(m_f64(v))
		: t == T_F32  ? isnan(m_f32(v))
		: t == T_BF16 ? isnan(m_f32(v << 16))
			      : (t == T_F16 || t == T_F16K) && isnan(m_f16(v));
}

static inline double float_value(uint64_t v, enum isa_type t)
{
	return t == T_F64 ? m_f64(v) : t == T_F32 ? m_f32(v) : m_f16(v);
}

static inline bool is_match(uint64_t got, const struct answer *expected, enum isa_type t)
{
	if (got == expected->d)
		return true;
	if ((got ^ expected->d) & expected->known_nans)
		return false;
	if (t == T_P32) {
		const struct answer low = {.d = (uint32_t)expected->d}, high = {.d = expected->d >> 32};
		return is_match((uint32_t)got, &low, T_F32) && is_match(got >> 32, &high, T_F32);
	}
	if (t == T_P16) {
		struct answer low = {.d = expected->d & 0xffff}, high = {.d = expected->d >> 16};
		bool l = (got & 0xffff) == low.d || (is_nan_of(got, T_F16) && is_nan_of(low.d, T_F16));
		return l && (got >> 16 == high.d || (is_nan_of(got >> 16, T_F16) && is_nan_of(high.d, T_F16)));
	}
	if (t == T_F16K && (uint16_t)got == (uint16_t)expected->d && is_nan_of(got >> 16, t) &&
		is_nan_of(expected->d >> 16, t))
		return true;
	if (is_nan_of(got, t) && is_nan_of(expected->d, t))
		return t != T_F16K || got >> 16 == expected->d >> 16;
	if (expected->near > 0 && fabs(float_value(got, t) - float_value(expected->d, t)) <= expected->near)
		return true;
	int64_t difference = (int64_t)(got - expected->d);
	return llabs(difference) <= expected->ulps;
}

/* Of any payload, quiet or signaling. A mixed operand is a NaN as f32 and as either half. */
static inline uint64_t random_nan(enum isa_type t)
{
	const uint64_t v = random_u64();

	switch (nan_bits_of(t)) {
	case 64: return v | UINT64_C(0x7ff) << 52 | 1;
	case 32: return (uint32_t)v | (t == T_MIX ? 0x7f807c00 : 0x7f800000) | 1;
	default: return (uint32_t)v | 0x7c017c01;
	}
}

/* Several NaNs in every third item, if the row keeps the first one. */
static inline void draw_nans(unsigned op)
{
	const struct isa_info *row = isa_info(op);

	for (int k = 0; nan_order_of(op) && k < ITEMS; k += 3) {
		const unsigned which = random_u64() & 15;
		for (int n = 0; n < 3; n++)
			if (which >> n & 1)
				item[k].s[n] = random_nan(row->src[n]);
		if (which >> 3)
			item[k].old = random_nan(row->dst);
	}
}

static inline void prepare_operands(unsigned op)
{
	const struct isa_info *row = isa_info(op);

	for (int k = 0; k < ITEMS; k++) {
		for (int n = 0; n < 3; n++)
			item[k].s[n] = random_operand(row->src[n]);
		item[k].old = random_operand(row->dst);
		item[k].flag = random_u64() & 1;
		if (op == OP_v_mad_mixhi_f16 || op == OP_v_fma_mixhi_f16)
			item[k].old = random_u64();
	}
	draw_nans(op);
}

/* omod as AMD describes it (reviews.llvm.org/D30209), then clamp. */
static inline double m_omod_and_clamp(const struct values *v, double x, unsigned omod, bool keeps, bool clamp)
{
	if (omod && !(v->mode >> 9 & 1) && !keeps)
		x = x == 0 ? 0 : ldexp(x, omod == 3 ? -1 : (int)omod);
	return clamp ? m_clamp(v, x) : x;
}

static inline void apply_omod_and_clamp(
	const struct values *v, struct answer *a, enum isa_type t, unsigned omod, bool clamp)
{
	m_rounding(v->mode >> (t == T_F32 ? 0 : 2));
	if (t == T_F64)
		a->d = m_b64(m_flush64(m_omod_and_clamp(v, m_f64(a->d), omod, m_out16(v), clamp), m_out16(v)));
	else if (t == T_F32)
		a->d = m_b32(m_flush(m_omod_and_clamp(v, m_f32(a->d), omod, m_out32(v), clamp), m_out32(v)));
	else
		a->d = (t == T_F16K ? a->d & 0xffff0000 : 0) |
			m_half(v, m_omod_and_clamp(v, m_f16(a->d), omod, m_out16(v), clamp));
	fesetround(FE_TONEAREST);
}

/* Whether the result replaces only half of the register. */
static inline bool keeps_half(enum isa_type t)
{
	return t == T_F16K || t == T_I16K || t == T_U16K || t == T_B16K || (bench_target & ISA_GFX11 && isa_is_half(t));
}

/* The register after a 16-bit result, if the target keeps its upper half. */
static inline void keep_upper_half(const struct item *in, const struct isa_info *row, struct answer *a)
{
	bool merged = row->dst == T_F16K || row->dst == T_I16K || row->dst == T_U16K || row->dst == T_B16K;

	if (keeps_half(row->dst) && !merged)
		a->d = (uint16_t)a->d | (in->old & 0xffff0000);
}

static inline bool is_expected_result(const struct item *in, const struct result *out, const struct isa_info *row,
	struct answer *a, bool active, bool writes)
{
	bool dst = row->dst != T__ && row->dst != T_MASK, wide = isa_type_dwords(row->dst) == 2 && dst;
	uint64_t got = out->d[0] | (wide ? (uint64_t)out->d[1] << 32 : 0);

	enum isa_type type = row->dst == T_F16 && bench_target & ISA_GFX11 ? T_F16K : row->dst;

	if (!wide)
		a->d = (uint32_t)a->d;
	if (!writes)
		*a = (struct answer){
			.d = wide ? in->old : (uint32_t)in->old, .flag = a->flag < 0 ? -1 : 0, .exec = a->exec};
	bool exec_alone = row->dst2 == T_EXEC && bench_target & ISA_GFX11; /* v_cmpx leaves VCC */
	uint32_t condition = a->flag >= 0 ? (uint32_t)a->flag : in->flag, flag = exec_alone ? in->flag : condition;
	uint32_t exec = !is_vector(row) ? (uint32_t)(a->exec ^ a->exec >> 32)
		: row->dst2 == T_EXEC   ? active && condition
					: active;
	bool same = !dst || (writes && m_is_ambiguous) || is_match(got, a, writes ? type : T_B32);

	return same && out->flag == flag && out->exec == exec;
}

static inline void report_difference(
	const char *what, int k, uint32_t mode, const struct values *v, const struct answer *a)
{
	fprintf(stderr,
		"%s mode %x lane %d (%llx, %llx, %llx, old %llx, in %d): %llx flag %u exec %x, expected %llx %d\n",
		what, mode, bench_lane(k), (unsigned long long)v->s[0], (unsigned long long)v->s[1],
		(unsigned long long)v->s[2], (unsigned long long)v->old, v->in,
		(unsigned long long)result[k].d[1] << 32 | result[k].d[0], result[k].flag, result[k].exec,
		(unsigned long long)a->d, a->flag);
}

#endif
