/* The address stage of L1: cycles of strides and patterns as boards take them, and the requests of stores. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "softgpu/core/memory/l1_address.h"

enum { TAG_BANKS = 4, LINE = 64 };

static struct access_lines lines;

/* Lane l reads or writes `bytes` bytes from at[l] on. */
static unsigned address(const uint64_t *at, uint64_t exec, uint32_t bytes, bool reads)
{
	struct lane_bytes x = {.lanes = exec, .wide = bytes > 4, .reads = reads};

	for (unsigned l = 0; l < MAX_LANES; l++) {
		x.at[l] = at[l];
		x.bytes[l] = bytes;
	}
	access_lines_clear(&lines);
	l1_address_lanes(TAG_BANKS, &x, &lines);
	return lines.cycles;
}

static unsigned load_cycles(uint64_t begin, uint32_t stride, uint32_t bytes)
{
	uint64_t at[MAX_LANES];

	for (unsigned l = 0; l < MAX_LANES; l++)
		at[l] = (UINT64_C(1) << 40) + begin + (uint64_t)l * stride;
	return address(at, UINT64_MAX, bytes, true);
}

/* --- strides --- */
/* gpu-benches, gpu-strides on an MI210 (te42kyfo, 1c36d50, mi210.txt): cycles for 32 lanes, by stride in elements. Its
 * loop reads eight elements, 0 to 28 after the lane's. Unit stride takes 2.18 cycles there, with the loop's other
 * instructions. Strides of 35 doubles and more miss L1. */
static const double float_strides[] = {
	/* from 2 on */
	16.1,
	8.1,
	32.2,
	14.1,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	24.2,
	32.2,
	24.2,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	24.2,
	32.2,
	24.2,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	24.2,
	32.2,
	24.2,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	14.1,
	32.2,
	14.1,
	16.1,
	24.2,
	32.2,
};
static const double double_strides[] = {
	/* from 1 on */
	8.1,
	8.1,
	8.1,
	16.1,
	8.1,
	8.1,
	8.1,
	32.2,
	8.1,
	12.1,
	16.1,
	16.1,
	12.1,
	16.1,
	16.1,
	32.2,
	16.1,
	12.1,
	12.1,
	16.1,
	12.1,
	16.1,
	12.1,
	32.2,
	8.1,
	12.1,
	16.1,
	16.1,
	16.1,
	24.2,
	28.2,
	32.2,
	32.2,
	24.2,
};

static double cycles_of_stride(unsigned stride, uint32_t bytes)
{
	double sum = 0;

	for (unsigned at = 0; at <= 28; at += 4)
		sum += load_cycles(at * bytes, stride * bytes, bytes);
	return sum / 8 / 2;
}

static void check_strides(const double *measured, unsigned count, unsigned first, uint32_t bytes)
{
	for (unsigned k = 0; k < count; k++) {
		const double cycles = cycles_of_stride(first + k, bytes);
		if (fabs(cycles / measured[k] - 1) > 0.0125)
			fail_msg(
				"stride %u of %u bytes: %g cycles, measured %g", first + k, bytes, cycles, measured[k]);
	}
}

static void strides_take_as_long_as_on_a_board(void **state)
{
	(void)state;
	check_strides(float_strides, sizeof float_strides / sizeof *float_strides, 2, 4);
	check_strides(double_strides, sizeof double_strides / sizeof *double_strides, 1, 8);
}

/* --- patterns --- */
/* perftest (sebbbi), ByteAddressBuffer on a Radeon VII: time relative to Load4 linear. Each lane begins at one of
 * sixteen elements, and loads those that follow; its hash is another one, with the same sixteen. */
static double pattern_cycles(unsigned width, bool random, unsigned begin)
{
	uint64_t at[MAX_LANES];
	double sum = 0;

	for (unsigned i = 0; i < 64; i++) {
		for (unsigned l = 0; l < MAX_LANES; l++)
			at[l] = begin + ((random ? l * 0x3504f333u & 15 : l) + i) * 4 * width;
		sum += address(at, UINT64_MAX, 4 * width, true);
	}
	return sum / 64;
}

static void patterns_take_as_long_as_on_a_board(void **state)
{
	static const struct {
		unsigned width;
		bool random;
		unsigned begin;
		double relative;
	} row[] = {
		{1, true, 0, 0.97},
		{2, false, 0, 0.99},
		{2, true, 0, 0.98},
		{3, false, 0, 0.99},
		{3, true, 0, 1.94},
		{4, true, 0, 1.10},
		{4, true, 4, 1.21},
	};
	const double linear = pattern_cycles(4, false, 0);

	(void)state;
	assert_int_equal(linear, 16);
	for (unsigned k = 0; k < sizeof row / sizeof *row; k++) {
		const double here = pattern_cycles(row[k].width, row[k].random, row[k].begin) / linear;
		if (fabs(here / row[k].relative - 1) > 0.05)
			fail_msg("%u dwords, %s, from %u: %g, measured %g", row[k].width,
				row[k].random ? "random" : "linear", row[k].begin, here, row[k].relative);
	}
}

/* --- joining --- */
static void the_same_and_contiguous_dwords_are_joined(void **state)
{
	(void)state;
	assert_int_equal(load_cycles(0, 4, 4), 4);
	assert_int_equal(load_cycles(36, 4, 4), 4); /* across lines */
	assert_int_equal(lines.count, 5);
	assert_int_equal(load_cycles(0, 0, 4), 4);
	assert_int_equal(lines.count, 1);
	assert_int_equal(load_cycles(0, 1, 1), 4);  /* bytes */
	assert_int_equal(load_cycles(8, 8, 4), 32); /* every other dword is not */
	assert_int_equal(load_cycles(0, LINE, 4), 64);
}

static void lanes_that_are_off_take_no_cycle(void **state)
{
	uint64_t at[MAX_LANES];

	(void)state;
	for (unsigned l = 0; l < MAX_LANES; l++)
		at[l] = l * LINE;
	assert_int_equal(address(at, 1, 4, true), 1);
	assert_int_equal(address(at, 0xf, 4, true), 4);
	assert_int_equal(address(at, 0x1111, 4, true), 4); /* one of each quad: lines 0, 4, 8 and 12 are in one bank */
	for (unsigned l = 0; l < MAX_LANES; l++)
		at[l] = l * 4;
	assert_int_equal(address(at, 0x9, 4, true), 1); /* the ends of a quad are where contiguous lanes are */
}

/* Stores join the last line of a tag bank only. */
static void stores_join_the_last_line_of_a_bank(void **state)
{
	uint64_t at[MAX_LANES];

	(void)state;
	for (unsigned l = 0; l < MAX_LANES; l++)
		at[l] = l % 2 * 4 * LINE; /* lines 0 and 4, of one bank, in turn */
	address(at, 0xf, 4, false);
	assert_int_equal(lines.count, 4);
	address(at, 0xf, 4, true);
	assert_int_equal(lines.count, 2);
	for (unsigned l = 0; l < MAX_LANES; l++)
		at[l] = l % 2 * LINE; /* lines 0 and 1 */
	address(at, 0xf, 4, false);
	assert_int_equal(lines.count, 2);
}

/* Requests leave in the order of their cycles. */
static void requests_are_in_order(void **state)
{
	(void)state;
	assert_int_equal(load_cycles(0, 20, 4), 28);
	for (unsigned k = 1; k < lines.count; k++)
		assert_true(lines.cycle[k] >= lines.cycle[k - 1] || lines.cycle[k] + 4 > lines.cycle[k - 1]);
	assert_true(lines.cycle[lines.count - 1] < lines.cycles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strides_take_as_long_as_on_a_board),
		cmocka_unit_test(patterns_take_as_long_as_on_a_board),
		cmocka_unit_test(the_same_and_contiguous_dwords_are_joined),
		cmocka_unit_test(lanes_that_are_off_take_no_cycle),
		cmocka_unit_test(stores_join_the_last_line_of_a_bank),
		cmocka_unit_test(requests_are_in_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
