/* Helpers work where they make windows shorter, and rest where they do not; trials cost little. The clock is the
 * test's. */
#include "softgpu/core/windows/helper_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { WINDOWS = 16, MS = 1000000 };

struct run {
	struct helper_trial trial;
	uint64_t now, with, without; /* ns in all, with helpers and without */
};

/* Runs for that long with windows that take so many ns. */
static void run_windows(struct run *r, uint64_t ms, uint64_t alone, uint64_t helped)
{
	for (const uint64_t end = r->now + ms * MS; r->now < end;) {
		const bool helps = trial_uses_helpers(&r->trial);
		const uint64_t ns = WINDOWS * (helps ? helped : alone);
		assert_true(!helps || trial_wants_helpers(&r->trial));
		r->now += ns;
		*(helps ? &r->with : &r->without) += ns;
		trial_count_windows(&r->trial, r->now, WINDOWS);
	}
}

static struct run begin_run(void)
{
	struct run r = {.now = 5000 * (uint64_t)MS};

	trial_begin_launch(&r.trial, r.now);
	assert_true(trial_uses_helpers(&r.trial));
	trial_restart(&r.trial, r.now);
	return r;
}

static void helpers_that_help_work(void **state)
{
	(void)state;
	struct run r = begin_run();

	run_windows(&r, 1000, 20000, 12000);
	assert_true(r.without * 30 < r.with);
	assert_true(trial_wants_helpers(&r.trial));
}

static void helpers_that_hinder_rest(void **state)
{
	(void)state;
	struct run r = begin_run();

	run_windows(&r, 1000, 12000, 20000);
	assert_true(r.with * 30 < r.without);
}

/* The first trial is short: a kernel of some milliseconds gains, too. */
static void a_trial_ends_within_some_slices(void **state)
{
	(void)state;
	struct run r = begin_run();

	run_windows(&r, 4, 12000, 20000);
	assert_false(trial_wants_helpers(&r.trial));
}

static void another_kind_of_windows_is_noticed(void **state)
{
	(void)state;
	struct run r = begin_run();

	run_windows(&r, 1000, 12000, 20000);
	r.with = r.without = 0;
	run_windows(&r, 1000, 20000, 12000);
	assert_true(r.without * 5 < r.with);
	r.with = r.without = 0;
	run_windows(&r, 1000, 12000, 20000);
	assert_true(r.with * 5 < r.without);
}

/* Of windows of 10 ms, and with a second on the host between launches. */
static void time_between_launches_does_not_count(void **state)
{
	(void)state;
	struct run r = begin_run();

	for (unsigned launch = 0; launch < 50; launch++) {
		r.now += 1000 * (uint64_t)MS;
		trial_begin_launch(&r.trial, r.now);
		run_windows(&r, 1, 12000, 20000);
	}
	assert_true(r.trial.hinder);
	assert_true(r.with * 2 < r.without);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(helpers_that_help_work),
		cmocka_unit_test(helpers_that_hinder_rest),
		cmocka_unit_test(a_trial_ends_within_some_slices),
		cmocka_unit_test(another_kind_of_windows_is_noticed),
		cmocka_unit_test(time_between_launches_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
