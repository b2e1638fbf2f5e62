/* Run-ahead does not change results or times. Profiled launches execute every instruction at its issue cycle, and a
 * device without timing runs one workgroup after the other; both must agree with a normal launch. Kernels whose waves
 * may wait for each other do not run ahead. */
#include "softgpu/core/fast/wait_loops.h"
#include "softgpu/probe.h"
#include "tests/softgpu/core/device.h"

#define HIP "-O3 -x hip -nogpuinc -nogpulib --offload-arch=gfx900 --offload-device-only --no-gpu-bundle-output"
enum { BLOCK = 256, GROUPS = 60, WORDS = 5003 };
enum kernel { TILES, DIVERGE, EARLY_EXIT, SPIN, LOCK, RELAY, WATCH, LAST_WINS, NEXT_PIECE, KERNELS };
static const struct {
	const char *name;
	bool waits;    /* has a loop in which a wave waits for another one */
	bool by_order; /* its results depend on which wave is first, so on time */
} kernels[KERNELS] = {[TILES] = {"tiles"},
	[DIVERGE] = {"diverge"},
	[EARLY_EXIT] = {"early_exit"},
	[SPIN] = {"spin", .waits = true},
	[LOCK] = {"lock", .waits = true, .by_order = true},
	[RELAY] = {"relay", .waits = true},
	[WATCH] = {"watch", .waits = true, .by_order = true},
	[LAST_WINS] = {"last_wins", .by_order = true},
	[NEXT_PIECE] = {"next_piece"}};

struct outcome {
	uint32_t out[GROUPS * BLOCK];
	uint64_t cycles, instructions, hits, conflicts;
};
static struct outcome few_cus[KERNELS], few_cus_profiled[KERNELS], all_cus[KERNELS], all_cus_profiled[KERNELS],
	functional[KERNELS];

static void run_kernel(struct device *d, enum kernel kernel, struct outcome *o)
{
	device_args(d);
	uint32_t *out = push_buffer(d, sizeof o->out, 0), *in = push_buffer(d, 20480 /* whole pages */, 0);
	push_int(d, WORDS);
	for (uint32_t k = 0; k < WORDS; k++)
		in[k] = k * 2654435761u >> 7;
	for (unsigned n = 0; n < 2; n++) { /* the second launch has recorded access patterns and fetched code */
		memset(out, 0, sizeof o->out);
		assert_int_equal(device_launch(d, kernels[kernel].name, GROUPS * BLOCK, BLOCK), LAUNCH_OK);
	}
	memcpy(o->out, out, sizeof o->out);
	o->cycles = d->out.cycles;
	o->instructions = d->out.instructions;
	o->hits = device_counter(d, "TCP_HIT_sum");
	o->conflicts = device_counter(d, "SQ_LDS_BANK_CONFLICT");
}

static void run_all(const char *model, unsigned profile, struct outcome *o)
{
	struct device d;

	device_open(&d, model, "run_ahead.hip", HIP);
	gpu_set_profiling(d.gpu, profile);
	for (enum kernel k = 0; k < KERNELS; k++)
		run_kernel(&d, k, &o[k]);
	device_close(&d);
}

static int run_all_devices(void **state)
{
	(void)state;
	run_all("mi25,compute_units=4", 0, few_cus);
	run_all("mi25,compute_units=4", SOFTGPU_PROFILE_CYCLES, few_cus_profiled);
	run_all("mi25", 0, all_cus);
	run_all("mi25", SOFTGPU_PROFILE_CYCLES, all_cus_profiled);
	run_all("mi25,timing=0", 0, functional);
	return 0;
}

static void check_same_results(enum kernel k)
{
	assert_memory_equal(few_cus[k].out, few_cus_profiled[k].out, sizeof few_cus[k].out);
	assert_memory_equal(all_cus[k].out, all_cus_profiled[k].out, sizeof all_cus[k].out);
	if (kernels[k].by_order)
		return;
	assert_memory_equal(few_cus[k].out, all_cus[k].out, sizeof few_cus[k].out);
	assert_memory_equal(few_cus[k].out, functional[k].out, sizeof few_cus[k].out);
}

static void check_same_times(const struct outcome *a, const struct outcome *b)
{
	assert_int_equal(a->cycles, b->cycles);
	assert_int_equal(a->instructions, b->instructions);
	assert_int_equal(a->hits, b->hits);
	assert_int_equal(a->conflicts, b->conflicts);
}

/* With a few CUs and with all CUs. */
static void check_kernel(enum kernel k)
{
	check_same_results(k);
	check_same_times(&few_cus[k], &few_cus_profiled[k]);
	check_same_times(&all_cus[k], &all_cus_profiled[k]);
}

static void tiled_kernel_keeps_its_timing(void **state)
{
	(void)state;
	check_kernel(TILES);
}
static void divergent_loop_keeps_its_timing(void **state)
{
	(void)state;
	check_kernel(DIVERGE);
}
static void early_exit_keeps_its_timing(void **state)
{
	(void)state;
	check_kernel(EARLY_EXIT);
}

static void waiting_waves_keep_their_timing(void **state)
{
	(void)state;
	for (enum kernel k = SPIN; k <= WATCH; k++)
		check_kernel(k);
}
static void stores_to_lds_keep_their_order(void **state)
{
	(void)state;
	check_kernel(LAST_WINS);
}

/* All waves of a workgroup saw the same pieces, with times and without. */
static void waves_read_before_a_load_arrives(void **state)
{
	(void)state;
	check_kernel(NEXT_PIECE);
	for (unsigned k = 0; k < GROUPS * BLOCK; k++)
		assert_int_equal(functional[NEXT_PIECE].out[k], functional[NEXT_PIECE].out[k / BLOCK * BLOCK]);
}

/* Searches the kernel in an address space that has the pages from its entry on. */
static bool has_wait_loop(struct device *d, const char *name)
{
	enum { ENTRY_OFFSET = 16 };
	const uint64_t object = loaded_object_find_kernel(&d->object, name);
	struct vm vm = {0};
	struct vm_region code = {.size = 3 * PAGE, .access = VM_READ | VM_EXEC};
	int64_t entry;

	memcpy(&entry, gpu_host_pointer(d->gpu, object + ENTRY_OFFSET, sizeof entry, VM_READ), sizeof entry);
	code.va = (object + (uint64_t)entry) / PAGE * PAGE;
	while (!(code.host = gpu_host_pointer(d->gpu, code.va, code.size, VM_READ | VM_EXEC)))
		code.size -= PAGE;
	assert_true(vm_map(&vm, &code));
	const bool waits = kernel_has_wait_loop(&vm, ISA_GFX900, object + (uint64_t)entry);
	vm_close(&vm);
	return waits;
}

static void wait_loops_are_found(void **state)
{
	struct device d;

	(void)state;
	device_open(&d, "mi25", "run_ahead.hip", HIP);
	for (enum kernel k = 0; k < KERNELS; k++)
		if (has_wait_loop(&d, kernels[k].name) != kernels[k].waits)
			fail_msg("%s: %s", kernels[k].name, kernels[k].waits ? "no wait loop was found" : "has none");
	device_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tiled_kernel_keeps_its_timing),
		cmocka_unit_test(divergent_loop_keeps_its_timing),
		cmocka_unit_test(early_exit_keeps_its_timing),
		cmocka_unit_test(waiting_waves_keep_their_timing),
		cmocka_unit_test(stores_to_lds_keep_their_order),
		cmocka_unit_test(waves_read_before_a_load_arrives),
		cmocka_unit_test(wait_loops_are_found),
	};
	return cmocka_run_group_tests(tests, run_all_devices, NULL);
}
