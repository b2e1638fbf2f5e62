/* Latency of each level of gfx11's memory, by a pointer chase (gfx11_memory.s): the model's constants plus the issue of
 * the load and the wait for it. */
#include "tests/softgpu/core/device.h"

#define ASSEMBLE_GFX11 "-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx1100"
enum { LINE = 128, TLB_PAGE = 2 << 20, READS = 64 /* per trip */, ISSUE = 2 /* cycles of a load and its wait */ };

static struct device plain, awake;

static int open_devices(void **state)
{
	(void)state;
	device_open(&plain, "rx7900xtx", "gfx11_memory.s", ASSEMBLE_GFX11);
	device_open(&awake, "rx7900xtx,l3_wake_cycles=1000000", "gfx11_memory.s", ASSEMBLE_GFX11);
	return 0;
}

static int close_devices(void **state)
{
	(void)state;
	device_close(&plain);
	device_close(&awake);
	return 0;
}

/* A new buffer of offsets, `stride` bytes apart, back to the start after the last. */
static void push_offsets(struct device *d, uint32_t bytes, uint32_t stride)
{
	device_args(d);
	uint32_t *host = push_buffer(d, bytes, 0);
	for (uint64_t at = 0; at < bytes; at += stride)
		host[at / 4] = at + stride < bytes ? at + stride : 0;
}

/* Cycles of a read by one work-item, from the start of the buffer on. */
static double read_cycles(struct device *d, uint32_t trips, uint32_t groups, uint32_t part)
{
	const uint64_t buffer = *(uint64_t *)d->kernarg;

	device_args(d);
	push(d, &buffer, 8);
	push_int(d, trips);
	push_int(d, part);
	if (device_launch(d, "chase", groups, 1) != LAUNCH_OK)
		fail_msg("%s", d->out.message);
	return (double)d->out.cycles / (trips * READS);
}

/* A lap fills the caches, the next one is measured. */
static double lap_cycles(struct device *d, uint32_t bytes)
{
	push_offsets(d, bytes, LINE);
	read_cycles(d, bytes / LINE / READS, 1, 0);
	return read_cycles(d, bytes / LINE / READS, 1, 0);
}

static void each_level_has_its_latency(void **state)
{
	(void)state;
	const struct model *m = gpu_model(plain.gpu);

	/* The first lap of a launch refills L0 and L1, so it is L2's; three more show the others. */
	push_offsets(&plain, 16 << 10, LINE);
	read_cycles(&plain, 2, 1, 0);
	within(read_cycles(&plain, 400, 1, 0), m->l1_latency + ISSUE, m->l1_latency + ISSUE + 4);
	push_offsets(&plain, 128 << 10, LINE);
	read_cycles(&plain, 16, 1, 0);
	within(read_cycles(&plain, 1600, 1, 0), m->gl1_latency + ISSUE, m->gl1_latency + ISSUE + 4);
	within(lap_cycles(&plain, 3 << 20), m->l2_latency + ISSUE, m->l2_latency + ISSUE + 4);
	within(lap_cycles(&plain, 24 << 20), m->l3_idle_latency + ISSUE, m->l3_idle_latency + ISSUE + 4);
}

static void a_busy_fabric_is_faster(void **state)
{
	(void)state;
	const struct model *m = gpu_model(awake.gpu);

	within(lap_cycles(&awake, 24 << 20), m->l3_latency + ISSUE, m->l3_latency + ISSUE + 4);
	/* One work-item leaves it slow, sixteen do not. */
	push_offsets(&plain, 48 << 20, LINE);
	for (int lap = 0; lap < 2; lap++)
		read_cycles(&plain, 512, 12, 4 << 20);
	within(read_cycles(&plain, 512, 12, 4 << 20), m->l3_latency + ISSUE, m->l3_latency + ISSUE + 12);
}

static void lines_of_new_pages_wait_for_translations(void **state)
{
	(void)state;
	const struct model *m = gpu_model(plain.gpu);
	const double dram = m->dram_latency + m->l3_idle_latency - m->l3_latency;

	push_offsets(&plain, 16 << 20, LINE * 2); /* eight pages */
	within(read_cycles(&plain, 1024, 1, 0), dram + ISSUE, dram * 1.01 + ISSUE);
	push_offsets(&plain, 256 << 20, TLB_PAGE + 2 * LINE); /* each read on another page */
	within(read_cycles(&plain, 1, 1, 0), (1 + m->tlb_walk_reads) * dram, (1 + m->tlb_walk_reads) * dram * 1.02);
}

/* Chips of other families have an Infinity Cache behind L2, but no L1 of a shader array. */
static void an_infinity_cache_needs_no_gl1(void **state)
{
	(void)state;
	struct model m = *gpu_model(awake.gpu);
	struct device d;

	m.gl1_bytes = 0;
	device_open_gpu(&d, gpu_open(&m), "gfx11_memory.s", ASSEMBLE_GFX11);
	push_offsets(&d, 128 << 10, LINE);
	read_cycles(&d, 16, 1, 0);
	within(read_cycles(&d, 1600, 1, 0), m.l2_latency + ISSUE, m.l2_latency + ISSUE + 4);
	within(lap_cycles(&d, 24 << 20), m.l3_latency + ISSUE, m.l3_latency + ISSUE + 4);
	device_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_level_has_its_latency),
		cmocka_unit_test(a_busy_fabric_is_faster),
		cmocka_unit_test(an_infinity_cache_needs_no_gl1),
		cmocka_unit_test(lines_of_new_pages_wait_for_translations),
	};
	return cmocka_run_group_tests(tests, open_devices, close_devices);
}
