/* Places on a roofline: FLOPs of instructions, operations and bytes of a record, limits of the device, verdicts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "experiments/analysis/roofline/roofline_point.h"

static void flops_follow_from_the_mnemonic(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int flops; /* of a lane */
	} rows[] = {{"v_fma_f32 v0, v1, v2, v3", 2}, {"v_mac_f32_e32 v0, v1, v2", 2}, {"v_add_f32_e32 v0, v1, v2", 1},
		{"v_mul_f64 v[0:1], v[2:3], v[4:5]", 1}, {"v_pk_fma_f16 v0, v1, v2, v3", 4},
		{"v_pk_mul_f16 v0, v1, v2", 2}, {"v_rcp_f32_e32 v0, v1", 1}, {"v_add_u32_e32 v0, v1, v2", 0},
		{"v_mad_u64_u32 v[0:1], s[0:1], v2, v3, 0", 0}, {"v_cvt_f32_u32_e32 v0, v1", 0},
		{"v_cmp_lt_f32_e32 vcc, v0, v1", 0}, {"s_add_u32 s0, s1, s2", 0}, {"v_mov_b32_e32 v0, v1", 0},
		{"global_load_dword v0, v[1:2], off", 0}, {"", 0},
		{"v_dual_fmac_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5", 3},
		{"v_dual_mov_b32 v0, v1 :: v_dual_fmaak_f32 v3, v4, v5, 0x40", 2}};
	enum float_kind kind;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (instruction_flops(rows[i].text, 64, &kind) != 64 * rows[i].flops)
			fail_msg("%s: %g", rows[i].text, instruction_flops(rows[i].text, 64, &kind));
}

/* The type of the factors counts; integers do not. */
static void products_of_matrices_have_a_kind(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double flops;
		enum float_kind kind;
	} rows[] = {{"v_mfma_f32_32x32x2f32 a[0:15], v0, v1, a[0:15]", 4096, MATRIX_F32},
		{"v_mfma_f32_32x32x4f16 a[0:31], v[0:1], v[2:3], 0", 16384, MATRIX_F16},
		{"v_mfma_f32_4x4x2bf16 a[0:3], v0, v1, a[0:3]", 1024, MATRIX_BF16},
		{"v_mfma_f32_16x16x16bf16_1k a[0:3], v[0:1], v[2:3], a[0:3]", 8192, MATRIX_BF16_1K},
		{"v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7]", 2048, MATRIX_F64},
		{"v_mfma_f64_4x4x4f64 a[0:1], v[0:1], v[2:3], 0", 512, MATRIX_F64},
		{"v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]", 8192, MATRIX_F16},
		{"v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]", 256, PACKED_F32},
		{"v_pk_fma_f16 v0, v1, v2, v3", 256, VECTOR_F16},
		{"v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]", 128, VECTOR_F64}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enum float_kind kind = VECTOR_F32;
		double flops = instruction_flops(rows[i].text, 64, &kind);
		if (flops != rows[i].flops || kind != rows[i].kind)
			fail_msg("%s: %g, %s", rows[i].text, flops, float_kind_name(kind));
	}
	enum float_kind kind;
	assert_true(instruction_flops("v_mfma_i32_32x32x8i8 a[0:15], v0, v1, a[0:15]", 64, &kind) == 0);
	assert_true(instruction_flops("v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7]", 32, &kind) == 0);
}

/* Peaks of AMD's product pages, in TFLOP/s. */
static void roofs_are_those_of_the_boards(void **state)
{
	(void)state;
	static const struct {
		const char *arch;
		double cus, ghz;
		enum float_kind kind;
		double tflops;
	} rows[] = {{"gfx900", 64, 1.5, VECTOR_F32, 12.29}, {"gfx900", 64, 1.5, VECTOR_F16, 24.6},
		{"gfx900", 64, 1.5, VECTOR_F64, 0.768}, {"gfx906", 64, 1.8, VECTOR_F64, 7.4},
		{"gfx908", 120, 1.502, VECTOR_F32, 23.1}, {"gfx908", 120, 1.502, VECTOR_F64, 11.5},
		{"gfx908", 120, 1.502, MATRIX_F32, 46.1}, {"gfx908", 120, 1.502, MATRIX_F16, 184.6},
		{"gfx908", 120, 1.502, MATRIX_BF16, 92.3}, {"gfx90a", 104, 1.7, VECTOR_F64, 22.6},
		{"gfx90a", 104, 1.7, PACKED_F32, 45.3}, {"gfx90a", 104, 1.7, MATRIX_F64, 45.3},
		{"gfx90a", 104, 1.7, MATRIX_F16, 181}, {"gfx90a", 104, 1.7, MATRIX_BF16_1K, 181},
		{"gfx1100", 48, 2.5, VECTOR_F32, 61.4}, {"gfx1100", 48, 2.5, MATRIX_F16, 122.8}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double tflops = rows[i].cus * rows[i].ghz * float_roof(rows[i].arch, rows[i].kind) / 1e3;
		if (fabs(tflops / rows[i].tflops - 1) > 0.01)
			fail_msg("%s, %s: %g", rows[i].arch, float_kind_name(rows[i].kind), tflops);
	}
	assert_true(float_roof("gfx900", MATRIX_F32) == 0 && float_roof("", VECTOR_F32) == 128);
}

static json_t *make_device(void)
{
	return json_pack("{s:{s:i, s:i, s:i, s:i}}", "properties", "compute_units", 64, "sclk_mhz", 1500, "mclk_mhz",
		945, "memory_bus_bits", 2048);
}

/* One million waves' worth of v_fma_f32 in a millisecond. */
static json_t *make_record(int kib)
{
	return json_pack("{s:s, s:[f,f,f], s:f, s:{s:i, s:i, s:i, s:i}, s:{s:[{s:s, s:i}, {s:s, s:i}]}}", "status",
		"ok", "seconds", 0.001, 0.001, 0.002, "sclk_mhz", 1000.0, "counters", "SQ_INSTS_VALU", 1000000,
		"SQ_INSTS_SALU", 500000, "FETCH_SIZE", kib, "WRITE_SIZE", 0, "profile", "instructions", "text",
		"v_fma_f32 v0, v0, v0, v0", "count", 1000000, "text", "s_add_u32 s0, s0, 1", "count", 500000);
}

static void a_record_has_a_place(void **state)
{
	(void)state;
	struct roofline_point p;
	json_t *device = make_device(), *record = make_record(100000);
	assert_true(roofline_point_read(record, device, &p, NULL));
	assert_true(p.seconds == 0.001);
	assert_true(p.operations[ROOFLINE_FLOPS] == 1e6 * 64 * 2);
	assert_true(p.operations[ROOFLINE_INSTRUCTIONS] == 1.5e6);
	assert_true(p.peak[ROOFLINE_INSTRUCTIONS] == 64e9); /* at the measured clock */
	assert_true(p.peak[ROOFLINE_FLOPS] == 64e9 * 128);
	assert_true(p.bandwidth == 483.84e9);
	assert_true(fabs(roofline_intensity(&p, ROOFLINE_FLOPS) - 1.28e8 / 102400000) < 1e-9);
	assert_true(roofline_achieved(&p, ROOFLINE_FLOPS) == 1.28e11);
	assert_true(roofline_limit(&p, ROOFLINE_FLOPS, 1) == 483.84e9);
	assert_true(roofline_limit(&p, ROOFLINE_FLOPS, 1e6) == 64e9 * 128);
	json_decref(record);
	json_decref(device);
}

/* Where the device names the constants of its L2 and counts its requests, they are a second roof and a second place. */
static void the_l2_is_another_roof(void **state)
{
	(void)state;
	struct roofline_point p;
	json_t *device = make_device(), *record = make_record(100000);
	assert_true(roofline_point_read(record, device, &p, NULL));
	assert_true(p.l2_bandwidth == 0 && roofline_l2_intensity(&p, ROOFLINE_FLOPS) == 0);
	json_object_set_new(device, "constants",
		json_pack("{s:i, s:i, s:i}", "l2_channels", 16, "l2_line_bytes", 64, "l2_line_cycles", 1));
	json_object_set_new(json_object_get(record, "counters"), "TCC_HIT_sum", json_integer(3000000));
	json_object_set_new(json_object_get(record, "counters"), "TCC_MISS_sum", json_integer(1000000));
	assert_true(roofline_point_read(record, device, &p, NULL));
	assert_true(p.l2_bandwidth == 16 * 64 * 1e9 && p.l2_bytes == 256e6);
	assert_true(roofline_l2_intensity(&p, ROOFLINE_FLOPS) == 0.5);
	json_decref(record);
	json_decref(device);
}

/* 32 lanes, a WGP of four SIMDs, two operations in a dual instruction. */
static void gfx11_has_other_limits(void **state)
{
	(void)state;
	struct roofline_point p;
	json_t *device = make_device(), *record = make_record(100000);
	json_object_set_new(device, "arch", json_string("gfx1100"));
	json_object_set_new(record, "code", json_pack("{s:i}", "wave_size", 32));
	assert_true(roofline_point_read(record, device, &p, NULL));
	assert_true(p.operations[ROOFLINE_FLOPS] == 1e6 * 32 * 2);
	assert_true(p.peak[ROOFLINE_INSTRUCTIONS] == 64e9 * 4);
	assert_true(p.peak[ROOFLINE_FLOPS] == 64e9 * 128 * 2 * 2);
	json_object_set_new(device, "arch", json_string("gfx900"));
	assert_true(roofline_point_read(record, device, &p, NULL));
	assert_true(p.peak[ROOFLINE_FLOPS] == 64e9 * 128);
	json_decref(record);
	json_decref(device);
}

static void check_verdict(double seconds, int kib, enum roofline_unit unit, const char *want)
{
	struct roofline_point p;
	char text[160];
	json_t *device = make_device(), *record = make_record(kib);
	json_object_set_new(record, "seconds", json_pack("[f]", seconds));
	assert_true(roofline_point_read(record, device, &p, NULL));
	assert_string_equal(roofline_format_verdict(&p, unit, text, sizeof text), want);
	json_decref(record);
	json_decref(device);
}

static void the_verdict_names_the_limit(void **state)
{
	(void)state;
	check_verdict(0.00025, 100000, ROOFLINE_FLOPS, "memory-bound: 85 % of the memory bandwidth");
	check_verdict(0.000025, 1000, ROOFLINE_INSTRUCTIONS, "compute-bound: 94 % of the peak");
	check_verdict(0.01, 0, ROOFLINE_INSTRUCTIONS, "latency-bound: 0.23 % of the peak");
}

static void check_refusal(const char *key, json_t *value, const char *why)
{
	struct roofline_point p;
	struct err e = {0};
	json_t *device = make_device(), *record = make_record(1);
	json_object_set_new(record, key, value);
	assert_false(roofline_point_read(record, device, &p, &e));
	assert_non_null(strstr(e.text, why));
	json_decref(record);
	json_decref(device);
}

static void what_is_missing_is_named(void **state)
{
	(void)state;
	check_refusal("status", json_string("failed"), "failed");
	check_refusal("counters", json_object(), "does not count");
	check_refusal("seconds", json_array(), "launches no kernel");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flops_follow_from_the_mnemonic),
		cmocka_unit_test(products_of_matrices_have_a_kind),
		cmocka_unit_test(roofs_are_those_of_the_boards),
		cmocka_unit_test(a_record_has_a_place),
		cmocka_unit_test(the_l2_is_another_roof),
		cmocka_unit_test(gfx11_has_other_limits),
		cmocka_unit_test(the_verdict_names_the_limit),
		cmocka_unit_test(what_is_missing_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
