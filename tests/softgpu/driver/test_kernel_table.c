/* Sums by kernel, and the text of the progress line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "softgpu/driver/probe/kernel_table.h"
#include "softgpu/driver/probe/launch_progress.h"

#define S UINT64_C(1000000000)

static struct kernel_sums launch(const char *name, uint64_t ps, ns_t host_ns)
{
	struct kernel_sums k = {
		.launches = 1, .ps = ps, .cycles = ps / 1000, .waves = 2, .instructions = 10, .host_ns = host_ns};
	snprintf(k.name, sizeof k.name, "%s", name);
	return k;
}

static void add(const char *name, uint64_t ps, ns_t host_ns)
{
	struct kernel_sums k = launch(name, ps, host_ns);
	kernel_table_add(&k);
}

/* --- sums --- */
static void launches_add_up_by_name(void **state)
{
	(void)state;
	kernel_table_clear();
	assert_null(kernel_table_at(0));
	add("short", 1000, 5);
	add("long", 9000, 1);
	add("short", 2000, 5);
	assert_string_equal(kernel_table_at(0)->name, "long");
	assert_string_equal(kernel_table_at(1)->name, "short");
	assert_int_equal(kernel_table_at(1)->launches, 2);
	assert_int_equal(kernel_table_at(1)->ps, 3000);
	assert_int_equal(kernel_table_at(1)->instructions, 20);
	assert_int_equal(kernel_table_at(1)->host_ns, 10);
	assert_null(kernel_table_at(2));
	struct kernel_sums all;
	kernel_table_sum(&all);
	assert_int_equal(all.launches, 3);
	assert_int_equal(all.ps, 12000);
}

/* Symbols of C++ templates often begin alike. */
static void long_names_differ_at_their_end(void **state)
{
	char name[512];

	(void)state;
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = 0;
	kernel_table_clear();
	add(name, 1000, 1);
	name[sizeof name - 2] = 'y';
	add(name, 2000, 1);
	assert_string_equal(kernel_table_at(0)->name, name);
	assert_int_equal(kernel_table_at(1)->launches, 1);
}

static void without_times_the_longest_simulation_is_first(void **state)
{
	(void)state;
	kernel_table_clear();
	add("a", 0, 1);
	add("b", 0, 3);
	add("c", 0, 2);
	assert_string_equal(kernel_table_at(0)->name, "b");
	assert_string_equal(kernel_table_at(2)->name, "a");
}

static void counters_add_up_whatever_their_order(void **state)
{
	(void)state;
	struct kernel_sums first = launch("k", 1, 1), second = launch("k", 1, 1);
	kernel_table_clear();
	first.counters[0] = (struct kernel_value){"A", 1};
	first.counters[1] = (struct kernel_value){"B", 2};
	second.counters[0] = (struct kernel_value){"B", 10};
	second.stalls[0] = (struct kernel_value){"CYCLES_L1", 7};
	kernel_table_add(&first);
	kernel_table_add(&second);
	assert_int_equal(kernel_table_at(0)->counters[0].value, 1);
	assert_int_equal(kernel_table_at(0)->counters[1].value, 12);
	assert_int_equal(kernel_table_at(0)->stalls[0].value, 7);
	assert_null(kernel_table_at(0)->counters[2].name);
}

static void kernels_without_room_are_one_row(void **state)
{
	char name[32];
	uint64_t launches = 0;
	size_t i;
	(void)state;
	kernel_table_clear();
	for (int k = 0; k < 2000; k++) {
		snprintf(name, sizeof name, "kernel %d", k);
		add(name, 1000, 1);
	}
	add("kernel 3", 1000, 1);
	add("kernel 1999", 1000000, 1);
	for (i = 0; kernel_table_at(i); i++)
		launches += kernel_table_at(i)->launches;
	assert_int_equal(launches, 2002);
	assert_true(i < 1000);
	assert_string_equal(kernel_table_at(0)->name, "others");
}

/* --- the progress line --- */
static void expect_text(const struct launch_progress *p, unsigned width, const char *text)
{
	char out[300];
	assert_string_equal(launch_progress_text(out, sizeof out, p, width), text);
}

static void the_line_tells_what_is_known(void **state)
{
	(void)state;
	struct launch_progress p = {.kernel = "_Z4spinPfi", .total = 640, .elapsed = 3 * S};
	expect_text(&p, 79, "_Z4spinPfi  0 of 640 workgroups");
	p.rate = 35400000;
	p.done = 160;
	expect_text(&p, 79, "_Z4spinPfi  160 of 640 workgroups  35.4 M wave instructions/s  9 s left");
	p.elapsed = 600 * S;
	expect_text(&p, 79, "_Z4spinPfi  160 of 640 workgroups  35.4 M wave instructions/s  30 min left");
}

static void a_long_name_is_cut_first(void **state)
{
	char out[300], name[200];
	(void)state;
	memset(name, 'k', sizeof name - 1);
	name[sizeof name - 1] = 0;
	struct launch_progress p = {.kernel = name, .done = 1, .total = 2, .elapsed = S, .rate = 999};
	for (unsigned width = 1; width < 250; width++) {
		launch_progress_text(out, sizeof out, &p, width);
		assert_true(strlen(out) <= width);
		if (width >= 79)
			assert_non_null(strstr(out, "  1 of 2 workgroups  999 wave instructions/s  1 s left"));
	}
	expect_text(&p, 60, "kkk...  1 of 2 workgroups  999 wave instructions/s  1 s left");
}

static void numbers_have_three_digits(void **state)
{
	char out[40];
	(void)state;
	assert_string_equal(progress_count_text(out, sizeof out, 0), "0");
	assert_string_equal(progress_count_text(out, sizeof out, 999), "999");
	assert_string_equal(progress_count_text(out, sizeof out, 1000), "1.00 k");
	assert_string_equal(progress_count_text(out, sizeof out, 12345), "12.3 k");
	assert_string_equal(progress_count_text(out, sizeof out, 123456789), "123 M");
	assert_string_equal(progress_count_text(out, sizeof out, UINT64_MAX), "18.4 E");
	assert_string_equal(progress_duration_text(out, sizeof out, 0), "0 s");
	assert_string_equal(progress_duration_text(out, sizeof out, 99 * S), "99 s");
	assert_string_equal(progress_duration_text(out, sizeof out, 150 * S), "3 min");
	assert_string_equal(progress_duration_text(out, sizeof out, 7200 * S), "2 h");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches_add_up_by_name),
		cmocka_unit_test(long_names_differ_at_their_end),
		cmocka_unit_test(without_times_the_longest_simulation_is_first),
		cmocka_unit_test(counters_add_up_whatever_their_order),
		cmocka_unit_test(kernels_without_room_are_one_row),
		cmocka_unit_test(the_line_tells_what_is_known),
		cmocka_unit_test(a_long_name_is_cut_first),
		cmocka_unit_test(numbers_have_three_digits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
