/* The assembly kernels contain the published instructions, at the published alignment, with the published cycles on the
 * critical path (Vega64 notes 2.2, 2.6, 2.9; costs from LLVM's AMDGPU schedule: multiply 16, 64-bit shift 8, others 4).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernels/inspect/code_object.h"

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
	case RATE_QUARTER: return 16;
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

int main(void)
{
	enum { PROMISES = sizeof promises / sizeof *promises };
	struct CMUnitTest tests[PROMISES + 1];
	for (int i = 0; i < PROMISES; i++)
		tests[i] = (struct CMUnitTest){promises[i].kernel, test_promise, NULL, NULL, (void *)&promises[i]};
	tests[PROMISES] = (struct CMUnitTest)cmocka_unit_test(published_loops_have_their_published_length);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
