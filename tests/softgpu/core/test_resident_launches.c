/* Launches that are resident together: waves of 32 and 64 lanes, of different kernels, share the CUs. */
#include "tests/softgpu/core/resident_jobs.h"

/* What is counted while launches overlap is added once. */
static void check_added(const struct job *j, unsigned count, uint64_t waves, uint64_t instructions)
{
	for (unsigned k = 0; k < count; k++) {
		waves -= j[k].result.added_waves;
		instructions -= j[k].result.added_instructions;
	}
	assert_int_equal(waves, 0);
	assert_int_equal(instructions, 0);
}

/* They overlap: each takes at least as long as alone, and together less than one after the other. */
static void check_together(struct job *j, unsigned count, uint64_t apart)
{
	uint64_t alone[LAUNCHES], sum = 0, cycles[LAUNCHES], last = 0, waves = 0, instructions = 0;

	for (unsigned k = 0; k < count; k++) {
		sum += alone[k] = run_alone(&j[k]);
		waves += j[k].result.waves;
		instructions += j[k].result.instructions;
	}
	for (unsigned round = 0; round < 2; round++) {
		run_together(j, count, apart);
		check_added(j, count, waves, instructions);
		for (unsigned k = 0; k < count; k++) {
			check_results(&j[k]);
			assert_true(j[k].result.cycles >= alone[k] * 9 / 10);
			if (round)
				assert_int_equal(j[k].result.cycles, cycles[k]);
			cycles[k] = j[k].result.cycles;
			last = cycles[k] + k * apart > last ? cycles[k] + k * apart : last;
		}
	}
	assert_true(last < sum);
}

static void waves_of_32_and_64_lanes_share_the_cus(void **state)
{
	struct job j[] = {job("few", 256, 600, 300, 1), job("few", 64, 900, 200, 2)};

	(void)state;
	j[0].object = &wave64;
	check_together(j, 2, 5000);
}

static void cu_mode_and_full_lds_stay_apart(void **state)
{
	struct job j[] = {job("many", 256, 400, 100, 5), job("many", 128, 300, 150, 6), job("wide", 64, 500, 80, 7)};

	(void)state;
	j[1].object = &wave64;
	check_together(j, 3, 3000);
}

static void different_registers_and_lds_share_a_cu(void **state)
{
	struct job j[] = {job("many", 256, 60, 200, 1), job("wide", 64, 200, 150, 2), job("few", 192, 100, 100, 3)};

	(void)state;
	check_together(j, 3, 1000);
}

/* Alone, the workgroups of each have all the LDS, or all the registers. So one launch has to wait for the other. */
static void registers_and_lds_of_a_cu_are_shared(void **state)
{
	struct job lds[] = {job("many", 64, 64, 300, 1), job("many", 64, 64, 300, 2)},
		   registers[] = {job("wide", 64, 128, 300, 3), job("wide", 64, 128, 300, 4)},
		   *each[] = {lds, registers};

	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		const uint64_t alone = run_alone(&each[k][0]);
		run_together(each[k], 2, 1);
		check_results(&each[k][0]);
		check_results(&each[k][1]);
		assert_true(each[k][1].result.cycles > alone * 9 / 5);
	}
}

static void launches_of_one_kernel_keep_their_results(void **state)
{
	struct job j[] = {job("few", 128, 90, 120, 1), job("few", 256, 50, 90, 1000)};

	(void)state;
	check_together(j, 2, 700);
}

static void eight_launches_are_resident_at_most(void **state)
{
	struct job j[LAUNCHES + 1];

	(void)state;
	for (unsigned k = 0; k <= LAUNCHES; k++) {
		j[k] = job(k % 2 ? "wide" : "few", 64 + 64 * (k % 3), 30 + k, 50 + 10 * k, k);
		prepare(&j[k], k);
	}
	for (unsigned k = 0; k < LAUNCHES; k++)
		assert_true(gpu_begin_launch(d.gpu, &j[k].dispatch, &j[k].result));
	assert_false(gpu_begin_launch(d.gpu, &j[LAUNCHES].dispatch, &j[LAUNCHES].result));
	for (unsigned k = 0; k < LAUNCHES; k++) {
		while (!gpu_launch_has_ended(d.gpu, &j[k].result)) {
			gpu_run_until(d.gpu, UINT64_MAX);
			for (unsigned e = 0; e < k; e++)
				assert_true(gpu_launch_has_ended(d.gpu, &j[e].result));
			for (unsigned e = k + 1; e < LAUNCHES; e++)
				if (gpu_launch_has_ended(d.gpu, &j[e].result) && j[e].result.cycles == 0)
					gpu_end_launch(d.gpu, &j[e].result);
		}
		if (!j[k].result.cycles)
			gpu_end_launch(d.gpu, &j[k].result);
		check_results(&j[k]);
	}
	run_alone(&j[LAUNCHES]);
}

static void an_error_of_one_ends_the_others(void **state)
{
	struct job j[] = {job("few", 128, 5000, 4000, 1), job("faults", 64, 64, 10, 2)};

	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		prepare(&j[k], k);
		assert_true(gpu_begin_launch(d.gpu, &j[k].dispatch, &j[k].result));
	}
	while (!gpu_run_until(d.gpu, UINT64_MAX))
		;
	assert_int_equal(gpu_end_launch(d.gpu, &j[0].result), LAUNCH_STOPPED);
	assert_non_null(strstr(j[0].result.message, "another kernel"));
	assert_int_equal(gpu_end_launch(d.gpu, &j[1].result), LAUNCH_MEMORY_FAULT);
	assert_int_equal(j[1].result.fault_va / 4096, 0);
	struct job after = job("few", 64, 20, 20, 3);
	run_alone(&after);
}

static void a_rejected_launch_disturbs_no_other(void **state)
{
	struct job j[] = {job("few", 128, 90, 120, 1), job("few", 128, 90, 120, 1)};

	(void)state;
	for (unsigned k = 0; k < 2; k++)
		prepare(&j[k], k);
	j[1].dispatch.grid[0] = 0;
	for (unsigned k = 0; k < 2; k++)
		assert_true(gpu_begin_launch(d.gpu, &j[k].dispatch, &j[k].result));
	assert_true(gpu_launch_has_ended(d.gpu, &j[1].result));
	assert_int_equal(gpu_end_launch(d.gpu, &j[1].result), LAUNCH_BAD_PACKET);
	while (!gpu_run_until(d.gpu, UINT64_MAX))
		;
	assert_int_equal(gpu_end_launch(d.gpu, &j[0].result), LAUNCH_OK);
	check_results(&j[0]);
}

/* The multiplier of mix() in the code. */
static void replace_constant(uint32_t from, uint32_t to)
{
	unsigned found = 0;

	for (uint64_t k = 0; k + 4 <= d.object.size; k += 4)
		if (!memcmp(d.object.host + k, &from, 4)) {
			memcpy(d.object.host + k, &to, 4);
			found++;
		}
	assert_true(found > 0);
}

static void resident_waves_keep_code_that_changes(void **state)
{
	struct job first = job("few", 128, 8, 900, 1), second = job("wide", 64, 20, 1, 2);

	(void)state;
	prepare(&first, 0);
	prepare(&second, 1);
	assert_true(gpu_begin_launch(d.gpu, &first.dispatch, &first.result));
	assert_false(gpu_run_until(d.gpu, 4000));
	replace_constant(0x2c1b3c6d, 0x11111111);
	assert_true(gpu_begin_launch(d.gpu, &second.dispatch, &second.result));
	while (!gpu_launch_has_ended(d.gpu, &second.result))
		gpu_run_until(d.gpu, UINT64_MAX);
	assert_int_equal(gpu_end_launch(d.gpu, &second.result), LAUNCH_OK);
	for (uint32_t k = 0; k < 20 * 64; k++)
		assert_int_equal(second.out[k], ((k + 2) ^ (k + 2) >> 15) * 0x11111111u + 1);
	while (!gpu_run_until(d.gpu, UINT64_MAX))
		;
	assert_int_equal(gpu_end_launch(d.gpu, &first.result), LAUNCH_OK);
	check_results(&first);
	replace_constant(0x11111111, 0x2c1b3c6d);
	run_alone(&second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(different_registers_and_lds_share_a_cu, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(registers_and_lds_of_a_cu_are_shared, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(launches_of_one_kernel_keep_their_results, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(eight_launches_are_resident_at_most, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(an_error_of_one_ends_the_others, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(a_rejected_launch_disturbs_no_other, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(resident_waves_keep_code_that_changes, open_gfx9, close_device),
		cmocka_unit_test_setup_teardown(waves_of_32_and_64_lanes_share_the_cus, open_gfx11, close_device),
		cmocka_unit_test_setup_teardown(cu_mode_and_full_lds_stay_apart, open_gfx11, close_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
