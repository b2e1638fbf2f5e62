/* Begins a launch: on an idle machine, or next to launches that are resident. */
#include <immintrin.h>
#include <string.h>

#include "softgpu/core/check/checker.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/fast/sampled_launch.h"
#include "softgpu/core/fast/steady_state.h"
#include "softgpu/core/windows/windows.h"
#include "softgpu/core/dispatch/workgroup_dispatch.h"
#include "softgpu/core/memory/dram.h"
#include "softgpu/core/memory/fabric.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/memory/launch_addresses.h"
#include "softgpu/core/profile/perf_counters.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/resident/freed_room.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/state/gpu.h"

/* When the first launch begins: caches that keep nothing from the launch before, queues and clocks. */
static void reset_machine(struct machine *m)
{
	memset(&m->thread.sums, 0, sizeof m->thread.sums);
	m->halt = LAUNCH_OK;
	m->turn = 0;
	m->reached = m->skipped_cycles = 0;
	m->overlapped = false;
	m->gws_waiting = 0;
	memset(m->engine_free, 0, sizeof m->engine_free);
	dram_begin_launch(m);
	fabric_begin_launch(m);
	event_queue_clear(&m->events);
	freed_room_clear(m);
	for (uint32_t k = 0; k < m->cus; k++)
		m->cu[k].touched = false;
	for (uint32_t k = 0; k < m->channels; k++) {
		memset(m->channel[k].bank, 0, sizeof m->channel[k].bank);
		m->channel[k].l3_free = 0;
		cache_complete_fills(&m->channel[k].l2);
		cache_forget_writes(&m->channel[k].l2);
	}
	for (uint32_t k = 0; k < m->sqcs; k++) {
		m->sqc[k].data_free = 0;
		cache_clear(&m->sqc[k].data);
	}
	for (uint32_t k = 0; k < m->arrays; k++) {
		cache_clear(&m->array[k].l1);
		memset(m->array[k].bank_free, 0, sizeof m->array[k].bank_free);
	}
	atomic_store_explicit(&m->done, 0, memory_order_relaxed);
	atomic_store_explicit(&m->total, 0, memory_order_relaxed);
	atomic_store_explicit(&m->requests, 0, memory_order_relaxed);
	atomic_store_explicit(&m->published_cycles, 0, memory_order_relaxed);
	atomic_store_explicit(&m->published_instructions, 0, memory_order_relaxed);
}

static void reset_thread(struct host_thread *h)
{
	memset(h->vm_window, 0, sizeof h->vm_window);
	memset(h->lane_mask, 0, sizeof h->lane_mask);
	h->mxcsr = _MM_MASK_MASK;
	h->begun_waves = 0;
}

void gpu_end_shortcuts(struct gpu *g)
{
	for (uint32_t k = 0; k < g->m.residents; k++) {
		repeat_end(g->m.resident[k]);
		sample_end(g->m.resident[k]);
	}
}

/* What the launch has of CUs that others use already. */
static void clear_shares(struct machine *m, unsigned number)
{
	for (uint32_t k = 0; k < m->cus; k++) {
		struct cu *cu = &m->cu[k];
		if (!cu->touched)
			continue;
		cu->share[number].used = cu->share[number].cleared = cu->share[number].count = 0;
		for (unsigned s = 0; s < SIMDS; s++)
			cu->simd[s].used_rows[number] = cu->simd[s].cleared_rows[number] = 0;
	}
}

/* The lowest number that no resident launch has. */
static unsigned free_number(const struct machine *m)
{
	unsigned used = 0;

	for (uint32_t k = 0; k < m->residents; k++)
		used |= 1u << m->resident[k]->number;
	return __builtin_ctz(~used);
}

/* What has been counted so far belongs to launches that began before. */
static void note_counts(struct launch *n)
{
	const struct work_totals work = counters_sum_work(n->m);

	n->instructions_before = work.instructions;
	n->valu_cycles_before = work.valu_cycles;
	n->waves_before = n->m->thread.sums.waves;
}

static struct launch *create_launch(struct machine *m, const struct dispatch *d, struct launch_result *out)
{
	const unsigned number = free_number(m);
	struct launch *n = &m->launch[number];

	memset(out, 0, sizeof *out);
	*n = (struct launch){.m = m,
		.number = number,
		.d = d,
		.out = out,
		.out_of_bounds_until = CYCLE_NEVER,
		.dispatch_event = CYCLE_NEVER};
	m->shared_aperture = d->shared_aperture;
	m->private_aperture = d->private_aperture;
	m->host_epoch = ++m->launches & 0xffff;
	m->last_launch = n;
	return n;
}

/* The timed loop of a checked launch is that of a profiled one. */
static unsigned requested_profile(const struct machine *m)
{
	const unsigned what = atomic_load_explicit(&m->profile_request, memory_order_relaxed);

	return what || !machine_is_checked(m) ? what : SOFTGPU_PROFILE_CYCLES;
}

static void prepare_idle_machine(struct machine *m)
{
	reset_machine(m);
	reset_thread(&m->thread);
	fetch_begin_launch(m, false);
	decode_caches_begin_launch(m);
	windows_begin_launch(m);
	m->counted_waves = m->counted_instructions = 0;
	checker_begin(m);
	profiler_begin(m, m->model.timing ? requested_profile(m) : 0);
	m->observed = machine_is_profiled(m) || machine_is_checked(m);
}

/* In windows, the dispatcher may be behind. What it places before this cycle comes before the new launch. */
static void catch_up_dispatcher(struct machine *m)
{
	while (event_queue_time_of(&m->events, DISPATCHER) < m->reached && !m->halt)
		dispatch_next_workgroup(m, event_queue_time_of(&m->events, DISPATCHER));
}

/* A launch that repeats itself or is sampled moves the clock of the whole machine. */
static void join_busy_machine(struct gpu *g, struct launch *n)
{
	struct machine *m = n->m;

	m->overlapped = true;
	gpu_end_shortcuts(g);
	windows_leave(m);
	catch_up_dispatcher(m);
	clear_shares(m, n->number);
	decode_caches_begin_launch(m);
	note_counts(n);
	n->begin = n->end = m->reached;
}

bool gpu_begin_launch(struct gpu *g, const struct dispatch *d, struct launch_result *out)
{
	struct machine *m = &g->m;

	if (m->residents == LAUNCHES_MAX)
		return false;
	struct launch *n = create_launch(m, d, out);
	if (m->residents)
		join_busy_machine(g, n);
	else
		prepare_idle_machine(m);
	launch_addresses_begin(n);
	m->resident[m->residents++] = n;
	if (machine_open_storage(m, n->number)) {
		n->storage = m->storage[n->number];
		dispatch_begin(n);
	} else {
		launch_reject(n, "out of host memory");
	}
	return true;
}
