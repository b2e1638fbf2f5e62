/* Instructions of gfx11 whose effect is on the whole wave (gfx11.s), in waves of 32 and 64 lanes. */
#include "tests/softgpu/core/device.h"

#define ASSEMBLE_GFX11 "-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx1100"
enum { SIDE = 16, LANE_DWORDS = 24, C_AT = 16, WAVE = 32 };

static struct device wave32, wave64;
static uint32_t *buffer32, *buffer64;

static int open_devices(void **state)
{
	(void)state;
	device_open(&wave32, "rx7900xtx", "gfx11.s", ASSEMBLE_GFX11);
	device_args(&wave32);
	buffer32 = push_buffer(&wave32, 8192, 0);
	device_open(&wave64, "rx7900xtx", "gfx11.s", ASSEMBLE_GFX11 " -mwavefrontsize64 -Wa,-defsym,WAVE64=1");
	device_args(&wave64);
	buffer64 = push_buffer(&wave64, 8192, 0);
	return 0;
}

static int close_devices(void **state)
{
	(void)state;
	device_close(&wave32);
	device_close(&wave64);
	return 0;
}

/* Runs a kernel with so many work-items in one workgroup. */
static const uint32_t *run_wave32(const char *kernel, uint32_t items)
{
	if (device_launch(&wave32, kernel, items, items) != LAUNCH_OK)
		fail_msg("%s: %s", kernel, wave32.out.message);
	return buffer32;
}

static const uint32_t *run_wave64(const char *kernel)
{
	if (device_launch(&wave64, kernel, 64, 64) != LAUNCH_OK)
		fail_msg("%s: %s", kernel, wave64.out.message);
	return buffer64;
}

static void operations_of_vopd_read_before_they_write(void **state)
{
	(void)state;
	const uint32_t *v = run_wave32("dual_exchange", WAVE);
	for (uint32_t l = 0; l < WAVE; l++)
		assert_int_equal(v[l], (l + 10) << 8 | 1);
	v = run_wave32("dual_order", WAVE);
	for (uint32_t l = 0; l < WAVE; l++)
		assert_int_equal(v[l], 8 * 5);
}

static void permlane_moves_within_and_across_rows(void **state)
{
	(void)state;
	const uint32_t *v = run_wave32("rows32", WAVE);
	for (uint32_t l = 0; l < WAVE; l++)
		assert_int_equal(v[l], l ^ 16);
	v = run_wave32("rows_reversed", WAVE);
	for (uint32_t l = 0; l < WAVE; l++)
		assert_int_equal(v[l], l ^ 15);
	v = run_wave32("rows_inactive", WAVE);
	for (uint32_t l = 0; l < WAVE; l++) {
		uint32_t from = l < 16 ? 5 : 21, kept = l < 16 ? 100 : 21, zeroed = l < 16 ? 0 : 21;
		if (l == 5)
			from = kept = zeroed = 100;
		assert_int_equal(v[l], from << 16 | zeroed << 8 | kept);
	}
	v = run_wave64("halves64");
	for (uint32_t l = 0; l < 64; l++)
		assert_int_equal(v[l], (l + 32) % 64);
}

static void moves_relative_to_m0_and_swaps_of_halves_work(void **state)
{
	(void)state;
	const uint32_t *v = run_wave32("relative", WAVE);
	for (uint32_t l = 0; l < WAVE; l++)
		assert_int_equal(v[l], (9 << 8) + 9 + l);
	v = run_wave32("swap_halves", WAVE);
	for (uint32_t l = 0; l < WAVE; l++) {
		uint32_t a = l << 16 | 2, b = l << 17 | 1;
		assert_int_equal(v[l], (a ^ b) + 2 * b);
	}
}

static void dpp_selects_lanes(void **state)
{
	(void)state;
	const uint32_t *v = run_wave32("dpp", WAVE);
	for (uint32_t l = 0; l < WAVE; l++)
		assert_int_equal(v[l], (l ^ 5) << 16 | ((l & 16) + 3) << 8 | (l ^ 7));
}

static void results_of_16_bits_keep_the_other_half(void **state)
{
	(void)state;
	const uint32_t *v = run_wave32("keep_half", WAVE);
	for (uint32_t l = 0; l < WAVE; l++)
		assert_int_equal(v[l], (0x12340000 | (l + 1)) ^ (0xdef0 | (l + 2) << 16));
}

static void masks_have_a_bit_for_each_lane(void **state)
{
	(void)state;
	const uint32_t *v = run_wave32("masks32", WAVE);
	for (uint32_t l = 0; l < WAVE; l++) /* VCC_HI and s11 stay; v_cmpx leaves VCC */
		assert_int_equal(v[l], 0x5555 + 0xff + 77 + (l > 3 ? 0xf : 0));
	v = run_wave64("masks64");
	for (uint32_t l = 0; l < 64; l++)
		assert_int_equal(v[l], l < 40 ? 0xff : UINT32_MAX);
}

static void scratch_and_addtid_address_each_lane(void **state)
{
	(void)state;
	const uint32_t *v = run_wave32("scratch", 256);
	for (uint32_t l = 0; l < 256; l++)
		assert_int_equal(v[l], 2 * l + 1000);
	for (uint32_t l = 0; l < WAVE; l++)
		buffer32[64 + l] = 5 * l;
	v = run_wave32("addtid", WAVE);
	for (uint32_t l = 0; l < WAVE; l++)
		assert_int_equal(v[l], 5 * l + 1);
}

static void subvector_loop_runs_the_halves_in_turn(void **state)
{
	(void)state;
	const uint32_t *v = run_wave64("subvector");
	for (uint32_t l = 0; l < 64; l++)
		assert_int_equal(v[l], l < 32 ? 1 : 2);
}

static void waves_of_a_large_workgroup_meet_at_barriers(void **state)
{
	(void)state;
	const char *const kernels[] = {"barrier_wgp", "barrier_cu"};
	for (unsigned k = 0; k < 2; k++) {
		const uint32_t *v = run_wave32(kernels[k], 1024);
		for (uint32_t l = 0; l < 1024; l++)
			assert_int_equal(v[l], 3 * (1023 - l));
	}
}

/* --- matrices; A is 16 x 16 by row in lanes 0 to 15, B by column, and both again in lanes 16 to 31 --- */
static float small_float(int row, int k)
{
	return (float)((row * 7 + k * 3) % 16 - 8) / 4;
}

static uint16_t half_of(float v) /* exact for the values of small_float */
{
	uint32_t u;

	memcpy(&u, &v, sizeof u);
	return v == 0 ? 0 : (u >> 16 & 0x8000) | ((u >> 23 & 255) - 112) << 10 | (u >> 13 & 0x3ff);
}

static void matrices_of_halves_are_multiplied(void **state)
{
	(void)state;
	for (int l = 0; l < WAVE; l++) {
		uint32_t *lane = buffer32 + l * LANE_DWORDS;
		for (int k = 0; k < SIDE / 2; k++) {
			lane[k] = half_of(small_float(l % SIDE, 2 * k)) |
				(uint32_t)half_of(small_float(l % SIDE, 2 * k + 1)) << 16;
			lane[8 + k] = half_of(small_float(2 * k, l % SIDE)) |
				(uint32_t)half_of(small_float(2 * k + 1, l % SIDE)) << 16;
		}
		for (int r = 0; r < 8; r++) {
			float c = (float)(r * 100 + l);
			memcpy(&lane[C_AT + r], &c, sizeof c);
		}
	}
	const uint32_t *v = run_wave32("matrix_f16", WAVE);
	for (int l = 0; l < WAVE; l++)
		for (int r = 0; r < 8; r++) {
			int row = 2 * r + l / SIDE, column = l % SIDE;
			float sum = (float)(r * 100 + l), got;
			for (int k = 0; k < SIDE; k++)
				sum += small_float(row, k) * small_float(k, column);
			memcpy(&got, &v[l * LANE_DWORDS + C_AT + r], sizeof got);
			assert_true(got == sum);
		}
}

static void matrices_of_bytes_are_multiplied(void **state)
{
	(void)state;
	uint8_t a[SIDE][SIDE], b[SIDE][SIDE];

	for (int x = 0; x < SIDE; x++)
		for (int y = 0; y < SIDE; y++) {
			a[x][y] = x * 17 + y * 29 + 3;
			b[x][y] = x * 5 + y * 11 + 100;
		}
	for (int l = 0; l < WAVE; l++) {
		uint32_t *lane = buffer32 + l * LANE_DWORDS;
		for (int k = 0; k < SIDE; k++) {
			((uint8_t *)lane)[k] = a[l % SIDE][k];
			((uint8_t *)(lane + 8))[k] = b[k][l % SIDE];
		}
		for (int r = 0; r < 8; r++)
			lane[C_AT + r] = r * 1000 + l;
	}
	const uint32_t *v = run_wave32("matrix_iu8", WAVE);
	for (int l = 0; l < WAVE; l++)
		for (int r = 0; r < 8; r++) {
			int row = 2 * r + l / SIDE, sum = r * 1000 + l;
			for (int k = 0; k < SIDE; k++)
				sum += (int8_t)a[row][k] * b[k][l % SIDE]; /* neg_lo: A is signed */
			assert_int_equal((int32_t)v[l * LANE_DWORDS + C_AT + r], sum);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_of_vopd_read_before_they_write),
		cmocka_unit_test(permlane_moves_within_and_across_rows),
		cmocka_unit_test(moves_relative_to_m0_and_swaps_of_halves_work),
		cmocka_unit_test(dpp_selects_lanes),
		cmocka_unit_test(results_of_16_bits_keep_the_other_half),
		cmocka_unit_test(masks_have_a_bit_for_each_lane),
		cmocka_unit_test(scratch_and_addtid_address_each_lane),
		cmocka_unit_test(subvector_loop_runs_the_halves_in_turn),
		cmocka_unit_test(waves_of_a_large_workgroup_meet_at_barriers),
		cmocka_unit_test(matrices_of_halves_are_multiplied),
		cmocka_unit_test(matrices_of_bytes_are_multiplied),
	};

	return cmocka_run_group_tests(tests, open_devices, close_devices);
}
