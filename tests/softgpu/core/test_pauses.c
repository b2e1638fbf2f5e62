/* Paused launches: pauses change nothing, a kernel can wait for one on a cloned device, and interrupts arrive. */
#include "tests/softgpu/core/device.h"

enum { WORDS = 65536, TRIPS = 24, GRID = 40 * 256 };

static struct device d;

static int open_device(void **state)
{
	(void)state;
	device_open(&d, "mi25", "pauses.s", ASSEMBLE);
	return 0;
}

static int close_device(void **state)
{
	(void)state;
	device_close(&d);
	return 0;
}

static struct dispatch line(const char *kernel, uint32_t grid, uint32_t block)
{
	return device_dispatch(
		&d, kernel, (const uint32_t[3]){grid, 1, 1}, (const uint16_t[3]){(uint16_t)block, 1, 1}, 0);
}

/* Launches with a pause every `cycles` cycles (0: none), on a new device so that all caches start equal. */
static uint64_t run_mixed(uint64_t piece, uint64_t *pauses, uint32_t sums[2])
{
	uint64_t until = 0;

	device_open(&d, "mi25", "pauses.s", ASSEMBLE);
	device_args(&d);
	uint32_t *words = push_buffer(&d, WORDS * 4, 5);
	push_int(&d, TRIPS);
	struct dispatch p = line("mixed", GRID, 256);
	gpu_begin_launch(d.gpu, &p, &d.out);
	for (*pauses = 0; !gpu_run_until(d.gpu, piece ? until += piece : UINT64_MAX); ++*pauses)
		;
	assert_int_equal(gpu_end_launch(d.gpu, &d.out), LAUNCH_OK);
	sums[0] = sums[1] = 0;
	for (uint32_t k = 0; k < WORDS; k++)
		sums[0] += words[k], sums[1] += words[k] * k;
	device_close(&d);
	return d.out.cycles;
}

static void pauses_change_nothing(void **state)
{
	static const uint64_t sizes[] = {1, 37, 1000, 65536};
	uint32_t whole[2], parts[2];
	uint64_t pauses, wanted = run_mixed(0, &pauses, whole);

	(void)state;
	assert_int_equal(pauses, 0);
	assert_int_equal(whole[0], WORDS * 5 + GRID * TRIPS);
	for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		assert_int_equal(run_mixed(sizes[k], &pauses, parts), wanted);
		assert_memory_equal(parts, whole, sizeof whole);
		assert_int_equal(pauses > 0, wanted > sizes[k]);
	}
}

static void a_kernel_can_wait_for_one_of_a_clone(void **state)
{
	struct launch_result other;

	(void)state;
	device_args(&d);
	uint32_t *words = push_buffer(&d, 4096, 0);
	struct dispatch first = line("waits", 64, 64), second = line("raises", 64, 64);
	gpu_begin_launch(d.gpu, &first, &d.out);
	for (unsigned k = 1; k < 10; k++)
		assert_false(gpu_run_until(d.gpu, k * 10000));
	struct gpu *twin = gpu_clone(d.gpu);
	assert_non_null(twin);
	assert_int_equal(gpu_launch(twin, &second, &other), LAUNCH_OK);
	assert_true(gpu_run_until(d.gpu, UINT64_MAX));
	assert_int_equal(gpu_end_launch(d.gpu, &d.out), LAUNCH_OK);
	assert_int_equal(words[0], 41);
	assert_int_equal(words[1], 42);
	gpu_close(twin);
}

/* A launch stopped during a pause ends soon after it. */
static void a_paused_launch_can_be_stopped(void **state)
{
	(void)state;
	device_args(&d);
	push_buffer(&d, 4096, 0);
	struct dispatch p = line("waits", 64, 64);
	gpu_begin_launch(d.gpu, &p, &d.out);
	assert_false(gpu_run_until(d.gpu, 10000));
	gpu_stop_launch(d.gpu);
	assert_true(gpu_run_until(d.gpu, UINT64_MAX));
	assert_int_equal(gpu_end_launch(d.gpu, &d.out), LAUNCH_STOPPED);
}

static uint32_t interrupts, last_data;

static void on_interrupt(uint32_t data)
{
	interrupts++;
	last_data = data;
}

static void a_kernel_can_interrupt_the_host(void **state)
{
	struct dispatch p = line("interrupts", 128, 64);

	(void)state;
	assert_int_equal(gpu_launch(d.gpu, &p, &d.out), LAUNCH_OK);
	assert_int_equal(interrupts, 0);
	p.interrupt = on_interrupt;
	assert_int_equal(gpu_launch(d.gpu, &p, &d.out), LAUNCH_OK);
	assert_int_equal(interrupts, 2);
	assert_int_equal(last_data, 1234);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pauses_change_nothing),
		cmocka_unit_test_setup_teardown(a_kernel_can_wait_for_one_of_a_clone, open_device, close_device),
		cmocka_unit_test_setup_teardown(a_paused_launch_can_be_stopped, open_device, close_device),
		cmocka_unit_test_setup_teardown(a_kernel_can_interrupt_the_host, open_device, close_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
