/* The picture of a matrix instruction's tile: lanes and registers of its elements, and the texts about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tui/views/code/matrix_tile.h"

static struct matrix_tile decode_tile(uint32_t low, uint32_t high)
{
	const uint32_t words[2] = {low, high};
	struct isa_inst in;
	struct matrix_tile t;
	assert_int_equal(isa_decode(words, sizeof words, isa_target_by_name("gfx908"), &in), 8);
	assert_true(matrix_tile_find(&in, &t));
	return t;
}

/* v_mfma_f32_32x32x2f32 a[0:15], v1, v2, a[0:15] */
static struct matrix_tile tile_f32(void)
{
	return decode_tile(0xd3c40000, 0x04020501);
}

static void elements_are_where_the_calculator_has_them(void **state)
{
	(void)state;
	char text[200];
	struct matrix_tile t = tile_f32();
	assert_int_equal(t.rows, 32);
	assert_string_equal(
		matrix_tile_format_result(&t, 5, 17, text, sizeof text), "row 5, column 17 of block 0: lane 49, a1");
	assert_string_equal(
		matrix_tile_format_row(&t, 5, text, sizeof text), "row 5 of A in v1: lane 5 has k 0, lane 37 has k 1");
	assert_string_equal(matrix_tile_format_column(&t, 5, 17, text, sizeof text),
		"column 17 of B in v2: lane 17 has k 0, lane 49 has k 1");
	assert_true(matrix_tile_lanes_of_a(&t, 5) == (UINT64_C(1) << 5 | UINT64_C(1) << 37));
	assert_true(matrix_tile_lanes_of_b(&t, 5, 17) == (UINT64_C(1) << 17 | UINT64_C(1) << 49));
}

/* Each register of each lane has one element, in every shape. */
static void every_register_of_each_lane_is_one_element(void **state)
{
	(void)state;
	unsigned shapes = 0;
	for (unsigned op = 0; op < OP_COUNT; op++) {
		struct isa_inst in = {.op = (uint16_t)op};
		struct matrix_tile t;
		bool seen[32][64] = {0};
		if (!matrix_tile_find(&in, &t) || !(isa_info(op)->targets & ISA_GFX908))
			continue;
		shapes++;
		assert_true(t.rows <= 64);
		for (unsigned row = 0; row < t.rows; row++)
			for (unsigned column = 0; column < t.shape->side; column++) {
				const struct mfma_place p = matrix_tile_place(&t, row, column);
				assert_true(p.number < mfma_result_registers(t.shape) && p.lane < 64);
				assert_false(seen[p.number][p.lane]);
				seen[p.number][p.lane] = true;
			}
		assert_int_equal(t.rows * t.shape->side, 64 * mfma_result_registers(t.shape));
	}
	assert_int_equal(shapes, 20);
}

static void cbsz_and_blgp_choose_other_lanes(void **state)
{
	(void)state;
	char text[200];
	struct matrix_tile t = tile_f32();
	struct isa_inst in = t.inst;
	in.op = OP_v_mfma_f32_4x4x4f16;
	in.cbsz = 2;
	in.abid = 1;
	in.blgp = 1;
	assert_true(matrix_tile_find(&in, &t));
	assert_string_equal(matrix_tile_format_result(&t, 4 * 10 + 3, 2, text, sizeof text),
		"row 3, column 2 of block 10: lane 42, a3");
	assert_string_equal(matrix_tile_format_row(&t, 4 * 10 + 3, text, sizeof text),
		"row 3 of A in v[1:2]: lane 39 has k 0..3"); /* block 9 */
	assert_string_equal(matrix_tile_format_column(&t, 4 * 10 + 3, 2, text, sizeof text),
		"column 2 of B in v[2:3]: lane 10 has k 0..3"); /* instead of 42 */
}

static void other_instructions_have_no_tile(void **state)
{
	(void)state;
	struct matrix_tile t;
	assert_false(matrix_tile_find(&(struct isa_inst){.op = OP_v_accvgpr_read_b32}, &t));
	assert_false(matrix_tile_find(&(struct isa_inst){.op = OP_INVALID}, &t));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_are_where_the_calculator_has_them),
		cmocka_unit_test(every_register_of_each_lane_is_one_element),
		cmocka_unit_test(cbsz_and_blgp_choose_other_lanes),
		cmocka_unit_test(other_instructions_have_no_tile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
