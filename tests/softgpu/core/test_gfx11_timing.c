/* When instructions of gfx11 issue: the wait for results in line, and for registers of one bank (gfx11_timing.s). The
 * cycles are those of the model's constants. */
#include "tests/softgpu/core/device.h"

#include "softgpu/probe.h"

#define ASSEMBLE_GFX11 "-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx1100"
enum { BODY = 120, TRIPS = 64 };

static struct device wave32, wave64;

static int open_devices(void **state)
{
	(void)state;
	device_open(&wave32, "rx7900xtx", "gfx11_timing.s", ASSEMBLE_GFX11);
	device_open(&wave64, "rx7900xtx", "gfx11_timing.s", ASSEMBLE_GFX11 " -mwavefrontsize64 -Wa,-defsym,WAVE64=1");
	return 0;
}

static int close_devices(void **state)
{
	(void)state;
	device_close(&wave32);
	device_close(&wave64);
	return 0;
}

static uint64_t launch_loop(struct device *d, const char *kernel, uint32_t trips, uint32_t items)
{
	device_args(d);
	push_int(d, trips);
	if (device_launch(d, kernel, items, items) != LAUNCH_OK)
		fail_msg("%s: %s", kernel, d->out.message);
	return d->out.cycles;
}

/* Cycles of a trip through the loop, without what comes before it. */
static double trip_cycles(struct device *d, const char *kernel, uint32_t items)
{
	launch_loop(d, kernel, 1, items); /* its code comes into the instruction cache */
	return (launch_loop(d, kernel, 2 * TRIPS, items) - (double)launch_loop(d, kernel, TRIPS, items)) / TRIPS;
}

/* Cycles of an instruction of the body, in `waves` waves. */
static double body_cycles(struct device *d, const char *kernel, uint32_t waves)
{
	const uint32_t items = waves * (d == &wave64 ? 64 : 32);

	return (trip_cycles(d, kernel, items) - trip_cycles(d, "empty", items)) / BODY;
}

static void results_are_ready_after_their_latency(void **state)
{
	(void)state;
	within(body_cycles(&wave32, "chain_add", 1), 4.9, 5.05);
	within(body_cycles(&wave32, "four_chains", 1), 1.24, 1.27);
	within(body_cycles(&wave32, "five_chains", 1), 0.99, 1.02);
	within(body_cycles(&wave32, "chain_mul_int", 1), 7.9, 8.05);
	within(body_cycles(&wave32, "chain_rcp", 1), 9.9, 10.05);
	within(body_cycles(&wave32, "chain_fma_f64", 1), 37.5, 38.1);
	within(body_cycles(&wave32, "chain_scalar", 1), 1.9, 2.05);
}

/* Four waves, one on each SIMD, take as long as one; other waves of a SIMD issue while one waits. */
static void other_waves_issue_while_one_waits(void **state)
{
	(void)state;
	within(body_cycles(&wave32, "chain_add", 4), 4.9, 5.05);
	within(body_cycles(&wave32, "chain_add", 16), 4.9, 5.1);
	within(body_cycles(&wave32, "single_xor", 16), 3.9, 4.1);
}

static void a_dual_instruction_waits_for_registers_of_one_bank(void **state)
{
	(void)state;
	within(body_cycles(&wave32, "dual", 1), 0.99, 1.1);
	within(body_cycles(&wave32, "dual_conflict", 1), 1.95, 2.05);
	within(body_cycles(&wave32, "dual_kept", 1), 0.99, 1.05);
	within(body_cycles(&wave32, "alone", 1), 0.99, 1.1);
}

/* A wave of 64 lanes issues an operation that VOPD has in one pass, others in two. */
static void waves_of_64_lanes_take_two_passes(void **state)
{
	(void)state;
	within(body_cycles(&wave64, "single_xor", 1), 1.95, 2.05);
	within(body_cycles(&wave64, "single_fmac", 1), 0.99, 1.05);
}

/* Bytes a cycle that a WGP reads from LDS. Every WGP has four workgroups of four waves, which read 16 * 32 bytes. */
static double lds_bytes_per_cycle(const char *kernel)
{
	enum { WGPS = 48, GROUPS = 4 * WGPS, ITEMS = 128, LOADS = 16, LOAD_BYTES = 16 };
	double cycles[2];

	for (uint32_t k = 0; k < 3; k++) { /* the first brings the code into the instruction cache */
		device_args(&wave32);
		push_int(&wave32, (k + !k) * TRIPS);
		assert_int_equal(device_launch(&wave32, kernel, GROUPS * ITEMS, ITEMS), LAUNCH_OK);
		cycles[k / 2] = (double)wave32.out.cycles;
	}
	return (double)(GROUPS / WGPS * ITEMS) * LOADS * LOAD_BYTES * TRIPS / (cycles[1] - cycles[0]);
}

/* Chips and Cheese measured more than 128 bytes on RDNA 2 in WGP mode, and significantly more in CU mode. Waves that do
 * nothing but read, as here, soon take turns and lose less than others. */
static void cus_wait_for_each_other_at_lds_in_wgp_mode(void **state)
{
	(void)state;
	within(lds_bytes_per_cycle("lds_cu_mode"), 250, 256);
	within(lds_bytes_per_cycle("lds_wgp_mode"), 130, 240);
}

static uint64_t stall_cycles(const char *kernel, const char *reason)
{
	struct softgpu_cycles account[SOFTGPU_STALL_REASONS];

	gpu_set_profiling(wave32.gpu, SOFTGPU_PROFILE_CYCLES);
	launch_loop(&wave32, kernel, TRIPS, 32);
	const size_t n = gpu_read_breakdown(wave32.gpu, account, SOFTGPU_STALL_REASONS);
	gpu_set_profiling(wave32.gpu, 0);
	for (size_t k = 0; k < n; k++)
		if (!strcmp(account[k].name, reason))
			return account[k].cycles;
	fail_msg("no reason %s", reason);
	return 0;
}

static void the_account_names_the_reasons(void **state)
{
	(void)state;
	within(stall_cycles("chain_add", "CYCLES_DEPENDENCY") / (double)(4 * BODY * TRIPS), 0.98, 1.02);
	within(stall_cycles("dual_conflict", "CYCLES_VGPR_BANK") / (double)(BODY * TRIPS), 0.98, 1.02);
	within(stall_cycles("five_chains", "CYCLES_VGPR_BANK"), 0, 0);
}

/* The first launches of a kernel decode its code and compile it to host code; results may not depend on that. */
static void profiled_and_repeated_launches_take_the_same_time(void **state)
{
	static const char *const kernels[] = {"chain_add", "four_chains", "five_chains", "dual_conflict", "dual"};

	(void)state;
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
		launch_loop(&wave32, kernels[k], 1, 512);
		const uint64_t first = launch_loop(&wave32, kernels[k], TRIPS, 512);
		assert_int_equal(launch_loop(&wave32, kernels[k], TRIPS, 512), first);
		gpu_set_profiling(wave32.gpu, SOFTGPU_PROFILE_CYCLES);
		assert_int_equal(launch_loop(&wave32, kernels[k], TRIPS, 512), first);
		gpu_set_profiling(wave32.gpu, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_are_ready_after_their_latency),
		cmocka_unit_test(other_waves_issue_while_one_waits),
		cmocka_unit_test(a_dual_instruction_waits_for_registers_of_one_bank),
		cmocka_unit_test(waves_of_64_lanes_take_two_passes),
		cmocka_unit_test(cus_wait_for_each_other_at_lds_in_wgp_mode),
		cmocka_unit_test(the_account_names_the_reasons),
		cmocka_unit_test(profiled_and_repeated_launches_take_the_same_time),
	};
	return cmocka_run_group_tests(tests, open_devices, close_devices);
}
