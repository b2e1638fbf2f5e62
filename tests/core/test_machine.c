/* Parts of the machine that no published row stands for alone: each at its limit, from the constants of the model. */
#include "tests/core/device.h"

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

static void within(double value, double low, double high)
{
	if (value < low || value > high)
		fail_msg("%.2f is not within %.2f and %.2f", value, low, high);
}

/* --- instruction cache --------------------------------------------------------------------------------------------- */
/* Cycles of a trip, without what comes before the loop. */
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

/* 24 KiB run at the rate of the vector unit; 40 KiB come from L2, two lines at a time, again in every trip. */
static void code_cliff(void **state)
{
	enum { LINES = 5120 * 8 / 64 };

	(void)state;
	within(trip("code_24k", 4) / 3072, 4, 4.05);
	assert_int_equal(device_counter(&d, "SQC_ICACHE_MISSES"), 0);
	within(trip("code_40k", 4) / 5120, 4 + 180 / 16.0 - 1, 4 + 180 / 16.0 + 0.5);
	assert_in_range(device_counter(&d, "SQC_ICACHE_MISSES"), 8 * LINES / 2, 8 * (LINES / 2 + 2) + 2);
	open_again("mi25,icache_bytes=65536");
	within(trip("code_40k", 4) / 5120, 4, 4.05);
	open_again("mi25,icache_ahead_lines=0");
	within(trip("code_40k", 4) / 5120, 4 + 180 / 8.0 - 1, 4 + 180 / 8.0 + 0.5);
	open_again("mi25");
}

/* The first launch waits for its code from memory, the next finds it. CUs that share a cache wait once. */
static void code_cold(void **state)
{
	struct softgpu_cycles account[SOFTGPU_CAUSES];

	(void)state;
	open_again("mi25");
	gpu_look(d.gpu, SOFTGPU_LOOK_CYCLES);
	uint64_t cold = launch("null", 64, 64);
	assert_int_equal(gpu_account(d.gpu, account, SOFTGPU_CAUSES), SOFTGPU_CAUSES);
	uint64_t fetch = account[SOFTGPU_ICACHE].cycles, sum = 0;
	for (unsigned k = 0; k < SOFTGPU_CAUSES; k++)
		sum += account[k].cycles;
	assert_int_equal(sum, cold);
	assert_int_equal(fetch, gpu_model(d.gpu)->dram_latency + gpu_model(d.gpu)->icache_l2_latency - gpu_model(d.gpu)->l2_latency);
	assert_int_equal(launch("null", 64, 64), cold - fetch);
	gpu_look(d.gpu, 0);
	open_again("mi25");
	launch("null", 64 * 64, 64);
	assert_int_equal(device_counter(&d, "SQC_ICACHE_MISSES"), 4 * 6); /* 16 CUs of an engine, 3 to a cache */
	assert_int_equal(device_counter(&d, "SQC_ICACHE_HITS"), 64 - 4 * 6);
	open_again("mi25,scalar_cus=1");
	launch("null", 64 * 64, 64);
	assert_int_equal(device_counter(&d, "SQC_ICACHE_MISSES"), 64);
	open_again("mi25");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_cliff), cmocka_unit_test(code_cold),
	};
	return cmocka_run_group_tests(tests, open_device, close_device);
}
