/* Global wave sync: barriers and semaphores of waves on different CUs. */
#include "softgpu/probe.h"
#include "tests/softgpu/core/device.h"

#define ASSEMBLE_GFX11 "-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx1100"

enum { GROUPS = 100, ROUNDS = 5, ERRORS = 256 /* dword of the buffer */, RESOURCE = 3 };

static struct device d;
static struct gws_resources gws;
static uint32_t *buffer;

static void open_model(const char *model)
{
	device_open(&d, model, "global_wave_sync.s", strstr(model, "rx7900xtx") ? ASSEMBLE_GFX11 : ASSEMBLE);
	memset(&gws, 0, sizeof gws);
}

/* Buffer, workgroups - 1, and how often: rounds or releases. */
static struct dispatch prepare(const char *kernel, uint32_t groups, uint32_t times)
{
	device_args(&d);
	buffer = push_buffer(&d, 65536, 0);
	push_int(&d, groups - 1);
	push_int(&d, times);
	struct dispatch p =
		device_dispatch(&d, kernel, (const uint32_t[3]){groups * 64, 1, 1}, (const uint16_t[3]){64, 1, 1}, 0);
	p.gws = &gws;
	return p;
}

static enum launch_status run(const char *kernel, uint32_t groups, uint32_t times)
{
	struct dispatch p = prepare(kernel, groups, times);

	return gpu_launch(d.gpu, &p, &d.out);
}

/* --- barriers --- */
static void check_rounds(void)
{
	for (uint32_t k = 0; k < GROUPS; k++) {
		assert_int_equal(buffer[k], ROUNDS);
		assert_int_equal(buffer[ERRORS + k], 0);
	}
	assert_int_equal(gws.counter[RESOURCE], GROUPS - 1); /* ready for the next barrier */
}

static uint64_t rounds_on(const char *model)
{
	open_model(model);
	gws.counter[RESOURCE] = GROUPS - 1;
	assert_int_equal(run("rounds", GROUPS, ROUNDS), LAUNCH_OK);
	check_rounds();
	device_close(&d);
	return d.out.cycles;
}

static void a_barrier_holds_all_workgroups(void **state)
{
	(void)state;
	rounds_on("mi25,timing=0");
	rounds_on("rx7900xtx");
	rounds_on("rx7900xtx,timing=0");
}

/* A further cycle of latency costs a cycle at each of the barriers. Memory, which has refreshes, may shift a little. */
static void each_barrier_costs_the_latency(void **state)
{
	uint64_t cycles = rounds_on("mi25");

	(void)state;
	assert_int_equal(rounds_on("mi25"), cycles);
	within((double)(rounds_on("mi25,gws_latency=1313") - cycles), 2 * ROUNDS * 1000, 2 * ROUNDS * 1000 + 10);
}

static void pauses_do_not_move_a_barrier(void **state)
{
	uint64_t cycles = rounds_on("mi25"), until = 0;

	(void)state;
	open_model("mi25");
	gws.counter[RESOURCE] = GROUPS - 1;
	struct dispatch p = prepare("rounds", GROUPS, ROUNDS);
	gpu_begin_launch(d.gpu, &p, &d.out);
	while (!gpu_run_until(d.gpu, until += 37))
		;
	assert_int_equal(gpu_end_launch(d.gpu, &d.out), LAUNCH_OK);
	assert_int_equal(d.out.cycles, cycles);
	check_rounds();
	device_close(&d);
}

static void the_profile_counts_all_cycles(void **state)
{
	struct softgpu_cycles account[SOFTGPU_STALL_REASONS];
	uint64_t cycles = rounds_on("mi25"), sum = 0;

	(void)state;
	open_model("mi25");
	gws.counter[RESOURCE] = GROUPS - 1;
	gpu_set_profiling(d.gpu, SOFTGPU_PROFILE_CYCLES);
	assert_int_equal(run("rounds", GROUPS, ROUNDS), LAUNCH_OK);
	assert_int_equal(d.out.cycles, cycles);
	assert_int_equal(gpu_read_breakdown(d.gpu, account, SOFTGPU_STALL_REASONS), SOFTGPU_STALL_REASONS);
	for (unsigned k = 0; k < SOFTGPU_STALL_REASONS; k++)
		sum += account[k].cycles;
	assert_int_equal(sum, cycles);
	assert_true(account[SOFTGPU_BARRIER].cycles >= 2 * ROUNDS * (uint64_t)(gpu_model(d.gpu)->gws_latency - 4));
	device_close(&d);
}

static void init_takes_the_first_active_lane(void **state)
{
	static const char *const models[] = {"mi25", "mi25,timing=0", "rx7900xtx"};

	(void)state;
	for (unsigned k = 0; k < sizeof models / sizeof *models; k++) {
		open_model(models[k]);
		assert_int_equal(run("init", 1, 1), LAUNCH_OK);
		for (unsigned r = 0; r < GWS_RESOURCES; r++) /* 62 + 5 is resource 3 */
			assert_int_equal(gws.counter[r], r == RESOURCE ? 4 : 0);
		device_close(&d);
	}
}

/* --- semaphores --- */
static void release_with(const char *model, const char *kernel, uint32_t times)
{
	open_model(model);
	assert_int_equal(run(kernel, GROUPS, times), LAUNCH_OK);
	for (uint32_t k = 0; k < GROUPS; k++)
		assert_int_equal(buffer[k], 7);
	assert_int_equal(gws.counter[0], 0);
	device_close(&d);
}

static void semaphores_release_waves(void **state)
{
	(void)state;
	release_with("mi25", "sema_v", GROUPS - 1);
	release_with("mi25,timing=0", "sema_v", GROUPS - 1);
	release_with("rx7900xtx", "sema_v", GROUPS - 1);
	release_with("mi25", "sema_br", 1);
	release_with("rx7900xtx", "sema_br", 1);
	release_with("mi25", "sema_release_all", 1);
	release_with("rx7900xtx", "sema_release_all", 1);
}

/* --- errors --- */
static void stops_with(enum launch_status status, const char *words)
{
	if (d.out.status != status || !strstr(d.out.message, words))
		fail_msg("status %d: %s", d.out.status, d.out.message);
	device_close(&d);
}

static void a_deadlock_is_reported(void **state)
{
	(void)state;
	open_model("mi25");
	gws.counter[RESOURCE] = GROUPS; /* one too many */
	run("rounds", GROUPS, ROUNDS);
	stops_with(LAUNCH_TRAP, "deadlock: 100 waves wait for global wave sync and none is left");
	open_model("mi25,compute_units=4");
	gws.counter[RESOURCE] = 199;
	run("rounds", 200, ROUNDS);
	stops_with(LAUNCH_TRAP, "deadlock: 160 waves wait for the whole grid, but 160 of its 200 workgroups fit");
	open_model("mi25,timing=0,compute_units=4");
	gws.counter[RESOURCE] = 199;
	run("rounds", 200, ROUNDS);
	stops_with(LAUNCH_TRAP, "deadlock: 160 waves");
}

static void a_queue_without_resources_is_refused(void **state)
{
	(void)state;
	open_model("mi25");
	struct dispatch p = prepare("rounds", 1, 1);
	p.gws = NULL;
	gpu_launch(d.gpu, &p, &d.out);
	stops_with(LAUNCH_ILLEGAL, "hipLaunchCooperativeKernel");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_barrier_holds_all_workgroups),
		cmocka_unit_test(each_barrier_costs_the_latency),
		cmocka_unit_test(pauses_do_not_move_a_barrier),
		cmocka_unit_test(the_profile_counts_all_cycles),
		cmocka_unit_test(init_takes_the_first_active_lane),
		cmocka_unit_test(semaphores_release_waves),
		cmocka_unit_test(a_deadlock_is_reported),
		cmocka_unit_test(a_queue_without_resources_is_refused),
	};

	return cmocka_run_group_tests_name("global wave sync", tests, NULL, NULL);
}
