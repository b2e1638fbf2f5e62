/* Units that no published row measures alone, each at its limit, checked against the constants of the model. */
#include "tests/assert_range.h"
#include "tests/softgpu/core/device.h"

#include "softgpu/probe.h"

static struct device d;

static void open_model(const char *model)
{
	device_open(&d, model, "machine.s", ASSEMBLE);
}

static int open_device(void **state)
{
	(void)state;
	open_model("mi25");
	return 0;
}

static int close_device(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

static void open_again(const char *model)
{
	device_close(&d);
	open_model(model);
}

static uint64_t launch(const char *kernel, uint32_t grid, uint32_t block)
{
	assert_int_equal(device_launch(&d, kernel, grid, block), LAUNCH_OK);
	return d.out.cycles;
}

/* --- instruction cache --- */
/* Cycles of a loop iteration. */
static double trip(const char *kernel, uint32_t trips)
{
	device_args(&d);
	push_int(&d, trips);
	uint64_t first = launch(kernel, 64, 64);
	first = launch(kernel, 64, 64);
	device_args(&d);
	push_int(&d, 2 * trips);
	return (double)(launch(kernel, 64, 64) - first) / trips;
}

/* 24 KiB of code run at the rate of the vector ALU; 40 KiB are fetched from L2 in every iteration, two lines at a time.
 */
static void code_beyond_the_icache_comes_from_l2(void **state)
{
	enum { LINES = 5120 * 8 / 64 };

	(void)state;
	within(trip("code_24k", 4) / 3072, 4, 4.05);
	assert_int_equal(device_counter(&d, "SQC_ICACHE_MISSES"), 0);
	within(trip("code_40k", 4) / 5120, 4 + 180 / 16.0 - 1, 4 + 180 / 16.0 + 0.5);
	assert_uint_in_range(device_counter(&d, "SQC_ICACHE_MISSES"), 8 * LINES / 2, 8 * (LINES / 2 + 2) + 2);
	open_again("mi25,icache_bytes=65536");
	within(trip("code_40k", 4) / 5120, 4, 4.05);
	open_again("mi25,icache_ahead_lines=0");
	within(trip("code_40k", 4) / 5120, 4 + 180 / 8.0 - 1, 4 + 180 / 8.0 + 0.5);
	open_again("mi25");
}

/* The first launch fetches its code from memory, the next one hits. CUs that share a cache miss once. */
static void the_first_launch_waits_for_its_code(void **state)
{
	struct softgpu_cycles account[SOFTGPU_STALL_REASONS];

	(void)state;
	open_again("mi25");
	gpu_set_profiling(d.gpu, SOFTGPU_PROFILE_CYCLES);
	uint64_t cold = launch("null", 64, 64);
	assert_int_equal(gpu_read_breakdown(d.gpu, account, SOFTGPU_STALL_REASONS), SOFTGPU_STALL_REASONS);
	uint64_t fetch = account[SOFTGPU_ICACHE].cycles, sum = 0;
	for (unsigned k = 0; k < SOFTGPU_STALL_REASONS; k++)
		sum += account[k].cycles;
	assert_int_equal(sum, cold);
	assert_int_equal(fetch,
		gpu_model(d.gpu)->dram_latency + gpu_model(d.gpu)->icache_l2_latency - gpu_model(d.gpu)->l2_latency);
	assert_int_equal(launch("null", 64, 64), cold - fetch);
	gpu_set_profiling(d.gpu, 0);
	open_again("mi25");
	launch("null", 64 * 64, 64);
	assert_int_equal(device_counter(&d, "SQC_ICACHE_MISSES"), 4 * 6); /* 16 CUs of an engine, 3 to a cache */
	assert_int_equal(device_counter(&d, "SQC_ICACHE_HITS"), 64 - 4 * 6);
	open_again("mi25,scalar_cus=1");
	launch("null", 64 * 64, 64);
	assert_int_equal(device_counter(&d, "SQC_ICACHE_MISSES"), 64);
	open_again("mi25");
}

/* --- outstanding accesses --- */
/* Cycles of an iteration of `loads` loads of a wave, each of 64 lines from memory. */
static double overlapped(const char *kernel, uint32_t loads)
{
	enum { TRIPS = 16 };

	device_args(&d);
	push_int(&d, TRIPS);
	push_int(&d, 0);
	push_buffer(&d, (uint64_t)TRIPS * loads * 4096, 0);
	return launch(kernel, 64, 64) / (double)TRIPS;
}

/* The loads of a single wave overlap: k of them add only the time of their lines in L1, one per cycle, to the latency
 * of one. vmcnt counts to 63: the 64th load waits for the first. */
static void loads_of_a_wave_overlap(void **state)
{
	(void)state;
	double one = overlapped("loads_1", 1), lines = 64;

	within(one, 599 + lines, 599 + lines + 200);
	within(overlapped("loads_4", 4), one + 3 * lines - 5, one + 3 * lines + 30);
	within(overlapped("loads_16", 16), one + 15 * lines, one + 15 * lines + 60);
	within(overlapped("loads_63", 63), one + 62 * lines, one + 62 * lines + 400);
}

/* --- device memory --- */
enum { STREAM = 32 << 20 };

/* GB/s of a launch that moves `bytes` bytes. */
static double rate(uint64_t bytes)
{
	const struct model *m = gpu_model(d.gpu);

	return bytes / (d.out.cycles / (m->sclk_khz * 1e3)) / 1e9;
}

static double stream(const char *kernel, unsigned buffers)
{
	device_args(&d);
	for (unsigned k = 0; k < buffers; k++)
		push_buffer(&d, STREAM, 0);
	launch(kernel, STREAM / 64, 256);
	return rate((uint64_t)buffers * STREAM);
}

/* The memory bus limits streams: reads lose the time of refreshes, a copy also that of bus turnarounds. The launch ends
 * while up to 4 MB of the copy are still in L2. */
static void streams_reach_the_memory_bandwidth(void **state)
{
	const double peak = 483.84, refreshed = (1 - 260 / 3900.0) * peak,
		     left_in_l2 = 2.0 * STREAM / (2.0 * STREAM - (4 << 20));

	(void)state;
	open_again("mi25");
	within(stream("read", 1), 0.88 * peak, refreshed + 0.01 * peak);
	double copy = stream("copy", 2);
	within(copy, 0.60 * peak, 0.95 * refreshed * left_in_l2);
	open_again("mi25,dram_refresh_ns=0");
	within(stream("read", 1), 0.95 * peak, peak);
	open_again("mi25,dram_turn_ns=0");
	within(stream("copy", 2), 1.1 * copy, refreshed * left_in_l2);
	open_again("mi25,dram_mbps=241920");
	within(stream("read", 1), 0.45 * peak, 0.47 * peak);
	open_again("mi25,dram_banks=1"); /* every other row waits for the one bank */
	within(stream("read", 1), 0.01 * peak, 0.6 * peak);
	open_again("mi25");
}

/* The order of rows in a bank depends on every cycle and changes one launch by up to one percent. So this takes the
 * mean of several launches with slightly different turnaround times. */
static double written(unsigned turn_ns)
{
	enum { SOME = 8 };
	char model[48];
	double sum = 0;

	for (unsigned k = 0; k < SOME; k++) {
		snprintf(model, sizeof model, "mi25,dram_turn_ns=%u", turn_ns + k);
		open_again(model);
		sum += stream("write", 1);
	}
	return sum / SOME;
}

static void stores_alone_need_no_bus_turnaround(void **state)
{
	double short_turn = written(0);

	(void)state;
	within(written(32), 0.99 * short_turn, 1.01 * short_turn);
	open_again("mi25");
}

/* A line of 128 bytes brings both halves: every second load of 64 bytes hits, and no more data is read. */
static void a_128_byte_line_brings_both_halves(void **state)
{
	(void)state;
	open_again("mi25,l2_line_bytes=128");
	stream("read", 1);
	assert_uint_in_range(device_counter(&d, "FETCH_SIZE"), STREAM / 1024, STREAM / 1024 + 2);
	assert_uint_in_range(device_counter(&d, "TCC_HIT_sum"), STREAM / 128 - 16, STREAM / 128 + 200);
	open_again("mi25");
	stream("read", 1);
	assert_uint_in_range(device_counter(&d, "TCC_HIT_sum"), 0, 200);
}

/* --- atomics --- */
/* Cycles of 64 waves with 16 atomics of 64 lanes each, lanes `stride` bytes apart. */
static uint64_t atomics(uint32_t stride)
{
	device_args(&d);
	push_int(&d, stride);
	push_int(&d, 0);
	push_buffer(&d, 64 * 1024, 0);
	launch("atomics", 64 * 64, 64);
	return launch("atomics", 64 * 64, 64);
}

/* All lanes on one dword: its channel takes one lane per cycle. On 64 dwords of 4 lines: 4 cycles per line. Spread over
 * the channels: hardly any waiting. */
static void atomics_on_one_dword_are_serialized(void **state)
{
	enum { ATOMICS = 64 * 16 };

	(void)state;
	open_again("mi25");
	within(atomics(0), ATOMICS * (4 + 63), ATOMICS * (4 + 63) + 2000);
	within(atomics(4), ATOMICS * 4 * 4, ATOMICS * 4 * 4 + 2000);
	within(atomics(256), ATOMICS * 4 * 4, ATOMICS * 4 * 4 + 3000); /* 64 lines in 16 channels */
	open_again("mi25,atomic_same_cycles=0");
	within(atomics(0), ATOMICS * 4, ATOMICS * 4 + 2000);
	open_again("mi25");
}

/* --- occupancy --- */
static void says(const char *model, const char *kernel, uint32_t block, const char *part)
{
	open_again(model);
	assert_int_equal(device_launch(&d, kernel, block, block), LAUNCH_BAD_PACKET);
	if (!strstr(d.out.message, part))
		fail_msg("'%s' does not say '%s'", d.out.message, part);
}

static void a_workgroup_that_does_not_fit_is_rejected(void **state)
{
	(void)state;
	says("mi25,waves_per_simd=1", "null", 1024, "wave slots");
	says("mi25", "wide", 1024, "too many registers");
	open_again("mi25,waves_per_simd=4");
	launch("null", 1024, 1024);
	open_again("mi25");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_beyond_the_icache_comes_from_l2),
		cmocka_unit_test(the_first_launch_waits_for_its_code),
		cmocka_unit_test(loads_of_a_wave_overlap),
		cmocka_unit_test(streams_reach_the_memory_bandwidth),
		cmocka_unit_test(stores_alone_need_no_bus_turnaround),
		cmocka_unit_test(a_128_byte_line_brings_both_halves),
		cmocka_unit_test(atomics_on_one_dword_are_serialized),
		cmocka_unit_test(a_workgroup_that_does_not_fit_is_rejected),
	};
	return cmocka_run_group_tests(tests, open_device, close_device);
}
