/* Launches that are resident together: waves of 32 and 64 lanes, of different kernels, share the CUs. */
#include "tests/softgpu/core/device.h"

#define HIP "-O3 -x hip -nogpuinc -nogpulib --offload-device-only --no-gpu-bundle-output --offload-arch="
enum { SECOND_VA = 1 << 30, ARGUMENTS = 32, LAUNCHES = 8 };

struct job {
	const char *kernel;
	uint32_t size, groups, trips, salt;
	uint32_t *out; /* at va */
	uint64_t va;
	const struct loaded_object *object;
	struct dispatch dispatch;
	struct launch_result result;
};

static struct device d;
static struct loaded_object wave64;

static int open_device(const char *model, const char *flags)
{
	device_open(&d, model, "resident.hip", flags);
	device_args(&d);
	return 0;
}

static int open_gfx9(void **state)
{
	(void)state;
	return open_device("mi25,compute_units=4", HIP "gfx900");
}

static int open_gfx11(void **state)
{
	char path[SCRATCH_PATH], why[256];

	(void)state;
	open_device("rx7900xtx", HIP "gfx1100");
	build("resident.hip", HIP "gfx1100 -mwavefrontsize64", path);
	assert_true(loaded_object_open(&wave64, d.gpu, path, CODE_VA + SECOND_VA, UINT64_C(3) << 36, why, sizeof why));
	return 0;
}

static int close_device(void **state)
{
	(void)state;
	if (wave64.gpu)
		loaded_object_close(&wave64);
	memset(&wave64, 0, sizeof wave64);
	device_close(&d);
	return 0;
}

static struct job job(const char *kernel, uint32_t size, uint32_t groups, uint32_t trips, uint32_t salt)
{
	return (struct job){.kernel = kernel, .size = size, .groups = groups, .trips = trips, .salt = salt};
}

static uint32_t mix(uint32_t x, uint32_t trips)
{
	while (trips--)
		x = (x ^ x >> 15) * 0x2c1b3c6d + 1;
	return x;
}

static uint32_t wanted(const struct job *j, uint32_t group, uint32_t t)
{
	const uint32_t x = mix(group * j->size + t + j->salt, j->trips);

	return !strcmp(j->kernel, "wide") ? x : mix(group * j->size + (t + 1) % j->size + j->salt, j->trips) - x;
}

static void check_results(const struct job *j)
{
	if (j->result.status != LAUNCH_OK)
		fail_msg("%s: %s", j->kernel, j->result.message);
	for (uint32_t k = 0; k < j->groups * j->size; k++)
		if (j->out[k] != wanted(j, k / j->size, k % j->size))
			fail_msg("%s: work-item %u has %u", j->kernel, k, j->out[k]);
}

/* Its buffer is the same each time, so that the times are, too. */
static void push_out(struct job *j)
{
	const uint64_t bytes = (uint64_t)(j->groups * j->size * 4 + 4095) & ~UINT64_C(4095);

	if (j->out) {
		memset(j->out, 0, bytes);
		push(&d, &j->va, 8);
		return;
	}
	j->va = d.next;
	j->out = push_buffer(&d, bytes, 0);
}

/* Sets the arguments of the number-th job. */
static void prepare(struct job *j, unsigned number)
{
	const struct loaded_object own = d.object;

	d.used = number * ARGUMENTS;
	push_out(j);
	push_int(&d, j->size);
	push_int(&d, j->trips);
	push_int(&d, j->salt);
	if (j->object)
		d.object = *j->object;
	j->dispatch = device_dispatch(&d, j->kernel, (const uint32_t[3]){j->groups * j->size, 1, 1},
		(const uint16_t[3]){(uint16_t)j->size, 1, 1}, 0);
	j->dispatch.kernarg += number * ARGUMENTS;
	d.object = own;
}

static uint64_t run_alone(struct job *j)
{
	gpu_clear_caches(d.gpu);
	prepare(j, 0);
	assert_int_equal(gpu_launch(d.gpu, &j->dispatch, &j->result), LAUNCH_OK);
	check_results(j);
	return j->result.cycles;
}

static bool has_open_job(const struct job *j, unsigned count)
{
	for (unsigned k = 0; k < count; k++)
		if (j[k].result.status == LAUNCH_OK && !j[k].result.cycles)
			return true;
	return false;
}

/* Begins each job when the ones before have run so many cycles, and ends each when it has ended. */
static void run_together(struct job *j, unsigned count, uint64_t apart)
{
	gpu_clear_caches(d.gpu);
	for (unsigned k = 0; k < count; k++)
		prepare(&j[k], k);
	for (unsigned k = 0; k < count; k++) {
		assert_true(gpu_begin_launch(d.gpu, &j[k].dispatch, &j[k].result));
		gpu_run_until(d.gpu, (k + 1) * apart);
	}
	while (has_open_job(j, count)) {
		gpu_run_until(d.gpu, UINT64_MAX);
		for (unsigned k = 0; k < count; k++)
			if (!j[k].result.cycles && gpu_launch_has_ended(d.gpu, &j[k].result))
				gpu_end_launch(d.gpu, &j[k].result);
	}
}

/* They overlap: each takes at least as long as alone, and together less than one after the other. */
static void check_together(struct job *j, unsigned count, uint64_t apart)
{
	uint64_t alone[LAUNCHES], sum = 0, cycles[LAUNCHES], last = 0;

	for (unsigned k = 0; k < count; k++)
		sum += alone[k] = run_alone(&j[k]);
	for (unsigned round = 0; round < 2; round++) {
		run_together(j, count, apart);
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
