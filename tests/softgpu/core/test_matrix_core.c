/* v_mfma of gfx908 and gfx90a: every form with every modifier against matrix_model.h, FTTN's product, and cycles. */
#include "tests/softgpu/core/row_programs.h"

#include "tests/softgpu/core/matrix_model.h"
#include "tests/softgpu/isa/row_tests.h"

#define ASSEMBLE_FOR "-x assembler -target amdgcn-amd-amdhsa -mcpu="

/* A kernel of a form: its modifiers, and what else differs. */
static const struct variant {
	struct matrix_bits bits;
	bool vgprs;        /* gfx90a: C and D in VGPRs, D elsewhere than C */
	bool accumulation; /* A and B in accumulation registers, D elsewhere than C */
	const char *before, *after;
} variants[] = {
	{.bits = {.cbsz = 0}}, {.accumulation = true}, {.bits = {.blgp = 1}}, {.bits = {.blgp = 2}},
	{.bits = {.blgp = 3}}, {.bits = {.blgp = 4}}, {.bits = {.blgp = 5}}, {.bits = {.blgp = 6}},
	{.bits = {.blgp = 7}}, {.bits = {.cbsz = 1, .abid = 1}}, {.bits = {.cbsz = 2, .abid = 2, .blgp = 3}},
	{.bits = {.cbsz = 3, .abid = 5}}, {.bits = {.cbsz = 4, .abid = 14, .blgp = 6}, .accumulation = true},
	{.vgprs = true}, {.bits = {.cbsz = 1, .blgp = 4}, .vgprs = true},
	{.before = "s_mov_b64 exec, 1", .after = "s_mov_b64 exec, -1"},
	{.before = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0x0f"}, /* toward 0, denormals are flushed */
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static struct device d;
static enum isa_target target;      /* of the kernels */
static struct registers *registers; /* of each tile of a launch */
enum { TILES_MAX = 64 };
/* --- kernels --- */
static unsigned result_registers(const struct form *f)
{
	const unsigned elements = f->side * f->side * f->blocks;

	return elements / LANES * (f->kind == F64 ? 2 : 1);
}

static bool has_variant(const struct form *f, const struct variant *v)
{
	if (!(isa_info(f->op)->targets & target) || (v->vgprs && target != ISA_GFX90A) ||
		(f->kind == F64 && v->bits.cbsz))
		return false;
	return 1u << v->bits.cbsz <= f->blocks;
}

static void write_kernel_head(FILE *f, const char *name, unsigned vgprs)
{
	char offset[64] = "";

	if (target == ISA_GFX90A)
		snprintf(offset, sizeof offset, "\t.amdhsa_accum_offset %u\n", vgprs);
	fprintf(f,
		"\t.text\n\t.globl %s\n\t.p2align 8\n\t.type %s,@function\n\t.amdhsa_kernel %s\n"
		"\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_next_free_vgpr %u\n\t.amdhsa_next_free_sgpr 32\n"
		"%s\t.end_amdhsa_kernel\n\t.text\n%s:\n\ts_load_dwordx2 s[8:9], s[0:1], 0x0\n\ts_load_dword s10, s[0:1], 0x8\n"
		"\tv_lshlrev_b32 v3, 2, v0\n\ts_waitcnt lgkmcnt(0)\n",
		name, name, name, target == ISA_GFX90A ? 2 * vgprs : vgprs, offset, name);
}

/* A is in v[4:5], B in v[6:7], C in v[8:39] and then a[0:31]; D replaces C, or is in a[64:95] or v[64:95]. */
static void write_form(FILE *f, const struct form *form, const struct variant *v, const char *name)
{
	const unsigned n = result_registers(form), to = v->accumulation || v->vgprs ? 64 : 0, from = v->vgprs ? 8 : 0;
	const bool wide = form->kind == F16 || form->kind == BF16_1K || form->kind == F64;
	const char *a = wide ? "[4:5]" : "4", *b = wide ? "[6:7]" : "6", *file = v->accumulation ? "a" : "v",
		   *result = v->vgprs ? "v" : "a";

	write_kernel_head(f, name, 128);
	fprintf(f, "\ts_mul_i32 s11, s2, %zu\n\tv_add_u32 v3, s11, v3\n", sizeof(struct registers)); /* a tile's */
	for (unsigned k = 0; k < 2 * FACTOR_REGISTERS + REGISTERS; k++)
		fprintf(f, "\tglobal_load_dword v%u, v3, s[8:9]\n\tv_add_u32 v3, 0x100, v3\n", 4 + k);
	fprintf(f, "\ts_waitcnt vmcnt(0)\n");
	for (unsigned k = 0; k < REGISTERS; k++)
		fprintf(f, "\tv_accvgpr_write_b32 a%u, v%u\n\tv_accvgpr_write_b32 a%u, v%u\n\tv_mov_b32 v%u, v%u\n", k,
			8 + k, 64 + k, 8 + k, 64 + k, 8 + k);
	if (v->accumulation)
		for (unsigned k = 4; k < 8; k++)
			fprintf(f, "\tv_accvgpr_write_b32 a%u, v%u\n", 32 + k, k);
	if (v->accumulation)
		a = wide ? "[36:37]" : "36", b = wide ? "[38:39]" : "38";
	fprintf(f, "\t%s\n\ts_nop 4\n\t%s %s[%u:%u], %s%s, %s%s, %s[%u:%u]", v->before ? v->before : "",
		isa_info(form->op)->name, result, to, to + n - 1, file, a, file, b, result, from, from + n - 1);
	if (v->bits.cbsz)
		fprintf(f, " cbsz:%u abid:%u", v->bits.cbsz, v->bits.abid);
	if (v->bits.blgp)
		fprintf(f, " blgp:%u", v->bits.blgp);
	fprintf(f, "\n\t%s\n\ts_nop 15\n\ts_nop 3\n", v->after ? v->after : "");
	for (unsigned k = 0; k < REGISTERS; k++)
		fprintf(f,
			v->vgprs
				? "\tv_mov_b32 v2, v%u\n\tglobal_store_dword v3, v2, s[8:9]\n\tv_add_u32 v3, 0x100, v3\n"
				: "\tv_accvgpr_read_b32 v2, a%u\n\ts_nop 1\n\tglobal_store_dword v3, v2, s[8:9]\n\tv_add_u32 v3, 0x100, v3\n",
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
	double cycles, cycles_gfx90a; /* of a repetition, for one wave; 0: not on the target */
} loops[] = {
	{"small", "v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[4:7]", 8, 8},
	{"small_chain", "v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]", 8, 8},
	{"middle", "v_mfma_f32_16x16x16f16 a[0:3], v[4:5], v[6:7], a[4:7]", 32, 32},
	{"middle_chain", "v_mfma_f32_16x16x16f16 a[0:3], v[4:5], v[6:7], a[0:3]", 32, 32},
	{"large", "v_mfma_i32_32x32x8i8 a[0:15], v4, v5, a[16:31]", 64, 64},
	{"large_chain", "v_mfma_i32_32x32x8i8 a[0:15], v4, v5, a[0:15]", 64, 64},
	{"next_to_it", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[0:15]\n" MOVES_14, 64, 64},
	{"more_than_it", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[0:15]\n" MOVES_14 MOVES_2, 72, 72},
	{"read", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[0:15]\nv_accvgpr_read_b32 v10, a15", 68, 68},
	{"read_other", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[0:15]\nv_accvgpr_read_b32 v10, a16", 64, 64},
	{"write", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[16:31]\nv_accvgpr_write_b32 a15, v10", 68, 68},
	{"write_other", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[0:15]\nv_accvgpr_write_b32 a16, v10", 64, 64},
	{"write_factor", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[0:15]\nv_mov_b32 v4, v10", 64, 64},
	/* gfx908 has read the addend of large products after 14 passes, gfx90a after all. */
	{"write_addend", "v_mfma_f32_32x32x4bf16 a[0:15], v4, v5, a[16:31]\nv_accvgpr_write_b32 a31, v10\n" MOVES_2, 68,
		76},
	{"write_small_addend", "v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[4:7]\nv_accvgpr_write_b32 a7, v10", 12, 12},
	{"write_result_vgpr", "v_mfma_f32_32x32x8bf16_1k v[16:31], v[4:5], v[6:7], 0\nv_mov_b32_e64 v31, v10", 0, 68},
	{"bf16_1k", "v_mfma_f32_16x16x16bf16_1k a[0:3], v[4:5], v[6:7], a[0:3]", 0, 32},
	{"next_to_bf16_1k", "v_mfma_f32_32x32x8bf16_1k a[0:15], v[4:5], v[6:7], a[0:15]\n" MOVES_14, 0, 64},
	/* The vector ALU does not work next to f64. */
	{"f64", "v_mfma_f64_16x16x4f64 a[0:7], v[4:5], v[6:7], a[0:7]", 0, 32},
	{"next_to_f64", "v_mfma_f64_16x16x4f64 a[0:7], v[4:5], v[6:7], a[0:7]\n" MOVES_2, 0, 40},
	{"small_f64", "v_mfma_f64_4x4x4f64 a[0:1], v[4:5], v[6:7], a[2:3]", 0, 16},
	{"next_to_small_f64", "v_mfma_f64_4x4x4f64 a[0:1], v[4:5], v[6:7], a[2:3]\n" MOVES_2, 0, 24},
	/* Rates of gfx90a. */
	{"pk_fma", "v_pk_fma_f32 v[10:11], v[4:5], v[6:7], v[10:11]", 0, 4},
	{"pk_mul", "v_pk_mul_f32 v[10:11], v[4:5], v[6:7]", 0, 4},
	{"pk_add", "v_pk_add_f32 v[10:11], v[4:5], v[6:7]", 0, 4},
	{"pk_mov", "v_pk_mov_b32 v[10:11], v[4:5], v[6:7]", 0, 4},
	{"fmac_f64", "v_fmac_f64 v[10:11], v[4:5], v[6:7]", 0, 4},
};
enum { LOOPS = sizeof loops / sizeof *loops };

static double loop_cycles(size_t k)
{
	return target == ISA_GFX90A ? loops[k].cycles_gfx90a : loops[k].cycles;
}

static void kernel_name(char out[32], size_t form, size_t variant)
{
	snprintf(out, 32, "form%zu_%zu", form, variant);
}

static void write_kernels(FILE *f)
{
	char name[32];

	fprintf(f, "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n", target == ISA_GFX90A ? "gfx90a" : "gfx908");
	for (size_t k = 0; k < FORMS; k++)
		for (size_t n = 0; n < VARIANTS; n++)
			if (has_variant(&forms[k], &variants[n])) {
				kernel_name(name, k, n);
				write_form(f, &forms[k], &variants[n], name);
			}
	for (size_t k = 0; k < LOOPS; k++)
		if (loop_cycles(k)) {
			write_loop(f, loops[k].name, FEW, loops[k].instructions);
			write_loop(f, loops[k].name, MANY, loops[k].instructions);
		}
	/* llvm-mc rejects a constant C: v_mfma_f32_4x4x1f32 a[0:3], v0, v0, 2.0 */
	write_kernel_head(f, "constant", 8);
	fprintf(f,
		"\tv_mov_b32 v0, 0x40400000\n\ts_nop 4\n\t.long 0xd3c2%s00, 0x03d20100\n\ts_nop 15\n\tv_accvgpr_read_b32 v2, a3\n"
		"\ts_nop 1\n\tglobal_store_dword v3, v2, s[8:9]\n\ts_endpgm\n",
		target == ISA_GFX90A ? "80" : "00");
}

static void open_kernels_of(enum isa_target of)
{
	target = of;
	memset(&d, 0, sizeof d);
	open_programs_on(&d, open_gpu(of == ISA_GFX90A ? "mi210" : "mi100"),
		of == ISA_GFX90A ? ASSEMBLE_FOR "gfx90a" : ASSEMBLE_FOR "gfx908", write_kernels);
	registers = (struct registers *)push_buffer(&d, (TILES_MAX * sizeof *registers + 4095) / 4096 * 4096, 0);
}

static int open_gfx908_kernels(void **state)
{
	(void)state;
	open_kernels_of(ISA_GFX908);
	return 0;
}

static int open_gfx90a_kernels(void **state)
{
	(void)state;
	open_kernels_of(ISA_GFX90A);
	return 0;
}

static int close_kernels(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

/* --- results --- */
static bool is_same_value(enum kind kind, uint64_t x, uint64_t y)
{
	if (kind == F64)
		return x == y || (isnan(double_of_bits(x)) && isnan(double_of_bits(y)));

	const bool nan = (x & 0x7fffffff) > 0x7f800000 && (y & 0x7fffffff) > 0x7f800000,
		   zero = !((x | y) & 0x7fffffff); /* of either sign */

	return x == y || (kind != I8 && (nan || zero));
}

static uint64_t result_bits(const struct form *f, uint32_t v[REGISTERS][LANES], unsigned number, unsigned lane)
{
	return v[number][lane] | (f->kind == F64 ? (uint64_t)v[number + 1][lane] << 32 : 0);
}

static void compare_results(const struct form *f, const struct variant *v, struct registers *r)
{
	static struct matrices m;

	const bool flushes = target == ISA_GFX90A;

	read_matrices(f, r, &v->bits, flushes, &m);
	for (unsigned block = 0; block < f->blocks; block++)
		for (unsigned i = 0; i < f->side; i++)
			for (unsigned j = 0; j < f->side; j++) {
				unsigned number, lane;
				find_result(f, block, i, j, &number, &lane);
				const uint64_t c = result_bits(f, r->c, number, lane),
					       got = result_bits(f, r->d, number, lane),
					       expected = multiply_element(
						       f, m.a[block][i], &m.b[block][0][j], c, flushes);
				if (!is_same_value(f->kind, got, expected))
					fail_msg(
						"%s cbsz:%u abid:%u blgp:%u: block %u, element %u %u is %llx, expected %llx",
						isa_info(f->op)->name, v->bits.cbsz, v->bits.abid, v->bits.blgp, block,
						i, j, (unsigned long long)got, (unsigned long long)expected);
			}
	for (unsigned n = result_registers(f); n < REGISTERS; n++) /* the next ones stay */
		assert_memory_equal(r->d[n], r->c[n], sizeof r->d[n]);
}

static void fill_registers(enum kind kind, struct registers *r)
{
	uint32_t *factor = r->a[0], *c = r->c[0];

	for (unsigned k = 0; k < 2 * FACTOR_REGISTERS * LANES; k++)
		factor[k] = random_dword(kind);
	for (unsigned k = 0; k < REGISTERS * LANES; k++)
		c[k] = kind == I8 || kind == F64 ? random_u32() : random_dword(F32);
}

/* Each wave is a workgroup, with a tile of its own. */
static void launch_waves(const char *kernel, unsigned waves)
{
	if (device_launch(&d, kernel, waves * LANES, LANES) != LAUNCH_OK)
		fail_msg("%s: %s", kernel, d.out.message);
}

static void launch_wave(const char *kernel)
{
	launch_waves(kernel, 1);
}

/* Products of a form with one of its variants. MATRIX_TILES: at least so many of each form (tests/long). */
static unsigned tiles_of_variant(const struct form *f)
{
	const char *text = getenv("MATRIX_TILES");
	unsigned count = 0;

	for (size_t n = 0; n < VARIANTS; n++)
		count += has_variant(f, &variants[n]);
	return text ? ((unsigned)atoi(text) + count - 1) / count : 2;
}

static void multiply_tiles(const struct form *f, const struct variant *v, const char *kernel, unsigned tiles)
{
	for (unsigned k = 0; k < tiles; k++)
		fill_registers(f->kind, &registers[k]);
	launch_waves(kernel, tiles);
	for (unsigned k = 0; k < tiles; k++)
		compare_results(f, v, &registers[k]);
}

static void every_form_multiplies(void **state)
{
	unsigned count = 0;

	(void)state;
	for (size_t k = 0; k < FORMS; k++)
		for (size_t n = 0; n < VARIANTS; n++) {
			const unsigned tiles = has_variant(&forms[k], &variants[n]) ? tiles_of_variant(&forms[k]) : 0;
			char kernel[32];
			kernel_name(kernel, k, n);
			for (unsigned done = 0; done < tiles; done += TILES_MAX)
				multiply_tiles(&forms[k], &variants[n], kernel,
					tiles - done < TILES_MAX ? tiles - done : TILES_MAX);
			count += tiles;
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
 * 255.875; exact sums 191.98, and sums of single products 0. For gfx90a see semantics_mfma.h. */
static uint32_t half_pair(double low, double high)
{
	const double value[2] = {low, high};
	uint32_t pair = 0;

	for (unsigned k = 0; k < 2; k++)
		pair |= (uint32_t)((value[k] < 0 ? 0x8000 : 0) | (ilogb(value[k]) + 15) << 10) << 16 * k;
	return pair;
}

static void the_product_of_fttn_is_what_sums_of_four_give(void **state)
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
		const double expected = loop_cycles(k), cycles = expected ? repetition_cycles(loops[k].name, LANES) : 0;
		if (cycles < expected - 0.01 || cycles > expected + 0.01)
			fail_msg("%s takes %.2f cycles, expected %.2f", loops[k].name, cycles, expected);
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

/* What one wave computes, the other one cannot compute next to it. */
static void waves_share_a_vector_unit_with_f64(void **state)
{
	enum { TWO_ON_EACH_SIMD = 8 * LANES };

	(void)state;
	within(repetition_cycles("f64", TWO_ON_EACH_SIMD), 63.99, 65);
	within(repetition_cycles("next_to_f64", TWO_ON_EACH_SIMD), 79.99, 82);
	within(repetition_cycles("next_to_small_f64", TWO_ON_EACH_SIMD), 47.99, 50);
}

static void counters_tell_types_of_factors_apart(void **state)
{
	static const struct {
		const char *loop, *counter;
		unsigned operations; /* of a product, in 512 */
	} rows[] = {
		{"small", "F32", 2 * 4 * 4 * 16 / 512},
		{"middle", "F16", 2 * 16 * 16 * 16 / 512},
		{"large", "I8", 2 * 32 * 32 * 8 / 512},
		{"next_to_it", "BF16", 2 * 32 * 32 * 4 / 512},
		{"bf16_1k", "BF16", 2 * 16 * 16 * 16 / 512},
		{"f64", "F64", 2 * 16 * 16 * 4 / 512},
		{"small_f64", "F64", 2 * 4 * 4 * 4 * 4 / 512},
	};
	static const char *const types[] = {"I8", "F16", "BF16", "F32", "F64"};

	(void)state;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		launch_loop(rows[k].loop, FEW, TRIPS, LANES);
		for (size_t n = 0; n < sizeof types / sizeof *types; n++) {
			char name[64];
			snprintf(name, sizeof name, "SQ_INSTS_VALU_MFMA_MOPS_%s", types[n]);
			const bool counts = !strcmp(types[n], rows[k].counter);
			assert_int_equal(device_counter(&d, name), counts ? FEW * TRIPS * rows[k].operations : 0);
		}
	}
}

static void profiling_changes_no_cycle_of_products(void **state)
{
	static const uint32_t threads[] = {LANES, 8 * LANES, 12 * LANES};

	(void)state;
	for (size_t k = 0; k < LOOPS; k++)
		for (size_t n = 0; n < sizeof threads / sizeof *threads && loop_cycles(k); n++) {
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
	const struct CMUnitTest gfx908[] = {
		cmocka_unit_test(every_form_of_the_instruction_set_is_tested),
		cmocka_unit_test(every_form_multiplies),
		cmocka_unit_test(a_constant_is_added_to_all_elements),
		cmocka_unit_test(the_product_of_fttn_is_what_sums_of_four_give),
		cmocka_unit_test(products_take_the_documented_cycles),
		cmocka_unit_test(waves_share_a_matrix_core),
		cmocka_unit_test(profiling_changes_no_cycle_of_products),
	};
	const struct CMUnitTest gfx90a[] = {
		cmocka_unit_test(every_form_multiplies),
		cmocka_unit_test(a_constant_is_added_to_all_elements),
		cmocka_unit_test(the_product_of_fttn_is_what_sums_of_four_give),
		cmocka_unit_test(products_take_the_documented_cycles),
		cmocka_unit_test(waves_share_a_matrix_core),
		cmocka_unit_test(waves_share_a_vector_unit_with_f64),
		cmocka_unit_test(counters_tell_types_of_factors_apart),
		cmocka_unit_test(profiling_changes_no_cycle_of_products),
	};

	return cmocka_run_group_tests_name("matrix core", gfx908, open_gfx908_kernels, close_kernels) +
		cmocka_run_group_tests_name("matrix core of gfx90a", gfx90a, open_gfx90a_kernels, close_kernels);
}
