/* The device's work on the host's time line, and how much of a thread's time counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"

/* --- the time line --- */
static void work_begins_when_it_is_submitted(void **state)
{
	(void)state;
	host_timeline_open(0, 1000, 50); /* device time 50 is host time 1000 */
	host_timeline_begin(0, 50, 1300);
	assert_int_equal(host_timeline_reach(0, 150), 1400);
	assert_int_equal(host_timeline_latest(), 1400);
}

static void work_submitted_early_begins_when_the_device_is_free(void **state)
{
	(void)state;
	host_timeline_open(0, 0, 0);
	host_timeline_begin(0, 0, 10);
	assert_int_equal(host_timeline_reach(0, 100), 110);
	host_timeline_begin(0, 100, 20); /* submitted while the first ran */
	assert_int_equal(host_timeline_reach(0, 200), 210);
	host_timeline_begin(0, 200, 500); /* and after the device was idle */
	assert_int_equal(host_timeline_reach(0, 300), 600);
}

static void a_new_device_may_start_at_any_time(void **state)
{
	(void)state;
	host_timeline_open(0, 5, 2000000000); /* its clock is far ahead of the host's */
	assert_int_equal(host_timeline_reach(0, 2000000007), 12);
	host_timeline_open(0, 900, 2000000000);
	assert_int_equal(host_timeline_latest(), 900);
	assert_int_equal(host_timeline_reach(0, 2000000000), 900);
}

static void gpus_have_time_lines_of_their_own(void **state)
{
	(void)state;
	host_timeline_open(0, 0, 0);
	host_timeline_open(1, 0, 0);
	host_timeline_begin(1, 0, 70); /* while the first one is still idle */
	assert_int_equal(host_timeline_reach(1, 10), 80);
	assert_int_equal(host_timeline_reach(0, 10), 10);
	assert_int_equal(host_timeline_to_device(1, 75), 5);
	assert_int_equal(host_timeline_to_device(0, 75), 75);
	assert_int_equal(host_timeline_latest_of(0), 10);
	assert_int_equal(host_timeline_latest(), 80);
	host_timeline_open(1, 0, 0);
}

static void notes_are_found_by_their_line(void **state)
{
	ns_t at;
	(void)state;
	assert_false(host_timeline_find(0x10000, &at));
	host_timeline_note(0x10000, 7);
	assert_true(host_timeline_find(0x10008, &at)); /* the value of the signal at 0x10000 */
	assert_int_equal(at, 7);
	assert_false(host_timeline_find(0x10040, &at));
	host_timeline_note(0x10008, 9);
	assert_true(host_timeline_find(0x10000, &at));
	assert_int_equal(at, 9);
}

/* A note may be lost, but never taken for that of another address. */
static void notes_of_other_addresses_are_never_found(void **state)
{
	ns_t at;
	(void)state;
	for (uint64_t k = 1; k < 1000000; k++)
		host_timeline_note(k * 64, k);
	for (uint64_t k = 1; k < 1000000; k++)
		if (host_timeline_find(k * 64, &at))
			assert_int_equal(at, k);
	assert_true(host_timeline_find(UINT64_C(999999) * 64, &at));
}

/* The rings of four queues may lie so that the same slots of each share a set. */
static void notes_of_four_queues_are_kept(void **state)
{
	enum { SLOTS = 16384 };
	ns_t at;
	(void)state;
	for (uint64_t slot = 0; slot < SLOTS; slot++)
		for (uint64_t queue = 1; queue <= 4; queue++)
			host_timeline_note(queue << 40 | slot * 64, 2000000 + slot * queue);
	for (uint64_t slot = 0; slot < SLOTS; slot++)
		for (uint64_t queue = 1; queue <= 4; queue++) {
			assert_true(host_timeline_find(queue << 40 | slot * 64, &at));
			assert_int_equal(at, 2000000 + slot * queue);
		}
}

/* --- a thread's time --- */
static ns_t elapsed(struct cpu_times to)
{
	return cpu_times_elapsed(&(struct cpu_times){0}, &to);
}

static void own_work_counts_and_waiting_does_not(void **state)
{
	(void)state;
	assert_int_equal(elapsed((struct cpu_times){.wall = 900, .thread = 300, .all = 300}), 300);
	assert_int_equal(elapsed((struct cpu_times){.wall = 300, .thread = 300, .all = 300}), 300);
}

static void work_of_other_threads_counts_while_the_thread_waits_for_it(void **state)
{
	(void)state;
	assert_int_equal(elapsed((struct cpu_times){.wall = 900, .thread = 300, .all = 500}), 500);
	/* four threads at once: no more than the time that has passed */
	assert_int_equal(elapsed((struct cpu_times){.wall = 900, .thread = 300, .all = 2700}), 900);
	/* at the same time as the thread's own work it costs nothing */
	assert_int_equal(elapsed((struct cpu_times){.wall = 300, .thread = 300, .all = 600}), 300);
}

static void what_linux_adds_late_is_not_work_of_others(void **state)
{
	(void)state;
	struct cpu_times to = {.wall = 50000000, .thread = 1000, .all = 1000 + CPU_TICK_NS, .device_runs = true};
	assert_int_equal(elapsed(to), 1000);
	to.device_runs = false;
	assert_int_equal(elapsed(to), 1000 + CPU_TICK_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_begins_when_it_is_submitted),
		cmocka_unit_test(work_submitted_early_begins_when_the_device_is_free),
		cmocka_unit_test(a_new_device_may_start_at_any_time),
		cmocka_unit_test(gpus_have_time_lines_of_their_own),
		cmocka_unit_test(notes_are_found_by_their_line),
		cmocka_unit_test(notes_of_other_addresses_are_never_found),
		cmocka_unit_test(notes_of_four_queues_are_kept),
		cmocka_unit_test(own_work_counts_and_waiting_does_not),
		cmocka_unit_test(work_of_other_threads_counts_while_the_thread_waits_for_it),
		cmocka_unit_test(what_linux_adds_late_is_not_work_of_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
