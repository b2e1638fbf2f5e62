/* Every VALU and SALU row on the real executor, one instruction a kernel: special and random operands in all lanes, in one
 * lane and masked, in the short and the long form, with neg and abs, with clamp, with f32 denormals flushed and kept, at both
 * of the executor's levels; compared with row_model.h. */
#include "tests/core/device.h"

#include "tests/core/row_model.h"
#include "tests/isa/row_tests.h"

enum { WAVES = 12, ITEMS = WAVES * 64, PLAIN = 0, SIGNS, CLAMP, FORMS, SIMM_VALUE = -32477 };

struct item { uint64_t s[3], old; uint32_t flag, pad[3]; };
struct result { uint32_t d[2], flag, exec; };

static const uint64_t specials[] = {
	0, 1, 2, 0x80000000, 0x7fffffff, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
	0x807fffff, 0x00800000, 0x7f7fffff, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x4f000000, 0xcf000000, 0x4f800000,
	0x477fe000, 0x40490fdb, 0x33000001, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x03ff, 0x7bff, 0x8000, 0x8001, 0xffff,
	31, 32, 33, 63, 64, 0xff, 0x00ff00ff, 0x12345678, 0x80018001, 0x7fff8000,
	0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x8000000000000000,
	0x7fffffffffffffff, 0xffffffffffffffff, 0x0010000000000000, 0x000fffffffffffff, 0x7fefffffffffffff, 0x3fe0000000000000,
	0x4004000000000000, 0x41dfffffffc00000, 0xc1e0000000200000, 0x41efffffffe00000, 0x4009 << 16, 0x369fffffe0000000,
};

static struct device d;
static struct item *item;
static struct result *result;
static uint64_t seed = 1;
static size_t kernels, compared, wrong;

static uint64_t rnd(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return seed >> 33 | seed << 31;
}

/* Random bits as likely as numbers of middling size. NaNs are quiet: which of two signalling ones is kept is no result. */
static uint64_t operand(enum isa_type t)
{
	uint64_t v = rnd() % 5 < 2 ? specials[rnd() % (sizeof specials / sizeof *specials)] : rnd();
	bool middling = rnd() & 1;

	switch (t) {
	case T_F64:
		if (v < UINT64_C(1) << 32)
			v <<= 32;
		if (middling)
			v = (v & ~(UINT64_C(0x7ff) << 52)) | (UINT64_C(1000) + rnd() % 60) << 52;
		return v << 1 > UINT64_C(0x7ff) << 53 ? v | UINT64_C(1) << 51 : v;
	case T_F32: case T_MIX:
		if (middling && v > UINT32_MAX)
			v = (v & 0x807fffff) | (uint64_t)(110 + rnd() % 40) << 23;
		return (v & 0x7fffffff) > 0x7f800000 ? v | 0x400000 : v;
	case T_F16: case T_F16K: case T_P16:
		for (int k = 0; k < 32; k += 16) /* the other half is not looked at, or is one, too */
			if ((v >> k & 0x7fff) > 0x7c00)
				v |= UINT64_C(0x200) << k;
		return v;
	default: return v;
	}
}

/* --- kernels ----------------------------------------------------------------------------------------------------------- */
static bool is_vector(const struct isa_info *row)
{
	return row->unit == UNIT_VALU;
}

static bool is_f(enum isa_type t)
{
	return t == T_F32 || t == T_F64 || t == T_F16 || t == T_F16K;
}

static bool has_form(unsigned op, int form)
{
	const struct isa_info *row = isa_info(op);
	bool vop12c = row->enc == ENC_VOP1 || row->enc == ENC_VOP2 || row->enc == ENC_VOPC;
	bool literal = op == OP_v_madmk_f32 || op == OP_v_madak_f32 || op == OP_v_madmk_f16 || op == OP_v_madak_f16;
	bool dot = row->targets == ISA_GFX908;

	if (form == PLAIN)
		return true;
	if (!is_vector(row) || literal || dot || row->enc == ENC_VOP3P || !(vop12c || row->enc == ENC_VOP3))
		return false;
	if (form == SIGNS)
		return is_f(row->src[0]) && row->dst2 != T_CARRY;
	return is_f(row->dst) && row->dst != T_F16K && row->src[0] != T__;
}

static bool tested(unsigned op, enum isa_target target)
{
	const struct isa_info *row = isa_info(op);
	bool new = target == ISA_GFX900 ? row->targets & ISA_GFX900 : row->targets & target && !(row->targets & ISA_GFX900);

	return new && (row->unit == UNIT_VALU || row->unit == UNIT_SALU) && !is_about_wave(op) && !is_step(op);
}

static void reg(FILE *f, const char *before, char file, int n, enum isa_type t)
{
	if (isa_type_dwords(t) > 1)
		fprintf(f, "%s%c[%d:%d]", before, file, n, n + 1);
	else
		fprintf(f, "%s%c%d", before, file, n);
}

static void write_masks(FILE *f, const char *end_of_line)
{
	fprintf(f, "%s\n\ts_mov_b64 s[12:13], exec\n\ts_mov_b64 s[14:15], vcc\n\ts_mov_b64 exec, -1\n", end_of_line);
	fprintf(f, "\tv_cndmask_b32_e64 v22, 0, 1, s[14:15]\n\tv_cndmask_b32_e64 v23, 0, 1, s[12:13]\n");
}

static void write_vector(FILE *f, unsigned op, int form)
{
	const struct isa_info *row = isa_info(op);
	bool short_form = row->enc == ENC_VOP1 || row->enc == ENC_VOP2 || row->enc == ENC_VOPC;
	const char *comma = "";

	if (op == OP_v_accvgpr_read_b32 || op == OP_v_accvgpr_write_b32) { /* there and back */
		fprintf(f, "\tv_accvgpr_write_b32 a3, v10\n\ts_nop 4\n\tv_accvgpr_read_b32 v20, a3\n");
		write_masks(f, "");
		return;
	}
	fprintf(f, "\t%s%s ", row->name, !short_form ? "" : form ? "_e64" : strstr(row->name, "v_mad") == row->name ? "" : "_e32");
	if (row->dst == T_MASK)
		fprintf(f, "vcc");
	else
		reg(f, "", 'v', 20, row->dst);
	if (row->dst2 == T_CARRY)
		fprintf(f, ", vcc");
	comma = ", ";
	for (int k = 0; k < 3 && row->src[k] != T__; k++) {
		bool literal = (strstr(row->name, "v_madmk") && k == 1) || (strstr(row->name, "v_madak") && k == 2);
		if (row->src[k] == T_CARRY)
			fprintf(f, ", vcc");
		else if (literal)
			fprintf(f, ", %s", strstr(row->name, "f16") ? "0x4121" : "0x40490fdb");
		else if (k == 0 && form == SIGNS)
			reg(f, ", -|", 'v', 10, row->src[k]), fprintf(f, "|");
		else
			reg(f, comma, 'v', 10 + 2 * k, row->src[k]);
	}
	write_masks(f, form == CLAMP ? " clamp" : "");
}

static void write_scalar(FILE *f, unsigned op)
{
	const struct isa_info *row = isa_info(op);
	const char *comma = " ";

	for (int k = 0; k < 4; k++)
		fprintf(f, "\tv_readfirstlane_b32 s%d, v%d\n\tv_readfirstlane_b32 s%d, v%d\n", 16 + 2 * k, 10 + 2 * k, 17 + 2 * k, 11 + 2 * k);
	fprintf(f, "\tv_readfirstlane_b32 s24, v18\n\ts_nop 4\n\ts_mov_b64 exec, s[20:21]\n\ts_cmp_lg_u32 s24, 0\n\t%s", row->name);
	if (row->dst != T__)
		reg(f, " ", 's', 22, row->dst), comma = ", ";
	for (int k = 0; k < 2 && row->src[k] != T__; k++, comma = ", ")
		if (row->src[k] == T_SIMM16)
			fprintf(f, "%s0x%x", comma, SIMM_VALUE & 0xffff);
		else
			reg(f, comma, 's', 16 + 2 * k, row->src[k]);
	fprintf(f, "\n\ts_cselect_b32 s25, 1, 0\n\ts_xor_b32 s26, exec_lo, exec_hi\n\ts_mov_b64 exec, -1\n\tv_mov_b32 v20, s22\n"
		"\tv_mov_b32 v21, s23\n\tv_mov_b32 v22, s25\n\tv_mov_b32 v23, s26\n");
}

static void write_kernel(FILE *f, unsigned op, int form)
{
	fprintf(f, "\tkernel row%u_%d\n", op, form);
	if (is_vector(isa_info(op)))
		write_vector(f, op, form);
	else
		write_scalar(f, op);
	fprintf(f, "\tfinish\n");
}

/* Writes, assembles and loads a kernel for each row and form of the target. */
static void open_rows(const char *arch)
{
	char path[64], co[80], command[300], why[256];
	struct model m;

	snprintf(path, sizeof path, "/tmp/wavedeck-rows-%d.s", (int)getpid());
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n\t.include \"tests/core/row_values.inc\"\n", arch);
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int form = 0; form < FORMS && tested(op, isa_target_by_name(arch)); form++)
			if (has_form(op, form))
				write_kernel(f, op, form);
	fclose(f);
	snprintf(co, sizeof co, "%s.co", path);
	snprintf(command, sizeof command, "clang-15 -x assembler -target amdgcn-amd-amdhsa -mcpu=%s -I. -o %s %s", arch, co, path);
	assert_int_equal(system(command), 0);
	memset(&d, 0, sizeof d);
	assert_true(model_parse(&m, "mi25", why, sizeof why));
	snprintf(m.arch, sizeof m.arch, "%s", arch);
	d.gpu = gpu_open(&m);
	assert_non_null(d.gpu);
	bool loaded = object_load(&d.object, d.gpu, co, CODE_VA, UINT64_C(1) << 37, why, sizeof why);
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

/* --- comparing --------------------------------------------------------------------------------------------------------- */
static bool is_nan_of(uint64_t v, enum isa_type t)
{
	return t == T_F64 ? isnan(m_f64(v)) : t == T_F32 ? isnan(m_f32(v)) : (t == T_F16 || t == T_F16K) && isnan(m_f16(v));
}

static double number(uint64_t v, enum isa_type t)
{
	return t == T_F64 ? m_f64(v) : t == T_F32 ? m_f32(v) : m_f16(v);
}

static bool alike(uint64_t got, const struct answer *want, enum isa_type t)
{
	if (got == want->d)
		return true;
	if (t == T_P16) {
		struct answer low = { .d = want->d & 0xffff }, high = { .d = want->d >> 16 };
		bool l = (got & 0xffff) == low.d || (is_nan_of(got, T_F16) && is_nan_of(low.d, T_F16));
		return l && (got >> 16 == high.d || (is_nan_of(got >> 16, T_F16) && is_nan_of(high.d, T_F16)));
	}
	if (t == T_F16K && (uint16_t)got == (uint16_t)want->d && is_nan_of(got >> 16, t) && is_nan_of(want->d >> 16, t))
		return true;
	if (is_nan_of(got, t) && is_nan_of(want->d, t))
		return t != T_F16K || got >> 16 == want->d >> 16;
	if (want->near > 0 && fabs(number(got, t) - number(want->d, t)) <= want->near)
		return true;
	int64_t apart = (int64_t)(got - want->d);
	return llabs(apart) <= want->ulps;
}

static void prepare(unsigned op)
{
	const struct isa_info *row = isa_info(op);

	for (int k = 0; k < ITEMS; k++) {
		for (int n = 0; n < 3; n++)
			item[k].s[n] = operand(row->src[n]);
		item[k].old = operand(row->dst);
		item[k].flag = rnd() & 1;
		if (op == OP_v_mad_mixhi_f16 || op == OP_v_fma_mixhi_f16)
			item[k].old = rnd();
	}
}

static void sign(struct values *v, enum isa_type t)
{
	uint64_t top = t == T_F64 ? UINT64_C(1) << 63 : t == T_F32 ? 0x80000000u : 0x8000;

	v->s[0] |= top;
}

static double clamped(double x)
{
	return isnan(x) || x <= 0 ? 0 : x > 1 ? 1 : x;
}

static void clamp_answer(struct answer *a, enum isa_type t)
{
	a->d = t == T_F64 ? m_b64(clamped(m_f64(a->d))) : t == T_F32 ? m_b32(clamped(m_f32(a->d))) : m_b16(clamped(m_f16(a->d)));
}

static bool expect(unsigned op, int form, bool keep, int k, uint64_t mask)
{
	const struct isa_info *row = isa_info(op);
	struct values v = { .old = item[k].old, .in = item[k].flag, .lane = k % 64, .keep = keep, .simm = SIMM_VALUE, .exec = item[k].s[2] };
	bool vector = is_vector(row), active = mask >> k % 64 & 1, wide = isa_type_dwords(row->dst) == 2 && row->dst != T_MASK;
	uint64_t got = result[k].d[0] | (wide ? (uint64_t)result[k].d[1] << 32 : 0);
	struct answer a;

	memcpy(v.s, item[k].s, sizeof v.s);
	if (strstr(row->name, "v_madmk"))
		v.s[1] = strstr(row->name, "f16") ? 0x4121 : 0x40490fdb;
	if (strstr(row->name, "v_madak"))
		v.s[2] = strstr(row->name, "f16") ? 0x4121 : 0x40490fdb;
	if (form == SIGNS)
		sign(&v, row->src[0]);
	if (!(vector ? m_vector(op, &v, &a) : m_scalar(op, &v, &a)))
		fail_msg("%s has no model", row->name);
	if (form == CLAMP)
		clamp_answer(&a, row->dst);
	bool dst = row->dst != T__ && row->dst != T_MASK, same = true;
	if (!wide)
		a.d = (uint32_t)a.d;
	if (!active)
		a = (struct answer){ .d = wide ? item[k].old : (uint32_t)item[k].old, .flag = a.flag < 0 ? -1 : 0 };
	if (dst)
		same = alike(got, &a, active ? row->dst : T_B32);
	int flag = a.flag >= 0 ? a.flag : (int)item[k].flag;
	uint32_t exec = vector ? (row->dst2 == T_EXEC ? (uint32_t)(active && flag) : active) : (uint32_t)(a.exec ^ a.exec >> 32);
	if (same && result[k].flag == (uint32_t)flag && result[k].exec == exec)
		return true;
	fprintf(stderr, "%s form %d lane %d%s(%llx, %llx, %llx, old %llx, in %u): %llx flag %u exec %x, expected %llx %d %x\n", row->name, form, k % 64,
		keep ? " " : " ftz ", (unsigned long long)v.s[0], (unsigned long long)v.s[1], (unsigned long long)v.s[2],
		(unsigned long long)v.old, item[k].flag, (unsigned long long)got, result[k].flag, result[k].exec, (unsigned long long)a.d, flag, exec);
	return false;
}

static void run_kernel(unsigned op, int form)
{
	static const uint64_t masks[] = { UINT64_MAX, UINT64_C(1) << 37, UINT64_C(0x8421f00f5555aaa7) };
	const bool vector = is_vector(isa_info(op));
	char name[32];

	snprintf(name, sizeof name, "row%u_%d", op, form);
	kernels++;
	for (int n = 0; n < (vector ? 6 : 1); n++) {
		uint64_t mask = masks[n % 3];
		uint32_t mode = n < 3 ? 0xc0 : 0xf0;
		prepare(op);
		d.used = 16;
		push(&d, &mask, 8);
		push(&d, &mode, 4);
		if (device_launch(&d, name, ITEMS, 64) != LAUNCH_OK)
			fail_msg("%s: %s", isa_info(op)->name, d.out.message);
		for (int k = 0; k < ITEMS; k += vector ? 1 : 64)
			if (compared++, !expect(op, form, mode == 0xf0, k, mask)) {
				wrong++; /* one report a kernel is enough */
				return;
			}
	}
}

static void run_target(const char *arch)
{
	open_rows(arch);
	for (unsigned op = 1; op < OP_COUNT; op++)
		for (int form = 0; form < FORMS && tested(op, isa_target_by_name(arch)); form++)
			if (has_form(op, form))
				run_kernel(op, form);
	device_close(&d);
}

static void run_level(bool baseline)
{
	if (baseline)
		setenv("SOFTGPU_BASELINE", "1", 1);
	else
		unsetenv("SOFTGPU_BASELINE");
	kernels = compared = wrong = 0;
	run_target("gfx900");
	run_target("gfx906");
	run_target("gfx908");
	printf("# %zu rows and forms, %zu results\n", kernels, compared);
	assert_int_equal(wrong, 0);
}

static void test_best_level(void **state)
{
	(void)state;
	run_level(false);
}

static void test_baseline(void **state)
{
	(void)state;
	run_level(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_best_level), cmocka_unit_test(test_baseline) };

	return cmocka_run_group_tests_name("row values", tests, NULL, NULL);
}
