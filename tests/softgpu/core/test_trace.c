/* Tracing one wave: register changes add up, accesses match the cache set counts, and tracing changes no cycles. */
#include "tests/assert_range.h"
#include "tests/softgpu/core/device.h"

#include "softgpu/core/profile/timeline_spans.h"
#include "softgpu/probe.h"

enum { STEPS = 600 };

static struct device plain, seen;

static int open_devices(void **state)
{
	(void)state;
	device_open(&plain, "mi25", "loops.s", ASSEMBLE);
	device_open(&seen, "mi25", "loops.s", ASSEMBLE);
	return 0;
}

static int close_devices(void **state)
{
	(void)state;
	device_close(&plain);
	device_close(&seen);
	return 0;
}

static void ints(uint32_t a, uint32_t b)
{
	device_args(&plain);
	device_args(&seen);
	push_int(&plain, a);
	push_int(&plain, b);
	push_int(&seen, a);
	push_int(&seen, b);
}

static void chase_arguments(uint32_t bytes, uint32_t reads)
{
	ints(bytes / 4, reads);
	push_buffer(&plain, 1 << 20, 16);
	push_buffer(&seen, 1 << 20, 16);
}

/* Runs the kernel on both devices and traces it on one. */
static const struct softgpu_trace *follow(const char *kernel, uint32_t grid, uint32_t block, struct softgpu_follow what)
{
	what.size = sizeof what;
	assert_int_equal(device_launch(&plain, kernel, grid, block), LAUNCH_OK);
	gpu_set_profiling(seen.gpu, SOFTGPU_PROFILE_CYCLES);
	assert_true(gpu_trace_wave(seen.gpu, &what));
	assert_int_equal(device_launch(&seen, kernel, grid, block), LAUNCH_OK);
	gpu_set_profiling(seen.gpu, 0);
	assert_int_equal(seen.out.cycles, plain.out.cycles);
	return gpu_read_trace(seen.gpu);
}

/* --- registers --- */
struct registers {
	uint32_t sgpr[SOFTGPU_SGPRS], vgpr[256][64], scc;
};

static void begin(struct registers *r, const struct softgpu_trace *t)
{
	memcpy(r->sgpr, t->sgpr, sizeof r->sgpr);
	memcpy(r->vgpr, t->vgpr, t->vgprs * sizeof r->vgpr[0]);
	r->scc = t->scc;
}

static void play(struct registers *r, const struct softgpu_trace *t, size_t steps)
{
	const struct softgpu_change *c = t->change;

	for (size_t k = 0; k < steps; k++)
		for (uint32_t n = 0; n < t->step[k].changes; n++, c++) {
			if (c->reg >= SOFTGPU_VGPR0)
				memcpy(r->vgpr[c->reg - SOFTGPU_VGPR0], c->value, sizeof c->value);
			else if (c->reg == SOFTGPU_SCC)
				r->scc = c->value[0];
			else
				r->sgpr[c->reg] = c->value[0];
		}
}

/* A later trace starts with the state that the changes of an earlier one lead to. */
static void register_changes_add_up(void **state)
{
	static struct registers a, b;
	struct softgpu_follow early = {.offset = -1, .steps = STEPS}, late = {.offset = -1, .from = STEPS, .steps = 3};

	(void)state;
	memset(&a, 0, sizeof a);
	memset(&b, 0, sizeof b);
	ints(20, 7);
	const struct softgpu_trace *t = follow("lds_stride", 64, 64, early);
	assert_non_null(t);
	assert_int_equal(t->steps, STEPS);
	assert_int_equal(t->first, 0);
	begin(&a, t);
	play(&a, t, t->steps);
	t = follow("lds_stride", 64, 64, late);
	assert_int_equal(t->first, STEPS);
	assert_int_equal(t->steps, 3);
	begin(&b, t);
	assert_memory_equal(a.sgpr, b.sgpr, sizeof a.sgpr);
	assert_memory_equal(a.vgpr, b.vgpr, sizeof a.vgpr);
	assert_int_equal(a.scc, b.scc);
	assert_int_not_equal(a.vgpr[1][5], 0);
}

/* v_add_u32 v2, v0, v2: one register, the lanes whose sum differs. */
static void a_step_changes_its_register(void **state)
{
	(void)state;
	ints(1, 1);
	const struct softgpu_trace *t =
		follow("lds_stride", 64, 64, (struct softgpu_follow){.offset = -1, .steps = 32});
	const struct softgpu_change *c = t->change;
	bool found = false;

	for (size_t k = 0; k < t->steps; c += t->step[k++].changes)
		if (t->step[k].changes == 1 && c->reg == SOFTGPU_VGPR0 + 2 && c->value[63] == 63 && c->value[1] == 1) {
			assert_int_equal(c->lanes, ~UINT64_C(1)); /* lane 0 had 0 and has 0 */
			found = true;
			break;
		}
	assert_true(found);
}

static void a_trace_reaches_the_end_of_the_wave(void **state)
{
	(void)state;
	ints(1, 1);
	const struct softgpu_trace *t =
		follow("lds_stride", 64, 64, (struct softgpu_follow){.offset = -1, .from = 600, .steps = 4096});
	assert_true(t->ended);
	assert_int_equal(t->first + t->steps, seen.out.instructions);
	assert_null(follow("lds_stride", 64, 64, (struct softgpu_follow){.offset = -1, .from = 100000, .steps = 1}));
	assert_null(follow("lds_stride", 64, 64, (struct softgpu_follow){.offset = -1, .wave = 1, .steps = 1}));
	assert_true(gpu_trace_wave(seen.gpu, NULL));
	assert_null(gpu_read_trace(seen.gpu));
}

/* --- accesses --- */
/* All lanes of each half wave on bank 0: 64 bank cycles, 62 of them due to conflicts. */
static void bank_conflicts_are_traced(void **state)
{
	const struct softgpu_access *a;

	(void)state;
	ints(2, 32);
	const struct softgpu_trace *t =
		follow("lds_stride", 64, 64, (struct softgpu_follow){.offset = -1, .steps = STEPS});
	assert_uint_in_range(t->accesses, 50, STEPS);
	for (a = t->access; a->kind != SOFTGPU_BY_LDS; a++)
		assert_uint_in_range(a - t->access, 0, t->accesses - 1);
	assert_int_equal(a->lanes, UINT64_MAX);
	assert_int_equal(a->bytes, 4);
	assert_int_equal(a->cycles, 64);
	assert_int_equal(a->conflict, 62);
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(a->at[l], l * 32 * 4);
	assert_int_equal(a->segment[a->segments - 1].until, a->end);
	assert_uint_in_range(a->end - a->begin, 64 + 40, 64 + 60);
}

/* 4 KiB are 64 lines: each misses once, then all hit with L1's latency. */
static void a_pointer_chase_misses_then_hits(void **state)
{
	const uint64_t latency = (uint64_t)gpu_model(seen.gpu)->l1_latency;
	unsigned misses = 0, hits = 0;

	(void)state;
	chase_arguments(4096, 4096);
	const struct softgpu_trace *t =
		follow("chase_range", 1, 1, (struct softgpu_follow){.offset = -1, .steps = 4096});
	const struct softgpu_line *l = t->line;
	for (const struct softgpu_access *a = t->access; a < t->access + t->accesses; l += a++->lines) {
		if (a->kind != SOFTGPU_BY_VECTOR)
			continue;
		assert_int_equal(a->op, SOFTGPU_LOADS);
		assert_int_equal(a->lanes, 1);
		assert_int_equal(a->lines, 1);
		assert_int_equal(l->at, a->at[0] & ~UINT64_C(63));
		assert_int_equal(l->channel, l->at / 256 % 16);
		assert_int_equal(l->l2 >= 0, !l->l1);
		hits += l->l1 == 1;
		misses += l->l1 == 0;
		if (l->l1 == 1)
			assert_int_equal(a->end - a->begin, latency);
	}
	assert_int_equal(misses, 64);
	assert_uint_in_range(hits, 200, 300);
}

/* 64 lanes store 4 contiguous bytes each: four lines, and L2 answers for each. */
static void stores_are_traced_to_l2(void **state)
{
	(void)state;
	ints(1 << 10, 0);
	push_buffer(&plain, 1 << 20, 0);
	push_buffer(&seen, 1 << 20, 0);
	const struct softgpu_trace *t =
		follow("store_window", 256, 256, (struct softgpu_follow){.wave = 1, .offset = -1, .steps = 64});
	assert_true(t->ended);
	const struct softgpu_access *a = t->access + t->accesses - 1;
	const struct softgpu_line *l = t->line + t->lines - a->lines;
	assert_int_equal(a->op, SOFTGPU_STORES);
	assert_int_equal(a->lines, 4);
	for (unsigned k = 0; k < 4; k++) {
		assert_int_equal(l[k].at, l[0].at + 64 * k);
		assert_int_equal(l[k].l1, -1);
		assert_int_equal(l[k].l2, 0);
	}
	assert_int_equal(a->at[63], a->at[0] + 252);
}

/* The third issue of the loop's load. */
static void a_trace_can_start_at_an_instruction(void **state)
{
	(void)state;
	chase_arguments(4096, 256);
	const struct softgpu_trace *t =
		follow("chase_range", 1, 1, (struct softgpu_follow){.offset = -1, .steps = 100});
	uint64_t cycle[4], n = 0;
	int64_t load = 0;

	for (size_t k = t->steps; k-- && !load;) /* the last one with an access is the loop's */
		load = t->step[k].accesses ? t->step[k].offset : 0;
	for (size_t k = 0; k < t->steps && n < 4; k++)
		if (t->step[k].offset == load)
			cycle[n++] = t->step[k].cycle;
	assert_int_equal(n, 4);
	chase_arguments(4096, 256);
	t = follow("chase_range", 1, 1, (struct softgpu_follow){.offset = load, .nth = 2, .steps = 1});
	assert_int_equal(t->steps, 1);
	assert_int_equal(t->step[0].offset, load);
	assert_int_equal(t->step[0].accesses, 1);
	assert_true(t->step[0].cycle > cycle[1]);
}

/* --- spans of one CU --- */
static void a_window_limits_the_timeline(void **state)
{
	enum { SPANS = 1 << 16, FROM = 500, TO = 2000 };
	static struct softgpu_span span[SPANS];
	uint32_t by_cu[128], waves = 0;
	uint64_t dropped;

	(void)state;
	ints(20, 0);
	gpu_set_timeline_window(seen.gpu, &(struct softgpu_window){sizeof(struct softgpu_window), 3, FROM, TO});
	gpu_set_profiling(seen.gpu, SOFTGPU_PROFILE_WAVES);
	assert_int_equal(device_launch(&seen, "fma_b", 128 * 256, 256), LAUNCH_OK);
	gpu_set_profiling(seen.gpu, 0);
	gpu_set_timeline_window(seen.gpu, NULL);
	size_t n = gpu_read_timeline(seen.gpu, span, SPANS, &dropped);
	assert_uint_in_range(n, 10, SPANS);
	for (size_t k = 0; k < n; k++) {
		assert_int_equal(span[k].cu, 3);
		assert_true(span[k].end > FROM && span[k].start < TO);
	}
	size_t cus = gpu_read_waves_per_cu(seen.gpu, by_cu, 128);
	assert_int_equal(cus, 64);
	for (size_t k = 0; k < cus; k++)
		waves += by_cu[k];
	assert_int_equal(waves, 128 * 4);
	assert_int_equal(by_cu[3], 8);
}

/* More spans than the limit: the whole launch is present at lower resolution, and the most frequent states are the
 * same. */
static void too_many_spans_are_merged(void **state)
{
	enum { SPANS = 1 << 20 };
	struct softgpu_span *span = calloc(SPANS, sizeof *span);
	uint64_t dropped, covered[4] = {0}, waits = 0, end[4] = {0};

	(void)state;
	ints(2000, 32); /* 200000 accesses of each of 4 waves, each with a wait */
	gpu_set_timeline_window(seen.gpu, &(struct softgpu_window){sizeof(struct softgpu_window), 0, 0, UINT64_MAX});
	gpu_set_profiling(seen.gpu, SOFTGPU_PROFILE_WAVES);
	assert_int_equal(device_launch(&seen, "lds_stride", 256, 256), LAUNCH_OK);
	gpu_set_profiling(seen.gpu, 0);
	gpu_set_timeline_window(seen.gpu, NULL);
	size_t n = gpu_read_timeline(seen.gpu, span, SPANS, &dropped);
	assert_int_equal(dropped, 0);
	assert_uint_in_range(n, 1000, SPANS);
	assert_uint_in_range(gpu_read_timeline_bucket(seen.gpu), 64, seen.out.cycles / 1000);
	for (size_t k = 0; k < n; k++) {
		assert_uint_in_range(span[k].wave, 0, 3);
		assert_true(!end[span[k].wave] || end[span[k].wave] == span[k].start);
		end[span[k].wave] = span[k].end;
		covered[span[k].wave] += span[k].end - span[k].start;
		waits += span[k].cause == SOFTGPU_LDS_QUEUE || span[k].cause == SOFTGPU_LDS_CONFLICT
			? span[k].end - span[k].start
			: 0;
	}
	for (unsigned k = 0; k < 4; k++)
		assert_uint_in_range(covered[k], seen.out.cycles * 9 / 10, seen.out.cycles);
	assert_true(waits > 2 * seen.out.cycles); /* four waves, one LDS */
	free(span);
}

/* --- watched memory --- */
/* Lane l stores l to dword l: before the store there are zeros, after it the numbers of the lanes. */
static void watched_memory_changes_with_the_store(void **state)
{
	const uint64_t at = seen.next;

	(void)state;
	ints(1 << 16, 0);
	push_buffer(&plain, 1 << 20, 0);
	push_buffer(&seen, 1 << 20, 0);
	const struct softgpu_trace *t = follow("store_window", 64, 64,
		(struct softgpu_follow){.offset = -1, .steps = 64, .watch = SOFTGPU_WATCH_MEMORY, .watched = at});
	assert_int_equal(t->memories, 2);
	assert_int_equal(t->memory[0].step, 0);
	assert_int_equal(t->memory[1].step, t->steps - 1); /* s_endpgm follows the store */
	for (uint32_t k = 0; k < SOFTGPU_WATCHED_DWORDS; k++) {
		assert_int_equal(t->memory[0].value[k], 0);
		assert_int_equal(t->memory[1].value[k], k);
	}
}

static void unreadable_memory_has_no_dwords(void **state)
{
	static const struct {
		uint32_t watch;
		uint64_t at;
		uint32_t dwords;
	} cases[] = {{SOFTGPU_WATCH_LDS, 0, 64}, {SOFTGPU_WATCH_LDS, 16384 - 8, 2}, {SOFTGPU_WATCH_LDS, 16384, 0},
		{SOFTGPU_WATCH_LDS, UINT64_MAX, 0}, {SOFTGPU_WATCH_MEMORY, KERNARG_VA, 64},
		{SOFTGPU_WATCH_MEMORY, KERNARG_VA + KERNARG_BYTES - 4, 1}, {SOFTGPU_WATCH_MEMORY, 4096, 0}};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		ints(1, 1);
		const struct softgpu_trace *t = follow("lds_stride", 64, 64,
			(struct softgpu_follow){
				.offset = -1, .steps = 4, .watch = cases[k].watch, .watched = cases[k].at});
		assert_int_equal(t->memories, 1);
		assert_int_equal(t->memory[0].dwords, cases[k].dwords);
	}
}

/* Each instruction is in a span, whether spans are merged or not. */
static void spans_count_the_instructions(void **state)
{
	static struct softgpu_span span[4096];
	uint64_t dropped, issued = 0;

	(void)state;
	ints(1, 1);
	assert_int_equal(device_launch(&plain, "lds_stride", 64, 64), LAUNCH_OK);
	gpu_set_profiling(seen.gpu, SOFTGPU_PROFILE_CYCLES | SOFTGPU_PROFILE_WAVES);
	assert_true(gpu_trace_wave(seen.gpu, NULL));
	gpu_set_timeline_window(seen.gpu, NULL);
	assert_int_equal(device_launch(&seen, "lds_stride", 64, 64), LAUNCH_OK);
	gpu_set_profiling(seen.gpu, 0);
	size_t n = gpu_read_timeline(seen.gpu, span, 4096, &dropped);
	assert_uint_in_range(n, 600, 4096);
	for (size_t k = 0; k < n; k++)
		issued += span[k].issued;
	assert_int_equal(issued, seen.out.instructions);
	n = spans_coarsen(span, n, 1000, 64);
	issued = 0;
	for (size_t k = 0; k < n; k++)
		issued += span[k].issued;
	assert_int_equal(issued, seen.out.instructions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(register_changes_add_up),
		cmocka_unit_test(a_step_changes_its_register),
		cmocka_unit_test(a_trace_reaches_the_end_of_the_wave),
		cmocka_unit_test(bank_conflicts_are_traced),
		cmocka_unit_test(a_pointer_chase_misses_then_hits),
		cmocka_unit_test(stores_are_traced_to_l2),
		cmocka_unit_test(a_trace_can_start_at_an_instruction),
		cmocka_unit_test(a_window_limits_the_timeline),
		cmocka_unit_test(too_many_spans_are_merged),
		cmocka_unit_test(watched_memory_changes_with_the_store),
		cmocka_unit_test(unreadable_memory_has_no_dwords),
		cmocka_unit_test(spans_count_the_instructions),
	};

	return cmocka_run_group_tests(tests, open_devices, close_devices);
}
