/* Cycles of the published loops ("HIP performance optimization on Vega64", "Vega64 notes"), within the required
 * tolerance. The comments name the sections. */
#include "tests/softgpu/core/device.h"

#include "softgpu/probe.h"

static struct device d;

static int open_device(void **state)
{
	(void)state;
	device_open(&d, "mi25", "loops.s", ASSEMBLE);
	return 0;
}

static int close_device(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

static double cycles(const char *kernel, uint32_t grid, uint32_t block, double per)
{
	assert_int_equal(device_launch(&d, kernel, grid, block), LAUNCH_OK);
	return d.out.cycles / per;
}

#define CLOSE(value, wanted, within)                                                                    \
	do {                                                                                            \
		double v_ = value, w_ = wanted;                                                         \
		if (v_ < w_ - (within) || v_ > w_ + (within))                                           \
			fail_msg("%s is %.2f, not %.2f within %.2f", #value, v_, w_, (double)(within)); \
	} while (0)

/* 2.1.2: max(4, waves) cycles per workgroup. */
static void dispatch_matches_published_rows(void **state)
{
	static const uint32_t blocks[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 320, 512, 576, 1024};

	(void)state;
	for (unsigned k = 0; k < sizeof blocks / sizeof blocks[0]; k++) {
		uint32_t waves = (blocks[k] + 63) / 64, groups = 8192;
		double wanted = waves < 4 ? 4 : waves;
		CLOSE(cycles("null", blocks[k] * groups, blocks[k], groups), wanted, 0.01 * wanted);
	}
}

static double fma_rate(const char *kernel, uint32_t length, uint32_t threads)
{
	enum { TRIPS = 4000 };

	device_args(&d);
	push_int(&d, TRIPS);
	return (double)threads * length * TRIPS / cycles(kernel, threads, threads, 1);
}

/* 2.2.1 to 2.2.3: 44, 48, 59; from the addresses 43.9, 48.4, 59.1. */
static void fma_loops_match_published_rows(void **state)
{
	(void)state;
	CLOSE(fma_rate("fma_a", 40, 256), 43.9, 0.5);
	CLOSE(fma_rate("fma_b", 100, 256), 48.4, 0.5);
	CLOSE(fma_rate("fma_c", 100, 256), 59.1, 0.3);
}

/* 2.2.4 */
static void fma_waves_match_published_rows(void **state)
{
	static const double wanted[] = {59, 62, 63, 63};

	(void)state;
	for (unsigned k = 0; k < 4; k++)
		CLOSE(fma_rate("fma_c", 100, 256 * (k + 1)), wanted[k], 1);
}

/* 2.2.5: the 65th workgroup doubles the time. */
static void fma_blocks_match_published_rows(void **state)
{
	(void)state;
	device_args(&d);
	push_int(&d, 50);
	double one = cycles("fma_c", 1024, 1024, 1), full = cycles("fma_c", 64 * 1024, 1024, 1);
	CLOSE(full / one, 1, 0.2); /* dispatch of 64 workgroups counts in so short a loop */
	CLOSE(cycles("fma_c", 65 * 1024, 1024, 1) / full, 2, 0.2);
}

/* A SIMD issues a vector and a scalar instruction of different waves in the same cycle, whether the waves are of one
 * workgroup or of two. */
static void vector_and_scalar_issue_in_parallel(void **state)
{
	enum { CUS = 64, TRIPS = 32 };

	(void)state;
	device_args(&d);
	push_int(&d, TRIPS);
	cycles("both_pipes", CUS * 256, 256, TRIPS * 16); /* its code comes into the instruction caches */
	double one = cycles("both_pipes", CUS * 256, 256, TRIPS * 16);
	double two = cycles("both_pipes", CUS * 512, 512, TRIPS * 16),
	       apart = cycles("both_pipes", 2 * CUS * 256, 256, TRIPS * 16);
	CLOSE(one, 64 + 33 / 16.0, 4);
	CLOSE(two / one, 1, 0.15); /* 2 if nothing were issued together */
	CLOSE(apart / two, 1, 0.05);
}

/* Four waves of a SIMD execute waits in parallel, each in its own instruction buffer, but scalar instructions serially.
 */
static void waits_need_no_unit(void **state)
{
	enum { COUNT = 200, STARTS = 64 /* cycles in which an engine creates a workgroup of 16 waves */ };

	(void)state;
	cycles("waits", 256, 256, 1); /* its code comes into the instruction cache */
	cycles("moves", 256, 256, 1);
	CLOSE(cycles("waits", 1024, 1024, 1), cycles("waits", 256, 256, 1), STARTS);
	CLOSE(cycles("moves", 1024, 1024, 1) - cycles("moves", 256, 256, 1), 3 * 4 * COUNT, STARTS);
}

/* 2.6.1 */
static void memory_latency_matches_the_published_row(void **state)
{
	enum { READS = 16384 };

	(void)state;
	device_args(&d);
	push_int(&d, READS);
	push_int(&d, 0);
	push_buffer(&d, READS * 1024, 256);
	CLOSE(cycles("chase_dram", 1, 1, READS), 647, 0.01 * 647);
}

/* 2.6.2: 16, 32, 64, 128 bytes. */
static void strides_match_published_rows(void **state)
{
	static const double wanted[] = {361, 476, 682, 681};
	enum { READS = 32768 };

	(void)state;
	for (unsigned k = 0; k < 4; k++) {
		device_args(&d);
		push_int(&d, 4 << k);
		push_int(&d, READS);
		push_buffer(&d, (uint64_t)READS * (16 << k), 1);
		CLOSE(cycles("chase_stride", 1, 1, READS), wanted[k], 0.05 * wanted[k]);
	}
}

static double range_latency(uint64_t bytes)
{
	uint32_t reads = bytes / 64 > 65536 ? bytes / 64 : 65536;

	device_args(&d);
	push_int(&d, bytes / 4);
	push_int(&d, reads);
	push_buffer(&d, bytes, 16);
	cycles("chase_range", 1, 1, reads); /* fills the caches */
	return cycles("chase_range", 1, 1, reads);
}

/* 2.6.3: 4 KiB in L1, 128 KiB in L2. Beyond 4 MiB everything comes from memory. */
static void ranges_match_published_rows(void **state)
{
	(void)state;
	CLOSE(range_latency(4096), 239, 0.03 * 239);
	CLOSE(range_latency(16384), 239, 0.03 * 239);
	CLOSE(range_latency(131072), 376, 0.03 * 376);
	CLOSE(range_latency(4 << 20), 376, 0.03 * 376);
	CLOSE(range_latency(16 << 20), 663, 0.03 * 663);
}

/* The latency knee is at the size of L1. */
static void latency_rises_at_the_l1_size(void **state)
{
	(void)state;
	device_close(&d);
	device_open(&d, "mi25,l1_bytes=65536", "loops.s", ASSEMBLE);
	CLOSE(range_latency(65536), 239, 0.03 * 239);
	CLOSE(range_latency(131072), 376, 0.03 * 376);
	device_close(&d);
	device_open(&d, "mi25", "loops.s", ASSEMBLE);
}

/* Each constant alone may be as long as it can be, whatever the others are: every wave ends. */
static void long_latencies_lose_no_wave(void **state)
{
	static const char *const models[] = {"mi25,l2_latency=10000", "mi25,icache_l2_latency=1,l2_latency=10000",
		"mi25,scalar_l2_latency=10000", "mi25,dram_latency=1", "mi25,l1_latency=10000,dram_latency=1"};

	(void)state;
	for (unsigned k = 0; k < sizeof models / sizeof *models; k++) {
		device_close(&d);
		device_open(&d, models[k], "loops.s", ASSEMBLE);
		assert_true(range_latency(1 << 20) > 0);
	}
	device_close(&d);
	device_open(&d, "mi25", "loops.s", ASSEMBLE);
}

/* 2.9.1 and 2.9.2 */
static void lds_matches_published_rows(void **state)
{
	static const double wanted[] = {87, 90, 87, 93, 87, 87, 85, 99, 85, 87, 87, 91, 87, 89, 87, 115};

	(void)state;
	device_args(&d);
	push_int(&d, 50);
	cycles("lds_chain", 1, 1, 1); /* fetches the code */
	CLOSE(cycles("lds_chain", 1, 1, 5000), 63, 1);
	for (unsigned k = 0; k < 16; k++) {
		device_args(&d);
		push_int(&d, 50);
		push_int(&d, k + 1);
		CLOSE(cycles("lds_stride", 64, 64, 5000), wanted[k], 3);
	}
	assert_int_equal(
		device_counter(&d, "SQ_LDS_BANK_CONFLICT"), 5000 * 2 * 15); /* stride 16: 16 ways in each half */
}

/* 2.10: GiB/s. */
static void channels_match_published_rows(void **state)
{
	static const struct {
		uint32_t window;
		double wanted;
	} rows[] = {{128, 181}, {256, 90}, {512, 181}, {1024, 360}, {2048, 359}, {16384, 359}, {131072, 358}};
	enum { THREADS = 1 << 22 };

	(void)state;
	device_args(&d);
	push_int(&d, 0);
	push_int(&d, 0);
	push_buffer(&d, THREADS * 4, 0);
	for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
		uint32_t window = rows[k].window / 4;
		memcpy(d.kernarg, &window, 4);
		cycles("store_window", THREADS, 256, 1);
		double seconds = d.out.ps * 1e-12;
		CLOSE(4.0 * THREADS / seconds / (1 << 30), rows[k].wanted, 0.03 * rows[k].wanted);
		assert_int_equal(device_counter(&d, "SQ_WAVES"), THREADS / 64);
		assert_int_equal(device_counter(&d, "SQ_INSTS_VMEM_WR"), THREADS / 64);
		assert_int_equal(device_counter(&d, "SQ_INSTS_VALU"), THREADS / 64 * 9);
		assert_int_equal(device_counter(&d, "TCC_WRITE_sum"), THREADS * 4 / 64 / (window < 64 ? 2 : 1));
	}
}

/* The same launch again, and on a new device: the same cycles. */
static void the_same_launch_takes_the_same_cycles(void **state)
{
	uint64_t first[2], again[2];

	(void)state;
	for (unsigned round = 0; round < 2; round++) {
		uint64_t *out = round ? again : first;
		device_close(&d);
		device_open(&d, "mi25", "loops.s", ASSEMBLE);
		device_args(&d);
		push_int(&d, 256);
		push_int(&d, 0);
		push_buffer(&d, 1 << 22, 0);
		out[0] = cycles("store_window", 1 << 20, 256, 1);
		out[1] = cycles("store_window", 1 << 20, 256, 1);
	}
	assert_int_equal(first[0], again[0]);
	assert_int_equal(first[1], again[1]);
}

/* Repeating parts are skipped, but not in profiled launches: cycles and counters are the same either way. */
static void skipping_repeats_changes_nothing(void **state)
{
	static const struct {
		const char *kernel;
		uint32_t grid, block;
	} shape[] = {{"null", 40000, 1}, {"null", 1000001, 64}, {"null", 9000 * 192, 192}, {"idle", 1000001, 100},
		{"idle", 20000 * 320, 320}, {"idle", 10000 * 1024, 1024}};
	static const char *const counter[] = {"SQ_WAVES", "SQ_INSTS_VALU", "SQ_INSTS_SALU", "GRBM_GUI_ACTIVE"};

	(void)state;
	for (unsigned k = 0; k < sizeof shape / sizeof *shape; k++) {
		uint64_t value[2][4], instructions[2];
		struct gpu_progress now;
		for (unsigned look = 0; look < 2; look++) {
			gpu_set_profiling(d.gpu, look ? SOFTGPU_PROFILE_CYCLES : 0);
			device_args(&d);
			cycles(shape[k].kernel, shape[k].grid, shape[k].block, 1);
			instructions[look] = d.out.instructions;
			gpu_read_progress(d.gpu, &now);
			assert_int_equal(now.done, now.total);
			for (unsigned c = 0; c < 4; c++)
				value[look][c] = device_counter(&d, counter[c]);
		}
		gpu_set_profiling(d.gpu, 0);
		assert_int_equal(instructions[0], instructions[1]);
		assert_memory_equal(value[0], value[1], sizeof value[0]);
	}
	cycles("null", 1u << 30, 1, 1); /* would take a minute, or more */
	assert_int_equal(device_counter(&d, "SQ_WAVES"), 1u << 30);
}

/* timing=0: the same memory contents and instruction count, and no cycles. */
static void without_timing_results_are_the_same(void **state)
{
	enum { BYTES = 1 << 20 };
	static uint32_t timed[BYTES / 4];
	uint64_t instructions = 0;

	(void)state;
	for (unsigned timing = 2; timing--;) {
		device_close(&d);
		device_open(&d, timing ? "mi25" : "mi25,timing=0", "loops.s", ASSEMBLE);
		device_args(&d);
		push_int(&d, 65536); /* every work-item a dword of its own */
		push_int(&d, 0);
		uint32_t *data = push_buffer(&d, BYTES, 0);
		uint64_t spent = cycles("store_window", 1 << 18, 256, 1);
		assert_true(timing ? spent > 0 : spent == 0);
		if (timing) {
			instructions = d.out.instructions;
			memcpy(timed, data, BYTES);
			continue;
		}
		assert_int_equal(d.out.instructions, instructions);
		assert_memory_equal(data, timed, BYTES);
		device_args(&d);
		push_int(&d, 3);
		push_int(&d, 1);
		assert_true(cycles("lds_stride", 256, 64, 1) == 0);
	}
	device_close(&d);
	device_open(&d, "mi25", "loops.s", ASSEMBLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dispatch_matches_published_rows),
		cmocka_unit_test(fma_loops_match_published_rows),
		cmocka_unit_test(fma_waves_match_published_rows),
		cmocka_unit_test(fma_blocks_match_published_rows),
		cmocka_unit_test(vector_and_scalar_issue_in_parallel),
		cmocka_unit_test(waits_need_no_unit),
		cmocka_unit_test(memory_latency_matches_the_published_row),
		cmocka_unit_test(strides_match_published_rows),
		cmocka_unit_test(ranges_match_published_rows),
		cmocka_unit_test(latency_rises_at_the_l1_size),
		cmocka_unit_test(long_latencies_lose_no_wave),
		cmocka_unit_test(lds_matches_published_rows),
		cmocka_unit_test(channels_match_published_rows),
		cmocka_unit_test(the_same_launch_takes_the_same_cycles),
		cmocka_unit_test(skipping_repeats_changes_nothing),
		cmocka_unit_test(without_timing_results_are_the_same),
	};
	return cmocka_run_group_tests(tests, open_device, close_device);
}
