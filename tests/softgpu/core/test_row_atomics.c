/* Every integer atomic of memory and LDS, vector and scalar, one kernel each. Each lane has its own cell; the returned
 * value and the resulting cell are compared with plain C. */
#include "tests/softgpu/core/device.h"

#include "tests/softgpu/core/row_targets.h"
#include "tests/softgpu/isa/row_tests.h"
#include "tests/scratch.h"

enum { MAX_LANES = 64 };

static enum isa_target lanes_target;
static struct device d;
static uint64_t *cell, *data, *result;

static bool is_wide(const struct isa_info *row)
{
	return row->unit == UNIT_LDS ? strstr(row->name, "64") != NULL : row->dst == T_B64;
}

/* Copies the cell to LDS and back. A second cell, for the src2 rows, is 512 bytes after it. */
static void write_lds_kernel(FILE *f, unsigned op)
{
	const struct isa_info *row = isa_info(op);
	const char *name = row_mnemonic(op, lanes_target), *data_register = is_wide(row) ? "v[10:11]" : "v10";

	fprintf(f,
		"\tkernel row%u_0\n\tglobal_load_dwordx2 v[14:15], v2, s[4:5]\n\ts_waitcnt vmcnt(0)\n"
		"\tv_mov_b32 v20, v14\n\tv_mov_b32 v21, v15\n\tds_write_b64 v2, v[14:15]\n\tds_write_b64 v2, v[10:11] offset:512\n",
		op);
	if (strstr(row->name, "_src2_"))
		fprintf(f, "\t%s v2 offset:128\n", name);
	else if (row->dst != T__)
		fprintf(f, "\t%s %s, v2, %s\n", name, is_wide(row) ? "v[20:21]" : "v20", data_register);
	else
		fprintf(f, "\t%s v2, %s\n", name, data_register);
	fprintf(f,
		"\tds_read_b64 v[14:15], v2\n\ts_waitcnt lgkmcnt(0)\n\tglobal_store_dwordx2 v2, v[14:15], s[4:5]\n\tfinish\n");
}

static void write_kernel(FILE *f, unsigned op)
{
	const struct isa_info *row = isa_info(op);
	const char *name = row_mnemonic(op, lanes_target);
	bool wide = row->dst == T_B64;
	const char *v = wide ? "v[20:21]" : "v20",
		   *s = strstr(row->name, "cmpswap") ? (wide ? "v[10:13]" : "v[10:11]")
		: wide                               ? "v[10:11]"
						     : "v10";

	fprintf(f, "\tkernel row%u_0\n", op);
	if (!wide) /* the second dword of each pair is the value to compare with */
		fprintf(f, "\tv_mov_b32 v11, v12\n");
	if (row->enc == ENC_SMEM) {
		for (int k = 0; k < 4; k++)
			fprintf(f, "\tv_readfirstlane_b32 s%d, v%d\n", 20 + k, 10 + k);
		const char *sd = strstr(row->name, "cmpswap") ? (wide ? "s[20:23]" : "s[20:21]")
			: wide                                ? "s[20:21]"
							      : "s20";
		fprintf(f,
			"\ts_nop 4\n\t%s %s, %s, 0x0 glc\n\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v20, s20\n\tv_mov_b32 v21, s21\n",
			name, sd, row->src[0] == T_SRSRC ? "s[16:19]" : "s[4:5]");
	} else if (row->enc == ENC_GLOBAL) {
		fprintf(f, "\t%s %s, v[4:5], %s, off glc\n", name, v, s);
	} else if (row->enc == ENC_FLAT) {
		fprintf(f, "\t%s %s, v[4:5], %s glc\n", name, v, s);
	} else {
		fprintf(f,
			"\tv_mov_b32 v20, v10\n\tv_mov_b32 v21, v11\n\tv_mov_b32 v22, v12\n\tv_mov_b32 v23, v13\n\t%s v[20:%d], v2, s[16:19], 0 offen glc\n",
			name,
			20 +
				(strstr(row->name, "cmpswap") ? (wide ? 3 : 1)
						: wide        ? 1
							      : 0));
	}
	fprintf(f, "\tfinish\n");
}

static void write_frame(FILE *f)
{
	bool gfx11 = lanes_target & ISA_GFX11;
	const char *vcc = target_vcc(lanes_target);

	fprintf(f,
		"\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n.macro kernel name\n\t.text\n\t.globl \\name\n\t.p2align 8\n"
		"\t.type \\name,@function\n\t.amdhsa_kernel \\name\n\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n%s"
		"\t.amdhsa_next_free_vgpr 24\n\t.amdhsa_next_free_sgpr 40\n\t.amdhsa_group_segment_fixed_size 2048\n"
		"\t.end_amdhsa_kernel\n\t.text\n\\name:\n\ts_load_dwordx4 s[4:7], s[0:1], 0x0\n"
		"\ts_load_dwordx2 s[8:9], s[0:1], 0x10\n\tv_lshlrev_b32 v2, 3, v0\n\tv_lshlrev_b32 v3, 4, v0\n"
		"\ts_waitcnt lgkmcnt(0)\n\ts_mov_b32 s16, s4\n\ts_mov_b32 s17, s5\n\ts_movk_i32 s18, 0x1000\n",
		target_arch(lanes_target), isa_is_wave32(lanes_target) ? "\t.amdhsa_wavefront_size32 1\n" : "");
	fprintf(f,
		"\ts_mov_b32 s19, 0x%x\n\tv_mov_b32 v5, s5\n\tv_add_co_u32 v4, %s, s4, v2\n\t%s v5, %s, 0, v5, %s\n"
		"\tglobal_load_dwordx4 v[10:13], v3, s[6:7]\n\ts_waitcnt vmcnt(0)\n.endm\n"
		".macro finish\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\tglobal_store_dwordx2 v2, v[20:21], s[8:9]\n\ts_endpgm\n.endm\n",
		gfx11 ? 0x14000 | 3u << 28 /* 32_UINT, a raw buffer */ : 0x27000, vcc,
		gfx11 ? "v_add_co_ci_u32" : "v_addc_co_u32", vcc, vcc);
}

static bool is_tested(unsigned op)
{
	return (is_memory_atomic(op) || is_lds_atomic(op)) && !is_row_of_gfx11(op) && target_has_row(op, lanes_target);
}

static void write_kernels(FILE *f)
{
	write_frame(f);
	for (unsigned op = 1; op < OP_COUNT; op++)
		if (is_tested(op) && is_memory_atomic(op))
			write_kernel(f, op);
		else if (is_tested(op))
			write_lds_kernel(f, op);
}

static void open_rows(enum isa_target target)
{
	char path[SCRATCH_PATH], co[SCRATCH_PATH + 8], command[1024], why[256];

	lanes_target = target;
	scratch_path(path, "atomics.s");
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	write_kernels(f);
	fclose(f);
	snprintf(co, sizeof co, "%s.co", path);
	snprintf(command, sizeof command, "%s -x assembler -target amdgcn-amd-amdhsa %s -o %s %s",
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
	cell = (uint64_t *)push_buffer(&d, 4096, 0);
	data = (uint64_t *)push_buffer(&d, 4096, 0);
	result = (uint64_t *)push_buffer(&d, 4096, 0);
}

static uint64_t test_value(unsigned k, unsigned n)
{
	static const uint64_t values[] = {
		0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x123456789abcdef};

	return values[(k * (n + 3) + n * 7 + k / 9) % 9];
}

/* The operation is the part of the name between "atomic_" and "_x2". */
static uint64_t expected_cell(const char *name, uint64_t old, uint64_t a, uint64_t b, bool wide)
{
	const char *what = !strncmp(name, "ds_", 3) ? name + 3 : strstr(name, "atomic_") + 7;
	bool sign = strstr(name, "_i32") || strstr(name, "_i64");
	uint64_t m = wide ? UINT64_MAX : UINT32_MAX;
	int64_t so = wide ? (int64_t)old : (int32_t)old, sa = wide ? (int64_t)a : (int32_t)a;

	switch (what[0] << 8 | what[1]) {
	case 's' << 8 | 'w': return a;
	case 'c' << 8 | 'm': return old == b ? a : old;
	case 'a' << 8 | 'd': return (old + a) & m;
	case 's' << 8 | 'u': return (old - a) & m;
	case 's' << 8 | 'm': return (what[2] == 'i') == (so < sa) ? old : a;
	case 'u' << 8 | 'm': return (what[2] == 'i') == (old < a) ? old : a;
	case 'm' << 8 | 'i': return (sign ? so < sa : old < a) ? old : a;
	case 'm' << 8 | 'a': return (sign ? so > sa : old > a) ? old : a;
	case 'r' << 8 | 's': return (a - old) & m;
	case 'w' << 8 | 'r': return a;
	case 'a' << 8 | 'n': return old & a;
	case 'o' << 8 | 'r': return old | a;
	case 'x' << 8 | 'o': return old ^ a;
	case 'i' << 8 | 'n': return old >= a ? 0 : old + 1;
	case 'd' << 8 | 'e': return old == 0 || old > a ? a : old - 1;
	}
	fail_msg("%s has no model", name);
	return 0;
}

static void check_atomic(unsigned op)
{
	const struct isa_info *row = isa_info(op);
	const bool wide = is_wide(row);
	uint64_t m = wide ? UINT64_MAX : UINT32_MAX, old[MAX_LANES];
	const unsigned lanes = (unsigned)target_lanes(lanes_target);
	char name[32];

	for (unsigned k = 0; k < lanes; k++) {
		cell[k] = old[k] = test_value(k, 1);
		data[2 * k] = test_value(k, 2);
		data[2 * k + 1] = k & 1 ? old[k] : test_value(k, 3);
	}
	snprintf(name, sizeof name, "row%u_0", op);
	if (device_launch(&d, name, lanes, lanes) != LAUNCH_OK)
		fail_msg("%s: %s", row->name, d.out.message);
	for (unsigned k = 0; k < (row->enc == ENC_SMEM ? 1 : lanes); k++) {
		uint64_t expected = expected_cell(row->name, old[k] & m, data[2 * k] & m, data[2 * k + 1] & m, wide) |
			(old[k] & ~m);
		if (cell[k] != expected || (result[k] & m) != (old[k] & m))
			fail_msg("%s lane %u: %llx returned %llx, expected %llx returning %llx", row->name, k,
				(unsigned long long)cell[k], (unsigned long long)(result[k] & m),
				(unsigned long long)expected, (unsigned long long)(old[k] & m));
	}
}

static void check_target(enum isa_target target, unsigned expected_rows)
{
	unsigned n = 0;

	open_rows(target);
	for (unsigned op = 1; op < OP_COUNT; op++)
		if (is_tested(op))
			check_atomic(op), n++;
	printf("# %s, %d lanes: %u atomics\n", target_arch(target), target_lanes(target), n);
	assert_int_equal(n, expected_rows);
	device_close(&d);
}

static void integer_atomics_match_c(void **state)
{
	(void)state;
	check_target(ISA_GFX900, 130 + 76);
	check_target(ISA_GFX1100_WAVE64, 78 + 50);
	check_target(ISA_GFX1100_WAVE32, 78 + 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(integer_atomics_match_c)};

	return cmocka_run_group_tests_name("row atomics", tests, NULL, NULL);
}
