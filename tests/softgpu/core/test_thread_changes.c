/* What a launch leaves for the next one is the same for any number of threads, also where each launch has another
 * number, and code changes or leaves the instruction cache in between. */
#include "tests/softgpu/core/device.h"

#include "softgpu/core/state/gpu.h"

enum { GROUPS = 64, WAVE = 64, STEPS = 24, ORDERS = 6, THREADS_MAX = 4, CONSTANT_OFFSET = 0x20 };
enum { ARRAYS = 12, WAVE32 = 32 /* a wave for each shader array, the first of its thread */ };

struct step {
	uint64_t cycles, hash;
};

static uint32_t draw(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	return *state ^= *state << 5;
}

/* The literal of the kernel's first instruction in the loop. */
static uint32_t *find_constant(struct device *d)
{
	const uint64_t object = loaded_object_find_kernel(&d->object, "small");
	const uint8_t *descriptor = gpu_host_pointer(d->gpu, object, 64, VM_READ);
	int64_t entry;

	assert_non_null(descriptor);
	memcpy(&entry, descriptor + 16, sizeof entry);
	uint32_t *literal = gpu_host_pointer(d->gpu, object + (uint64_t)entry + CONSTANT_OFFSET, 4, VM_READ);
	assert_non_null(literal);
	return literal;
}

/* Some have too few workgroups for windows, and run on one thread. */
static void run_steps(struct step *out, uint32_t order)
{
	static const char *const kernels[] = {"small", "small", "large"};
	uint32_t what = 1, threads = order;
	struct device d;

	device_open(&d, "mi25,dispatch_free_cycles=164,l2_stop_cycles=180", "threads.s", ASSEMBLE);
	device_args(&d);
	const uint32_t *words = push_buffer(&d, GROUPS * WAVE * 4, 0);
	uint32_t *constant = find_constant(&d);
	assert_int_equal(*constant, 0x1111);
	for (unsigned k = 0; k < STEPS; k++) {
		const char *kernel = kernels[draw(&what) % 3];
		const uint32_t groups = draw(&what) % 4 ? GROUPS : GROUPS / 8;
		*constant += draw(&what) % 3 == 0;
		d.gpu->m.model.threads = order ? 1 + draw(&threads) % THREADS_MAX : 1;
		assert_int_equal(device_launch(&d, kernel, groups * WAVE, WAVE), LAUNCH_OK);
		out[k] = (struct step){d.out.cycles, hash_bytes(HASH_START, words, GROUPS * WAVE * 4)};
	}
	device_close(&d);
}

static void numbers_of_threads_change(void **state)
{
	static struct step wanted[STEPS], got[STEPS];

	(void)state;
	run_steps(wanted, 0);
	for (uint32_t order = 1; order <= ORDERS; order++) {
		run_steps(got, order);
		for (unsigned k = 0; k < STEPS; k++)
			if (got[k].cycles != wanted[k].cycles || got[k].hash != wanted[k].hash)
				fail_msg("order %u, launch %u: %" PRIu64 " cycles instead of %" PRIu64, order, k,
					got[k].cycles, wanted[k].cycles);
	}
}

/* With all code in the instruction caches, on one thread, but not decoded for the others. */
static uint64_t count_cycles(const char *kernel, const char *warm, unsigned threads)
{
	struct device d;

	device_open(&d, "rx7900xtx,dispatch_free_cycles=120,l2_stop_cycles=136", "crossing.s",
		"-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx1100");
	device_args(&d);
	push_buffer(&d, 4096, 0);
	d.gpu->m.model.threads = 1;
	assert_int_equal(device_launch(&d, warm, ARRAYS * WAVE, WAVE), LAUNCH_OK);
	d.gpu->m.model.threads = threads;
	assert_int_equal(device_launch(&d, kernel, ARRAYS * WAVE32, WAVE32), LAUNCH_OK);
	device_close(&d);
	return d.out.cycles;
}

static void dependent_instructions_cross_a_page(void **state)
{
	static const unsigned threads[] = {1, 2, ARRAYS};
	const uint64_t wanted = count_cycles("inside", "inside_warm", 1);

	(void)state;
	for (unsigned k = 0; k < sizeof threads / sizeof *threads; k++)
		assert_int_equal(count_cycles("crossing", "crossing_warm", threads[k]), wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_threads_change),
		cmocka_unit_test(dependent_instructions_cross_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
