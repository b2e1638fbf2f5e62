/* The JIT gives the same results at the same cycles as the interpreter: random programs of all rows of jit_ops.def and
 * jit_scalar_ops.def and a few other instructions, on special values, with the host variant that has no JIT and with
 * all others. */
#include "tests/softgpu/core/device.h"
#include "tests/softgpu/core/each_variant.h"

#include "softgpu/isa/isa.h"
#include "softgpu/isa/gfx9/opcode_table.h"
#include "softgpu/probe.h"

enum {
	PROGRAMS = 16,
	MAX_LENGTH = 160 /* plus a few instructions */,
	LOOPS = 12 /* with four waves, more than JIT_THRESHOLD */,
	MAX_ITEMS = 1024,
	REGS = 32,
	FIRST_INT = 8,
	FIRST_FLOAT = 24,
	REGS_PER_TYPE = 16,
	DESCRIPTOR = 64 /* bytes, before the code */,
};

static const unsigned rows[] = {
#define JIT_OP(name, ...) OP_##name,
#include "softgpu/core/jit/jit_ops.def"
#undef JIT_OP
};
enum { ROWS = sizeof rows / sizeof *rows };

static const unsigned scalar_rows[] = {
#define JIT_SCALAR(name, ...) OP_##name,
#include "softgpu/core/jit/jit_scalar_ops.def"
#undef JIT_SCALAR
};
enum { SCALAR_ROWS = sizeof scalar_rows / sizeof *scalar_rows };

static const uint32_t modes[] = {
	0x3f0 /* denormals kept */, 0x3c0, 0x3d0, 0x3e0, 0x3f1 /* rounded up */, 0x1f0 /* IEEE off */};
enum { MODES = sizeof modes / sizeof *modes };

static uint64_t seed;

static uint32_t random_below(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

/* --- programs --- */
static bool is_float(unsigned op)
{
	return isa_info(op)->dst == T_F32 || (isa_info(op)->dst == T_B32 && random_below(2));
}

/* Mostly a few registers, so that results are soon read. A few integers are floats, and the other way round. */
static unsigned random_vgpr(bool floats)
{
	return (floats != !random_below(16) ? FIRST_FLOAT : FIRST_INT) +
		random_below(random_below(3) ? 4 : REGS_PER_TYPE);
}

static void write_inline(FILE *f, bool floats)
{
	static const char *const numbers[] = {"0", "0.5", "-1.0", "2.0", "4.0"};

	if (floats)
		fprintf(f, "%s", numbers[random_below(5)]);
	else
		fprintf(f, "%d", (int)random_below(81) - 16);
}

/* An SGPR for floats, one for integers, or part of a mask. */
static void write_sgpr(FILE *f, bool floats)
{
	static const char *const masks[] = {"vcc_lo", "vcc_hi", "s26", "s27", "s28", "s29"};

	if (!floats && !random_below(4))
		fprintf(f, "%s", masks[random_below(6)]);
	else
		fprintf(f, "s%u", 16 + floats * 4 + random_below(4));
}

/* A source that is not a VGPR: an inline constant or, with `any_scalar`, an SGPR or a literal. */
static void write_scalar(FILE *f, bool floats, bool any_scalar)
{
	if (any_scalar && random_below(2))
		write_sgpr(f, floats);
	else if (any_scalar && random_below(2))
		fprintf(f, "0x%x", floats ? 0x40490fdb : 0x01234567 + random_below(9999));
	else
		write_inline(f, floats);
}

/* A source, with `signs` possibly with neg and abs. */
static void write_source(FILE *f, bool floats, bool signs, bool *sgpr)
{
	bool neg = signs && !random_below(3), magnitude = signs && !random_below(4), scalar = random_below(4) == 0;

	fprintf(f, ", ");
	if (scalar && !(*sgpr && random_below(2))) {
		write_inline(f, floats);
		return;
	}
	fprintf(f, "%s%s", neg ? "-" : "", magnitude ? "|" : "");
	if (scalar)
		write_sgpr(f, floats);
	else
		fprintf(f, "v%u", random_vgpr(floats));
	fprintf(f, "%s", magnitude ? "|" : "");
	*sgpr &= !scalar; /* an instruction can read only one SGPR */
}

static unsigned source_count(const struct isa_info *row)
{
	unsigned n = 0;

	while (n < 3 && row->src[n] != T__ && row->src[n] != T_CARRY)
		n++;
	return n;
}

static void write_short(FILE *f, const struct isa_info *row, bool floats, unsigned literal)
{
	unsigned n = source_count(row);

	fprintf(f, "	%s%s v%u, ", row->name, literal ? "" : "_e32", random_vgpr(floats));
	if (random_below(2) || literal)
		fprintf(f, "v%u", random_vgpr(floats));
	else
		write_scalar(f, floats, row->src[2] != T_CARRY);
	for (unsigned k = 1; k < n; k++)
		if (k == literal)
			fprintf(f, ", 0x40490fdb");
		else
			fprintf(f, ", v%u", random_vgpr(floats));
	fprintf(f, row->src[2] == T_CARRY ? ", vcc\n" : "\n");
}

static void write_long(FILE *f, const struct isa_info *row, bool floats)
{
	bool signs = floats && random_below(2), sgpr = row->src[2] != T_CARRY;

	fprintf(f, "	%s%s v%u", row->name, row->enc == ENC_VOP3 ? "" : "_e64", random_vgpr(floats));
	for (unsigned k = 0; k < source_count(row); k++)
		write_source(f, floats, signs, &sgpr);
	fprintf(f, row->src[2] == T_CARRY ? ", s[26:27]\n" : "\n");
}

/* An add with carry: reads and writes masks, the same one or different ones. */
static void write_carry_add(FILE *f, const struct isa_info *row)
{
	static const char *const masks[] = {"vcc", "s[26:27]", "s[28:29]"};
	const bool reads = row->src[2] == T_CARRY, is_short = random_below(2);
	bool sgpr = !reads;

	fprintf(f, "	%s%s v%u, %s", row->name, is_short ? "_e32" : "_e64", random_vgpr(false),
		is_short ? "vcc" : masks[random_below(3)]);
	if (is_short)
		fprintf(f, ", v%u, v%u", random_vgpr(false), random_vgpr(false));
	for (unsigned k = 0; k < 2 && !is_short; k++)
		write_source(f, false, false, &sgpr);
	fprintf(f, reads ? ", %s\n" : "\n", is_short ? "vcc" : masks[random_below(3)]);
}

/* A 64-bit shift of possibly overlapping pairs, by a constant or sometimes by an operand that the JIT does not support.
 */
static void write_shift64(FILE *f, const struct isa_info *row)
{
	const unsigned to = FIRST_INT + random_below(6), from = FIRST_INT + random_below(6);

	fprintf(f, "	%s v[%u:%u], ", row->name, to, to + 1);
	if (random_below(8))
		fprintf(f, "%u", 1 + random_below(31));
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
		write_carry_add(f, row);
	else if (row->dst == T_U64)
		write_shift64(f, row);
	else if (row->enc != ENC_VOP3 && (literal || op == OP_v_mov_b32 || random_below(2)))
		write_short(f, row, floats, literal);
	else
		write_long(f, row, floats);
}

/* An instruction that ends a block, or changes what the next block reads. */
static void write_other(FILE *f)
{
	unsigned a = random_vgpr(false), b = random_vgpr(false), x = random_vgpr(true), y = random_vgpr(true);

	switch (random_below(8)) {
	case 0: fprintf(f, "	v_max_f32 v%u, v%u, v%u\n", x, y, random_vgpr(true)); break;
	case 1: fprintf(f, "	v_alignbit_b32 v%u, v%u, v%u, 7\n", a, b, a); break;
	case 2:
		fprintf(f, "	v_add_u32_sdwa v%u, v%u, v%u dst_sel:DWORD src0_sel:BYTE_1 src1_sel:DWORD\n", a, b, a);
		break;
	case 3: fprintf(f, "	v_mad_f32 v%u, v%u, v%u, 1.0 clamp\n", x, x, y); break;
	case 4: fprintf(f, "	s_add_u32 s%u, s17, 12345\n", 16 + random_below(4)); break;
	case 5: fprintf(f, "	v_cmp_lt_u32 vcc, v%u, v%u\n", a, b); break;
	case 6: fprintf(f, "	s_not_b64 s[26:27], vcc\n"); break;
	case 7: fprintf(f, "	ds_write_b32 v2, v%u\n	ds_read_b32 v%u, v2\n	s_waitcnt lgkmcnt(0)\n", a, b); break;
	}
}

/* --- scalar code --- */
static void write_scalar_register(FILE *f, bool wide)
{
	static const char *const pairs[] = {"vcc", "s[16:17]", "s[18:19]", "s[26:27]", "s[28:29]"};

	if (wide)
		fprintf(f, "%s", pairs[random_below(5)]);
	else
		write_sgpr(f, false);
}

/* An instruction can have one literal. */
static void write_scalar_source(FILE *f, unsigned type, bool *literal)
{
	if (type == T_SIMM16) {
		fprintf(f, "0x%x", random_below(random_below(2) ? 4 : 1 << 16));
	} else if (random_below(3)) {
		write_scalar_register(f, isa_type_dwords(type) > 1);
	} else if (!*literal && random_below(2)) {
		*literal = true;
		fprintf(f, "0x%x", 0x71234567 + random_below(9999));
	} else {
		write_inline(f, false);
	}
}

static void write_scalar_row(FILE *f, const struct isa_info *row)
{
	bool literal = row->enc == ENC_SOPK;
	const char *separator = "";

	fprintf(f, "	%s ", row->name);
	if (row->dst != T__) {
		write_scalar_register(f, isa_type_dwords(row->dst) > 1);
		separator = ", ";
	}
	for (unsigned k = 0; k < 2 && row->src[k] != T__; k++, separator = ", ") {
		fprintf(f, "%s", separator);
		if (row->enc == ENC_SOPK && row->src[k] != T_SIMM16) /* it has no room for a constant */
			write_scalar_register(f, false);
		else
			write_scalar_source(f, row->src[k], &literal);
	}
	fprintf(f, "\n");
}

static bool scalar_used[SCALAR_ROWS];

/* A comparison of equal values, which random operands seldom have. */
static void write_equal_comparison(FILE *f, const struct isa_info *row)
{
	const unsigned k = 16 + random_below(4), value = random_below(4);

	if (row->enc == ENC_SOPK)
		fprintf(f, "	s_movk_i32 s%u, %u\n	%s s%u, %u\n", k, value, row->name, k, value);
	else if (isa_type_dwords(row->src[0]) > 1)
		fprintf(f, "	%s vcc, vcc\n", row->name);
	else
		fprintf(f, "	%s s%u, s%u\n", row->name, k, k);
}

/* Scalar instructions in line, then vector instructions that read their results and SCC. */
static void write_scalar_run(FILE *f)
{
	for (unsigned n = 1 + random_below(40); n--;) {
		const unsigned k = random_below(SCALAR_ROWS);
		const struct isa_info *row = isa_info(scalar_rows[k]);
		if (row->dst == T__ && random_below(2))
			write_equal_comparison(f, row);
		else
			write_scalar_row(f, row);
		if (row->dst == T__ || random_below(3) == 0) /* reads SCC */
			fprintf(f, "	s_addc_u32 s%u, s%u, 9\n", 16 + random_below(4), 16 + random_below(4));
		scalar_used[k] = true;
	}
	fprintf(f, "	s_cselect_b32 s20, 3, 5\n");
	for (unsigned k = 16; k < 20; k++)
		fprintf(f, "	v_xor_b32 v%u, s%u, v%u\n", random_vgpr(false), k, random_vgpr(false));
	fprintf(f, "	v_xor_b32 v%u, s20, v%u\n	s_load_dword s20, s[0:1], 0x30\n	s_waitcnt lgkmcnt(0)\n",
		random_vgpr(false), random_vgpr(false));
}

/* --- bodies --- */
static bool used[ROWS];

/* The programs are for gfx900. */
static bool is_on_gfx900(unsigned row)
{
	return isa_info(rows[row])->targets & ISA_GFX900;
}

/* A body of one row or of many. */
static void write_body(FILE *f)
{
	unsigned n = 3 + random_below(MAX_LENGTH), others = random_below(2) ? 40 : 8, first = random_below(ROWS),
		 few = 1 + random_below(ROWS);

	while (n--) {
		unsigned row = (first + random_below(few)) % ROWS;
		if (!random_below(others)) {
			write_other(f);
			continue;
		}
		if (!random_below(30)) {
			write_scalar_run(f);
			continue;
		}
		if (!is_on_gfx900(row))
			continue;
		write_row(f, rows[row]);
		used[row] = true;
	}
}

/* Every fourth program crosses a page; the others have a page each. */
static bool crosses_pages(unsigned program)
{
	return program % 4 == 3;
}

static void write_programs(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fprintf(f,
		"	.amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"\n	.include \"tests/softgpu/core/jit_programs.inc\"\n	.text\n");
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
	char path[SCRATCH_PATH], co[SCRATCH_PATH + 8], command[1024], why[256];

	scratch_path(path, "jit.s");
	snprintf(co, sizeof co, "%s.co", path);
	write_programs(path);
	snprintf(command, sizeof command, "%s -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx906 -I. -o %s %s",
		toolchain_value("CLANG"), co, path);
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
		0xff800000, 0x7fc00000, 0xffc12345, 0x7fc54321, 0x7f800001, 0x3f800000, 0xbf800000, 0x33000001};

	if (random_below(6) == 0)
		return special[random_below(sizeof special / sizeof *special)];
	return random_below(2) << 31 | (110 + random_below(40)) << 23 | random_below(1 << 23);
}

static uint32_t random_int(void)
{
	return random_below(3) == 0 ? random_below(70) - 3 : random_below(1 << 16) << 16 | random_below(1 << 16);
}

/* --- machines: one for each host variant; the last one has no JIT --- */
enum { MAX_VARIANTS = 4 };

static struct variant_machine {
	struct device d;
	const char *variant;
	uint32_t *items, *results;
} machine[MAX_VARIANTS];
static unsigned variants, differences;

static void open_all_variants(const char *model)
{
	const struct host_variant *l;

	for (variants = 0; (l = host_variant_at(variants)); variants++) {
		struct variant_machine *m = &machine[variants];
		assert_true(variants < MAX_VARIANTS);
		setenv("SOFTGPU_HOST_VARIANT", l->name, 1);
		open_programs(&m->d, model);
		m->variant = l->name;
		m->items = push_buffer(&m->d, MAX_ITEMS * REGS * sizeof *m->items, 0);
		m->results = push_buffer(&m->d, MAX_ITEMS * REGS * sizeof *m->results, 0);
	}
	unsetenv("SOFTGPU_HOST_VARIANT");
}

static void close_all_variants(void)
{
	for (unsigned k = 0; k < variants; k++)
		device_close(&machine[k].d);
}

/* Uses the same values for all machines. */
static void launch_program(struct variant_machine *m, unsigned program, unsigned items, uint64_t mask, uint32_t mode)
{
	char name[32];

	seed = program;
	m->d.used = 16; /* keep the buffer arguments */
	push(&m->d, &mask, 8);
	push_int(&m->d, mode);
	push_int(&m->d, LOOPS);
	for (unsigned k = 0; k < 8; k++)
		push_int(&m->d, k < 4 ? random_int() : random_float());
	for (unsigned k = 0; k < MAX_ITEMS * REGS; k++)
		m->items[k] = k % REGS < REGS_PER_TYPE ? random_int() : random_float();
	memset(m->results, 0, MAX_ITEMS * REGS * sizeof *m->results);
	snprintf(name, sizeof name, "program%u", program);
	if (device_launch(&m->d, name, items, items) != LAUNCH_OK)
		fail_msg("%s: %s", name, m->d.out.message);
}

static void compare_results(
	const struct variant_machine *m, const struct variant_machine *base, unsigned program, uint32_t mode)
{
	const struct launch_result *got = &m->d.out, *expected = &base->d.out;
	unsigned k = 0;

	while (k < MAX_ITEMS * REGS && m->results[k] == base->results[k])
		k++;
	if (k == MAX_ITEMS * REGS && got->cycles == expected->cycles && got->instructions == expected->instructions &&
		got->ps == expected->ps)
		return;
	if (differences++ < 10)
		print_message(
			"variant %s program %u mode %x: %llu cycles, expected %llu; %llu instructions, expected %llu\n",
			m->variant, program, mode, (unsigned long long)got->cycles,
			(unsigned long long)expected->cycles, (unsigned long long)got->instructions,
			(unsigned long long)expected->instructions);
	if (differences < 10 && k < MAX_ITEMS * REGS)
		print_message("	item %u v%u %08x, expected %08x\n", k / REGS, FIRST_INT + k % REGS, m->results[k],
			base->results[k]);
}

static void run_program(unsigned program, uint64_t mask, uint32_t mode)
{
	for (unsigned items = 256; items <= MAX_ITEMS; items *= 4) { /* one wave per SIMD, then four */
		for (unsigned k = 0; k < variants; k++)
			launch_program(&machine[k], program, items, mask, mode);
		for (unsigned k = 0; k + 1 < variants; k++)
			compare_results(&machine[k], &machine[variants - 1], program, mode);
	}
}

/* --- tests --- */
static const char *const models[] = {"mi60", "mi60,timing=0"};

/* Each mode with all lanes; some also with a mask, after code has been compiled. */
static void jit_matches_the_interpreter_on_random_programs(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		open_all_variants(models[n]);
		for (unsigned p = 0; p < PROGRAMS; p++)
			for (unsigned k = 0; k < MODES; k++) {
				run_program(p, UINT64_MAX, modes[k]);
				if (k % 3 == 0)
					run_program(p, UINT64_C(0x8000f0010ff00001), modes[k]);
			}
		close_all_variants();
	}
	assert_int_equal(differences, 0);
	for (unsigned k = 0; k < ROWS; k++)
		assert_true(used[k] == is_on_gfx900(k));
	for (unsigned k = 0; k < SCALAR_ROWS; k++)
		assert_true(scalar_used[k]);
}

static void *program_code(struct variant_machine *m, unsigned program)
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

/* Overwrites a program with another one. */
static void jit_recompiles_rewritten_code(void **state)
{
	(void)state;
	open_all_variants(models[0]);
	for (unsigned p = 0; p + 1 < PROGRAMS; p++) {
		if (crosses_pages(p))
			continue;
		run_program(p, UINT64_MAX, modes[0]);
		for (unsigned k = 0; k < variants; k++)
			memcpy(program_code(&machine[k], p), program_code(&machine[k], p + 1), PAGE - DESCRIPTOR);
		run_program(p, UINT64_MAX, modes[0]);
	}
	close_all_variants();
	assert_int_equal(differences, 0);
}

/* Profiling starts after code has been compiled. */
static void jit_matches_while_profiling(void **state)
{
	(void)state;
	open_all_variants(models[0]);
	for (unsigned p = 0; p < PROGRAMS / 4; p++) {
		run_program(p, UINT64_MAX, modes[0]);
		for (unsigned k = 0; k < variants; k++)
			gpu_set_profiling(machine[k].d.gpu, SOFTGPU_PROFILE_CYCLES | SOFTGPU_PROFILE_WAVES);
		run_program(p, UINT64_MAX, modes[0]);
		for (unsigned k = 0; k < variants; k++)
			gpu_set_profiling(machine[k].d.gpu, 0);
	}
	close_all_variants();
	assert_int_equal(differences, 0);
}

/* The arenas of compiled code. Those next to each other are one mapping. Fails if one is both writable and executable.
 */
static unsigned count_jit_arenas(void)
{
	enum { ARENA_BYTES = 4 << 20 };
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char line[256], access[8];
	unsigned n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof line, f))
		if (sscanf(line, "%lx-%lx %7s", &from, &to, access) == 3 && !strchr(line, '/') && !strchr(line, '[')) {
			n += strcmp(access, "r-xp") ? 0 : (to - from) / ARENA_BYTES;
			assert_false(access[1] == 'w' && access[2] == 'x');
		}
	fclose(f);
	return n;
}

static void jit_code_is_never_writable(void **state)
{
	(void)state;
	open_all_variants(models[0]);
	run_program(0, UINT64_MAX, modes[0]);
	assert_int_equal(count_jit_arenas(), variants - 1);
	close_all_variants();
	assert_int_equal(count_jit_arenas(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(jit_matches_the_interpreter_on_random_programs),
		cmocka_unit_test(jit_recompiles_rewritten_code), cmocka_unit_test(jit_matches_while_profiling),
		cmocka_unit_test(jit_code_is_never_writable)};

	return cmocka_run_group_tests_name("jit", tests, NULL, NULL);
}
