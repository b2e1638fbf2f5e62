/* The choice of an SMI library, and how often it counts other processes. The libraries are ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <time.h>

#include "base/host_clock.h"
#include "gpu/backends/smi/smi.h"

static unsigned counted;
static double count_seconds, began; /* began: the last count */

static bool resolve(void *handle, struct err *e)
{
	(void)handle, (void)e;
	return true;
}

static bool start(const struct device_info *info, struct err *e)
{
	(void)e;
	return info->pci_bus == 3;
}

static struct clocks read_clocks(void)
{
	return (struct clocks){.sclk_mhz = {true, 1500}};
}

static unsigned count_others(void)
{
	struct timespec t = {0, (long)(count_seconds * 1e9)};
	began = now_seconds();
	nanosleep(&t, NULL);
	return ++counted;
}

static const struct smi_library missing = {.name = "missing", .library = {"libnosuch.so", "1", NULL}},
				working = {.name = "working",
					.library = {"libm.so", "6", NULL},
					.resolve = resolve,
					.start = start,
					.read = read_clocks,
					.count_others = count_others};
static const struct smi_library *const libraries[] = {&missing, &working, NULL};

static void nothing_is_read_without_a_library(void **state)
{
	(void)state;
	assert_null(smi_current());
	assert_false(smi_read().sclk_mhz.valid);
	assert_int_equal(smi_read().others, 0);
}

static void the_first_that_works_is_read(void **state)
{
	(void)state;
	struct err e;
	assert_true(smi_open(libraries, &(struct device_info){.pci_bus = 3}, 10000, &e));
	assert_ptr_equal(smi_current(), &working);
	struct clocks c = smi_read();
	assert_true(c.sclk_mhz.valid && c.sclk_mhz.value == 1500);
	assert_int_equal(c.others, 1);
}

/* Readings that follow one another show the last count, for twenty times as long as it took. */
static void a_slow_count_is_made_less_often(void **state)
{
	(void)state;
	count_seconds = 0.02;
	while (counted < 2)
		smi_read();
	const double end = began + count_seconds; /* or later */
	while (counted < 3) {
		unsigned others = smi_read().others;
		assert_int_equal(others, counted);
	}
	assert_true(began - end >= 20 * count_seconds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_read_without_a_library),
		cmocka_unit_test(the_first_that_works_is_read),
		cmocka_unit_test(a_slow_count_is_made_less_often),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
