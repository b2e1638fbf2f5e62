/* Banks of the vector registers of gfx1100: conflicts of dual instructions as llvm-mc 15 encodes them, and which
 * operations may share an instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "softgpu/isa/register_banks.h"

enum { BANKS = 4 };

static struct isa_inst decode(uint32_t low, uint32_t high)
{
	const uint32_t words[2] = {low, high};
	struct isa_inst in;
	assert_true(isa_decode(words, sizeof words, ISA_GFX1100_WAVE32, &in));
	return in;
}

/* v_fmac_f32_e32 vD, vA, vB */
static struct isa_inst fmac(unsigned d, unsigned a, unsigned b)
{
	return decode(0x2bu << 25 | d << 17 | b << 9 | (256 + a), 0);
}

static void first_and_second_sources_of_one_bank_conflict(void **state)
{
	(void)state;
	static const struct {
		uint32_t low, high;
		unsigned cycles;
	} cases[] = {
		/* v_dual_fmac_f32 v5, v186, v184 :: v_dual_fmac_f32 v2, v187, v185: all in banks of their own */
		{0xc80171ba, 0x050373bb, 0},
		/* v_dual_fmac_f32 v5, v184, v192 :: v_dual_fmac_f32 v2, v185, v193: banks 0 and 0, 1 and 1 */
		{0xc80181b8, 0x050383b9, 1},
		/* v_dual_fmac_f32 v3, v184, v193 :: v_dual_fmac_f32 v4, v185, v192: X's first and Y's second source */
		{0xc80183b8, 0x030581b9, 1},
		/* v_dual_mov_b32 v28, v27 :: v_dual_mov_b32 v27, v26: one source each */
		{0xca10011b, 0x1c1a011a, 0},
		/* v_dual_mov_b32 v13, v38 :: v_dual_add_nc_u32 v56, s12, v43: a scalar has no bank */
		{0xca200126, 0x0d38560c, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct isa_inst in = decode(cases[i].low, cases[i].high);
		assert_int_equal(isa_bank_conflict_cycles(&in, NULL, BANKS), cases[i].cycles);
		assert_int_equal(isa_bank_conflict_cycles(&in, NULL, 0), 0);
	}
}

static void a_register_read_twice_is_read_once(void **state)
{
	(void)state;
	/* v_dual_fmac_f32 v10, v4, v4 :: v_dual_fmac_f32 v11, v5, v5 */
	struct isa_inst in = decode(0xc8000904, 0x0a0a0b05);
	struct isa_bank_reads b;
	isa_find_bank_reads(&in, NULL, BANKS, &b);
	assert_int_equal(b.count[0], 1);
	assert_int_equal(b.number[0][0], 4);
	assert_int_equal(b.count[1], 1);
	assert_int_equal(b.number[1][0], 5);
	assert_int_equal(isa_bank_conflict_cycles(&in, NULL, BANKS), 0);
}

static void a_source_keeps_its_register(void **state)
{
	(void)state;
	/* v_dual_fmac_f32 v5, v184, v192 :: v_dual_fmac_f32 v2, v185, v193, then with the second sources exchanged */
	const struct isa_inst in = decode(0xc80181b8, 0x050383b9), before = decode(0xc80183b8, 0x030581b9);
	assert_int_equal(isa_bank_conflict_cycles(&in, NULL, BANKS), 1);
	assert_int_equal(isa_bank_conflict_cycles(&in, &before, BANKS), 0);
	assert_int_equal(isa_bank_conflict_cycles(&in, &in, BANKS), 0);
	const struct isa_inst alone = fmac(0, 184, 7);
	assert_int_equal(isa_bank_conflict_cycles(&in, &alone, BANKS), 1); /* X has v184, but Y reads banks 1 and 1 */
}

static void operations_alone_do_not_conflict(void **state)
{
	(void)state;
	struct isa_inst in = fmac(0, 4, 8);
	assert_int_equal(isa_bank_conflict_cycles(&in, NULL, BANKS), 0);
}

static void the_rules_for_operands_decide_about_pairs(void **state)
{
	(void)state;
	const struct isa_inst x = fmac(10, 4, 8);
	const struct {
		struct isa_inst y;
		bool can;
	} cases[] = {
		{fmac(11, 5, 9), true}, {fmac(12, 5, 9), false},  /* both destinations even */
		{fmac(11, 12, 9), false},                         /* first sources in bank 0 */
		{fmac(11, 5, 12), false},                         /* second sources in bank 0 */
		{fmac(11, 9, 6), true}, {fmac(11, 5, 10), false}, /* needs the result */
		{fmac(11, 10, 9), false}, {fmac(10, 5, 9), false},
		{decode(0xc8000904, 0x0a0a0b05), false}, /* a dual instruction */
		{decode(0x7e080b00, 0), false},          /* v_cvt_f32_i32: no dual form */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(isa_can_pair(&x, &cases[i].y, BANKS), cases[i].can);
		assert_int_equal(isa_can_pair(&cases[i].y, &x, BANKS), cases[i].can);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_and_second_sources_of_one_bank_conflict),
		cmocka_unit_test(a_register_read_twice_is_read_once),
		cmocka_unit_test(a_source_keeps_its_register),
		cmocka_unit_test(operations_alone_do_not_conflict),
		cmocka_unit_test(the_rules_for_operands_decide_about_pairs),
	};
	return cmocka_run_group_tests_name("register banks", tests, NULL, NULL);
}
