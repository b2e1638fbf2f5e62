/* When launches that are resident together begin, end and place workgroups: exact cycles, priorities, CU masks, errors
 * of one of them, one that is abandoned, and short scratch. */
#include "tests/softgpu/core/resident_jobs.h"

enum { WAITS = 60 /* trips of `wide`, which sleeps most of the time and stores once */ };

/* Runs in such pieces until all have ended; each leaves when it has. */
static void end_all(struct job *j, unsigned count, uint64_t piece)
{
	for (bool left = true; left;) {
		gpu_run_until(d.gpu, gpu_reached_cycle(d.gpu) + piece);
		left = false;
		for (unsigned k = 0; k < count; k++)
			if (j[k].dispatch.kernel_object && gpu_launch_has_ended(d.gpu, &j[k].result)) {
				gpu_end_launch(d.gpu, &j[k].result);
				j[k].dispatch.kernel_object = 0;
			}
		for (unsigned k = 0; k < count; k++)
			left |= j[k].dispatch.kernel_object != 0;
	}
}

static void end_job(struct job *j)
{
	end_all(j, 1, UINT64_MAX / 2);
}

/* Runs exactly to this cycle. */
static void run_to(uint64_t cycle, uint64_t piece)
{
	while (gpu_reached_cycle(d.gpu) < cycle) {
		const uint64_t next = gpu_reached_cycle(d.gpu) + piece;
		assert_false(gpu_run_until(d.gpu, next < cycle ? next : cycle));
	}
	assert_int_equal(gpu_reached_cycle(d.gpu), cycle);
}

static void begin(struct job *j)
{
	assert_true(gpu_begin_launch(d.gpu, &j->dispatch, &j->result));
}

/* On CUs of its own, a launch takes as many cycles, whenever it joins. */
static void a_launch_joins_at_its_cycle(void **state)
{
	static const uint64_t at[] = {500, 1024, 1025, 3999, 5001};
	struct job j[] = {job("wide", 64, 1, 4000, 1), job("wide", 64, 2, WAITS, 2)};

	(void)state;
	j[0].engines = 1;
	j[1].engines = 2;
	uint64_t first = 0;
	for (unsigned k = 0; k < sizeof at / sizeof *at; k++) {
		gpu_clear_caches(d.gpu);
		prepare(&j[0], 0);
		prepare(&j[1], 1);
		begin(&j[0]);
		run_to(at[k], UINT64_MAX / 2);
		begin(&j[1]);
		end_job(&j[1]);
		const uint64_t reached = gpu_reached_cycle(d.gpu);
		end_job(&j[0]);
		check_results(&j[0]);
		check_results(&j[1]);
		assert_int_equal(reached, at[k] + j[1].result.cycles);
		if (k) /* DRAM is refreshed at fixed cycles */
			assert_in_range(j[1].result.cycles, first - 8, first + 8);
		else
			first = j[1].result.cycles;
	}
}

/* The third begins when the first ends, next to the second, on whose CUs it has room. Returns the cycles of all. */
static void follow_in_pieces(struct job *j, uint64_t piece, uint64_t cycles[3])
{
	gpu_clear_caches(d.gpu);
	for (unsigned k = 0; k < 3; k++)
		prepare(&j[k], k);
	begin(&j[0]);
	begin(&j[1]);
	while (!gpu_launch_has_ended(d.gpu, &j[0].result))
		gpu_run_until(d.gpu, gpu_reached_cycle(d.gpu) + piece);
	gpu_end_launch(d.gpu, &j[0].result);
	assert_int_equal(gpu_reached_cycle(d.gpu), j[0].result.cycles);
	begin(&j[2]);
	end_all(j + 1, 2, piece);
	for (unsigned k = 0; k < 3; k++) {
		check_results(&j[k]);
		cycles[k] = j[k].result.cycles;
	}
}

/* A launch that begins when another ends meets a CU that has not gone further: pauses of any length, which keep the CUs
 * together, make no difference. */
static void the_end_of_a_launch_is_exact(void **state)
{
	static const uint64_t piece[] = {1, 7, 64, 1000};
	struct job j[] = {job("few", 128, 6, 40, 1), job("few", 256, 14, 700, 2), job("few", 64, 30, 90, 3)};
	uint64_t whole[3], cycles[3];

	(void)state;
	follow_in_pieces(j, UINT64_C(1) << 40, whole);
	for (unsigned k = 0; k < sizeof piece / sizeof *piece; k++) {
		follow_in_pieces(j, piece[k], cycles);
		for (unsigned n = 0; n < 3; n++)
			assert_int_equal(cycles[n], whole[n]);
	}
}

/* The second begins so many cycles after the first. */
static void run_both(struct job *j, uint64_t apart)
{
	gpu_clear_caches(d.gpu);
	prepare(&j[0], 0);
	prepare(&j[1], 1);
	begin(&j[0]);
	run_to(apart, UINT64_MAX / 2);
	begin(&j[1]);
	end_all(j, 2, UINT64_MAX / 2);
	check_results(&j[0]);
	check_results(&j[1]);
}

/* Both fill the GPU several times over. The later one gets half of the CUs, or with a higher priority, all. */
static void a_higher_priority_places_workgroups_first(void **state)
{
	struct job j[] = {job("many", 256, 160, 300, 1), job("many", 256, 64, 300, 2)};
	const uint64_t alone = run_alone(&j[1]);

	(void)state;
	run_both(j, 2000);
	const uint64_t equal = j[1].result.cycles;
	j[0].priority = 3;
	j[1].priority = 5;
	run_both(j, 2000);
	assert_true(j[1].result.cycles < alone * 3 / 2);
	assert_true(equal > alone * 17 / 10);
	j[0].priority = 7;
	run_both(j, 2000);
	assert_true(j[1].result.cycles > equal);
}

/* A launch of higher priority keeps no CU from others that it may not use. */
static void a_priority_holds_for_the_cus_of_the_mask(void **state)
{
	struct job j[] = {job("many", 256, 64, 300, 2), job("many", 256, 24, 300, 1)};
	const uint64_t alone = run_alone(&j[1]);

	(void)state;
	j[0].priority = 7;
	j[0].engines = 1;
	run_both(j, 1);
	assert_true(j[1].result.cycles < alone * 2);
	assert_true(j[1].result.cycles < j[0].result.cycles / 2);
}

static void launches_with_apart_masks_do_not_wait_for_each_other(void **state)
{
	struct job j[] = {job("many", 256, 30, 300, 1), job("many", 256, 30, 300, 2)};

	(void)state;
	j[0].engines = j[1].engines = 1;
	const uint64_t alone = run_alone(&j[0]);
	run_both(j, 1);
	assert_true(j[1].result.cycles > alone * 17 / 10);
	j[1].engines = 2;
	run_both(j, 1);
	assert_true(j[1].result.cycles < alone * 11 / 10);
}

static void an_abandoned_launch_makes_room(void **state)
{
	struct job stays = job("few", 128, 60, 900, 1), gone = job("many", 256, 5000, 4000, 2),
		   next = job("many", 256, 30, 100, 3);

	(void)state;
	prepare(&stays, 0);
	prepare(&gone, 1);
	prepare(&next, 2);
	begin(&stays);
	begin(&gone);
	run_to(3000, UINT64_MAX / 2);
	gpu_abandon_launch(d.gpu, &gone.result);
	assert_true(gpu_launch_has_ended(d.gpu, &gone.result));
	assert_false(gpu_launch_has_ended(d.gpu, &stays.result));
	assert_int_equal(gpu_end_launch(d.gpu, &gone.result), LAUNCH_STOPPED);
	assert_int_equal(gone.result.cycles, 3000);
	begin(&next);
	while (!gpu_launch_has_ended(d.gpu, &next.result) && !gpu_launch_has_ended(d.gpu, &stays.result))
		gpu_run_until(d.gpu, UINT64_MAX);
	if (gpu_launch_has_ended(d.gpu, &next.result)) {
		end_job(&next);
		end_job(&stays);
	} else {
		end_job(&stays);
		end_job(&next);
	}
	check_results(&stays);
	check_results(&next);
	run_alone(&next);
}

static void the_only_launch_can_be_abandoned(void **state)
{
	struct job gone = job("few", 128, 5000, 4000, 2), next = job("few", 128, 60, 100, 3);

	(void)state;
	prepare(&gone, 0);
	begin(&gone);
	run_to(3000, UINT64_MAX / 2);
	gpu_abandon_launch(d.gpu, &gone.result);
	assert_int_equal(gpu_end_launch(d.gpu, &gone.result), LAUNCH_STOPPED);
	run_alone(&next);
}

static void a_trap_ends_only_its_launch(void **state)
{
	struct job j[] = {job("few", 128, 400, 900, 1), job("traps", 64, 64, 10, 2)};

	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		prepare(&j[k], k);
		begin(&j[k]);
	}
	while (!gpu_run_until(d.gpu, UINT64_MAX))
		;
	assert_false(gpu_launch_has_ended(d.gpu, &j[0].result));
	assert_int_equal(gpu_end_launch(d.gpu, &j[1].result), LAUNCH_TRAP);
	assert_non_null(strstr(j[1].result.message, "trap"));
	end_job(&j[0]);
	check_results(&j[0]);
}

/* Of each, so many workgroups have scratch at a time. */
static void launches_that_are_short_of_scratch_end(void **state)
{
	struct job j[] = {job("deep", 128, 60, 90, 1), job("deep", 64, 90, 60, 2)};

	(void)state;
	j[0].private_bytes = j[1].private_bytes = 128;
	j[0].scratch_waves = 6;
	j[1].scratch_waves = 3;
	run_both(j, 500);
	const uint64_t cycles = j[1].result.cycles;
	run_both(j, 500);
	assert_int_equal(j[1].result.cycles, cycles);
}

/* Without timing, launches run together, too, and take no time. */
static void untimed_launches_run_together(void **state)
{
	struct job j[] = {job("few", 128, 90, 120, 1), job("wide", 64, 50, 20, 2)};

	(void)state;
	run_both(j, 0);
	assert_int_equal(j[0].result.ps + j[1].result.ps + gpu_reached_ps(d.gpu), 0);
}

static int open_untimed(void **state)
{
	(void)state;
	return open_device("mi25,compute_units=4,timing=0", HIP "gfx900");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_launch_joins_at_its_cycle, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(the_end_of_a_launch_is_exact, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(the_end_of_a_launch_is_exact, open_gfx11, close_device),
		cmocka_unit_test_setup_teardown(a_higher_priority_places_workgroups_first, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(a_priority_holds_for_the_cus_of_the_mask, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(
			launches_with_apart_masks_do_not_wait_for_each_other, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(an_abandoned_launch_makes_room, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(the_only_launch_can_be_abandoned, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(a_trap_ends_only_its_launch, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(launches_that_are_short_of_scratch_end, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(untimed_launches_run_together, open_untimed, close_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
