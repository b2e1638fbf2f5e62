/* The profiler: the breakdown sums exactly, counts are iteration counts, and profiling changes no cycles. */
#include "tests/assert_range.h"
#include "tests/softgpu/core/device.h"

#include "softgpu/probe.h"

enum { ROWS = 1024 };

/* Two devices with the same launches; one of them is profiled. */
static struct device plain, seen;
static struct softgpu_cycles account[SOFTGPU_STALL_REASONS];
static struct softgpu_instruction row[ROWS];
static size_t rows;

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

static void args(void)
{
	device_args(&plain);
	device_args(&seen);
}

static void int_arg(uint32_t v)
{
	push_int(&plain, v);
	push_int(&seen, v);
}

static void buffer_arg(uint64_t bytes, uint32_t fill)
{
	push_buffer(&plain, bytes, fill);
	push_buffer(&seen, bytes, fill);
}

static uint64_t sum(const uint64_t *stall)
{
	uint64_t n = 0;

	for (unsigned k = 0; k < SOFTGPU_STALL_REASONS; k++)
		n += stall[k];
	return n;
}

static uint64_t accounted(void)
{
	uint64_t n = 0;

	for (unsigned k = 0; k < SOFTGPU_STALL_REASONS; k++)
		n += account[k].cycles;
	return n;
}

/* Cycles of all waves, by instruction. */
static uint64_t profiled(void)
{
	uint64_t n = 0;

	for (size_t k = 0; k < rows; k++)
		n += row[k].issue + sum(row[k].stall);
	return n;
}

static uint64_t issued(void)
{
	uint64_t n = 0;

	for (size_t k = 0; k < rows; k++)
		n += row[k].count;
	return n;
}

/* How often an instruction of that name issued. */
static uint64_t count_of(const char *name)
{
	uint64_t n = 0;

	for (size_t k = 0; k < rows; k++)
		if (!strncmp(row[k].text, name, strlen(name)))
			n += row[k].count;
	return n;
}

static uint64_t stalled(const char *name, unsigned cause)
{
	uint64_t n = 0;

	for (size_t k = 0; k < rows; k++)
		if (!strncmp(row[k].text, name, strlen(name)))
			n += row[k].stall[cause];
	return n;
}

/* Runs the kernel on both and checks what holds for every launch. */
static void look(const char *kernel, uint32_t grid, uint32_t block)
{
	assert_int_equal(device_launch(&plain, kernel, grid, block), LAUNCH_OK);
	assert_int_equal(gpu_read_breakdown(plain.gpu, account, SOFTGPU_STALL_REASONS), 0);
	gpu_set_profiling(seen.gpu, SOFTGPU_PROFILE_CYCLES);
	assert_int_equal(device_launch(&seen, kernel, grid, block), LAUNCH_OK);
	assert_int_equal(seen.out.cycles, plain.out.cycles);
	assert_int_equal(seen.out.ps, plain.out.ps);
	assert_int_equal(seen.out.instructions, plain.out.instructions);
	assert_int_equal(gpu_read_breakdown(seen.gpu, account, SOFTGPU_STALL_REASONS), SOFTGPU_STALL_REASONS);
	rows = gpu_read_profile(seen.gpu, row, ROWS);
	assert_uint_in_range(rows, 1, ROWS);
	assert_int_equal(accounted(), seen.out.cycles);
	assert_int_equal(issued(), seen.out.instructions);
	if (grid <= 64) /* one wave: its instructions and the dispatch are all there is */
		assert_int_equal(profiled() + account[SOFTGPU_DISPATCH].cycles, seen.out.cycles);
}

static void fma_loops_are_charged_to_issue(void **state)
{
	static const struct {
		const char *kernel;
		uint32_t length, fetch;
	} loops[] = {
		{"fma_a", 40, 40 / 4},
		{"fma_b", 100, 100 / 4},
		{"fma_c", 100, 0},
	};
	enum { TRIPS = 200 };

	(void)state;
	for (unsigned k = 0; k < 3; k++)
		for (uint32_t waves = 1; waves <= 16; waves *= 4) {
			args();
			int_arg(TRIPS);
			look(loops[k].kernel, 64 * waves, 64 * waves);
			assert_int_equal(count_of("v_mad_f32"), loops[k].length * TRIPS * waves);
			assert_int_equal(count_of("s_cbranch_scc1"), TRIPS * waves);
			assert_int_equal(stalled("s_cbranch_scc1", SOFTGPU_BRANCH), (TRIPS - 1) * waves * 21);
			if (waves == 1) /* a lone wave waits 4 cycles for each instruction that crosses a window */
				assert_int_equal(stalled("v_mad_f32", SOFTGPU_FETCH), 4 * loops[k].fetch * TRIPS);
			if (waves <= 4) /* one per SIMD: its units are free */
				assert_int_equal(account[SOFTGPU_UNIT].cycles, 0);
			else
				assert_uint_in_range(account[SOFTGPU_UNIT].cycles, 1, seen.out.cycles);
		}
}

static void chase_arguments(uint32_t bytes, uint32_t reads, uint32_t fill)
{
	args();
	int_arg(bytes);
	int_arg(reads);
	buffer_arg((uint64_t)1 << 24, fill);
}

static void a_pointer_chase_is_charged_to_memory(void **state)
{
	enum { READS = 16384, PAGES = READS * 1024 >> 21 /* to translate */ };
	const uint64_t latency = (uint64_t)gpu_model(seen.gpu)->dram_latency,
		       translation = (uint64_t)gpu_model(seen.gpu)->utcl2_latency;

	(void)state;
	args();
	int_arg(READS);
	int_arg(0);
	buffer_arg(READS * 1024, 256);
	look("chase_dram", 1, 1);
	assert_int_equal(count_of("s_waitcnt vmcnt(0)"), READS - 1);
	uint64_t steps = (latency - 29) * (READS - 1); /* compare and branch hide 29 */
	assert_uint_in_range(account[SOFTGPU_DRAM].cycles, steps, steps + latency + 29 * PAGES);
	assert_uint_in_range(account[SOFTGPU_L1].cycles, (PAGES - 1) * (translation - 29), (PAGES + 1) * translation);

	chase_arguments(4, READS, 1);
	look("chase_stride", 1, 1); /* 16 B: one read in four comes from memory, three from L1 */
	assert_int_equal(count_of("global_load_dword"), READS);
	assert_uint_in_range(account[SOFTGPU_DRAM].cycles, READS / 4 * 500, READS / 4 * 600);
	assert_uint_in_range(account[SOFTGPU_L1].cycles, READS * 3 / 4 * 100, READS * 3 / 4 * 175);

	chase_arguments(4096 / 4, READS, 16);
	look("chase_range", 1, 1);
	assert_uint_in_range(account[SOFTGPU_DRAM].cycles, 1, 64 * 600); /* the lines once */
	assert_uint_in_range(account[SOFTGPU_L1].cycles, (READS - 66) * UINT64_C(100), READS * 175);

	chase_arguments(1 << 18, READS, 16); /* 1 MiB, twice: the second round is in L2 */
	look("chase_range", 1, 1);
	look("chase_range", 1, 1);
	assert_int_equal(account[SOFTGPU_DRAM].cycles, 0);
	assert_uint_in_range(account[SOFTGPU_L2].cycles, (READS - 2) * 250, READS * 310);
}

static uint64_t lds_conflicts(uint32_t stride)
{
	args();
	int_arg(20);
	int_arg(stride);
	look("lds_stride", 64, 64);
	assert_int_equal(count_of("ds_read_b32"), 20 * 100);
	assert_int_equal(account[SOFTGPU_LDS_CONFLICT].cycles, stalled("s_waitcnt", SOFTGPU_LDS_CONFLICT));
	assert_int_equal(account[SOFTGPU_LDS_CONFLICT].cycles, device_counter(&seen, "SQ_LDS_BANK_CONFLICT"));
	return account[SOFTGPU_LDS_CONFLICT].cycles;
}

static void bank_conflicts_are_charged_to_lds(void **state)
{
	(void)state;
	args();
	int_arg(20);
	look("lds_chain", 1, 1);
	assert_int_equal(account[SOFTGPU_LDS_CONFLICT].cycles, 0);
	assert_int_equal(account[SOFTGPU_LDS].cycles, stalled("s_waitcnt", SOFTGPU_LDS));
	assert_int_equal(lds_conflicts(1), 0);
	uint64_t two = lds_conflicts(2), four = lds_conflicts(4);
	assert_uint_in_range(two, 20 * 100, 20 * 100 * 64);
	assert_true(four > two);
}

static void the_last_stores_are_charged(void **state)
{
	enum { TURNS = ((1 << 20) / 64 + 64 * 40 - 1) / (64 * 40) /* waves that follow each other in a slot */ };
	static const uint32_t windows[] = {65536, 8192, 64};

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		args();
		int_arg(windows[k]);
		int_arg(0);
		buffer_arg(1 << 24, 0);
		look("store_window", 1 << 20, 256);
		assert_int_equal(count_of("global_store_dword"), (1 << 20) / 64);
		assert_uint_in_range(account[SOFTGPU_STORE].cycles, 1, 200 * TURNS);
		if (k == 2) /* all lines lie in one channel */
			assert_uint_in_range(
				account[SOFTGPU_CHANNEL_QUEUE].cycles, seen.out.cycles / 4, seen.out.cycles);
	}
}

static void dispatch_is_charged(void **state)
{
	(void)state;
	args();
	for (uint32_t block = 64; block <= 1024; block *= 4) {
		look("null", 1000 * block, block);
		assert_int_equal(rows, 1);
		assert_int_equal(row[0].count, 1000 * block / 64);
		assert_int_equal(
			account[SOFTGPU_DISPATCH].cycles + account[SOFTGPU_SALU].cycles + account[SOFTGPU_UNIT].cycles,
			seen.out.cycles);
		assert_uint_in_range(account[SOFTGPU_DISPATCH].cycles, seen.out.cycles - 100, seen.out.cycles);
	}
}

/* More workgroups than fit: later waves continue the breakdown of those that made room. */
static void waiting_workgroups_continue_the_critical_path(void **state)
{
	enum { TRIPS = 50 };

	(void)state;
	args();
	int_arg(TRIPS);
	look("fma_c", 200 * 1024, 1024);
	assert_int_equal(count_of("v_mad_f32"), UINT64_C(100) * TRIPS * 200 * 16);
	assert_uint_in_range(
		account[SOFTGPU_VALU].cycles, 2 * 4 * 100 * TRIPS, seen.out.cycles); /* two rounds of it at least */
}

static void profiles_are_reproducible(void **state)
{
	static struct softgpu_cycles first[SOFTGPU_STALL_REASONS];
	static struct softgpu_instruction before[ROWS];

	(void)state;
	args();
	int_arg(100);
	look("fma_b", 4096, 1024);
	look("fma_b", 4096, 1024);
	memcpy(first, account, sizeof first);
	memcpy(before, row, sizeof before);
	size_t n = rows;
	look("fma_b", 4096, 1024);
	assert_int_equal(rows, n);
	assert_memory_equal(first, account, sizeof first);
	assert_memory_equal(before, row, n * sizeof *row);
}

static void counters_contain_the_breakdown(void **state)
{
	struct gpu_counter list[128];
	size_t n = gpu_list_counters(list, 128);
	uint64_t cycles = 0;

	(void)state;
	args();
	int_arg(20);
	look("lds_chain", 1, 1);
	assert_uint_in_range(n, SOFTGPU_STALL_REASONS + 1, 128);
	for (size_t k = 0; k < n; k++) {
		uint64_t v = device_counter(&seen, list[k].name); /* fails where there is none */
		if (!strncmp(list[k].name, "CYCLES_", 7))
			cycles += v;
	}
	assert_int_equal(cycles, seen.out.cycles);
	gpu_set_profiling(seen.gpu, 0);
	assert_int_equal(device_launch(&seen, "lds_chain", 1, 1), LAUNCH_OK);
	assert_int_equal(gpu_read_counters(seen.gpu, list, 128), n - SOFTGPU_STALL_REASONS);
	assert_int_equal(gpu_read_profile(seen.gpu, row, ROWS), 0);
	assert_int_equal(device_launch(&plain, "lds_chain", 1, 1), LAUNCH_OK);
}

/* --- the timeline, sets and banks --- */
enum { SPANS = 1 << 18, WAVES = 64, SETS = 8192 };
static struct softgpu_span spans[SPANS];
static struct softgpu_set sets[SETS];

static uint64_t launch_seen(const char *kernel, uint32_t grid, uint32_t block, unsigned what)
{
	assert_int_equal(device_launch(&plain, kernel, grid, block), LAUNCH_OK);
	gpu_set_profiling(seen.gpu, what);
	assert_int_equal(device_launch(&seen, kernel, grid, block), LAUNCH_OK);
	gpu_set_profiling(seen.gpu, 0);
	assert_int_equal(seen.out.cycles, plain.out.cycles);
	return seen.out.cycles;
}

/* A wave's spans have no gaps; together they are the profile's cycles, by stall reason. */
static void spans_cover_every_cycle(void **state)
{
	uint64_t end[WAVES] = {0}, last = 0, dropped, by_cause[SOFTGPU_STALL_REASONS] = {0};

	(void)state;
	args();
	int_arg(20);
	uint64_t cycles = launch_seen("fma_b", 16 * 256, 256, SOFTGPU_PROFILE_CYCLES | SOFTGPU_PROFILE_WAVES);
	size_t n = gpu_read_timeline(seen.gpu, spans, SPANS, &dropped);
	assert_uint_in_range(n, 64 * 20, SPANS);
	assert_int_equal(dropped, 0);
	for (size_t k = 0; k < n; k++) {
		const struct softgpu_span *s = &spans[k];
		assert_uint_in_range(s->wave, 0, WAVES - 1);
		assert_true(s->end > s->start);
		assert_true(!end[s->wave] || end[s->wave] == s->start);
		end[s->wave] = s->end;
		last = s->end > last ? s->end : last;
		if (!s->issue)
			by_cause[s->cause] += s->end - s->start;
	}
	assert_int_equal(last, cycles);
	rows = gpu_read_profile(seen.gpu, row, ROWS);
	for (unsigned c = 0; c < SOFTGPU_STALL_REASONS; c++)
		assert_int_equal(by_cause[c], stalled("", c));
}

static struct softgpu_set of_cache(const char *cache, size_t n, unsigned *used)
{
	struct softgpu_set sum = {.cache = cache};

	*used = 0;
	for (size_t k = 0; k < n; k++) {
		if (strcmp(sets[k].cache, cache))
			continue;
		sum.hits += sets[k].hits;
		sum.misses += sets[k].misses;
		sum.evictions += sets[k].evictions;
		++*used;
	}
	return sum;
}

static void cache_sets_are_counted(void **state)
{
	unsigned used;

	(void)state;
	chase_arguments(32768 / 4, 16384, 16); /* twice L1: each line falls out before it is wanted again */
	launch_seen("chase_range", 1, 1, SOFTGPU_PROFILE_SETS);
	size_t n = gpu_read_cache_sets(seen.gpu, sets, SETS);
	assert_uint_in_range(n, 1, SETS);
	struct softgpu_set l1 = of_cache("L1", n, &used);
	assert_int_equal(used, 64);
	assert_int_equal(l1.hits, device_counter(&seen, "TCP_HIT_sum"));
	assert_int_equal(l1.misses, device_counter(&seen, "TCP_MISS_sum"));
	assert_int_equal(l1.evictions, l1.misses - 256); /* what does not fill an empty place pushes a line out */
	struct softgpu_set l2 = of_cache("L2", n, &used);
	assert_int_equal(l2.hits, device_counter(&seen, "TCC_HIT_sum"));
	assert_int_equal(l2.misses, device_counter(&seen, "TCC_MISS_sum"));
}

static void lds_banks_are_counted(void **state)
{
	unsigned used;

	(void)state;
	args();
	int_arg(20);
	int_arg(32); /* every lane of a half wave in bank 0 */
	launch_seen("lds_stride", 64, 64, SOFTGPU_PROFILE_SETS);
	size_t n = gpu_read_cache_sets(seen.gpu, sets, SETS);
	struct softgpu_set lds = of_cache("LDS", n, &used);
	assert_int_equal(used, 1);
	assert_int_equal(lds.hits, 20 * 100 * 64);
	assert_int_equal(lds.misses, device_counter(&seen, "SQ_LDS_BANK_CONFLICT"));
	assert_int_equal(gpu_read_timeline(seen.gpu, spans, SPANS, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fma_loops_are_charged_to_issue),
		cmocka_unit_test(a_pointer_chase_is_charged_to_memory),
		cmocka_unit_test(bank_conflicts_are_charged_to_lds),
		cmocka_unit_test(the_last_stores_are_charged),
		cmocka_unit_test(dispatch_is_charged),
		cmocka_unit_test(waiting_workgroups_continue_the_critical_path),
		cmocka_unit_test(profiles_are_reproducible),
		cmocka_unit_test(counters_contain_the_breakdown),
		cmocka_unit_test(spans_cover_every_cycle),
		cmocka_unit_test(cache_sets_are_counted),
		cmocka_unit_test(lds_banks_are_counted),
	};

	return cmocka_run_group_tests(tests, open_devices, close_devices);
}
