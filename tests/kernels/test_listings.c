/* The assembly kernels contain the published instructions, at the published alignment, with the published cycles on the
 * critical path (Vega64 notes 2.2, 2.6, 2.9; costs from LLVM's AMDGPU schedule: multiply 16, 64-bit shift 8, others 4).
 * And what counts as a loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "kernels/inspect/code_object.h"
#include "tests/scratch.h"
#include "tests/toolchain.h"

struct promise {
	const char *object, *kernel, *instruction;
	unsigned count;     /* number of these instructions in the loop */
	unsigned start;     /* start of the loop, modulo 32 */
	unsigned straddles; /* 8-byte instructions across a fetch window */
	unsigned scalar;    /* s_add, s_cmp, ... */
	unsigned step; /* cycles of one step's instructions: issued between a value's arrival and the next access, both
	                  included; 0: not a chain */
};

static const struct promise promises[] = {
	{"fma_published", "fma_2a", "v_mad_f32", 40, 12, 10, 2, 0},
	{"fma_published", "fma_2b", "v_mad_f32", 100, 4, 25, 2, 0},
	{"fma_published", "fma_2c", "v_mad_f32", 100, 0, 0, 2, 0},
	{"fma_published", "fma_assembly", "v_mad_f32", 40, 0, 0, 2, 0},
	{"fma_published", "divergence_plain", "v_mad_f32", 40, 12, 10, 2, 0},
	{"fma_published", "divergence_split", "v_mad_f32", 40, 12, 10, 2, 0},
	{"fma_published", "divergence_merged", "v_mad_f32", 40, 12, 10, 2, 0},
	{"chase_published", "chase_dram", "global_load_dword", 1, 0, 0, 2, 48},
	{"chase_published", "chase_stride", "global_load_dword", 1, 0, 0, 2, 76},
	{"chase_published", "chase_range", "global_load_dword", 1, 0, 0, 2, 64},
	{"lds_published", "lds_latency", "ds_read_b32", 100, 0, 0, 2, 16},
	{"lds_published", "lds_bank_conflict", "ds_read_b32", 100, 0, 0, 2, 36},
};

struct loop {
	struct kernel_line *lines;
	size_t start, end;
};

static struct loop load(struct code_object **o, const struct promise *p)
{
	struct err e = {0};
	struct loop l;
	size_t count;
	const char *build = getenv("BUILD");
	char *path = xasprintf("%s/kernels/gfx900/%s.co", build ? build : "build", p->object);
	if (!(*o = code_object_open(path, &e)))
		fail_msg("%s", e.text);
	const struct kernel_info *k = code_object_find_kernel(*o, p->kernel, &e);
	if (!k || !(l.lines = code_object_disassemble(*o, k, &count, &l.start, &l.end, &e)))
		fail_msg("%s", e.text);
	free(path);
	return l;
}

static const char *name_of(const struct kernel_line *l)
{
	return isa_info(l->inst.op)->name;
}

static unsigned cost(const struct kernel_line *l)
{
	switch (isa_info(l->inst.op)->rate) {
	case RATE_QUARTER:
	case RATE_INT_MUL: return 16;
	case RATE_SHIFT64: return 8;
	default: return 4;
	}
}

/* From the first wait to the first access after it, in execution order. If the access comes first, the search continues
 * in the next iteration. */
static unsigned step_cycles(const struct loop *l, const char *access)
{
	size_t at = l->start;
	unsigned cycles = 0;
	while (at < l->end && strcmp(name_of(&l->lines[at]), "s_waitcnt"))
		at++;
	for (; at < l->end; at++) {
		cycles += cost(&l->lines[at]);
		if (!strcmp(name_of(&l->lines[at]), access))
			return cycles;
	}
	return 0;
}

static void check(const struct promise *p)
{
	struct code_object *o;
	struct loop l = load(&o, p);
	unsigned count = 0, straddles = 0, scalar = 0;
	for (size_t i = l.start; i < l.end; i++) {
		const struct kernel_line *line = &l.lines[i];
		count += !strcmp(name_of(line), p->instruction);
		scalar += isa_info(line->inst.op)->unit == UNIT_SALU;
		straddles += line->va % 32 + line->inst.size > 32;
	}
	assert_int_equal(count, p->count);
	assert_int_equal(l.lines[l.start].va % 32, p->start);
	assert_int_equal(straddles, p->straddles);
	assert_int_equal(scalar, p->scalar);
	assert_int_equal(p->step ? step_cycles(&l, p->instruction) : 0, p->step);
	assert_int_equal(l.lines[l.end - 1].inst.enc, ENC_SOPP);
	free(l.lines);
	code_object_close(o);
}

static void test_promise(void **state)
{
	check(*state);
}

/* The loops contain only 40 or 100 multiply-adds and three loop instructions: 203 dwords for 2c. */
static void published_loops_have_their_published_length(void **state)
{
	(void)state;
	struct code_object *o;
	struct loop l = load(&o, &promises[2]);
	assert_int_equal((l.lines[l.end - 1].va + 4 - l.lines[l.start].va) / 4, 203);
	free(l.lines);
	code_object_close(o);
}

/* As clang 17 arranges a loop that may run zero times: that path follows the end of the program and leads back to code
 * that runs once. */
static const char zero_iterations[] =
	".include \"kernels/kernel.inc\"\n"
	"kernel_begin counted\n"
	"	s_cmp_lg_u32 s4, 0\n"
	"	s_cbranch_scc0 .Lnone\n"
	".Lloop:\n"
	"	v_add_u32 v1, 1, v1\n"
	"	s_add_i32 s4, s4, -1\n"
	"	s_cmp_lg_u32 s4, 0\n"
	"	s_cbranch_scc1 .Lloop\n"
	".Lstore:\n"
	"	global_store_dword v[2:3], v1, off\n"
	"	s_endpgm\n"
	".Lnone:\n"
	"	s_branch .Lstore\n"
	"	kernel_end counted, 4, 16, 0\n"
	"	.amdgpu_metadata\n"
	"---\n"
	"amdhsa.version: [ 1, 1 ]\n"
	"amdhsa.kernels:\n"
	"  - { .name: counted, .symbol: counted.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8,\n"
	"      .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 20,\n"
	"      .vgpr_count: 4, .max_flat_workgroup_size: 1024 }\n"
	"...\n"
	"	.end_amdgpu_metadata\n";

static void code_that_runs_once_is_not_a_loop(void **state)
{
	(void)state;
	char path[SCRATCH_PATH];
	scratch_path(path, "counted.co");
	char *command = xasprintf(
		"%s -I. -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx900 -o %s -", toolchain_value("CLANG"), path);
	FILE *f = popen(command, "w");
	fputs(zero_iterations, f);
	assert_int_equal(pclose(f), 0);

	struct err e = {0};
	size_t count, start, end;
	struct code_object *o = code_object_open(path, &e);
	assert_non_null(o);
	const struct kernel_info *k = code_object_find_kernel(o, "counted", &e);
	assert_non_null(k);
	struct kernel_line *lines = code_object_disassemble(o, k, &count, &start, &end, &e);
	assert_int_equal(end - start, 4);
	assert_string_equal(name_of(&lines[start]), "v_add_u32");
	free(lines);
	code_object_close(o);
	unlink(path);
	free(command);
}

int main(void)
{
	enum { PROMISES = sizeof promises / sizeof *promises };
	struct CMUnitTest tests[PROMISES + 2];
	for (int i = 0; i < PROMISES; i++)
		tests[i] = (struct CMUnitTest){promises[i].kernel, test_promise, NULL, NULL, (void *)&promises[i]};
	tests[PROMISES] = (struct CMUnitTest)cmocka_unit_test(published_loops_have_their_published_length);
	tests[PROMISES + 1] = (struct CMUnitTest)cmocka_unit_test(code_that_runs_once_is_not_a_loop);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
