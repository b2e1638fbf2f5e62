/* A compiled program on typed buffers: pixels of 8_8_8_8_UNORM become halves, and these 2_10_10_10_SNORM, on every
 * target as on the host. */
#include <math.h>

#include "tests/softgpu/core/device.h"

#define HIP(arch)                                         \
	"-x hip -nogpuinc -nogpulib --offload-arch=" arch \
	" --offload-device-only --no-gpu-bundle-output -ffp-contract=off -O2"
enum { ITEMS = 1000, LAUNCHED = 1024, BYTES = LAUNCHED * 8, IDENTITY = 4 | 5 << 3 | 6 << 6 | 7 << 9 };

struct descriptor {
	uint32_t word[4];
};

/* Elements beyond ITEMS are outside: by the index, which gfx11 has to be told. */
static struct descriptor describe(uint64_t va, uint32_t stride, uint32_t format, bool gfx11)
{
	return (struct descriptor){
		{(uint32_t)va, (uint32_t)(va >> 32) | stride << 16, ITEMS, IDENTITY | format | (gfx11 ? 1u << 28 : 0)}};
}

static void convert_pixels(struct device *d, bool gfx11, float scale, float bias)
{
	const uint32_t unorm = gfx11 ? 42u << 12 : 0u << 12 | 10u << 15,
		       snorm = gfx11 ? 37u << 12 : 1u << 12 | 9u << 15;
	uint64_t va[3];
	uint32_t *buffer[3];
	struct descriptor pixels, halves, packed;

	device_args(d);
	for (unsigned k = 0; k < 3; k++) {
		va[k] = d->next;
		buffer[k] = push_buffer(d, BYTES, 0xa5a5a5a5);
	}
	for (uint32_t k = 0; k < ITEMS; k++)
		buffer[0][k] = k * 2654435761u;
	pixels = describe(va[0], 4, unorm, gfx11);
	halves = describe(va[1], 8, unorm, gfx11); /* the instruction has the format */
	packed = describe(va[2], 4, snorm, gfx11);
	device_args(d);
	push(d, &pixels, 16);
	push(d, &halves, 16);
	push(d, &scale, 4);
	push(d, &bias, 4);
	assert_int_equal(device_launch(d, "brighten", LAUNCHED, 64), LAUNCH_OK);
	device_args(d);
	push(d, &halves, 16);
	push(d, &packed, 16);
	assert_int_equal(device_launch(d, "pack", LAUNCHED, 64), LAUNCH_OK);
	for (uint32_t k = 0; k < LAUNCHED; k++) {
		uint32_t expected = 0;
		for (unsigned c = 0; c < 4; c++) {
			const float value = (float)((buffer[0][k] >> 8 * c & 255) / 255.0) * scale;
			_Float16 half = (_Float16)(value + bias);
			assert_int_equal(k < ITEMS ? memcmp((_Float16 *)buffer[1] + 4 * k + c, &half, 2) : 0, 0);
			half = half * (_Float16)2;
			const double top = c < 3 ? 511 : 1;
			expected |= ((uint32_t)(int32_t)nearbyint(fmax(-1, fmin((double)half, 1)) * top) &
					    (c < 3 ? 1023 : 3))
				<< 10 * c;
		}
		assert_int_equal(buffer[2][k], k < ITEMS ? expected : 0xa5a5a5a5);
		assert_true(k < ITEMS || buffer[1][2 * k] == 0xa5a5a5a5);
	}
}

static void count_pixels(struct device *d, bool gfx11)
{
	uint32_t *pixels, *count, expected = 0;
	uint64_t va = d->next;
	struct descriptor from;

	device_args(d);
	pixels = push_buffer(d, BYTES, 0);
	from = describe(va, 4, gfx11 ? 42u << 12 : 10u << 15, gfx11);
	for (uint32_t k = 0; k < ITEMS; k++) {
		pixels[k] = k * 2654435761u;
		expected += (pixels[k] & 255) > 127;
	}
	device_args(d);
	push(d, &from, 16);
	count = push_buffer(d, 4096, 0);
	push_int(d, ITEMS);
	assert_int_equal(device_launch(d, "count_bright", LAUNCHED, 64), LAUNCH_OK);
	assert_int_equal(*count, expected);
}

static void check_program(const char *model, const char *flags, bool gfx11, bool checks)
{
	struct check_report report;
	struct device d;

	device_open(&d, model, "formats.hip", flags);
	if (checks)
		assert_true(gpu_set_checks(d.gpu, CHECK_MEMORY | CHECK_RACE | CHECK_GLOBAL | CHECK_INIT, NULL));
	count_pixels(&d, gfx11);
	assert_int_equal(gpu_read_check_reports(d.gpu, &report, 1), 0);
	convert_pixels(&d, gfx11, 1, 0);
	convert_pixels(&d, gfx11, 1.75f, -0.875f);
	assert_int_equal(gpu_read_check_reports(d.gpu, &report, 1), 0);
	device_close(&d);
}

static void programs_on_typed_buffers_match_the_host(void **state)
{
	(void)state;
	check_program("mi25", HIP("gfx900"), false, false);
	check_program("mi60", HIP("gfx906"), false, false);
	check_program("mi100", HIP("gfx908"), false, false);
	check_program("rx7900xtx", HIP("gfx1100"), true, false);
}

static void checks_report_nothing_of_them(void **state)
{
	(void)state;
	check_program("mi25", HIP("gfx900"), false, true);
	check_program("rx7900xtx", HIP("gfx1100"), true, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(programs_on_typed_buffers_match_the_host),
		cmocka_unit_test(checks_report_nothing_of_them)};

	return cmocka_run_group_tests_name("formats", tests, NULL, NULL);
}
