/* v_mfma of gfx908: every form with every modifier against a model in plain C, FTTN's product, and cycles.
 *
 * The model has its own layout, that of the formulas of AMD's Matrix Instruction Calculator (CDNA1): it places elements
 * of matrices in registers, multiplies the matrices, and looks for the results. */
#include "tests/softgpu/core/row_programs.h"

#include <math.h>

#include "tests/softgpu/isa/row_tests.h"

#define ASSEMBLE_GFX908 "-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx908"

enum { LANES = 64, FACTOR_REGISTERS = 2, REGISTERS = 32, SIDE_MAX = 32, DEPTH_MAX = 16, BLOCKS_MAX = 16 };

enum kind { F32, F16, BF16, I8 };

static const struct form {
	unsigned op;
	enum kind kind;
	unsigned side, depth, blocks;
} forms[] = {
	{OP_v_mfma_f32_32x32x1f32, F32, 32, 1, 2},
	{OP_v_mfma_f32_16x16x1f32, F32, 16, 1, 4},
	{OP_v_mfma_f32_4x4x1f32, F32, 4, 1, 16},
	{OP_v_mfma_f32_32x32x2f32, F32, 32, 2, 1},
	{OP_v_mfma_f32_16x16x4f32, F32, 16, 4, 1},
	{OP_v_mfma_f32_32x32x4f16, F16, 32, 4, 2},
	{OP_v_mfma_f32_16x16x4f16, F16, 16, 4, 4},
	{OP_v_mfma_f32_4x4x4f16, F16, 4, 4, 16},
	{OP_v_mfma_f32_32x32x8f16, F16, 32, 8, 1},
	{OP_v_mfma_f32_16x16x16f16, F16, 16, 16, 1},
	{OP_v_mfma_i32_32x32x4i8, I8, 32, 4, 2},
	{OP_v_mfma_i32_16x16x4i8, I8, 16, 4, 4},
	{OP_v_mfma_i32_4x4x4i8, I8, 4, 4, 16},
	{OP_v_mfma_i32_32x32x8i8, I8, 32, 8, 1},
	{OP_v_mfma_i32_16x16x16i8, I8, 16, 16, 1},
	{OP_v_mfma_f32_32x32x2bf16, BF16, 32, 2, 2},
	{OP_v_mfma_f32_16x16x2bf16, BF16, 16, 2, 4},
	{OP_v_mfma_f32_4x4x2bf16, BF16, 4, 2, 16},
	{OP_v_mfma_f32_32x32x4bf16, BF16, 32, 4, 1},
	{OP_v_mfma_f32_16x16x8bf16, BF16, 16, 8, 1},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* A kernel of a form: its modifiers, and what else differs. */
static const struct variant {
	unsigned cbsz, abid, blgp;
	bool accumulation; /* A and B in accumulation registers, D elsewhere than C */
	const char *before, *after;
} variants[] = {
	{.cbsz = 0}, {.accumulation = true}, {.blgp = 1}, {.blgp = 2}, {.blgp = 3}, {.blgp = 4}, {.blgp = 5},
	{.blgp = 6}, {.blgp = 7}, {.cbsz = 1, .abid = 1}, {.cbsz = 2, .abid = 2, .blgp = 3}, {.cbsz = 3, .abid = 5},
	{.cbsz = 4, .abid = 14, .blgp = 6, .accumulation = true},
	{.before = "s_mov_b64 exec, 1", .after = "s_mov_b64 exec, -1"},
	{.before = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0x0f"}, /* toward 0, denormals are flushed */
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* What the kernels read and write: a register of 64 lanes after the other. */
struct registers {
	uint32_t a[FACTOR_REGISTERS][LANES], b[FACTOR_REGISTERS][LANES], c[REGISTERS][LANES], d[REGISTERS][LANES];
};

static struct device d;
static struct registers *registers;
static uint64_t seed = 1;

static uint32_t random_u32(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 32);
}

/* --- kernels --- */
static unsigned result_registers(const struct form *f)
{
	const unsigned elements = f->side * f->side * f->blocks;

	return elements / LANES;
}

static bool has_variant(const struct form *f, const struct variant *v)
{
	return 1u << v->cbsz <= f->blocks;
}

static void write_kernel_head(FILE *f, const char *name, unsigned vgprs)
{
	fprintf(f,
		"\t.text\n\t.globl %s\n\t.p2align 8\n\t.type %s,@function\n\t.amdhsa_kernel %s\n"
		"\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_next_free_vgpr %u\n\t.amdhsa_next_free_sgpr 32\n"
		"\t.end_amdhsa_kernel\n\t.text\n%s:\n\ts_load_dwordx2 s[8:9], s[0:1], 0x0\n\ts_load_dword s10, s[0:1], 0x8\n"
		"\tv_lshlrev_b32 v3, 2, v0\n\ts_waitcnt lgkmcnt(0)\n",
		name, name, name, vgprs, name);
}

/* A is in v[4:5], B in v[6:7], C in v[8:39] and then a[0:31]; D replaces C or is in a[64:95]. */
static void write_form(FILE *f, const struct form *form, const struct variant *v, const char *name)
{
	const unsigned n = result_registers(form), to = v->accumulation ? 64 : 0;
	const char *a = form->kind == F16 ? "[4:5]" : "4", *b = form->kind == F16 ? "[6:7]" : "6",
		   *file = v->accumulation ? "a" : "v";

	write_kernel_head(f, name, 128);
	for (unsigned k = 0; k < 2 * FACTOR_REGISTERS + REGISTERS; k++)
		fprintf(f, "\tglobal_load_dword v%u, v3, s[8:9]\n\tv_add_u32 v3, 0x100, v3\n", 4 + k);
	fprintf(f, "\ts_waitcnt vmcnt(0)\n");
	for (unsigned k = 0; k < REGISTERS; k++)
		fprintf(f, "\tv_accvgpr_write_b32 a%u, v%u\n\tv_accvgpr_write_b32 a%u, v%u\n", k, 8 + k, 64 + k, 8 + k);
	if (v->accumulation)
		for (unsigned k = 4; k < 8; k++)
			fprintf(f, "\tv_accvgpr_write_b32 a%u, v%u\n", 32 + k, k);
	if (v->accumulation)
		a = form->kind == F16 ? "[36:37]" : "36", b = form->kind == F16 ? "[38:39]" : "38";
	fprintf(f, "\t%s\n\ts_nop 4\n\t%s a[%u:%u], %s%s, %s%s, a[0:%u]", v->before ? v->before : "",
		isa_info(form->op)->name, to, to + n - 1, file, a, file, b, n - 1);
	if (v->cbsz)
		fprintf(f, " cbsz:%u abid:%u", v->cbsz, v->abid);
	if (v->blgp)
		fprintf(f, " blgp:%u", v->blgp);
	fprintf(f, "\n\t%s\n\ts_nop 15\n\ts_nop 3\n", v->after ? v->after : "");
	for (unsigned k = 0; k < REGISTERS; k++)
		fprintf(f,
			"\tv_accvgpr_read_b32 v2, a%u\n\ts_nop 1\n\tglobal_store_dword v3, v2, s[8:9]\n\tv_add_u32 v3, 0x100, v3\n",
			to + k);
	fprintf(f, "\ts_endpgm\n");
}

/* A loop of so many instructions; s10 is the number of trips. */
static void write_loop(FILE *f, const char *name, unsigned count, const char *instructions)
{
	char kernel[64];

	snprintf(kernel, sizeof kernel, "%s_%u", name, count);
	write_kernel_head(f, kernel, 32);
	fprintf(f,
		"\ts_branch 1f\n\t.p2align 6\n1:\n\t.rept %u\n\t%s\n\t.endr\n\ts_sub_u32 s10, s10, 1\n\ts_cmp_lg_u32 s10, 0\n"
		"\ts_cbranch_scc1 1b\n\ts_endpgm\n",
		count, instructions);
}

enum { FEW = 16, MANY = 32 };
#define MOVES_2  "v_mov_b32 v10, v11\nv_mov_b32 v12, v13\n"
#define MOVES_14 MOVES_2 MOVES_2 MOVES_2 MOVES_2 MOVES_2 MOVES_2 MOVES_2
static const struct {
	const char *name, *instructions;
	double cycles; /* of a repetition, for one wave */
} loops[] = {
	{"small", "v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[4:7]", 8},
	{"small_chain", "v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]", 8},
	{"middle", "v_mfma_f32_16x16x16f16 a[0:3], v[4:5], v[6:7], a[4:7]", 32},
	{"middle_chain", "v_mfma_f32_16x16x16f16 a[0:3], v[4:5], v[6:7], a[0:3]", 32},
	{"large", "v_mfma_i32_32x32x8i8 a[0:15], v4, v5, a[16:31]", 64},
	{"large_chain", "v_mfma_i32_32x32x8i8 a[0:15], v4, v5, a[0:15]", 64},
	{"next_to_it", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[0:15]\n" MOVES_14, 64},
	{"more_than_it", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[0:15]\n" MOVES_14 MOVES_2, 72},
	{"read", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[0:15]\nv_accvgpr_read_b32 v10, a15", 68},
	{"read_other", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[0:15]\nv_accvgpr_read_b32 v10, a16", 64},
};
enum { LOOPS = sizeof loops / sizeof *loops };

static void kernel_name(char out[32], size_t form, size_t variant)
{
	snprintf(out, 32, "form%zu_%zu", form, variant);
}

static void write_kernels(FILE *f)
{
	char name[32];

	fprintf(f, "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\n");
	for (size_t k = 0; k < FORMS; k++)
		for (size_t n = 0; n < VARIANTS; n++)
			if (has_variant(&forms[k], &variants[n])) {
				kernel_name(name, k, n);
				write_form(f, &forms[k], &variants[n], name);
			}
	for (size_t k = 0; k < LOOPS; k++) {
		write_loop(f, loops[k].name, FEW, loops[k].instructions);
		write_loop(f, loops[k].name, MANY, loops[k].instructions);
	}
	/* llvm-mc rejects a constant C: v_mfma_f32_4x4x1f32 a[0:3], v0, v0, 2.0 */
	write_kernel_head(f, "constant", 8);
	fprintf(f,
		"\tv_mov_b32 v0, 0x40400000\n\ts_nop 4\n\t.long 0xd3c20000, 0x03d20100\n\ts_nop 15\n\tv_accvgpr_read_b32 v2, a3\n"
		"\ts_nop 1\n\tglobal_store_dword v3, v2, s[8:9]\n\ts_endpgm\n");
}

static int open_kernels(void **state)
{
	(void)state;
	open_programs_device(&d, "mi100", ASSEMBLE_GFX908, write_kernels);
	registers = (struct registers *)push_buffer(&d, (sizeof *registers + 4095) / 4096 * 4096, 0);
	return 0;
}

static int close_kernels(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

/* --- the model --- */
struct matrices {
	double a[BLOCKS_MAX][SIDE_MAX][DEPTH_MAX], b[BLOCKS_MAX][DEPTH_MAX][SIDE_MAX];
};

static unsigned element_bits(enum kind kind)
{
	return kind == F32 ? 32 : kind == I8 ? 8 : 16;
}

static double element_value(enum kind kind, uint32_t bits)
{
	const uint32_t wide = kind == BF16 ? bits << 16 : bits;
	const int exponent = bits >> 10 & 31, fraction = bits & 1023;
	float f;

	if (kind == I8)
		return (int8_t)bits;
	if (kind == F16)
		return (bits >> 15 ? -1 : 1) *
			(exponent ? ldexp(fraction + 1024, exponent - 25) : ldexp(fraction, -24));
	memcpy(&f, &wide, sizeof f);
	return (double)f;
}

/* Finite values, some of which are denormal or equal. */
static uint32_t random_dword(enum kind kind)
{
	uint32_t u = random_u32();

	switch (kind) {
	case F32: return random_u32() % 8 ? (u & 0x83ffffff) + 0x3e000000 : u & 0xbfffffff;
	case BF16: return (u & (random_u32() % 8 ? 0x81ff81ff : 0xbfffbfff)) | (random_u32() % 8 ? 0x3e003e00 : 0);
	case F16: return u & (random_u32() % 4 ? 0xbfffbfff : 0x83ff83ff);
	default: return u;
	}
}

/* blgp in the words of the calculator's guide: the lane that another one's data replaces. */
static unsigned lane_of_b(unsigned lane, unsigned blgp)
{
	static const unsigned first_of_16[] = {0, 16, 32, 48};

	if (blgp == 1 && lane >= 32)
		return lane - 32;
	if (blgp == 2 && lane < 32)
		return lane + 32;
	if (blgp == 3)
		return lane < 48 ? lane + 16 : lane - 48;
	return blgp >= 4 ? first_of_16[blgp - 4] + lane % 16 : lane;
}

/* Element (outer, k) of a block of A or B: which register and lane, and which bits. */
static uint32_t find_factor(const struct form *f, uint32_t v[FACTOR_REGISTERS][LANES], unsigned block, unsigned outer,
	unsigned k, unsigned blgp)
{
	const unsigned groups = LANES / (f->side * f->blocks), each = f->depth / groups, bits = element_bits(f->kind);
	const unsigned lane = lane_of_b(block * f->side + k / each * f->side * f->blocks + outer, blgp),
		       at = k % each * bits;

	return (uint32_t)((uint64_t)v[at / 32][lane] >> at % 32 & ((UINT64_C(1) << bits) - 1));
}

static void read_matrices(const struct form *f, const struct variant *v, struct matrices *m)
{
	for (unsigned block = 0; block < f->blocks; block++) {
		const unsigned receivers = 1u << v->cbsz, of_a = block / receivers * receivers + v->abid;
		for (unsigned n = 0; n < f->side; n++)
			for (unsigned k = 0; k < f->depth; k++) {
				m->a[block][n][k] = element_value(f->kind, find_factor(f, registers->a, of_a, n, k, 0));
				m->b[block][k][n] =
					element_value(f->kind, find_factor(f, registers->b, block, n, k, v->blgp));
			}
	}
}

/* The place of element (i, j) of C and D. */
static void find_result(const struct form *f, unsigned block, unsigned i, unsigned j, unsigned *number, unsigned *lane)
{
	const unsigned in_register = LANES / f->side, area = f->side * f->side,
		       blocks = (LANES + area / 4 - 1) / (area / 4);

	*number = block * (area / LANES) + i / (4 * in_register) * 4 + i % 4;
	*lane = block % blocks * f->side + i / 4 % in_register * blocks * f->side + j;
}

static float sum_two(const double *a, const double *b, unsigned step)
{
	return (float)(a[0] * b[0]) + (float)(a[1] * b[step]);
}

static uint32_t multiply_element(const struct form *f, const double *a, const double *b, uint32_t c)
{
	float sum;
	uint32_t bits;

	if (f->kind == I8) {
		for (unsigned k = 0; k < f->depth; k++)
			c += (uint32_t)(int32_t)(a[k] * b[k * SIDE_MAX]);
		return c;
	}
	memcpy(&sum, &c, sizeof sum);
	for (unsigned k = 0; k < f->depth; k += f->kind == F32 ? 1 : f->kind == F16 ? 4 : 2)
		switch (f->kind) {
		case F32: sum = fmaf((float)a[k], (float)b[k * SIDE_MAX], sum); break;
		case BF16: sum += sum_two(a + k, b + k * SIDE_MAX, SIDE_MAX); break;
		default:
			sum += sum_two(a + k, b + k * SIDE_MAX, SIDE_MAX) +
				sum_two(a + k + 2, b + (k + 2) * SIDE_MAX, SIDE_MAX);
		}
	memcpy(&bits, &sum, sizeof bits);
	return bits;
}

/* --- results --- */
static bool is_same_value(enum kind kind, uint32_t x, uint32_t y)
{
	const bool nan = (x & 0x7fffffff) > 0x7f800000 && (y & 0x7fffffff) > 0x7f800000,
		   zero = !((x | y) & 0x7fffffff); /* of either sign */

	return x == y || (kind != I8 && (nan || zero));
}

static void compare_results(const struct form *f, const struct variant *v)
{
	static struct matrices m;

	read_matrices(f, v, &m);
	for (unsigned block = 0; block < f->blocks; block++)
		for (unsigned i = 0; i < f->side; i++)
			for (unsigned j = 0; j < f->side; j++) {
				unsigned number, lane;
				find_result(f, block, i, j, &number, &lane);
				const uint32_t c = registers->c[number][lane], got = registers->d[number][lane],
					       expected = multiply_element(f, m.a[block][i], &m.b[block][0][j], c);
				if (!is_same_value(f->kind, got, expected))
					fail_msg(
						"%s cbsz:%u abid:%u blgp:%u: block %u, element %u %u is %x, expected %x",
						isa_info(f->op)->name, v->cbsz, v->abid, v->blgp, block, i, j, got,
						expected);
			}
	for (unsigned n = result_registers(f); n < REGISTERS; n++) /* the next ones stay */
		assert_memory_equal(registers->d[n], registers->c[n], sizeof registers->d[n]);
}

static void fill_registers(enum kind kind)
{
	uint32_t *factor = registers->a[0], *c = registers->c[0];

	for (unsigned k = 0; k < 2 * FACTOR_REGISTERS * LANES; k++)
		factor[k] = random_dword(kind);
	for (unsigned k = 0; k < REGISTERS * LANES; k++)
		c[k] = kind == I8 ? random_u32() : random_dword(F32);
}

static void launch_wave(const char *kernel)
{
	if (device_launch(&d, kernel, LANES, LANES) != LAUNCH_OK)
		fail_msg("%s: %s", kernel, d.out.message);
}

static void every_form_multiplies(void **state)
{
	unsigned count = 0;

	(void)state;
	for (size_t k = 0; k < FORMS; k++)
		for (size_t n = 0; n < VARIANTS; n++)
			for (unsigned again = 0; again < 2 && has_variant(&forms[k], &variants[n]); again++, count++) {
				char kernel[32];
				kernel_name(kernel, k, n);
				fill_registers(forms[k].kind);
				launch_wave(kernel);
				compare_results(&forms[k], &variants[n]);
			}
	printf("# %u products\n", count);
}

static void every_form_of_the_instruction_set_is_tested(void **state)
{
	unsigned rows = 0;

	(void)state;
	for (unsigned op = 1; op < OP_COUNT; op++)
		rows += row_test(op) && !strcmp(row_test(op), "core/test_matrix_core");
	assert_int_equal(rows, FORMS);
}

static void a_constant_is_added_to_all_elements(void **state)
{
	(void)state;
	launch_wave("constant");
	for (unsigned lane = 0; lane < LANES; lane++) {
		float got;
		memcpy(&got, &registers->a[0][lane], sizeof got);
		assert_true(got == 11.0f);
	}
}

/* FTTN (Li and others, 2024), init_host_matrices: 2^20 minus 8191 small products, subtracted from 2^20. An MI100 gives
 * 255.875; exact sums 191.98, and sums of single products 0. */
static uint32_t half_pair(double low, double high)
{
	const double value[2] = {low, high};
	uint32_t pair = 0;

	for (unsigned k = 0; k < 2; k++)
		pair |= (uint32_t)((value[k] < 0 ? 0x8000 : 0) | (ilogb(value[k]) + 15) << 10) << 16 * k;
	return pair;
}

static void the_product_of_fttn_is_that_of_the_board(void **state)
{
	enum { DEPTH = 8192, OF_INSTRUCTION = 16, FORM = 9 };
	char kernel[32];

	(void)state;
	kernel_name(kernel, FORM, 0);
	memset(registers, 0, sizeof *registers);
	for (unsigned k = 0; k < DEPTH; k += OF_INSTRUCTION) {
		for (unsigned n = 0; n < FACTOR_REGISTERS * LANES; n++) {
			const bool first = !k && n < 16;
			registers->a[n / LANES][n % LANES] = half_pair(first ? 1024 : 0.125, 0.25);
			registers->b[n / LANES][n % LANES] = half_pair(first ? 1024 : -0.125, -0.125);
		}
		launch_wave(kernel);
		memcpy(registers->c, registers->d, sizeof registers->c);
	}
	for (unsigned n = 0; n < 4 * LANES; n++) {
		float sum;
		memcpy(&sum, &registers->d[n / LANES][n % LANES], sizeof sum);
		assert_true(0x1p20f - sum == 255.875f);
	}
}

/* --- cycles --- */
enum { TRIPS = 8 };

static uint64_t launch_loop(const char *name, unsigned count, uint32_t trips, uint32_t threads)
{
	char kernel[64];

	snprintf(kernel, sizeof kernel, "%s_%u", name, count);
	device_args(&d);
	push_buffer(&d, 4096, 0);
	push_int(&d, trips);
	assert_int_equal(device_launch(&d, kernel, threads, threads), LAUNCH_OK);
	return d.out.cycles;
}

static double trip_cycles(const char *name, unsigned count, uint32_t threads)
{
	launch_loop(name, count, 1, threads); /* loads the code */
	const uint64_t once = launch_loop(name, count, TRIPS, threads),
		       twice = launch_loop(name, count, 2 * TRIPS, threads);

	return (double)(twice - once) / TRIPS;
}

/* Cycles of one repetition. */
static double repetition_cycles(const char *name, uint32_t threads)
{
	return (trip_cycles(name, MANY, threads) - trip_cycles(name, FEW, threads)) / (MANY - FEW);
}

static void products_take_the_documented_cycles(void **state)
{
	(void)state;
	for (size_t k = 0; k < LOOPS; k++) {
		const double cycles = repetition_cycles(loops[k].name, LANES);
		if (cycles < loops[k].cycles - 0.01 || cycles > loops[k].cycles + 0.01)
			fail_msg("%s takes %.2f cycles, expected %.2f", loops[k].name, cycles, loops[k].cycles);
	}
}

/* Two waves of each SIMD: one multiplies while the other computes or waits for its result. */
static void waves_share_a_matrix_core(void **state)
{
	enum { TWO_ON_EACH_SIMD = 8 * LANES };

	(void)state;
	within(repetition_cycles("large", TWO_ON_EACH_SIMD), 127.99, 128.01);
	within(repetition_cycles("small", TWO_ON_EACH_SIMD), 15.99, 16.01);
	within(repetition_cycles("next_to_it", TWO_ON_EACH_SIMD), 127.99, 130);
	within(repetition_cycles("read", TWO_ON_EACH_SIMD), 127.99, 137);
}

static void profiling_changes_no_cycle_of_products(void **state)
{
	static const uint32_t threads[] = {LANES, 8 * LANES, 12 * LANES};

	(void)state;
	for (size_t k = 0; k < LOOPS; k++)
		for (size_t n = 0; n < sizeof threads / sizeof *threads; n++) {
			launch_loop(loops[k].name, FEW, 1, threads[n]);
			const uint64_t cycles = launch_loop(loops[k].name, FEW, TRIPS, threads[n]);
			gpu_set_profiling(d.gpu, SOFTGPU_PROFILE_CYCLES);
			const uint64_t profiled = launch_loop(loops[k].name, FEW, TRIPS, threads[n]);
			gpu_set_profiling(d.gpu, 0);
			if (profiled != cycles)
				fail_msg("%s, %u threads: %llu cycles, profiled %llu", loops[k].name, threads[n],
					(unsigned long long)cycles, (unsigned long long)profiled);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_the_instruction_set_is_tested),
		cmocka_unit_test(every_form_multiplies),
		cmocka_unit_test(a_constant_is_added_to_all_elements),
		cmocka_unit_test(the_product_of_fttn_is_that_of_the_board),
		cmocka_unit_test(products_take_the_documented_cycles),
		cmocka_unit_test(waves_share_a_matrix_core),
		cmocka_unit_test(profiling_changes_no_cycle_of_products),
	};

	return cmocka_run_group_tests_name("matrix core", tests, open_kernels, close_kernels);
}
