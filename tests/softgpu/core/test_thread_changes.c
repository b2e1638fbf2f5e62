/* What a launch leaves for the next one is the same for any number of threads, also where each launch has another
 * number, and code changes or leaves the instruction cache in between; and so is what it does to one that joins it. */
#include "tests/softgpu/core/device.h"

#include <pthread.h>

#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/state/gpu.h"

#define GFX11_RULES "rx7900xtx,dispatch_free_cycles=120,l2_stop_cycles=136"
#define GFX11       "-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx1100"
#define RULES       "mi25,dispatch_free_cycles=164,l2_stop_cycles=180"
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

	device_open(&d, GFX11_RULES, "crossing.s", GFX11);
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

/* Launches that others join: the cycles at which one does. */
static const struct joined {
	const char *kernel, *constants;
	uint32_t groups;
	cycle_t from, to, step;
} joined[] = {
	{"bursts", ",compute_units=4,shader_engines=1", 64, 2 * WINDOW, 60 * WINDOW, WINDOW / 2},
	{"small", "", 8192, WINDOW, 20 * WINDOW, WINDOW}, /* workgroups are placed all the time */
	{"waits", ",icache_ahead_lines=0", 64, 6 * WINDOW, 14 * WINDOW, WINDOW / 3},
};

static uint64_t hash_counters(const struct device *d)
{
	struct gpu_counter c[64];
	const size_t count = gpu_read_counters(d->gpu, c, 64);
	uint64_t hash = HASH_START;

	for (size_t k = 0; k < count && k < 64; k++)
		hash = hash_bytes(hash, &c[k].value, sizeof c[k].value);
	return hash;
}

static void end_both(struct device *d, struct launch_result out[2])
{
	bool ended[2] = {false, false};

	for (unsigned left = 2; left; gpu_run_on(d->gpu, 1000))
		for (unsigned k = 0; k < 2; k++)
			if (!ended[k] && gpu_launch_has_ended(d->gpu, &out[k])) {
				assert_int_equal(gpu_end_launch(d->gpu, &out[k]), LAUNCH_OK);
				ended[k] = true;
				left--;
			}
}

/* Another launch joins the first one at the cycle. Returns the hash of the counters. */
static uint64_t run_joined(struct launch_result out[2], const struct joined *j, const char *threads, cycle_t at)
{
	char model[128];
	struct device d;

	snprintf(model, sizeof model, RULES "%s,%s", j->constants, threads);
	device_open(&d, model, "threads.s", ASSEMBLE);
	device_args(&d);
	push_buffer(&d, 1 << 21, 0);
	const struct dispatch first = line(&d, j->kernel, j->groups), second = line(&d, "small", GROUPS);
	gpu_begin_launch(d.gpu, &first, &out[0]);
	assert_false(gpu_run_until(d.gpu, at));
	gpu_begin_launch(d.gpu, &second, &out[1]);
	end_both(&d, out);
	const uint64_t counters = hash_counters(&d);
	device_close(&d);
	return counters;
}

static void check_joined(const struct joined *j, cycle_t at)
{
	static const char *const threads[] = {"threads=1", "threads=2"};
	struct launch_result wanted[2], got[2];

	const uint64_t counters = run_joined(wanted, j, "window_cycles=1", at);
	for (unsigned n = 0; n < 2; n++) {
		if (run_joined(got, j, threads[n], at) != counters)
			fail_msg("%s, %s, joined at %" PRIu64 ": other counters", j->kernel, threads[n], at);
		for (unsigned k = 0; k < 2; k++)
			if (got[k].cycles != wanted[k].cycles)
				fail_msg("%s, %s, joined at %" PRIu64 ", launch %u: %" PRIu64
					 " cycles instead of %" PRIu64,
					j->kernel, threads[n], at, k, got[k].cycles, wanted[k].cycles);
	}
}

static void a_launch_joins_at_any_time(void **state)
{
	(void)state;
	for (const struct joined *j = joined; j < joined + sizeof joined / sizeof *joined; j++)
		for (cycle_t at = j->from; at < j->to; at += j->step)
			check_joined(j, at);
}

static void dependent_instructions_cross_a_page(void **state)
{
	static const unsigned threads[] = {1, 2, ARRAYS};
	const uint64_t wanted = count_cycles("inside", "inside_warm", 1);

	(void)state;
	for (unsigned k = 0; k < sizeof threads / sizeof *threads; k++)
		assert_int_equal(count_cycles("crossing", "crossing_warm", threads[k]), wanted);
}

/* --- progress --- */
struct asker {
	struct gpu *gpu;
	_Atomic bool ended;
};

static void *ask_for_progress(void *data)
{
	struct asker *a = data;
	struct gpu_progress now;

	while (!a->ended)
		gpu_read_progress(a->gpu, &now);
	return NULL;
}

static uint64_t count_instructions(unsigned threads, bool asks)
{
	struct asker asker = {.ended = false};
	pthread_t thread;
	struct device d;

	device_open(&d, RULES, "threads.s", ASSEMBLE);
	device_args(&d);
	d.gpu->m.model.threads = threads;
	asker.gpu = d.gpu;
	if (asks)
		assert_int_equal(pthread_create(&thread, NULL, ask_for_progress, &asker), 0);
	assert_int_equal(device_launch(&d, "counted", GROUPS * WAVE, WAVE), LAUNCH_OK);
	asker.ended = true;
	if (asks)
		pthread_join(thread, NULL);
	device_close(&d);
	return d.out.instructions;
}

/* Reading counts resets those of compiled code, so helpers must not run meanwhile. */
static void whoever_asks_for_progress_changes_no_count(void **state)
{
	const uint64_t wanted = count_instructions(1, false);

	(void)state;
	for (unsigned threads = 1; threads <= THREADS_MAX; threads++)
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(count_instructions(threads, true), wanted);
}

/* --- compiled code --- */
static void note_compiled(const struct uop *i, void *found)
{
	*(bool *)found |= i->jit_block != NULL;
}

/* Without branches, it is the number of waves that makes code worth compiling. Many are placed before one begins. */
static void code_without_branches_is_compiled(void **state)
{
	(void)state;
	if (!__builtin_cpu_supports("avx2"))
		skip();
	for (unsigned threads = 1; threads <= 2; threads++) {
		struct device d;
		bool found = false;

		device_open(&d, RULES, "threads.s", ASSEMBLE);
		device_args(&d);
		d.gpu->m.model.threads = threads;
		assert_int_equal(device_launch(&d, "straight", 16 * GROUPS * 3 * WAVE, 3 * WAVE), LAUNCH_OK);
		decode_cache_visit(&d.gpu->m, note_compiled, &found);
		assert_true(found);
		device_close(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_threads_change),
		cmocka_unit_test(a_launch_joins_at_any_time),
		cmocka_unit_test(dependent_instructions_cross_a_page),
		cmocka_unit_test(whoever_asks_for_progress_changes_no_count),
		cmocka_unit_test(code_without_branches_is_compiled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
