/* Wave behavior: faults, illegal instructions, divergence, modifiers, lane exchange, LDS bounds, stopping. */
#include "tests/softgpu/core/device.h"

#include <pthread.h>

static struct device d;
static uint32_t *buffer;

static int open_device(void **state)
{
	(void)state;
	device_open(&d, "mi25", "behaviour.s", ASSEMBLE);
	device_args(&d);
	buffer = push_buffer(&d, 4096, 0);
	return 0;
}

static int close_device(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

static const uint32_t *lanes(const char *kernel)
{
	assert_int_equal(device_launch(&d, kernel, 64, 64), LAUNCH_OK);
	return buffer;
}

static void an_illegal_instruction_stops_the_launch(void **state)
{
	(void)state;
	assert_int_equal(device_launch(&d, "illegal", 64, 64), LAUNCH_ILLEGAL);
	assert_non_null(strstr(d.out.message, "c4000000"));
	assert_int_equal(d.out.instructions, 2);
	assert_int_equal(device_launch(&d, "image", 64, 64), LAUNCH_ILLEGAL);
	assert_non_null(strstr(d.out.message, "image_get_lod, an image instruction of graphics"));
	assert_int_equal(device_launch(&d, "trap", 64, 64), LAUNCH_TRAP);
	assert_int_equal(device_launch(&d, "jump_away", 64, 64), LAUNCH_MEMORY_FAULT);
	assert_int_equal(d.out.fault_va, 0x1000);
	assert_non_null(strstr(d.out.message, "no executable code is mapped at 0x1000 (kernel-0x"));
}

static void fault(const char *kernel, uint32_t offset, bool write)
{
	memcpy(d.kernarg + 8, &offset, 4);
	assert_int_equal(device_launch(&d, kernel, 64, 64), LAUNCH_MEMORY_FAULT);
	assert_int_equal(d.out.fault_va, BUFFER_VA + offset);
	assert_int_equal(d.out.fault_access & VM_WRITE, write ? VM_WRITE : 0);
	assert_true(d.out.pc > CODE_VA);
}

static void an_access_out_of_bounds_is_reported(void **state)
{
	uint32_t inside = 4092;

	(void)state;
	memcpy(d.kernarg + 8, &inside, 4);
	assert_int_equal(device_launch(&d, "read_at", 64, 64), LAUNCH_OK);
	fault("read_at", 4096, false);
	fault("read_at", 4093, false); /* half outside */
	fault("write_at", 4096, true);
	gpu_unmap(d.gpu, BUFFER_VA, 4096);
	fault("write_at", 0, true);
	assert_true(gpu_map(d.gpu, BUFFER_VA, 4096, buffer, 0, VM_READ));
	fault("write_at", 0, true); /* write-protected */
	gpu_unmap(d.gpu, BUFFER_VA, 4096);
	assert_true(gpu_map(d.gpu, BUFFER_VA, 4096, buffer, 0, VM_READ | VM_WRITE));
	memcpy(d.kernarg + 8, &(uint32_t){0}, 4);
}

static void diverging_lanes_take_both_paths(void **state)
{
	(void)state;
	const uint32_t *v = lanes("diverge");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], l < 5 ? 111 : 222);
	v = lanes("one_lane");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], l == 10 ? 17 : 7);
}

static void lds_reads_beyond_the_workgroup_return_0(void **state)
{
	(void)state;
	const uint32_t *v = lanes("lds_bounds");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], l < 32 ? 100 + l : 0);
}

static void lanes_exchange_data(void **state)
{
	(void)state;
	const uint32_t *v = lanes("dpp");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], l % 16 ? l - 1 : 1000);
	v = lanes("swizzle");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], l ^ 1);
	assert_int_equal(lanes("readlane")[5], 10 + 33 + 10);
}

static void modifiers_change_operands_and_results(void **state)
{
	(void)state;
	const uint32_t *v = lanes("sdwa");
	for (unsigned l = 0; l < 64; l++)
		assert_int_equal(v[l], 0xaa00ccdd | (0x33 + l) << 16);
	assert_int_equal(lanes("modifiers")[9], 0x40000000);
	assert_int_equal(lanes("relative")[9], 60);
}

static void mode_controls_denormals(void **state)
{
	(void)state;
	const uint32_t *v = lanes("denormal"); /* the descriptor's default keeps f16 and f64 denormals, not f32 ones */
	assert_int_equal(v[0], 0);
	assert_int_equal(v[63], 0x00400000);
}

/* Work-item and workgroup ids in three dimensions, with workgroups cut at the edge of the grid. */
static void waves_know_their_work_items(void **state)
{
	struct dispatch p = {.workgroup = {4, 2, 2},
		.grid = {3, 2, 1},
		.kernel_object = loaded_object_find_kernel(&d.object, "identity"),
		.kernarg = KERNARG_VA};

	(void)state;
	memset(buffer, 0xff, 4096);
	assert_int_equal(gpu_launch(d.gpu, &p, &d.out), LAUNCH_OK);
	assert_int_equal(d.out.waves, 1);
	for (uint32_t x = 0; x < 3; x++)
		assert_int_equal(buffer[x], x | 1 << 8); /* lanes of y = 1 store last */
	assert_int_equal(buffer[3], 0xffffffff);
	p.grid[1] = 0;
	assert_int_equal(gpu_launch(d.gpu, &p, &d.out), LAUNCH_BAD_PACKET);
	p = (struct dispatch){.workgroup = {64, 1, 1}, .grid = {64, 1, 1}, .kernel_object = 0x5000};
	assert_int_equal(gpu_launch(d.gpu, &p, &d.out), LAUNCH_BAD_PACKET);
}

/* Waits until the launch of four workgroups makes progress, even on a busy host; gives up after a minute. */
static void await_further(struct gpu *g, const struct gpu_progress *before, struct gpu_progress *now)
{
	for (int ms = 0; ms < 60000; ms++) {
		gpu_read_progress(g, now);
		if (now->total == 4 && now->cycles > before->cycles && now->instructions > before->instructions)
			return;
		usleep(1000);
	}
}

/* Polls the progress of the launch, then stops it. */
static struct gpu_progress seen[3];
static void *stopper(void *data)
{
	for (int i = 1; i < 3; i++)
		await_further(data, &seen[i - 1], &seen[i]);
	gpu_stop_launch(data);
	return NULL;
}

static void a_launch_can_be_stopped(void **state)
{
	pthread_t t;
	struct gpu_progress after;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, stopper, d.gpu), 0);
	assert_int_equal(device_launch(&d, "forever", 256, 64), LAUNCH_STOPPED);
	pthread_join(t, NULL);
	for (int i = 1; i < 3; i++)
		assert_int_equal(seen[i].done, 0);
	assert_true(seen[1].answered && seen[2].answered);
	assert_true(seen[1].cycles > 0 && seen[2].cycles > seen[1].cycles);
	assert_true(seen[1].instructions > 0 && seen[2].instructions > seen[1].instructions);
	assert_true(d.out.instructions >= seen[2].instructions && d.out.cycles >= seen[2].cycles);
	gpu_read_progress(d.gpu, &after);
	assert_int_equal(after.done, 0);
	assert_int_equal(after.total, 4);
	assert_int_equal(device_launch(&d, "diverge", 64, 64), LAUNCH_OK);
	gpu_read_progress(d.gpu, &after); /* a launch of its own */
	assert_int_equal(after.done, 1);
	assert_true(after.instructions < seen[1].instructions);
	gpu_read_progress(d.gpu, &after);
	assert_false(after.answered); /* no launch runs */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_illegal_instruction_stops_the_launch),
		cmocka_unit_test(an_access_out_of_bounds_is_reported),
		cmocka_unit_test(diverging_lanes_take_both_paths),
		cmocka_unit_test(lds_reads_beyond_the_workgroup_return_0),
		cmocka_unit_test(lanes_exchange_data),
		cmocka_unit_test(modifiers_change_operands_and_results),
		cmocka_unit_test(mode_controls_denormals),
		cmocka_unit_test(waves_know_their_work_items),
		cmocka_unit_test(a_launch_can_be_stopped),
	};
	return cmocka_run_group_tests(tests, open_device, close_device);
}
