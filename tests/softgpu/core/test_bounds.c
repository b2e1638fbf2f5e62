/* Buffers with bounded addresses end where they end, for every kind of access, timed, untimed and profiled. */
#include "tests/softgpu/core/device.h"

#include "softgpu/probe.h"
#include "tests/softgpu/core/each_variant.h"

enum { TRIPS = 20, LANE_COUNT = 64, SLOT = 5, REGION = 65536, START = 4096 /* of the buffer in the region */ };

static const struct access_kind {
	const char *kernel;
	unsigned bytes, access;
} kinds[] = {
	{"load_byte", 1, VM_READ},
	{"load_short", 2, VM_READ},
	{"load_half", 2, VM_READ},
	{"load_1", 4, VM_READ},
	{"load_base", 4, VM_READ},
	{"load_2", 8, VM_READ},
	{"load_4", 16, VM_READ},
	{"load_flat", 4, VM_READ},
	{"load_buffer", 4, VM_READ},
	{"store_byte", 1, VM_WRITE},
	{"store_short", 2, VM_WRITE},
	{"store_1", 4, VM_WRITE},
	{"store_base", 4, VM_WRITE},
	{"store_4", 16, VM_WRITE},
	{"store_flat", 8, VM_WRITE},
	{"store_buffer", 8, VM_WRITE},
	{"atomic_1", 4, VM_READ | VM_WRITE},
	{"atomic_2", 8, VM_READ | VM_WRITE},
};

static struct device d;
static uint8_t *region;

static void open_region(const char *model)
{
	device_open(&d, model, "bounds.s", ASSEMBLE);
	device_args(&d);
	region = (uint8_t *)push_buffer(&d, REGION, 0);
}

/* Sets the arguments: a buffer of `bytes` bytes in the slot, and from where in it the lanes of `exec` access it. */
static uint64_t bound_buffer(uint64_t bytes, int32_t offset, uint64_t exec)
{
	uint64_t address = gpu_bounded_address(SLOT, BUFFER_VA + START);

	gpu_unmap(d.gpu, address, REGION);
	assert_true(gpu_map_bounded(d.gpu, SLOT, BUFFER_VA + START, bytes));
	d.used = 0;
	push(&d, &address, 8);
	push_int(&d, (uint32_t)offset);
	push_int(&d, TRIPS);
	push(&d, &exec, 8);
	return address;
}

static void expect_out_of_bounds(
	const struct access_kind *k, uint64_t address, int64_t offset, uint32_t group, uint32_t item)
{
	assert_int_equal(d.out.status, LAUNCH_OUT_OF_BOUNDS);
	assert_int_equal(d.out.fault_va - address, offset);
	assert_int_equal(d.out.fault_bytes, k->bytes);
	assert_int_equal(d.out.fault_access, k->access);
	assert_int_equal(d.out.fault_group[0], group);
	assert_int_equal(d.out.fault_item[0], item);
	assert_true(d.out.pc_offset > 0 && d.out.pc_offset < 256);
	assert_non_null(strstr(d.out.message, "access outside of a buffer: "));
}

/* Launches three workgroups that access the same elements. */
static enum launch_status run_kind(const struct access_kind *k)
{
	return device_launch(&d, k->kernel, 3 * LANE_COUNT, LANE_COUNT);
}

static void check_kind(const struct access_kind *k)
{
	uint64_t all = (uint64_t)TRIPS * LANE_COUNT * k->bytes, address = bound_buffer(all, 0, UINT64_MAX);
	int32_t one = (int32_t)k->bytes;

	if (run_kind(k) != LAUNCH_OK)
		fail_msg("%s: %s", k->kernel, d.out.message);
	bound_buffer(all, one, UINT64_MAX);
	run_kind(k);
	expect_out_of_bounds(k, address, (int64_t)all, 0, LANE_COUNT - 1);
	bound_buffer(all - 1, 0, UINT64_MAX); /* the last byte is outside */
	run_kind(k);
	expect_out_of_bounds(k, address, (int64_t)all - one, 0, LANE_COUNT - 1);
	bound_buffer(all, -one, UINT64_MAX);
	run_kind(k);
	expect_out_of_bounds(k, address, -one, 0, 0);
	bound_buffer(16 * (uint64_t)k->bytes, 0, UINT64_MAX);
	run_kind(k);
	expect_out_of_bounds(k, address, 16 * one, 0, 16);
}

/* Only active lanes count. */
static void check_masked_kind(const struct access_kind *k)
{
	uint64_t bytes = 10 * (uint64_t)k->bytes, address = bound_buffer(bytes, 0, 0);

	assert_int_equal(run_kind(k), LAUNCH_OK);
	bytes = (TRIPS - 1) * (uint64_t)LANE_COUNT * k->bytes + 10 * k->bytes;
	bound_buffer(bytes, 0, 0x3ff);
	assert_int_equal(run_kind(k), LAUNCH_OK);
	bound_buffer(bytes, 0, 0xf000ff);
	run_kind(k);
	expect_out_of_bounds(k, address, (int64_t)bytes + 10 * k->bytes, 0, 20);
}

static void check_every_kind(void)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		check_kind(&kinds[i]);
		check_masked_kind(&kinds[i]);
	}
	printf("# %zu kinds of accesses\n", sizeof kinds / sizeof *kinds);
}

static void check_timed(void)
{
	open_region("mi25");
	check_every_kind();
	gpu_set_profiling(d.gpu, SOFTGPU_PROFILE_CYCLES | SOFTGPU_PROFILE_SETS);
	check_every_kind();
	device_close(&d);
	open_region("mi25,timing=0");
	check_every_kind();
	device_close(&d);
}

static void each_kind_of_access_ends_at_the_buffers_end(void **state)
{
	(void)state;
	each_variant(check_timed);
}

/* An out-of-bounds store leaves the neighbor as it was, even where both are on one page. */
static void a_neighbor_is_not_changed(void **state)
{
	(void)state;
	open_region("mi25");
	memset(region, 0x5a, REGION);
	bound_buffer(64, 0, UINT64_MAX);
	assert_true(gpu_map_bounded(d.gpu, SLOT + 1, BUFFER_VA + START + 64, 64));
	assert_int_equal(device_launch(&d, "store_1", 64, 64), LAUNCH_OUT_OF_BOUNDS);
	for (unsigned k = 0; k < REGION; k++)
		assert_true(region[k] == 0x5a || (k >= START && k < START + 64));
	device_close(&d);
}

/* Compilers read a byte or a short with the scalar load of a dword. */
static void scalar_accesses_end_with_a_dword(void **state)
{
	const struct access_kind load = {"scalar_load_1", 4, VM_READ}, load_4 = {"scalar_load_4", 16, VM_READ},
				 store = {"scalar_store_1", 4, VM_WRITE};

	(void)state;
	open_region("mi25");
	uint64_t address = bound_buffer(18, 16, UINT64_MAX);
	assert_int_equal(device_launch(&d, load.kernel, 64, 64), LAUNCH_OK);
	device_launch(&d, store.kernel, 64, 64);
	expect_out_of_bounds(&store, address, 16, 0, 0);
	bound_buffer(18, 20, UINT64_MAX);
	device_launch(&d, load.kernel, 64, 64);
	expect_out_of_bounds(&load, address, 20, 0, 0);
	bound_buffer(16, 0, UINT64_MAX);
	assert_int_equal(device_launch(&d, load_4.kernel, 64, 64), LAUNCH_OK);
	bound_buffer(16, 4, UINT64_MAX);
	device_launch(&d, load_4.kernel, 64, 64);
	expect_out_of_bounds(&load_4, address, 4, 0, 0);
	bound_buffer(16, -4, UINT64_MAX);
	device_launch(&d, load.kernel, 64, 64);
	expect_out_of_bounds(&load, address, -4, 0, 0);
	device_close(&d);
}

/* The first wave in the order of the launch is reported, not the first in time. */
static void the_first_wave_is_reported(void **state)
{
	(void)state;
	open_region("mi25");
	bound_buffer(40 * 4, 0, UINT64_MAX);
	device_launch_3d(&d, "load_1", (const uint32_t[3]){64, 1024, 1}, (const uint16_t[3]){8, 8, 1}, 0);
	assert_int_equal(d.out.status, LAUNCH_OUT_OF_BOUNDS);
	assert_int_equal(d.out.fault_group[0] + d.out.fault_group[1] + d.out.fault_group[2], 0);
	assert_int_equal(d.out.fault_item[0], 0);
	assert_int_equal(d.out.fault_item[1], 5);
	device_close(&d);
}

/* A kernel that loops on a value that it could not read still ends. */
static void a_launch_ends_soon_after_an_out_of_bounds_access(void **state)
{
	(void)state;
	for (int timing = 0; timing < 2; timing++) {
		open_region(timing ? "mi25" : "mi25,timing=0");
		bound_buffer(64, 64, UINT64_MAX);
		assert_int_equal(device_launch(&d, "spin", 64 * 2000, 64), LAUNCH_OUT_OF_BOUNDS);
		bound_buffer(1024, 0, UINT64_MAX); /* the device is usable */
		memset(region, 1, REGION);
		assert_int_equal(device_launch(&d, "spin", 64, 64), LAUNCH_OK);
		device_close(&d);
	}
}

static void slots_are_reused_and_cloned(void **state)
{
	const struct access_kind load = {"load_1", 4, VM_READ};

	(void)state;
	open_region("mi25");
	uint64_t address = bound_buffer(TRIPS * 256, 0, UINT64_MAX);
	assert_false(gpu_map_bounded(d.gpu, SLOT, BUFFER_VA, 64));              /* in use */
	assert_false(gpu_map_bounded(d.gpu, SLOT + 1, BUFFER_VA, REGION + 1));  /* not all of it is mapped */
	assert_false(gpu_map_bounded(d.gpu, GPU_BOUNDED_SLOTS, BUFFER_VA, 64)); /* no such slot */
	assert_true(gpu_bounded_slot_contains(SLOT, address - 1));
	assert_false(gpu_bounded_slot_contains(SLOT + 1, address));
	struct gpu *original = d.gpu, *twin = gpu_clone(d.gpu);
	assert_non_null(twin);
	d.gpu = twin;
	assert_int_equal(device_launch(&d, "load_1", 64, 64), LAUNCH_OK);
	memcpy(d.kernarg + 8, &(int32_t){4}, 4);
	device_launch(&d, "load_1", 64, 64);
	expect_out_of_bounds(&load, address, TRIPS * 256, 0, 63);
	gpu_close(twin);
	d.gpu = original;
	gpu_unmap(d.gpu, address, TRIPS * 256);
	assert_int_equal(device_launch(&d, "load_1", 64, 64), LAUNCH_MEMORY_FAULT); /* nothing is in the slot */
	device_close(&d);
}

/* Cycles and counters are those of the buffer's own address. */
static void cycles_do_not_change(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const struct access_kind *k = &kinds[i];
		uint64_t own = BUFFER_VA + START;
		open_region("mi25");
		bound_buffer((uint64_t)TRIPS * LANE_COUNT * k->bytes, 0, UINT64_MAX);
		assert_int_equal(run_kind(k), LAUNCH_OK);
		uint64_t cycles = d.out.cycles, hits = device_counter(&d, "TCC_HIT_sum");
		device_close(&d);
		open_region("mi25");
		bound_buffer(REGION / 2, 0, UINT64_MAX);
		memcpy(d.kernarg, &own, 8);
		assert_int_equal(run_kind(k), LAUNCH_OK);
		assert_int_equal(d.out.cycles, cycles);
		assert_int_equal(device_counter(&d, "TCC_HIT_sum"), hits);
		device_close(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_access_ends_at_the_buffers_end),
		cmocka_unit_test(a_neighbor_is_not_changed),
		cmocka_unit_test(scalar_accesses_end_with_a_dword),
		cmocka_unit_test(the_first_wave_is_reported),
		cmocka_unit_test(a_launch_ends_soon_after_an_out_of_bounds_access),
		cmocka_unit_test(slots_are_reused_and_cloned),
		cmocka_unit_test(cycles_do_not_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
