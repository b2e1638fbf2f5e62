/* Accesses that repeat the previous access pattern take a fast path, except in profiled launches: results and cycles
 * are the same either way. */
#include "tests/softgpu/core/device.h"

#include "softgpu/probe.h"
#include "tests/softgpu/core/each_variant.h"

enum { TRIPS = 400, GROUPS = 6, REGION = 16384, LANE_COUNT = 64, LDS = 4096, ALIKE = 3 /* trips in a row */ };

static uint32_t random_state;

static uint32_t draw(uint32_t below)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % below;
}

/* --- tables --- */
/* Lane offsets of one iteration. */
static void lie(uint32_t *relative, uint32_t most)
{
	static const uint32_t strides[] = {0, 1, 2, 4, 4, 8, 12, 16, 20, 36, 64, 68};
	uint32_t stride = strides[draw(sizeof strides / sizeof *strides)],
		 row = strides[draw(sizeof strides / sizeof *strides)] * 8;
	uint32_t kind = draw(5);

	for (uint32_t l = 0; l < LANE_COUNT; l++)
		relative[l] = (kind == 0 ? l * stride : /* all in line */
					      kind == 1 ? l % 16 * stride + l / 16 * row
							: /* rows */
					      kind == 2 ? l / 16 * row
							: /* each the same in a row */
					      kind == 3 ? (LANE_COUNT - l) * stride
							: /* backwards */
					      draw(most) & ~3u) %
			most;
}

static uint64_t some_exec(void)
{
	static const uint64_t masks[] = {
		UINT64_MAX, UINT64_MAX, UINT64_MAX, 0xffffffff, 0xffff, 0xff00ff00ffff, 0xf, 2, 0, 0xfffffffffffffffe};

	return draw(4) ? masks[draw(sizeof masks / sizeof *masks)]
		       : (uint64_t)draw(1 << 24) << 40 | (uint64_t)draw(1 << 24) << 20 | draw(1 << 20);
}

/* Each pattern occurs several times in a row, at different addresses, sometimes outside LDS. */
static void fill(uint32_t *offsets, uint64_t *exec)
{
	uint32_t memory[LANE_COUNT], lds[LANE_COUNT];

	random_state = 1;
	for (uint32_t t = 0; t < TRIPS; t++) {
		uint32_t at = draw(REGION / 4 - 256), lds_at = draw(LDS / 2) & (draw(4) ? ~7u : ~0u);
		if (draw(4))
			at &= ~3u;
		if (t % ALIKE == 0) {
			lie(memory, REGION / 2);
			lie(lds, LDS / 4);
			exec[t] = some_exec();
		} else {
			exec[t] = exec[t - 1];
		}
		if (!draw(20))
			lds_at = LDS - draw(256);
		for (uint32_t l = 0; l < LANE_COUNT; l++) {
			offsets[(t * LANE_COUNT + l) * 2] = at + memory[l];
			offsets[(t * LANE_COUNT + l) * 2 + 1] = lds_at + lds[l];
		}
	}
}

/* --- launches --- */
/* Two adjacent mappings; they cross a multiple of 4 GiB elsewhere. */
static uint8_t *push_pattern_memory(struct device *d)
{
	enum { FIRST = REGION * 2, REST = REGION * GROUPS - FIRST };
	uint64_t va = UINT64_C(0x900000000) - REGION / 2;
	uint8_t *host = pages(FIRST + REST);

	for (uint32_t k = 0; k < FIRST + REST; k++)
		host[k] = k * 37 >> 3;
	assert_true(gpu_map(d->gpu, va, FIRST, host, UINT64_C(1) << 33, VM_READ | VM_WRITE));
	assert_true(gpu_map(d->gpu, va + FIRST, REST, host + FIRST, UINT64_C(1) << 34, VM_READ | VM_WRITE));
	push(d, &va, 8);
	return host;
}

static uint8_t *run(struct device *d, const char *model, unsigned look)
{
	device_open(d, model, "patterns.s", ASSEMBLE);
	device_args(d);
	uint32_t *offsets = push_buffer(d, TRIPS * LANE_COUNT * 8, 0);
	uint64_t *exec = (uint64_t *)push_buffer(d, 4096, 0);
	uint8_t *memory = push_pattern_memory(d);
	push_int(d, REGION);
	push_int(d, TRIPS);
	fill(offsets, exec);
	gpu_set_profiling(d->gpu, look);
	assert_int_equal(device_launch(d, "patterns", GROUPS * LANE_COUNT, LANE_COUNT), LAUNCH_OK);
	return memory;
}

static void compare(void)
{
	struct device plain, seen, untimed;
	uint8_t *a = run(&plain, "mi25,compute_units=4", 0),
		*b = run(&seen, "mi25,compute_units=4", SOFTGPU_PROFILE_CYCLES);
	uint8_t *c = run(&untimed, "mi25,timing=0", 0);

	assert_memory_equal(a, b, REGION * GROUPS);
	assert_memory_equal(a, c, REGION * GROUPS);
	assert_int_equal(plain.out.cycles, seen.out.cycles);
	assert_int_equal(device_counter(&plain, "SQ_LDS_BANK_CONFLICT"), device_counter(&seen, "SQ_LDS_BANK_CONFLICT"));
	assert_int_equal(device_counter(&plain, "TCP_HIT_sum"), device_counter(&seen, "TCP_HIT_sum"));
	device_close(&plain);
	device_close(&seen);
	device_close(&untimed);
}

static void remembered_patterns_change_nothing(void **state)
{
	(void)state;
	each_variant(compare);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(remembered_patterns_change_nothing)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
