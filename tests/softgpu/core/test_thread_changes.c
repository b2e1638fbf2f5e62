/* What a launch leaves for the next one is the same for any number of threads, also where each launch has another
 * number, and code changes or leaves the instruction cache in between; and so is what it does to one that joins it. */
#include "tests/softgpu/core/device.h"

#include "softgpu/core/state/gpu.h"

#define RULES "mi25,dispatch_free_cycles=164,l2_stop_cycles=180"
enum {
	GROUPS = 64,
	WAVE = 64,
	STEPS = 24,
	ORDERS = 6,
	THREADS_MAX = 4,
	CONSTANT_OFFSET = 0x20,
	BURSTS = 64,
	WINDOW = 180
};
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

	device_open(&d, RULES, "threads.s", ASSEMBLE);
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

static struct dispatch line(struct device *d, const char *kernel, uint32_t groups)
{
	return device_dispatch(d, kernel, (const uint32_t[3]){groups * WAVE, 1, 1}, (const uint16_t[3]){WAVE, 1, 1}, 0);
}

/* Another launch joins the first one at a cycle. */
static void run_joined(struct launch_result out[2], const char *constants, cycle_t joins_at)
{
	char model[128];
	bool ended[2] = {false, false};
	struct device d;

	snprintf(model, sizeof model, RULES ",compute_units=4,shader_engines=1,%s", constants);
	device_open(&d, model, "threads.s", ASSEMBLE);
	device_args(&d);
	push_buffer(&d, 1 << 20, 0);
	const struct dispatch first = line(&d, "bursts", BURSTS), second = line(&d, "small", GROUPS);
	gpu_begin_launch(d.gpu, &first, &out[0]);
	assert_false(gpu_run_until(d.gpu, joins_at));
	gpu_begin_launch(d.gpu, &second, &out[1]);
	for (unsigned left = 2; left; gpu_run_on(d.gpu, 1000))
		for (unsigned k = 0; k < 2; k++)
			if (!ended[k] && gpu_launch_has_ended(d.gpu, &out[k])) {
				assert_int_equal(gpu_end_launch(d.gpu, &out[k]), LAUNCH_OK);
				ended[k] = true;
				left--;
			}
	device_close(&d);
}

/* At any time of a window, or between two: what the dispatcher places later depends on both launches. */
static void a_launch_joins_at_any_time(void **state)
{
	static const char *const constants[] = {"threads=1", "threads=2"};
	struct launch_result wanted[2], got[2];

	(void)state;
	for (cycle_t at = 2 * WINDOW; at < 60 * WINDOW; at += WINDOW / 2) {
		run_joined(wanted, "window_cycles=1", at);
		for (unsigned n = 0; n < 2; n++) {
			run_joined(got, constants[n], at);
			for (unsigned k = 0; k < 2; k++)
				if (got[k].cycles != wanted[k].cycles)
					fail_msg("%s, joined at %" PRIu64 ", launch %u: %" PRIu64
						 " cycles instead of %" PRIu64,
						constants[n], at, k, got[k].cycles, wanted[k].cycles);
		}
	}
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
		cmocka_unit_test(a_launch_joins_at_any_time),
		cmocka_unit_test(dependent_instructions_cross_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
