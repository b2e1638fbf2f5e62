/* Streaks of vector instructions as the host's machine code give what the interpreter gives, at the same cycles: random
 * programs of all rows of jit_ops.def, with other instructions between them, on special values, at the level without
 * machine code and at all others. */
#include "tests/softgpu/core/device.h"
#include "tests/softgpu/core/each_level.h"

#include "softgpu/isa/isa.h"
#include "softgpu/isa/opcode_table.h"
#include "softgpu/probe.h"

enum {
	PROGRAMS = 16,
	LONGEST = 160 /* and a few instructions */,
	LOOPS = 12 /* in four waves often enough */,
	MOST_ITEMS = 1024,
	REGS = 32,
	FIRST_INT = 8,
	FIRST_FLOAT = 24,
	EACH = 16 /* VGPRs: what is made of floats stays among those, for NaNs may differ */,
	DESCRIPTOR = 64 /* bytes, before the code */,
};

static const unsigned rows[] = {
#define JIT_OP(name, ...) OP_##name,
#include "softgpu/core/jit/jit_ops.def"
#undef JIT_OP
};
enum { ROWS = sizeof rows / sizeof *rows };

static const uint32_t modes[] = {
	0x3f0 /* denormals kept */, 0x3c0, 0x3d0, 0x3e0, 0x3f1 /* rounded up */, 0x1f0 /* not IEEE */};
enum { MODES = sizeof modes / sizeof *modes };

static uint64_t seed;

static uint32_t rnd(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

/* --- programs --- */
static bool is_float(unsigned op)
{
	return isa_info(op)->dst == T_F32 || (isa_info(op)->dst == T_B32 && rnd(2));
}

/* Few at a time, so that what was written is soon read. */
static unsigned vgpr(bool floats)
{
	return (floats ? FIRST_FLOAT : FIRST_INT) + rnd(rnd(3) ? 4 : EACH);
}

static void write_inline(FILE *f, bool floats)
{
	static const char *const numbers[] = {"0", "0.5", "-1.0", "2.0", "4.0"};

	if (floats)
		fprintf(f, "%s", numbers[rnd(5)]);
	else
		fprintf(f, "%d", (int)rnd(81) - 16);
}

/* Of those for floats and for integers, or of a mask. */
static void write_sgpr(FILE *f, bool floats)
{
	static const char *const masks[] = {"vcc_lo", "vcc_hi", "s26", "s27", "s28", "s29"};

	if (!floats && !rnd(4))
		fprintf(f, "%s", masks[rnd(6)]);
	else
		fprintf(f, "s%u", 16 + floats * 4 + rnd(4));
}

/* What is no VGPR: an SGPR, an inline constant, or a literal where there may be one. */
static void write_scalar(FILE *f, bool floats, bool may)
{
	if (may && rnd(2))
		write_sgpr(f, floats);
	else if (may && rnd(2))
		fprintf(f, "0x%x", floats ? 0x40490fdb : 0x01234567 + rnd(9999));
	else
		write_inline(f, floats);
}

/* A source with signs where it may have them. */
static void write_source(FILE *f, bool floats, bool signs, bool *sgpr)
{
	bool neg = signs && !rnd(3), magnitude = signs && !rnd(4), scalar = rnd(4) == 0;

	fprintf(f, ", ");
	if (scalar && !(*sgpr && rnd(2))) {
		write_inline(f, floats);
		return;
	}
	fprintf(f, "%s%s", neg ? "-" : "", magnitude ? "|" : "");
	if (scalar)
		write_sgpr(f, floats);
	else
		fprintf(f, "v%u", vgpr(floats));
	fprintf(f, "%s", magnitude ? "|" : "");
	*sgpr &= !scalar; /* one instruction reads one of them */
}

static unsigned sources_of(const struct isa_info *row)
{
	unsigned n = 0;

	while (n < 3 && row->src[n] != T__ && row->src[n] != T_CARRY)
		n++;
	return n;
}

static void write_short(FILE *f, const struct isa_info *row, bool floats, unsigned literal)
{
	unsigned n = sources_of(row);

	fprintf(f, "	%s%s v%u, ", row->name, literal ? "" : "_e32", vgpr(floats));
	if (rnd(2) || literal)
		fprintf(f, "v%u", vgpr(floats));
	else
		write_scalar(f, floats, row->src[2] != T_CARRY);
	for (unsigned k = 1; k < n; k++)
		if (k == literal)
			fprintf(f, ", 0x40490fdb");
		else
			fprintf(f, ", v%u", vgpr(floats));
	fprintf(f, row->src[2] == T_CARRY ? ", vcc\n" : "\n");
}

static void write_long(FILE *f, const struct isa_info *row, bool floats)
{
	bool signs = floats && rnd(2), sgpr = row->src[2] != T_CARRY;

	fprintf(f, "	%s%s v%u", row->name, row->enc == ENC_VOP3 ? "" : "_e64", vgpr(floats));
	for (unsigned k = 0; k < sources_of(row); k++)
		write_source(f, floats, signs, &sgpr);
	fprintf(f, row->src[2] == T_CARRY ? ", s[26:27]\n" : "\n");
}

/* A sum with carry: masks that are read and written, the same one or another. */
static void write_sum(FILE *f, const struct isa_info *row)
{
	static const char *const masks[] = {"vcc", "s[26:27]", "s[28:29]"};
	const bool reads = row->src[2] == T_CARRY, is_short = rnd(2);
	bool sgpr = !reads;

	fprintf(f, "	%s%s v%u, %s", row->name, is_short ? "_e32" : "_e64", vgpr(false),
		is_short ? "vcc" : masks[rnd(3)]);
	if (is_short)
		fprintf(f, ", v%u, v%u", vgpr(false), vgpr(false));
	for (unsigned k = 0; k < 2 && !is_short; k++)
		write_source(f, false, false, &sgpr);
	fprintf(f, reads ? ", %s\n" : "\n", is_short ? "vcc" : masks[rnd(3)]);
}

/* Of register pairs, which may lie across each other; by a constant, and sometimes by what a streak does not take. */
static void write_pair(FILE *f, const struct isa_info *row)
{
	const unsigned to = FIRST_INT + rnd(6), from = FIRST_INT + rnd(6);

	fprintf(f, "	%s v[%u:%u], ", row->name, to, to + 1);
	if (rnd(8))
		fprintf(f, "%u", 1 + rnd(31));
	else
		write_scalar(f, false, false);
	fprintf(f, ", v[%u:%u]\n", from, from + 1);
}

static void write_row(FILE *f, unsigned op)
{
	const struct isa_info *row = isa_info(op);
	unsigned literal = isa_literal_source(op);
	bool floats = is_float(op);

	if (row->dst2 == T_CARRY)
		write_sum(f, row);
	else if (row->dst == T_U64)
		write_pair(f, row);
	else if (row->enc != ENC_VOP3 && (literal || op == OP_v_mov_b32 || rnd(2)))
		write_short(f, row, floats, literal);
	else
		write_long(f, row, floats);
}

/* What ends a streak, or changes what the next one reads. */
static void write_other(FILE *f)
{
	unsigned a = vgpr(false), b = vgpr(false), x = vgpr(true), y = vgpr(true);

	switch (rnd(8)) {
	case 0: fprintf(f, "	v_max_f32 v%u, v%u, v%u\n", x, y, vgpr(true)); break;
	case 1: fprintf(f, "	v_alignbit_b32 v%u, v%u, v%u, 7\n", a, b, a); break;
	case 2:
		fprintf(f, "	v_add_u32_sdwa v%u, v%u, v%u dst_sel:DWORD src0_sel:BYTE_1 src1_sel:DWORD\n", a, b, a);
		break;
	case 3: fprintf(f, "	v_mad_f32 v%u, v%u, v%u, 1.0 clamp\n", x, x, y); break;
	case 4: fprintf(f, "	s_add_u32 s%u, s17, 12345\n", 16 + rnd(4)); break;
	case 5: fprintf(f, "	v_cmp_lt_u32 vcc, v%u, v%u\n", a, b); break;
	case 6: fprintf(f, "	s_not_b64 s[26:27], vcc\n"); break;
	case 7: fprintf(f, "	ds_write_b32 v2, v%u\n	ds_read_b32 v%u, v2\n	s_waitcnt lgkmcnt(0)\n", a, b); break;
	}
}

static bool met[ROWS];

/* Of one row or of many. */
static void write_body(FILE *f)
{
	unsigned n = 3 + rnd(LONGEST), others = rnd(2) ? 40 : 8, first = rnd(ROWS), few = 1 + rnd(ROWS);

	while (n--) {
		unsigned row = (first + rnd(few)) % ROWS;
		if (!rnd(others)) {
			write_other(f);
			continue;
		}
		write_row(f, rows[row]);
		met[row] = true;
	}
}

/* Each other one has a page of its own. */
static bool crosses_pages(unsigned program)
{
	return program % 4 == 3;
}

static void write_programs(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fprintf(f,
		"	.amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"\n	.include \"tests/softgpu/core/streaks.inc\"\n	.text\n");
	seed = 1;
	for (unsigned p = 0; p < PROGRAMS; p++) {
		fprintf(f, "	begin program%u, %u\n", p, crosses_pages(p) ? 3840 : 0);
		write_body(f);
		fprintf(f, "	finish program%u\n", p);
	}
	fprintf(f, "	.p2align 12\n	.skip 4096\n");
	fclose(f);
}

static void open_programs(struct device *d, const char *model)
{
	char path[64], co[80], command[300], why[256];

	snprintf(path, sizeof path, "/tmp/wavedeck-streaks-%d.s", (int)getpid());
	snprintf(co, sizeof co, "%s.co", path);
	write_programs(path);
	snprintf(command, sizeof command, "clang-15 -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx906 -I. -o %s %s",
		co, path);
	assert_int_equal(system(command), 0);
	memset(d, 0, sizeof *d);
	d->gpu = open_gpu(model);
	bool loaded = loaded_object_open(&d->object, d->gpu, co, CODE_VA, UINT64_C(1) << 37, why, sizeof why);
	unlink(path);
	unlink(co);
	assert_true(loaded);
	device_map(d);
}

/* --- values --- */
static uint32_t random_float(void)
{
	static const uint32_t special[] = {0, 0x80000000, 1, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
		0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0x3f800000, 0xbf800000, 0x33000001};

	if (rnd(6) == 0)
		return special[rnd(sizeof special / sizeof *special)];
	return rnd(2) << 31 | (110 + rnd(40)) << 23 | rnd(1 << 23);
}

static uint32_t random_int(void)
{
	return rnd(3) == 0 ? rnd(70) - 3 : rnd(1 << 16) << 16 | rnd(1 << 16);
}

/* --- machines: one of each host level, that without machine code the last --- */
enum { MOST_LEVELS = 4 };

static struct machine_of_level {
	struct device d;
	const char *level;
	uint32_t *items, *results;
} machine[MOST_LEVELS];
static unsigned levels, wrong;

static void open_all(const char *model)
{
	const struct host_variant *l;

	for (levels = 0; (l = host_variant_at(levels)); levels++) {
		struct machine_of_level *m = &machine[levels];
		assert_true(levels < MOST_LEVELS);
		setenv("SOFTGPU_LEVEL", l->name, 1);
		open_programs(&m->d, model);
		m->level = l->name;
		m->items = push_buffer(&m->d, MOST_ITEMS * REGS * sizeof *m->items, 0);
		m->results = push_buffer(&m->d, MOST_ITEMS * REGS * sizeof *m->results, 0);
	}
	unsetenv("SOFTGPU_LEVEL");
}

static void close_all(void)
{
	for (unsigned k = 0; k < levels; k++)
		device_close(&machine[k].d);
}

/* The same values for all. */
static void launch(struct machine_of_level *m, unsigned program, unsigned items, uint64_t mask, uint32_t mode)
{
	char name[32];

	seed = program;
	m->d.used = 16; /* the buffers stay */
	push(&m->d, &mask, 8);
	push_int(&m->d, mode);
	push_int(&m->d, LOOPS);
	for (unsigned k = 0; k < 8; k++)
		push_int(&m->d, k < 4 ? random_int() : random_float());
	for (unsigned k = 0; k < MOST_ITEMS * REGS; k++)
		m->items[k] = k % REGS < EACH ? random_int() : random_float();
	memset(m->results, 0, MOST_ITEMS * REGS * sizeof *m->results);
	snprintf(name, sizeof name, "program%u", program);
	if (device_launch(&m->d, name, items, items) != LAUNCH_OK)
		fail_msg("%s: %s", name, m->d.out.message);
}

/* NaNs of floats are all alike. */
static bool is_alike(unsigned k, uint32_t a, uint32_t b)
{
	return a == b || (k % REGS >= EACH && (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000);
}

static void compare(
	const struct machine_of_level *m, const struct machine_of_level *base, unsigned program, uint32_t mode)
{
	const struct launch_result *got = &m->d.out, *want = &base->d.out;
	unsigned k = 0;

	while (k < MOST_ITEMS * REGS && is_alike(k, m->results[k], base->results[k]))
		k++;
	if (k == MOST_ITEMS * REGS && got->cycles == want->cycles && got->instructions == want->instructions &&
		got->ps == want->ps)
		return;
	if (wrong++ < 10)
		print_message(
			"level %s program %u mode %x: %llu cycles, expected %llu; %llu instructions, expected %llu\n",
			m->level, program, mode, (unsigned long long)got->cycles, (unsigned long long)want->cycles,
			(unsigned long long)got->instructions, (unsigned long long)want->instructions);
	if (wrong < 10 && k < MOST_ITEMS * REGS)
		print_message("	item %u v%u %08x, expected %08x\n", k / REGS, FIRST_INT + k % REGS, m->results[k],
			base->results[k]);
}

static void run_program(unsigned program, uint64_t mask, uint32_t mode)
{
	for (unsigned items = 256; items <= MOST_ITEMS; items *= 4) { /* a wave a SIMD, four of them */
		for (unsigned k = 0; k < levels; k++)
			launch(&machine[k], program, items, mask, mode);
		for (unsigned k = 0; k + 1 < levels; k++)
			compare(&machine[k], &machine[levels - 1], program, mode);
	}
}

/* --- tests --- */
static const char *const models[] = {"mi60", "mi60,timing=0"};

/* Each mode in all lanes, and in some of them when there is machine code. */
static void test_programs(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		open_all(models[n]);
		for (unsigned p = 0; p < PROGRAMS; p++)
			for (unsigned k = 0; k < MODES; k++) {
				run_program(p, UINT64_MAX, modes[k]);
				if (k % 3 == 0)
					run_program(p, UINT64_C(0x8000f0010ff00001), modes[k]);
			}
		close_all();
	}
	assert_int_equal(wrong, 0);
	for (unsigned k = 0; k < ROWS; k++)
		assert_true(met[k]);
}

static void *code_of(struct machine_of_level *m, unsigned program)
{
	char name[32];

	snprintf(name, sizeof name, "program%u", program);
	uint64_t va = loaded_object_find_kernel(&m->d.object, name);
	const uint8_t *descriptor = gpu_host_pointer(m->d.gpu, va, DESCRIPTOR, VM_READ);
	assert_non_null(descriptor);
	void *code = gpu_host_pointer(m->d.gpu, va + *(const int64_t *)(descriptor + 16), PAGE - DESCRIPTOR, VM_READ);
	assert_non_null(code);
	return code;
}

/* Another program where there was one. */
static void test_rewritten(void **state)
{
	(void)state;
	open_all(models[0]);
	for (unsigned p = 0; p + 1 < PROGRAMS; p++) {
		if (crosses_pages(p))
			continue;
		run_program(p, UINT64_MAX, modes[0]);
		for (unsigned k = 0; k < levels; k++)
			memcpy(code_of(&machine[k], p), code_of(&machine[k], p + 1), PAGE - DESCRIPTOR);
		run_program(p, UINT64_MAX, modes[0]);
	}
	close_all();
	assert_int_equal(wrong, 0);
}

/* Somebody looks inside when there is machine code already. */
static void test_seen(void **state)
{
	(void)state;
	open_all(models[0]);
	for (unsigned p = 0; p < PROGRAMS / 4; p++) {
		run_program(p, UINT64_MAX, modes[0]);
		for (unsigned k = 0; k < levels; k++)
			gpu_set_profiling(machine[k].d.gpu, SOFTGPU_LOOK_CYCLES | SOFTGPU_LOOK_WAVES);
		run_program(p, UINT64_MAX, modes[0]);
		for (unsigned k = 0; k < levels; k++)
			gpu_set_profiling(machine[k].d.gpu, 0);
	}
	close_all();
	assert_int_equal(wrong, 0);
}

/* A level with AVX2 has an arena of code that may run, and may not be written. */
static unsigned arenas(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char line[256], access[8];
	unsigned n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof line, f))
		if (sscanf(line, "%lx-%lx %7s", &from, &to, access) == 3 && !strchr(line, '/') && !strchr(line, '[')) {
			n += !strcmp(access, "r-xp");
			assert_false(access[1] == 'w' && access[2] == 'x');
		}
	fclose(f);
	return n;
}

static void test_machine_code(void **state)
{
	(void)state;
	open_all(models[0]);
	run_program(0, UINT64_MAX, modes[0]);
	assert_int_equal(arenas(), levels - 1);
	close_all();
	assert_int_equal(arenas(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs), cmocka_unit_test(test_rewritten),
		cmocka_unit_test(test_seen), cmocka_unit_test(test_machine_code)};

	return cmocka_run_group_tests_name("streaks", tests, NULL, NULL);
}
