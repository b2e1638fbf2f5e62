/* Three kernels that begin at random cycles, so that they run together or one after the other, in and out of windows:
 * their cycles and results, and the counters, are the same in the order of events and on any number of threads. A
 * number as argument draws so many more. */
#include "tests/softgpu/core/device.h"

#define HIP "-O2 -x hip -nogpuinc -nogpulib --offload-device-only --no-gpu-bundle-output --offload-arch="
enum { IN_WORDS = 1 << 18, OUT_WORDS = 1 << 17, KERNELS = 3, ARGUMENTS_BYTES = 256, COUNTERS = 64, SPREAD = 20000 };

static const struct {
	const char *name;
	uint32_t groups;
} kernels[] = {{"gather", 256}, {"shapes", 64}, {"again", 48}, {"reduce", 512}, {"histogram", 128}, {"tickets", 300},
	{"chain", 64}, {"rounds", 32}, {"cells", 48}};

static const struct {
	const char *name, *flags;
	cycle_t window;
} models[] = {
	{"mi25,dispatch_free_cycles=164,l2_stop_cycles=180", HIP "gfx900", 180},
	{"rx7900xtx,dispatch_free_cycles=120,l2_stop_cycles=136", HIP "gfx1100", 136},
};

/* These have found errors, with the code of one compiler. */
static const uint32_t seeds[] = {34, 150, 156, 244, 611, 749};
static uint32_t more_seeds = 6;

struct run {
	struct device d;
	unsigned kernel[KERNELS]; /* in kernels[] */
	cycle_t begin[KERNELS];   /* not before */
	uint32_t *out[KERNELS];
	struct dispatch dispatch[KERNELS];
	struct launch_result result[KERNELS];
	bool begun[KERNELS], ended[KERNELS];
};

struct outcome {
	uint64_t cycles[KERNELS], results, counters;
};

static uint32_t draw(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	return *state ^= *state << 5;
}

static void choose_kernels(struct run *r, uint32_t seed, cycle_t window)
{
	uint32_t state = (seed * 2654435761u) | 1;

	draw(&state), draw(&state);
	for (unsigned k = 0; k < KERNELS; k++)
		r->kernel[k] = draw(&state) % (sizeof kernels / sizeof *kernels);
	const cycle_t a = 200 + draw(&state) % SPREAD, b = 200 + draw(&state) % SPREAD;
	r->begin[0] = 0;
	r->begin[1] = a < b ? a : b;
	r->begin[2] = a < b ? b : a;
	if (seed % 3 == 0)
		r->begin[1] -= r->begin[1] % window;
}

static void push_arguments(struct run *r)
{
	uint8_t *first = r->d.kernarg;

	device_args(&r->d);
	for (unsigned k = 0; k < KERNELS; k++) {
		r->d.kernarg = first + k * ARGUMENTS_BYTES;
		r->d.used = 0;
		r->out[k] = push_buffer(&r->d, OUT_WORDS * 4, 0);
		uint32_t *in = push_buffer(&r->d, IN_WORDS * 4, 0);
		push_int(&r->d, IN_WORDS - 1);
		for (uint32_t n = 0; n < IN_WORDS; n++)
			in[n] = n * 2246822519u >> 7;
	}
	r->d.kernarg = first;
}

static void begin_kernel(struct run *r, unsigned k)
{
	const uint32_t grid[3] = {kernels[r->kernel[k]].groups * 256, 1, 1};
	struct dispatch *p = &r->dispatch[k];

	*p = device_dispatch(&r->d, kernels[r->kernel[k]].name, grid, (const uint16_t[3]){256, 1, 1}, 0);
	p->kernarg = KERNARG_VA + k * ARGUMENTS_BYTES;
	gpu_begin_launch(r->d.gpu, p, &r->result[k]);
	r->begun[k] = true;
}

/* How many are resident. */
static unsigned end_kernels(struct run *r)
{
	unsigned resident = 0;

	for (unsigned k = 0; k < KERNELS; k++) {
		if (!r->begun[k] || r->ended[k])
			continue;
		if (gpu_launch_has_ended(r->d.gpu, &r->result[k])) {
			if (gpu_end_launch(r->d.gpu, &r->result[k]) != LAUNCH_OK)
				fail_msg("%s: %s", kernels[r->kernel[k]].name, r->result[k].message);
			r->ended[k] = true;
		} else {
			resident++;
		}
	}
	return resident;
}

static void run_kernels(struct run *r)
{
	enum { SLICE = 5000 };
	unsigned next = 0, resident;

	while ((resident = end_kernels(r)) || next < KERNELS) {
		const cycle_t reached = gpu_reached_cycle(r->d.gpu);
		if (next < KERNELS && (!resident || reached >= r->begin[next]))
			begin_kernel(r, next++);
		else
			gpu_run_on(r->d.gpu, next < KERNELS ? r->begin[next] - reached : SLICE);
	}
}

static void read_outcome(const struct run *r, struct outcome *o)
{
	struct gpu_counter c[COUNTERS];
	const size_t count = gpu_read_counters(r->d.gpu, c, COUNTERS);

	o->results = o->counters = HASH_START;
	for (unsigned k = 0; k < KERNELS; k++) {
		o->cycles[k] = r->result[k].cycles;
		o->results = hash_bytes(o->results, r->out[k], OUT_WORDS * 4);
	}
	for (size_t n = 0; n < count && n < COUNTERS; n++)
		o->counters = hash_bytes(o->counters, &c[n].value, sizeof c[n].value);
}

static void run_seed(uint32_t seed, const char *constants, struct outcome *o)
{
	const unsigned m = seed % 2;
	struct run r = {0};
	char model[128];

	snprintf(model, sizeof model, "%s,%s", models[m].name, constants);
	choose_kernels(&r, seed, models[m].window);
	device_open(&r.d, model, "windows.hip", models[m].flags);
	push_arguments(&r);
	run_kernels(&r);
	read_outcome(&r, o);
	device_close(&r.d);
}

static void check_seed(uint32_t seed)
{
	static const char *const threads[] = {"threads=1", "threads=2", "threads=3", "threads=8"};
	struct outcome wanted, got;

	run_seed(seed, "window_cycles=1", &wanted);
	for (unsigned n = 0; n < sizeof threads / sizeof *threads; n++) {
		run_seed(seed, threads[n], &got);
		for (unsigned k = 0; k < KERNELS; k++)
			if (got.cycles[k] != wanted.cycles[k])
				fail_msg("seed %u, %s: %" PRIu64 " cycles of kernel %u instead of %" PRIu64, seed,
					threads[n], got.cycles[k], k, wanted.cycles[k]);
		if (got.results != wanted.results || got.counters != wanted.counters)
			fail_msg("seed %u, %s: other %s", seed, threads[n],
				got.results == wanted.results ? "counters" : "results");
	}
}

static void kernels_join_others(void **state)
{
	(void)state;
	for (unsigned k = 0; k < sizeof seeds / sizeof *seeds; k++)
		check_seed(seeds[k]);
	for (uint32_t seed = 1; seed <= more_seeds; seed++)
		check_seed(seed);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_join_others)};

	if (argc > 1)
		more_seeds = (uint32_t)atoi(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
