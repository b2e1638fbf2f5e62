/* Wave and memory rows that need a small program (rows.s): scalar atomics, forks, VSKIP, the second cell of LDS, GDS.
 */
#include "tests/softgpu/core/device.h"

static struct device d;
static uint32_t *buffer;

static int open_device(void **state)
{
	(void)state;
	device_open(&d, "mi25", "rows.s", ASSEMBLE);
	device_args(&d);
	buffer = push_buffer(&d, 4096, 0);
	return 0;
}

static int close_device(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

static const uint32_t *run_kernel(const char *kernel)
{
	if (device_launch(&d, kernel, 64, 64) != LAUNCH_OK)
		fail_msg("%s: %s", kernel, d.out.message);
	return buffer;
}

static void scalar_atomics_and_scratch_work(void **state)
{
	(void)state;
	buffer[100] = 40;
	buffer[102] = 100;
	buffer[103] = 0;
	const uint32_t *v = run_kernel("scalar_atomics");
	assert_int_equal(v[0], 42); /* old value seen by compare and swap */
	assert_int_equal(v[1], 40);
	assert_int_equal(v[2], 100);
	assert_int_equal(v[100], 40); /* 7, then the maximum with 40 */
	assert_int_equal(v[102], 0);  /* wrapped */
	assert_int_equal(run_kernel("scalar_scratch")[5], 77);
	assert_int_equal(buffer[128], 77);
}

static void forks_and_vskip_work(void **state)
{
	(void)state;
	const uint32_t *v = run_kernel("fork");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], l < 20 ? 7 : 100);
	buffer[256] = 1234;
	assert_int_equal(run_kernel("vskip")[9], 15);
	assert_int_equal(buffer[256], 1234);
	assert_int_equal(run_kernel("setkill")[3], 4);
	assert_int_equal(run_kernel("saved")[3], 9);
	assert_int_equal(device_launch(&d, "rfe", 64, 64), LAUNCH_ILLEGAL);
	assert_non_null(strstr(d.out.message, "s_rfe_b64"));
	assert_int_equal(device_launch(&d, "sendmsghalt", 64, 64), LAUNCH_TRAP);
}

static void src2_condxchg_and_gds_work(void **state)
{
	(void)state;
	const uint32_t *v = run_kernel("src2");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], 2 * l + 64);
	v = run_kernel("condxchg");
	assert_int_equal(v[7], 11 | 0x21 << 8 | 22 << 16);
	v = run_kernel("gds");
	for (unsigned l = 0; l < 63; l++)
		assert_int_equal(v[l], l + 2);
	assert_int_equal(v[63], 0); /* beyond the size in M0 */
}

static void buffer_load_to_lds_and_tfe_work(void **state)
{
	(void)state;
	for (unsigned l = 0; l < 64; l++)
		buffer[128 + l] = 300 + l;
	const uint32_t *v = run_kernel("load_lds");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], ((300 + l) & 255) | l << 8);
	v = run_kernel("tfe");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], 300 + l);
}

/* Bytes 1 2 3 4 5 6 7 8 against 1 1 (0) 1; the window moves by one byte: 0+1+3, 1+2+4, 2+3+5, 3+4+6. */
static void mqsad_sums_four_windows(void **state)
{
	(void)state;
	const uint32_t *v = run_kernel("mqsad");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], 4 + 7 + 10 + 13 + 1003 + l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalar_atomics_and_scratch_work),
		cmocka_unit_test(forks_and_vskip_work),
		cmocka_unit_test(src2_condxchg_and_gds_work),
		cmocka_unit_test(buffer_load_to_lds_and_tfe_work),
		cmocka_unit_test(mqsad_sums_four_windows),
	};

	return cmocka_run_group_tests_name("rows", tests, open_device, close_device);
}
