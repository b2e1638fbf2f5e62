/* Model names, address space, event queue. */
#include "tests/assert_range.h"
#include "tests/softgpu/core/device.h"

#include "softgpu/core/state/event_queue.h"

static void assert_rejected(const char *text, const char *part)
{
	struct model m;
	char why[256] = "";

	assert_false(model_parse(&m, text, why, sizeof why));
	if (!strstr(why, part))
		fail_msg("the message for '%s' is '%s', without '%s'", text, why, part);
	assert_null(strchr(why, '\n'));
}

static void models_and_constants_are_parsed(void **state)
{
	struct model m;
	char why[256];

	(void)state;
	assert_true(model_parse(&m, "mi25", why, sizeof why));
	assert_int_equal(m.l1_bytes, 16384);
	assert_string_equal(m.arch, "gfx900");
	assert_true(model_parse(&m, "mi25,l1_bytes=65536,dram_latency=700", why, sizeof why));
	assert_int_equal(m.l1_bytes, 65536);
	assert_int_equal(m.dram_latency, 700);
	assert_rejected("mi26", "mi25");
	assert_rejected("mi25,l1_byte=3", "'l1_bytes'");
	assert_rejected("mi25,warp_width=32", "'warp_width'; `wavedeck devices --model` lists them");
	assert_rejected("gtx1080", "unknown model 'gtx1080'; models: mi25");
	assert_rejected("mi25,l1_bytes", "NAME=NUMBER");
	assert_rejected("mi25,l1_bytes=big", "whole number of B");
	assert_rejected("mi25,l1_bytes=4", "1024 to 1048576");
	assert_rejected("mi25,l1_bytes=10000", "power of two");
	assert_rejected("mi25,l2_channels=5", "power of two");
	assert_rejected("mi25,compute_units=63", "multiple of shader_engines");
	assert_rejected("", "mi25");
}

static void constants_are_listed_with_their_values(void **state)
{
	struct model m;
	struct model_constant c[128];
	char why[256];

	(void)state;
	assert_true(model_parse(&m, "mi25,valu_cycles=5", why, sizeof why));
	size_t n = model_constants(&m, c, 128);
	assert_uint_in_range(n, 20, 128);
	for (size_t k = 0; k < n; k++) {
		assert_true(c[k].value >= c[k].low && c[k].value <= c[k].high);
		assert_true(*c[k].source && *c[k].help);
		if (!strcmp(c[k].name, "valu_cycles"))
			assert_int_equal(c[k].value, 5);
	}
}

static void memory_is_mapped_and_unmapped(void **state)
{
	struct gpu *g = open_gpu("mi25");
	uint8_t *host = pages(16 * 4096);
	const uint64_t va = UINT64_C(0x7f0000000000);

	(void)state;
	assert_true(gpu_map(g, va, 16 * 4096, host, 0, VM_READ | VM_WRITE));
	assert_false(gpu_map(g, va + 4096, 4096, host, 0, VM_READ)); /* taken */
	assert_false(gpu_map(g, va + (1 << 20), 100, host, 0, VM_READ));
	assert_ptr_equal(gpu_host_pointer(g, va + 5000, 100, VM_READ), host + 5000);
	assert_null(gpu_host_pointer(g, va + 5000, 100, VM_EXEC));
	assert_null(gpu_host_pointer(g, va + 16 * 4096 - 4, 8, VM_READ));
	assert_null(gpu_host_pointer(g, va - 1, 1, VM_READ));
	gpu_unmap(g, va + 4 * 4096, 4 * 4096); /* a hole */
	assert_ptr_equal(gpu_host_pointer(g, va + 3 * 4096, 4096, VM_READ), host + 3 * 4096);
	assert_null(gpu_host_pointer(g, va + 4 * 4096, 1, VM_READ));
	assert_null(gpu_host_pointer(g, va + 7 * 4096, 4096, VM_READ));
	assert_ptr_equal(gpu_host_pointer(g, va + 8 * 4096, 8 * 4096, VM_READ), host + 8 * 4096);
	assert_true(gpu_map(g, va + 4 * 4096, 4096, host, 0, VM_READ));
	gpu_unmap(g, va, 16 * 4096);
	assert_null(gpu_host_pointer(g, va + 3 * 4096, 1, VM_READ));
	gpu_close(g);
}

/* Events come out in time order, whatever changes; ties are broken pseudo-randomly. */
static void events_come_out_in_time_order(void **state)
{
	static struct event_queue q;
	uint64_t time[EVENT_QUEUE_MAX];
	uint32_t seed = 1;

	(void)state;
	event_queue_clear(&q);
	for (unsigned round = 0; round < 4000; round++) {
		seed = seed * 1664525 + 1013904223;
		uint32_t id = (seed >> 8) % EVENT_QUEUE_MAX, at = seed >> 16 & 1023;
		if (seed >> 30 == 3) {
			event_queue_remove(&q, id);
		} else if (seed >> 30 == 2) {
			event_queue_lower(&q, id, at);
		} else {
			event_queue_set(&q, id, at);
		}
		if (event_queue_time_of(&q, id) < UINT64_MAX >> EVENT_ID_BITS)
			time[id] = event_queue_time_of(&q, id);
	}
	event_queue_shift(&q, 77);
	uint64_t last = 0;
	assert_true(q.count > EVENT_QUEUE_MAX / 2);
	while (q.count) {
		uint64_t t = event_queue_first_time(&q), id = event_queue_first_id(&q),
			 next = event_queue_first_other(&q, id), key = event_queue_key(t, id);
		assert_true(key > last);
		assert_int_equal(t, time[id] + 77);
		event_queue_remove(&q, id);
		assert_int_equal(event_queue_first_key(&q), next);
		last = key;
	}
}

/* Of any two ids at the same time, each comes first about equally often; larger ids come last. */
static void ties_are_broken_evenly(void **state)
{
	enum { TIMES = 4096, NUMBERS = 1 << EVENT_TIE_BREAK_BITS };

	(void)state;
	for (uint32_t step = 1; step <= 64; step = step * 3 + 1)
		for (uint32_t a = 0; a < NUMBERS; a += 3)
			for (uint32_t b = a + 1; b < NUMBERS; b += 5) {
				uint32_t first = 0;
				for (uint64_t t = 0; t < TIMES; t++)
					first += event_queue_key(t * step, a) < event_queue_key(t * step, b);
				assert_uint_in_range(first, TIMES * 45 / 100, TIMES * 55 / 100);
			}
	for (uint64_t t = 0; t < TIMES; t++)
		for (uint32_t a = 0; a < NUMBERS; a++) {
			assert_int_equal(event_key_id(event_queue_key(t, a)), a);
			assert_true(event_queue_key(t, a) < event_queue_key(t, NUMBERS));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_and_constants_are_parsed),
		cmocka_unit_test(constants_are_listed_with_their_values),
		cmocka_unit_test(memory_is_mapped_and_unmapped),
		cmocka_unit_test(events_come_out_in_time_order),
		cmocka_unit_test(ties_are_broken_evenly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
