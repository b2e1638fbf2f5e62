/* Cycles and counts of instructions that no published row covers. */
#include "tests/softgpu/core/device.h"

#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/probe.h"

enum { EACH = 16 /* of a trip */, TRIPS = 8, LOOP = 33 /* cycles of subtract, compare and branch */ };

static struct device d;
static uint32_t *buffer;

static int open_device(void **state)
{
	(void)state;
	device_open(&d, "mi25", "costs.s", ASSEMBLE);
	return 0;
}

static int close_device(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

static uint64_t launch_block(const char *kernel, uint32_t trips, uint32_t block)
{
	device_args(&d);
	buffer = push_buffer(&d, 4096, 0);
	push_int(&d, trips);
	assert_int_equal(device_launch(&d, kernel, block, block), LAUNCH_OK);
	return d.out.cycles;
}

static uint64_t launch(const char *kernel, uint32_t trips)
{
	return launch_block(kernel, trips, 64);
}

/* Cycles of one instruction of the loop with its wait, in the second launch, when the code is cached. */
static double cost(const char *kernel)
{
	launch(kernel, 1);
	uint64_t first = launch(kernel, TRIPS), both = launch(kernel, 2 * TRIPS);

	return ((double)(both - first) / TRIPS - LOOP) / EACH;
}

static void same(double a, double b)
{
	if (a - b > 0.01 || b - a > 0.01)
		fail_msg("%.2f is not %.2f", a, b);
}

/* LDS takes as long by a flat address as by a DS instruction: latency, conflicts and their counter. */
static void a_flat_access_to_lds_costs_the_same(void **state)
{
	(void)state;
	same(cost("flat_linear"), cost("ds_linear"));
	assert_int_equal(device_counter(&d, "SQ_LDS_BANK_CONFLICT"), 0);
	same(cost("flat_bank"), cost("ds_bank"));
	launch("flat_bank", TRIPS);
	assert_int_equal(device_counter(&d, "SQ_LDS_BANK_CONFLICT"), TRIPS * EACH * 62);
	launch("flat_add", TRIPS);
	assert_int_equal(device_counter(&d, "SQ_LDS_BANK_CONFLICT"), TRIPS * EACH * 62);
	assert_int_equal(device_counter(&d, "TCC_ATOMIC_sum"), 0);
}

/* Cycles of LDS for lanes `stride` bytes apart. */
static uint32_t bank_cycles(uint64_t lanes, uint32_t stride, unsigned dwords, bool atomic)
{
	uint32_t at[64], conflict;

	for (uint32_t lane = 0; lane < 64; lane++)
		at[lane] = lane * stride;
	return lds_bank_cycles(gpu_model(d.gpu), at, lanes, dwords, atomic, &conflict);
}

/* 32 lanes are served together, 16 of an access of two dwords, 8 of a wider one. */
static void lds_serves_lanes_in_groups(void **state)
{
	(void)state;
	assert_int_equal(bank_cycles(UINT64_MAX, 4, 1, false), 2);
	assert_int_equal(bank_cycles(UINT64_MAX, 8, 2, false), 4);
	assert_int_equal(bank_cycles(UINT64_MAX, 12, 3, false), 8);
	assert_int_equal(bank_cycles(UINT64_MAX, 16, 4, false), 8);
	assert_int_equal(bank_cycles(UINT32_MAX, 4, 1, false), 1);
	assert_int_equal(bank_cycles(UINT64_MAX, 32 * 4, 1, false), 64); /* all on one bank */
	assert_int_equal(bank_cycles(UINT64_MAX, 0, 1, false), 2);       /* one word */
	assert_int_equal(bank_cycles(UINT64_MAX, 0, 1, true), 64);
}

/* Profiling does not change the cycles and accounts for all of them, including bank conflicts. */
static void the_breakdown_of_flat_lds_accesses_is_complete(void **state)
{
	struct softgpu_cycles account[SOFTGPU_STALL_REASONS];
	uint64_t sum = 0;

	(void)state;
	launch("flat_bank", TRIPS);
	uint64_t cycles = launch("flat_bank", TRIPS);
	gpu_set_profiling(d.gpu, SOFTGPU_PROFILE_CYCLES);
	assert_int_equal(launch("flat_bank", TRIPS), cycles);
	assert_int_equal(gpu_read_breakdown(d.gpu, account, SOFTGPU_STALL_REASONS), SOFTGPU_STALL_REASONS);
	gpu_set_profiling(d.gpu, 0);
	for (unsigned k = 0; k < SOFTGPU_STALL_REASONS; k++)
		sum += account[k].cycles;
	assert_int_equal(sum, cycles);
	assert_int_equal(account[SOFTGPU_LDS_CONFLICT].cycles, TRIPS * EACH * 62);
}

static void s_sleep_takes_64_cycles_per_unit(void **state)
{
	(void)state;
	same(cost("sleep_0"), gpu_model(d.gpu)->salu_cycles);
	same(cost("sleep_1"), 64);
}

static void a_scalar_store_can_touch_two_lines(void **state)
{
	(void)state;
	launch("scalar_store", TRIPS);
	assert_int_equal(buffer[0x38 / 4], 1);
	assert_int_equal(device_counter(&d, "TCC_WRITE_sum"), TRIPS * EACH * 2);
}

/* Each line is written to memory once. */
static void atomics_count_as_writes(void **state)
{
	enum { BLOCK = 1024, LINES = BLOCK * 4 / 64 };

	(void)state;
	for (unsigned again = 0; again < 2; again++) {
		launch_block("atomic_add", TRIPS, BLOCK);
		assert_int_equal(device_counter(&d, "TCC_ATOMIC_sum"), TRIPS * EACH * LINES);
		assert_int_equal(device_counter(&d, "WRITE_SIZE"), BLOCK * 4 / 1024);
	}
}

/* Two waves, which leave the barrier barrier_cycles after the last one has reached it. */
static double barrier_cost(const char *model)
{
	struct device other;
	uint64_t cycles[2];

	device_open(&other, model, "costs.s", ASSEMBLE);
	for (unsigned n = 0; n < 4; n++) { /* the first two load the code */
		device_args(&other);
		push_buffer(&other, 4096, 0);
		push_int(&other, n % 2 ? 2 * TRIPS : TRIPS);
		assert_int_equal(device_launch(&other, "barriers", 128, 128), LAUNCH_OK);
		cycles[n % 2] = other.out.cycles;
	}
	device_close(&other);
	return ((double)(cycles[1] - cycles[0]) / TRIPS - LOOP) / EACH;
}

static void a_barrier_takes_the_constant(void **state)
{
	(void)state;
	same(barrier_cost("mi25,barrier_cycles=104") - barrier_cost("mi25"), 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flat_access_to_lds_costs_the_same),
		cmocka_unit_test(lds_serves_lanes_in_groups),
		cmocka_unit_test(the_breakdown_of_flat_lds_accesses_is_complete),
		cmocka_unit_test(s_sleep_takes_64_cycles_per_unit),
		cmocka_unit_test(a_scalar_store_can_touch_two_lines),
		cmocka_unit_test(atomics_count_as_writes),
		cmocka_unit_test(a_barrier_takes_the_constant),
	};
	return cmocka_run_group_tests(tests, open_device, close_device);
}
