/* A launch has the same cycles, counters and results in the order of events, in windows of any length, and on any
 * number of threads, also where its workgroups communicate. Where they race, results depend on the windows, but not on
 * the threads. Without timing, the same is true of launches without races. */
#include "tests/softgpu/core/device.h"

#define HIP "-O2 -x hip -nogpuinc -nogpulib --offload-device-only --no-gpu-bundle-output --offload-arch="
enum { IN_WORDS = 1 << 18, OUT_WORDS = 1 << 17, COUNTERS = 64, ROUNDS = 3 };

static const struct {
	const char *kernel;
	uint32_t groups;
} launches[] = {{"gather", 256}, {"shapes", 64}, {"again", 48}, {"reduce", 512}, {"histogram", 128}, {"tickets", 300},
	{"chain", 64}, {"rounds", 32}, {"cells", 48}, {"race", 256}, {"swaps", 64}};
enum { TICKETS = 5, RACE = 9, LAUNCHES = sizeof launches / sizeof *launches };

/* What a launch leaves. */
struct trace {
	uint64_t cycles, hash;
	size_t counters;
	struct gpu_counter counter[COUNTERS];
};

struct run {
	struct device d;
	uint32_t *out, *in;
	struct trace trace[LAUNCHES];
};

static void open_run(struct run *r, const char *model, const char *constants, const char *flags)
{
	char text[160];

	snprintf(text, sizeof text, "%s,%s", model, constants);
	device_open(&r->d, text, "windows.hip", flags);
	device_args(&r->d);
	r->out = push_buffer(&r->d, OUT_WORDS * 4, 0);
	r->in = push_buffer(&r->d, IN_WORDS * 4, 0);
	push_int(&r->d, IN_WORDS - 1);
	for (uint32_t k = 0; k < IN_WORDS; k++)
		r->in[k] = k * 2246822519u >> 7;
}

static void read_trace(struct run *r, struct trace *t)
{
	t->cycles = r->d.out.cycles;
	t->hash = hash_bytes(HASH_START, r->out, OUT_WORDS * 4);
	t->counters = gpu_read_counters(r->d.gpu, t->counter, COUNTERS);
	assert_true(t->counters <= COUNTERS);
}

static void run_launch(struct run *r, unsigned k)
{
	memset(r->out, 0, OUT_WORDS * 4);
	if (device_launch(&r->d, launches[k].kernel, launches[k].groups * 256, 256) != LAUNCH_OK)
		fail_msg("%s: %s", launches[k].kernel, r->d.out.message);
	read_trace(r, &r->trace[k]);
}

static void compare(const struct run *r, const struct run *wanted, const char *constants, unsigned first, unsigned end)
{
	for (unsigned k = first; k < end; k++) {
		const struct trace *a = &r->trace[k], *b = &wanted->trace[k];
		if (a->cycles != b->cycles)
			fail_msg("%s, %s: %" PRIu64 " cycles instead of %" PRIu64, launches[k].kernel, constants,
				a->cycles, b->cycles);
		if (a->hash != b->hash)
			fail_msg("%s, %s: other results", launches[k].kernel, constants);
		for (size_t n = 0; n < a->counters; n++)
			if (a->counter[n].value != b->counter[n].value)
				fail_msg("%s, %s: %s is %" PRIu64 " instead of %" PRIu64, launches[k].kernel, constants,
					a->counter[n].name, a->counter[n].value, b->counter[n].value);
	}
}

static void run_all(struct run *r)
{
	for (unsigned k = 0; k < LAUNCHES; k++)
		run_launch(r, k);
}

/* The first is in the order of events; `rules`: what windows need. */
static void check_model(const char *model, const char *flags, const char *rules, const char *const *windows)
{
	static struct run wanted, r;
	char constants[128];

	snprintf(constants, sizeof constants, "%s,window_cycles=1", rules);
	open_run(&wanted, model, constants, flags);
	run_all(&wanted);
	for (; *windows; windows++) {
		snprintf(constants, sizeof constants, "%s,%s", rules, *windows);
		for (unsigned n = 0; n < ROUNDS; n++) {
			open_run(&r, model, constants, flags);
			run_all(&r);
			compare(&r, &wanted, constants, 0, RACE);
			device_close(&r.d);
		}
	}
	device_close(&wanted.d);
}

/* Nothing is in the caches, the code included. */
static void check_cold(const char *model, const char *flags, const char *rules)
{
	static const char *const variants[] = {"window_cycles=1", "threads=1", "threads=3"};
	static struct run wanted, r;
	char constants[128];

	for (unsigned k = 0; k < RACE; k++)
		for (unsigned n = 0; n < sizeof variants / sizeof *variants; n++) {
			struct run *to = n ? &r : &wanted;
			snprintf(constants, sizeof constants, "%s,%s", rules, variants[n]);
			open_run(to, model, constants, flags);
			run_launch(to, k);
			compare(to, &wanted, constants, k, k + 1);
			device_close(&to->d);
		}
}

static void test_cold_launches(void **state)
{
	(void)state;
	check_cold("mi25", HIP "gfx900", "dispatch_free_cycles=164,l2_stop_cycles=180");
	check_cold("mi100", HIP "gfx908", "l2_stop_cycles=180");
	check_cold("rx7900xtx", HIP "gfx1100", "dispatch_free_cycles=120,l2_stop_cycles=136");
}

/* Each run has another number of threads or other pauses; the launches before the race have used the same memory and
 * code. */
static void check_race(const char *model, const char *flags, const char *rules)
{
	static const struct {
		unsigned threads;
		cycle_t piece;
	} runs[] = {{1, 0}, {2, 0}, {3, 0}, {8, 0}, {8, 0}, {1, 0}, {1, 37}, {3, 1001}, {2, 65536}};
	static struct run wanted, r;
	char constants[128];

	for (unsigned n = 0; n < sizeof runs / sizeof *runs; n++) {
		struct run *to = n ? &r : &wanted;
		snprintf(constants, sizeof constants, "%s,threads=%u", rules, runs[n].threads);
		open_run(to, model, constants, flags);
		to->d.piece = runs[n].piece;
		run_all(to);
		run_launch(to, RACE); /* again, after what the others have left */
		compare(to, &wanted, constants, 0, LAUNCHES);
		if (n)
			device_close(&r.d);
	}
	device_close(&wanted.d);
}

static void test_races(void **state)
{
	(void)state;
	check_race("mi25", HIP "gfx900", "dispatch_free_cycles=164,l2_stop_cycles=180");
	check_race("rx7900xtx", HIP "gfx1100", "dispatch_free_cycles=120,l2_stop_cycles=136");
}

/* Without timing, windows are by request. The race is left out: there, results may differ. */
static void check_untimed(const char *model, const char *flags)
{
	static const struct {
		unsigned threads;
		cycle_t piece;
	} runs[] = {{1, 0}, {2, 0}, {3, 0}, {8, 0}, {8, 0}, {3, 65536}, {2, 1000000}};
	static struct run wanted, r;
	char constants[128];

	for (unsigned n = 0; n < sizeof runs / sizeof *runs; n++) {
		struct run *to = n ? &r : &wanted;
		snprintf(constants, sizeof constants, "timing=0,threads=%u", runs[n].threads);
		open_run(to, model, constants, flags);
		to->d.piece = runs[n].piece;
		for (unsigned k = 0; k < RACE; k++)
			run_launch(to, k);
		compare(to, &wanted, constants, 0, RACE);
		if (n)
			device_close(&r.d);
	}
	open_run(&r, model, "timing=0", flags);
	for (unsigned k = 0; k < TICKETS; k++) {
		run_launch(&r, k);
		assert_int_equal(r.trace[k].hash, wanted.trace[k].hash);
	}
	device_close(&r.d);
	device_close(&wanted.d);
}

static void test_untimed(void **state)
{
	(void)state;
	check_untimed("mi25", HIP "gfx900");
	check_untimed("rx7900xtx", HIP "gfx1100");
}

/* Where several clusters stop a launch, it is the first of them by the GPU's time. The caches are left
 * alike. */
static void check_fault(const char *model, const char *flags, const char *rules)
{
	static const char *const variants[] = {"threads=1", "threads=2", "threads=3", "threads=8", "window_cycles=1"};
	enum { THREADS = 4, VARIANTS = sizeof variants / sizeof *variants };
	const bool timing = strncmp(rules, "timing=0", 8);
	static struct run r, first;
	struct launch_result wanted = {0};
	char constants[128];

	for (unsigned n = 0; n < (timing ? VARIANTS : THREADS); n++) {
		snprintf(constants, sizeof constants, "%s,%s", rules, variants[n]);
		open_run(&r, model, constants, flags);
		assert_int_equal(device_launch(&r.d, "fault", 256 * 256, 256), LAUNCH_MEMORY_FAULT);
		if (!n)
			wanted = r.d.out;
		assert_string_equal(r.d.out.message, wanted.message);
		assert_int_equal(r.d.out.fault_va, wanted.fault_va);
		assert_memory_equal(r.d.out.fault_group, wanted.fault_group, sizeof wanted.fault_group);
		assert_memory_equal(r.d.out.fault_item, wanted.fault_item, sizeof wanted.fault_item);
		read_trace(&r, &r.trace[0]);
		run_launch(&r, 1);
		if (!n)
			first = r;
		if (n < THREADS)
			compare(&r, &first, constants, 0, 2);
		device_close(&r.d);
	}
}

static void test_faults(void **state)
{
	(void)state;
	check_fault("mi25", HIP "gfx900", "dispatch_free_cycles=164,l2_stop_cycles=180");
	check_fault("rx7900xtx", HIP "gfx1100", "dispatch_free_cycles=120,l2_stop_cycles=136");
	check_fault("mi25", HIP "gfx900", "timing=0");
}

static void test_mi25(void **state)
{
	const char *const windows[] = {"window_cycles=180", "window_cycles=90", "window_cycles=37", "threads=2",
		"threads=3,window_cycles=60", "threads=8", NULL};

	(void)state;
	check_model("mi25", HIP "gfx900", "dispatch_free_cycles=164,l2_stop_cycles=180", windows);
}

static void test_mi100(void **state)
{
	const char *const windows[] = {"window_cycles=180", "threads=2", NULL};

	(void)state;
	check_model("mi100", HIP "gfx908", "l2_stop_cycles=180", windows);
}

static void test_rx7900xtx(void **state)
{
	const char *const windows[] = {"window_cycles=136", "window_cycles=60", "threads=2", "threads=5", NULL};

	(void)state;
	check_model("rx7900xtx", HIP "gfx1100", "dispatch_free_cycles=120,l2_stop_cycles=136", windows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mi25), cmocka_unit_test(test_mi100),
		cmocka_unit_test(test_rx7900xtx), cmocka_unit_test(test_cold_launches), cmocka_unit_test(test_races),
		cmocka_unit_test(test_untimed), cmocka_unit_test(test_faults)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
