/* Run-ahead does not change results or times. Profiled launches execute every instruction at its issue cycle, and a
 * device without timing runs one workgroup after the other; both must agree with a normal launch. */
#include "softgpu/probe.h"
#include "tests/softgpu/core/device.h"

#define HIP "-O3 -x hip -nogpuinc -nogpulib --offload-arch=gfx900 --offload-device-only --no-gpu-bundle-output"
enum { BLOCK = 256, GROUPS = 60, WORDS = 5003 };
enum kernel { TILES, DIVERGE, EARLY_EXIT, SPIN, KERNELS };
static const char *const names[KERNELS] = {"tiles", "diverge", "early_exit", "spin"};

struct outcome {
	uint32_t out[GROUPS * BLOCK];
	uint64_t cycles, instructions, hits, conflicts;
};
static struct outcome few_cus[KERNELS], few_cus_profiled[KERNELS], all_cus[KERNELS], all_cus_profiled[KERNELS],
	functional[KERNELS];

static void run_kernel(struct device *d, enum kernel kernel, struct outcome *o)
{
	device_args(d);
	uint32_t *out = push_buffer(d, sizeof o->out, 0), *in = push_buffer(d, 20480 /* whole pages */, 0);
	push_int(d, WORDS);
	for (uint32_t k = 0; k < WORDS; k++)
		in[k] = k * 2654435761u >> 7;
	for (unsigned n = 0; n < 2; n++) { /* the second launch has recorded access patterns and fetched code */
		memset(out, 0, sizeof o->out);
		assert_int_equal(device_launch(d, names[kernel], GROUPS * BLOCK, BLOCK), LAUNCH_OK);
	}
	memcpy(o->out, out, sizeof o->out);
	o->cycles = d->out.cycles;
	o->instructions = d->out.instructions;
	o->hits = device_counter(d, "TCP_HIT_sum");
	o->conflicts = device_counter(d, "SQ_LDS_BANK_CONFLICT");
}

static void run_all(const char *model, unsigned profile, struct outcome *o)
{
	struct device d;

	device_open(&d, model, "run_ahead.hip", HIP);
	gpu_set_profiling(d.gpu, profile);
	for (enum kernel k = 0; k < KERNELS; k++)
		run_kernel(&d, k, &o[k]);
	device_close(&d);
}

static int run_all_devices(void **state)
{
	(void)state;
	run_all("mi25,compute_units=4", 0, few_cus);
	run_all("mi25,compute_units=4", SOFTGPU_PROFILE_CYCLES, few_cus_profiled);
	run_all("mi25", 0, all_cus);
	run_all("mi25", SOFTGPU_PROFILE_CYCLES, all_cus_profiled);
	run_all("mi25,timing=0", 0, functional);
	return 0;
}

static void check_same_results(enum kernel k)
{
	assert_memory_equal(few_cus[k].out, few_cus_profiled[k].out, sizeof few_cus[k].out);
	assert_memory_equal(few_cus[k].out, all_cus[k].out, sizeof few_cus[k].out);
	assert_memory_equal(few_cus[k].out, all_cus_profiled[k].out, sizeof few_cus[k].out);
	assert_memory_equal(few_cus[k].out, functional[k].out, sizeof few_cus[k].out);
}

static void check_same_times(const struct outcome *a, const struct outcome *b)
{
	assert_int_equal(a->cycles, b->cycles);
	assert_int_equal(a->instructions, b->instructions);
	assert_int_equal(a->hits, b->hits);
	assert_int_equal(a->conflicts, b->conflicts);
}

/* With a few CUs and with all CUs. */
static void check_kernel(enum kernel k)
{
	check_same_results(k);
	check_same_times(&few_cus[k], &few_cus_profiled[k]);
	check_same_times(&all_cus[k], &all_cus_profiled[k]);
}

static void tiled_kernel_keeps_its_timing(void **state)
{
	(void)state;
	check_kernel(TILES);
}
static void divergent_loop_keeps_its_timing(void **state)
{
	(void)state;
	check_kernel(DIVERGE);
}
static void early_exit_keeps_its_timing(void **state)
{
	(void)state;
	check_kernel(EARLY_EXIT);
}

/* The number of polls depends on timing, the result does not. */
static void spinning_kernel_keeps_its_results(void **state)
{
	(void)state;
	check_same_results(SPIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tiled_kernel_keeps_its_timing),
		cmocka_unit_test(divergent_loop_keeps_its_timing),
		cmocka_unit_test(early_exit_keeps_its_timing),
		cmocka_unit_test(spinning_kernel_keeps_its_results),
	};
	return cmocka_run_group_tests(tests, run_all_devices, NULL);
}
