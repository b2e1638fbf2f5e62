/* The core clock: fastest while the vector ALUs are idle, slower the more of them are busy (Vega64 notes 2.1.2, 2.2.5).
 */
#include "tests/assert_range.h"
#include "tests/softgpu/core/device.h"

#include "softgpu/core/timing/core_clock.h"
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

static struct model model(const char *name)
{
	struct model m;
	char why[256];

	assert_true(model_parse(&m, name, why, sizeof why));
	return m;
}

static struct launch_result run(const char *kernel, uint32_t trips, uint32_t groups, uint32_t block)
{
	device_args(&d);
	push_int(&d, trips);
	assert_int_equal(device_launch(&d, kernel, groups * block, block), LAUNCH_OK);
	return d.out;
}

static double mhz(struct launch_result r)
{
	return r.cycles / (r.ps * 1e-6);
}

/* Waves on every CU, but no vector ALU work: 1.539 GHz. */
static void waves_without_valu_work_run_at_the_idle_clock(void **state)
{
	struct launch_result r = run("null", 0, 4096, 1024);

	(void)state;
	assert_int_equal(r.valu_cycles, 0);
	assert_float_equal(mhz(r), 1539, 0.001);
	assert_int_equal(r.ps, sclk_cycles_to_ps(gpu_model(d.gpu), r.cycles, 0));
}

/* Each workgroup up to the 64th makes another CU multiply: the cycles stay the same, the time grows by 3 % in the end.
 */
static void busy_cus_slow_the_clock(void **state)
{
	enum { TRIPS = 200 };
	static const uint32_t more[] = {2, 3, 8, 16, 32, 64};

	(void)state;
	run("fma_c", TRIPS, 64, 1024); /* its code comes into the instruction caches */
	struct launch_result one = run("fma_c", TRIPS, 1, 1024), before = one;

	assert_uint_in_range(one.valu_cycles, 16 * 400 * TRIPS, 16 * 401 * TRIPS);
	for (unsigned k = 0; k < sizeof more / sizeof more[0]; k++) {
		struct launch_result r = run("fma_c", TRIPS, more[k], 1024);
		assert_int_equal(r.valu_cycles, more[k] * one.valu_cycles);
		assert_true(r.ps > before.ps);
		assert_true(mhz(r) < mhz(before));
		before = r;
	}
	assert_float_equal(mhz(one) / mhz(before), 1.03, 0.002);
	/* the 65th runs alone, at a faster clock */
	struct launch_result tail = run("fma_c", TRIPS, 65, 1024);
	assert_true(tail.cycles > 1.9 * before.cycles && mhz(tail) > 1.01 * mhz(before));
}

/* Only the amount of work matters, not when it is done. */
static void only_the_sum_of_work_matters(void **state)
{
	const struct model m = model("mi25");

	(void)state;
	for (uint64_t k = 1; k < 1000; k++) {
		uint64_t a = k * 7919, b = k * 104729, busy = b * 200,
			 sum = sclk_cycles_to_ps(&m, a, 0) + sclk_cycles_to_ps(&m, b, busy);
		uint64_t whole = sclk_cycles_to_ps(&m, a + b, busy);
		assert_uint_in_range(whole, sum - 1, sum + 1);
		assert_true(sclk_mean_khz(&m, b, busy) < sclk_mean_khz(&m, a + b, busy));
	}
	uint64_t c = UINT64_C(1000000000000), all = sclk_valu_limit(&m, c); /* eleven minutes: no overflow */
	assert_float_equal((double)sclk_cycles_to_ps(&m, c, all) / (double)sclk_cycles_to_ps(&m, c, 0),
		1 + m.sclk_stretch_ppm * 1e-6, 1e-9);
	assert_int_equal(sclk_mean_khz(&m, 0, 0), sclk_idle_khz(&m));
}

/* Another clock changes no cycles, profiled or not; the breakdown sums to them. */
static void the_clock_does_not_change_cycles(void **state)
{
	static struct softgpu_cycles account[SOFTGPU_STALL_REASONS];
	uint64_t sum = 0;

	(void)state;
	run("fma_b", 50, 64, 1024); /* its code comes into the instruction caches */
	struct launch_result stretched = run("fma_b", 50, 64, 1024), again = run("fma_b", 50, 64, 1024);
	assert_memory_equal(&stretched, &again, sizeof again);
	gpu_set_profiling(d.gpu, SOFTGPU_PROFILE_CYCLES);
	struct launch_result seen = run("fma_b", 50, 64, 1024);
	gpu_set_profiling(d.gpu, 0);
	assert_int_equal(seen.ps, stretched.ps);
	assert_int_equal(gpu_read_breakdown(d.gpu, account, SOFTGPU_STALL_REASONS), SOFTGPU_STALL_REASONS);
	for (unsigned k = 0; k < SOFTGPU_STALL_REASONS; k++)
		sum += account[k].cycles;
	assert_int_equal(sum, stretched.cycles);
	close_device(state);
	device_open(&d, "mi25,sclk_stretch_ppm=0,sclk_light_ppm=0", "loops.s", ASSEMBLE);
	run("fma_b", 50, 64, 1024);
	struct launch_result rigid = run("fma_b", 50, 64, 1024);
	assert_int_equal(rigid.cycles, stretched.cycles);
	assert_float_equal(mhz(rigid), 1536, 0.001);
	assert_true(rigid.ps < 0.99 * stretched.ps);
	close_device(state);
	open_device(state);
}

/* s_memtime counts core cycles, s_memrealtime 27 MHz ticks; both continue from the start of the launch. */
static void memtime_and_memrealtime_advance(void **state)
{
	enum { TRIPS = 30000 };

	(void)state;
	device_args(&d);
	push_int(&d, TRIPS);
	push_int(&d, 0);
	const uint32_t *raw = push_buffer(&d, 4096, 0);
	d.start_cycle = UINT64_C(1) << 40;
	d.start_ns = UINT64_C(5000000000000);
	for (unsigned n = 0; n < 65; n++) /* until its code is in the instruction cache of whichever CU comes next */
		assert_int_equal(device_launch(&d, "clocks", 1, 1), LAUNCH_OK);
	const uint64_t *t = (const uint64_t *)raw; /* cycles and ticks, twice */
	double cycles = t[2] - t[0], ticks = t[3] - t[1];
	assert_uint_in_range(t[0], d.start_cycle + 1, d.start_cycle + 2000);
	assert_uint_in_range(t[1], 5000 * UINT64_C(27000000), 5000 * UINT64_C(27000000) + 100);
	assert_true(cycles > 20.0 * TRIPS);
	assert_float_equal(ticks, cycles / 1539 * 27, 2);
	d.start_cycle = d.start_ns = 0;
}

/* No data exist for the other models: their clock is constant. */
static void other_models_keep_their_clock(void **state)
{
	static const char *const names[] = {"mi60", "mi100"};

	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		const struct model m = model(names[k]);
		assert_int_equal(sclk_idle_khz(&m), m.sclk_khz);
		assert_int_equal(sclk_mean_khz(&m, 1000000, sclk_valu_limit(&m, 1000000)), m.sclk_khz);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waves_without_valu_work_run_at_the_idle_clock),
		cmocka_unit_test(busy_cus_slow_the_clock),
		cmocka_unit_test(only_the_sum_of_work_matters),
		cmocka_unit_test(the_clock_does_not_change_cycles),
		cmocka_unit_test(memtime_and_memrealtime_advance),
		cmocka_unit_test(other_models_keep_their_clock),
	};
	return cmocka_run_group_tests(tests, open_device, close_device);
}
