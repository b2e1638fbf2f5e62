/* What waves do before its time gives the results and the times that it gives in its time: who looks inside has
 * everything done when it issues, and a machine without timing one workgroup after the other. */
#include "softgpu/probe.h"
#include "tests/softgpu/core/device.h"

#define HIP "-O3 -x hip -nogpuinc -nogpulib --offload-arch=gfx900 --offload-device-only --no-gpu-bundle-output"
enum { BLOCK = 256, GROUPS = 60, WORDS = 5003 };
enum kernel { TILES, WANDER, UNEVEN, LISTEN, KERNELS };
static const char *const names[KERNELS] = {"tiles", "wander", "uneven", "listen"};

struct outcome {
	uint32_t out[GROUPS * BLOCK];
	uint64_t cycles, instructions, hits, conflicts;
};
static struct outcome plain[KERNELS], seen[KERNELS], whole[KERNELS], whole_seen[KERNELS], untimed[KERNELS];

static void run(struct device *d, enum kernel kernel, struct outcome *o)
{
	device_args(d);
	uint32_t *out = push_buffer(d, sizeof o->out, 0), *in = push_buffer(d, 20480 /* whole pages */, 0);
	push_int(d, WORDS);
	for (uint32_t k = 0; k < WORDS; k++)
		in[k] = k * 2654435761u >> 7;
	for (unsigned n = 0; n < 2; n++) { /* the second knows how accesses lie and has its code */
		memset(out, 0, sizeof o->out);
		assert_int_equal(device_launch(d, names[kernel], GROUPS * BLOCK, BLOCK), LAUNCH_OK);
	}
	memcpy(o->out, out, sizeof o->out);
	o->cycles = d->out.cycles;
	o->instructions = d->out.instructions;
	o->hits = device_counter(d, "TCP_HIT_sum");
	o->conflicts = device_counter(d, "SQ_LDS_BANK_CONFLICT");
}

static void run_all(const char *model, unsigned look, struct outcome *o)
{
	struct device d;

	device_open(&d, model, "ahead.hip", HIP);
	gpu_set_profiling(d.gpu, look);
	for (enum kernel k = 0; k < KERNELS; k++)
		run(&d, k, &o[k]);
	device_close(&d);
}

static int run_everywhere(void **state)
{
	(void)state;
	run_all("mi25,compute_units=4", 0, plain);
	run_all("mi25,compute_units=4", SOFTGPU_LOOK_CYCLES, seen);
	run_all("mi25", 0, whole);
	run_all("mi25", SOFTGPU_LOOK_CYCLES, whole_seen);
	run_all("mi25,timing=0", 0, untimed);
	return 0;
}

static void same_results(enum kernel k)
{
	assert_memory_equal(plain[k].out, seen[k].out, sizeof plain[k].out);
	assert_memory_equal(plain[k].out, whole[k].out, sizeof plain[k].out);
	assert_memory_equal(plain[k].out, whole_seen[k].out, sizeof plain[k].out);
	assert_memory_equal(plain[k].out, untimed[k].out, sizeof plain[k].out);
}

static void same_times(const struct outcome *a, const struct outcome *b)
{
	assert_int_equal(a->cycles, b->cycles);
	assert_int_equal(a->instructions, b->instructions);
	assert_int_equal(a->hits, b->hits);
	assert_int_equal(a->conflicts, b->conflicts);
}

/* On a few CUs and on all: which of them is first is no matter of how the host does it. */
static void same(enum kernel k)
{
	same_results(k);
	same_times(&plain[k], &seen[k]);
	same_times(&whole[k], &whole_seen[k]);
}

static void tiles(void **state)
{
	(void)state;
	same(TILES);
}
static void wander(void **state)
{
	(void)state;
	same(WANDER);
}
static void uneven(void **state)
{
	(void)state;
	same(UNEVEN);
}

/* How often it asks depends on when the word comes; that it comes does not. */
static void listen(void **state)
{
	(void)state;
	same_results(LISTEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tiles),
		cmocka_unit_test(wander),
		cmocka_unit_test(uneven),
		cmocka_unit_test(listen),
	};
	return cmocka_run_group_tests(tests, run_everywhere, NULL);
}
