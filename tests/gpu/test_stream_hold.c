/* When a GPU that waits for the host begins: at the end, before calls that may wait for it, and after a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <time.h>

#include "base/host_clock.h"
#include "gpu/backends/stream_hold.h"

enum { MOST = 3, LIMIT_MS = 50, NEVER_MS = 1 << 30 };
static _Atomic uint32_t go;
static uint32_t waits_for;
static int asked;
static bool refuses;

static bool wait_for(void *stream, void *at, uint32_t turn)
{
	assert_ptr_equal(at, &go);
	assert_non_null(stream);
	asked++;
	waits_for = turn;
	return !refuses;
}

static bool gpu_waits(void)
{
	return (int32_t)(atomic_load(&go) - waits_for) < 0;
}

/* A stream_hold is used until the process ends, because of its timer. */
static struct stream_hold *begin(struct stream_hold *h)
{
	static char stream;
	hold_begin(h, wait_for, &stream);
	return h;
}

static struct stream_hold *prepare(struct stream_hold *h, unsigned limit_ms)
{
	asked = 0;
	refuses = false;
	waits_for = 0;
	atomic_store(&go, 7);
	hold_prepare(h, &go, MOST, limit_ms);
	return begin(h);
}

static void it_waits_until_let_go(void **state)
{
	(void)state;
	static struct stream_hold h;
	prepare(&h, NEVER_MS);
	assert_true(gpu_waits());
	hold_let_go(&h);
	assert_false(gpu_waits());
	begin(&h);
	assert_true(gpu_waits());
	begin(&h); /* without an end in between */
	assert_true(gpu_waits());
	hold_let_go(&h);
	assert_false(gpu_waits());
	assert_int_equal(asked, 3);
}

static void too_many_commands_and_errors_let_go(void **state)
{
	(void)state;
	static struct stream_hold h;
	prepare(&h, NEVER_MS);
	for (int i = 0; i < MOST; i++)
		assert_true(hold_count(&h, true));
	assert_true(gpu_waits());
	assert_true(hold_count(&h, true));
	assert_false(gpu_waits());
	begin(&h);
	assert_true(hold_count(&h, true));
	assert_true(gpu_waits());
	assert_false(hold_count(&h, false));
	assert_false(gpu_waits());
}

static void first_launches_let_go(void **state)
{
	(void)state;
	static struct stream_hold h;
	static const char kernels[HOLD_KERNELS + 1];
	prepare(&h, NEVER_MS);
	hold_before_launch(&h, &kernels[0]);
	assert_false(gpu_waits());
	begin(&h);
	hold_before_launch(&h, &kernels[0]);
	assert_true(gpu_waits());
	for (int i = 1; i <= HOLD_KERNELS; i++)
		hold_before_launch(&h, &kernels[i]);
	begin(&h);
	hold_before_launch(&h, &kernels[0]); /* as many others came after it */
	assert_false(gpu_waits());
	hold_forget_kernels(&h);
	begin(&h);
	hold_before_launch(&h, &kernels[0]);
	assert_false(gpu_waits());
}

static void devices_that_cannot_wait_do_not(void **state)
{
	(void)state;
	static struct stream_hold h, none;
	prepare(&h, NEVER_MS);
	hold_let_go(&h);
	refuses = true;
	begin(&h);
	assert_false(gpu_waits());
	begin(&h);
	assert_int_equal(asked, 2);
	hold_prepare(&none, NULL, MOST, LIMIT_MS);
	begin(&none);
	assert_true(hold_count(&none, true));
	hold_before_launch(&none, state);
	hold_forget_kernels(&none);
	hold_let_go(&none);
	assert_int_equal(asked, 2);
}

static void wait_for_time_out(struct stream_hold *h, unsigned number)
{
	struct timespec ms = {0, 1000000};
	while (gpu_waits() || atomic_load(&h->time_outs) < number)
		nanosleep(&ms, NULL);
}

static void it_does_not_wait_for_ever(void **state)
{
	(void)state;
	static struct stream_hold h;
	double start = now_seconds();
	prepare(&h, LIMIT_MS);
	wait_for_time_out(&h, 1);
	assert_true(now_seconds() - start >= LIMIT_MS * 1e-3);
	wait_for_time_out(begin(&h), 2);
	hold_let_go(&h); /* too late: it is the second time */
	wait_for_time_out(begin(&h), 3);
	begin(&h);
	assert_false(gpu_waits());
	assert_int_equal(asked, 3);
}

static void time_outs_count_in_a_row(void **state)
{
	(void)state;
	static struct stream_hold h;
	prepare(&h, LIMIT_MS);
	wait_for_time_out(&h, 1);
	wait_for_time_out(begin(&h), 2);
	h.limit_ms = NEVER_MS;
	hold_count(begin(&h), true); /* an event, a launch */
	hold_count(&h, true);
	hold_let_go(&h);
	h.limit_ms = LIMIT_MS;
	wait_for_time_out(begin(&h), 1);
	h.limit_ms = NEVER_MS;
	hold_count(begin(&h), true); /* an event alone */
	hold_let_go(&h);
	h.limit_ms = LIMIT_MS;
	wait_for_time_out(begin(&h), 2);
	wait_for_time_out(begin(&h), 3);
	begin(&h);
	assert_false(gpu_waits());
	assert_int_equal(asked, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_waits_until_let_go),
		cmocka_unit_test(too_many_commands_and_errors_let_go),
		cmocka_unit_test(first_launches_let_go),
		cmocka_unit_test(devices_that_cannot_wait_do_not),
		cmocka_unit_test(it_does_not_wait_for_ever),
		cmocka_unit_test(time_outs_count_in_a_row),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
