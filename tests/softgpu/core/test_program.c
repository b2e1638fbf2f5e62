/* Programs compiled with -O0 (or the lowest level whose code is right), -O1 and -O3 give the same results on the
 * software GPU and on the host. */
#include "tests/softgpu/core/device.h"
#include "tests/softgpu/core/each_variant.h"

#define HERE static inline
#include "tests/softgpu/core/program.h"

#define HIP                                                                                                                \
	"-x hip -nogpuinc -nogpulib --offload-arch=gfx900 --offload-device-only --no-gpu-bundle-output -ffp-contract=off " \
	"--gpu-max-threads-per-block=256 "
enum { ITEMS = 1024 };

static void compare(const char *level)
{
	struct device d;
	char flags[256];

	snprintf(flags, sizeof flags, HIP "%s", level);
	device_open(&d, "mi25", "program.hip", flags);
	for (uint32_t seed = 1; seed < 4; seed++) {
		device_args(&d);
		uint32_t *out = push_buffer(&d, ITEMS * 4, 0);
		push_int(&d, seed);
		if (device_launch(&d, "program", ITEMS, 64) != LAUNCH_OK)
			fail_msg("%s: %s", level, d.out.message);
		for (uint32_t i = 0; i < ITEMS; i++)
			if (out[i] != everything(i * 2246822519u + seed, i ^ seed * 374761393u))
				fail_msg("%s: item %u with seed %u is %08x", level, i, seed, out[i]);
	}
	device_close(&d);
}

static void unoptimized_programs_match_the_host(void **state)
{
	(void)state;
	compare(lowest_level());
}
static void o1_programs_match_the_host(void **state)
{
	(void)state;
	compare("-O1");
}
static void o3_programs_match_the_host(void **state)
{
	(void)state;
	compare("-O3");
}

static void compare_optimized(void)
{
	compare("-O1");
	compare("-O3");
}

static void all_optimization_levels_agree(void **state)
{
	(void)state;
	each_variant(compare_optimized);
}

static void a_histogram_matches_the_host(void **state)
{
	enum { BINS = 37, GROUPS = 40 };
	uint32_t expected[BINS + 1] = {0};
	struct device d;

	(void)state;
	device_open(&d, "mi25", "program.hip", HIP "-O3");
	device_args(&d);
	uint32_t *out = push_buffer(&d, 4096, 0);
	push_int(&d, BINS);
	assert_int_equal(device_launch(&d, "histogram", GROUPS * 256, 256), LAUNCH_OK);
	for (uint32_t i = 0; i < GROUPS * 256; i++) {
		expected[i * 2654435761u % BINS]++;
		expected[BINS] += i;
	}
	for (unsigned k = 0; k <= BINS; k++)
		assert_int_equal(out[k], expected[k]);
	assert_int_equal(d.out.waves, GROUPS * 4);
	device_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unoptimized_programs_match_the_host),
		cmocka_unit_test(o1_programs_match_the_host),
		cmocka_unit_test(o3_programs_match_the_host),
		cmocka_unit_test(all_optimization_levels_agree),
		cmocka_unit_test(a_histogram_matches_the_host),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
