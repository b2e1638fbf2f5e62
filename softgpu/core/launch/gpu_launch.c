/* Runs a launch on a device: from its dispatch to its result. */
#include <immintrin.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/state/gpu.h"
#include "softgpu/core/launch/host_fault.h"
#include "softgpu/core/launch/workgroup_dispatch.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/memory/cold_caches.h"
#include "softgpu/core/memory/dram.h"
#include "softgpu/core/memory/fabric.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/memory/launch_addresses.h"
#include "softgpu/core/profile/perf_counters.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/timing/core_clock.h"

static void reset_launch(struct machine *m, const struct dispatch *d, struct launch_result *out)
{
	memset(out, 0, sizeof *out);
	memset(&m->launch, 0, sizeof m->launch);
	memset(&m->sums, 0, sizeof m->sums);
	m->launch.d = d;
	m->launch.out = out;
	m->launch.out_of_bounds_until = CYCLE_NEVER;
	m->halt = LAUNCH_OK;
	memset(m->vm_window, 0, sizeof m->vm_window);
	m->lane_mask_exec = 0;
	memset(m->lane_mask, 0, sizeof m->lane_mask);
	m->launch.host_epoch = ++m->launches & 0x3ffff;
	dram_begin_launch(m);
	fabric_begin_launch(m);
	event_queue_clear(&m->events);
	for (uint32_t k = 0; k < m->channels; k++) {
		m->channel[k].free = m->channel[k].l3_free = 0;
		cache_complete_fills(&m->channel[k].l2);
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
	atomic_store_explicit(&m->requests, 0, memory_order_relaxed);
	atomic_store_explicit(&m->published_cycles, 0, memory_order_relaxed);
	atomic_store_explicit(&m->published_instructions, 0, memory_order_relaxed);
}

static void run_events(struct machine *m)
{
	while (m->events.count && !m->halt && event_queue_first_time(&m->events) < m->pause) {
		uint32_t id = event_queue_first_id(&m->events);
		if (id == DISPATCHER)
			dispatch_next_workgroup(m, event_queue_first_time(&m->events));
		else if (!m->model.timing)
			simd_run_functional(&m->cu[id]);
		else
			m->issue[m->profiler != NULL](&m->cu[id]);
	}
}

/* A stopped launch may have issued work after its end, because CUs advance independently. */
static void fill_result(const struct machine *m, struct launch_result *out)
{
	struct work_totals work = counters_sum_work(m);
	uint64_t limit = sclk_valu_limit(&m->model, m->launch.end);

	out->cycles = m->launch.end;
	out->waves = m->sums.waves;
	out->instructions = work.instructions;
	out->valu_cycles = work.valu_cycles < limit ? work.valu_cycles : limit;
	out->ps = sclk_cycles_to_ps(&m->model, out->cycles, out->valu_cycles);
}

void gpu_begin_launch(struct gpu *g, const struct dispatch *d, struct launch_result *out)
{
	struct machine *m = &g->m;

	reset_launch(m, d, out);
	m->mxcsr = _MM_MASK_MASK;
	launch_addresses_begin(m, d);
	fetch_begin_launch(m, false);
	decode_cache_begin_launch(m);
	profiler_begin(m, m->model.timing ? atomic_load_explicit(&m->profile_request, memory_order_relaxed) : 0);
	dispatch_begin(m);
}

/* The launch that this thread runs, and the way out of it when the host denies an access. */
static _Thread_local struct machine *running;
static _Thread_local sigjmp_buf way_out;

static void end_with_host_fault(struct machine *m, uint64_t va, bool write)
{
	struct launch_result *out = m->launch.out;

	m->halt = out->status = LAUNCH_MEMORY_FAULT;
	out->fault_va = va;
	out->fault_access = write ? VM_WRITE : VM_READ;
	snprintf(out->message, sizeof out->message,
		"memory fault: %s at 0x%llx: the program has protected this memory of the host (mprotect)",
		write ? "write" : "read", (unsigned long long)va);
}

void gpu_take_host_fault(const void *host, bool write)
{
	struct machine *m = running;
	const uint8_t *at = host;

	for (uint32_t i = 0; m && i < m->vm.count; i++) {
		const struct vm_region *r = &m->vm.region[i];
		if (at < r->host || (uint64_t)(at - r->host) >= r->size)
			continue;
		end_with_host_fault(m, r->va + (uint64_t)(at - r->host), write);
		siglongjmp(way_out, 1);
	}
}

static void end_after_out_of_bounds(struct machine *m)
{
	if (m->launch.out_of_bounds_until == CYCLE_NEVER || m->halt)
		return;
	if (!m->events.count || event_queue_first_time(&m->events) >= m->launch.out_of_bounds_until)
		m->halt = LAUNCH_OUT_OF_BOUNDS;
}

bool gpu_run_until(struct gpu *g, uint64_t until)
{
	struct machine *m = &g->m;
	uint32_t host = _mm_getcsr();

	_mm_setcsr(m->mxcsr);
	m->pause = until < m->launch.out_of_bounds_until ? until : m->launch.out_of_bounds_until;
	memset(m->vm_window, 0, sizeof m->vm_window); /* mappings may have changed */
	if (!sigsetjmp(way_out, 0)) {
		running = m;
		run_events(m);
	}
	running = NULL;
	end_after_out_of_bounds(m);
	_mm_setcsr(host);
	return m->halt || !m->events.count;
}

/* All waves left wait for global wave sync. */
static void describe_deadlock(const struct machine *m)
{
	const struct launch *n = &m->launch;
	char *out = n->out->message;

	if (n->issued < n->total)
		snprintf(out, sizeof n->out->message,
			"deadlock: %u waves wait for the whole grid, but %llu of its %llu workgroups fit on the GPU; launch no more than fit",
			n->gws_waiting, (unsigned long long)n->issued, (unsigned long long)n->total);
	else
		snprintf(out, sizeof n->out->message,
			"deadlock: %u waves wait for global wave sync and none is left to release them; let each workgroup reach it",
			n->gws_waiting);
}

/* If a bug left waves unfinished, the launch must not count as successful. */
static void check_all_ended(struct machine *m)
{
	uint64_t done = atomic_load_explicit(&m->done, memory_order_relaxed), total = m->launch.total;

	if (m->halt || done == total)
		return;
	m->halt = LAUNCH_TRAP;
	if (m->launch.gws_waiting)
		describe_deadlock(m);
	else
		snprintf(m->launch.out->message, sizeof m->launch.out->message, "%llu of %llu workgroups did not end",
			(unsigned long long)(total - done), (unsigned long long)total);
}

enum launch_status gpu_end_launch(struct gpu *g)
{
	struct machine *m = &g->m;
	struct launch_result *out = m->launch.out;

	check_all_ended(m);
	profiler_end(m);
	dispatch_end(m);
	m->launch.end += m->launch.skipped_cycles;
	if (!m->model.timing)
		m->launch.end = 0;
	fill_result(m, out);
	launch_addresses_end(m);
	m->launch.d = NULL;
	m->launch.out = NULL;
	return out->status = m->halt;
}

enum launch_status gpu_launch(struct gpu *g, const struct dispatch *d, struct launch_result *out)
{
	gpu_begin_launch(g, d, out);
	while (!gpu_run_until(g, UINT64_MAX))
		;
	return gpu_end_launch(g);
}

void gpu_stop_launch(struct gpu *g)
{
	atomic_fetch_or_explicit(&g->m.requests, REQUEST_STOP, memory_order_relaxed);
}

/* Counting instructions visits all code, so it happens only on request, at most ten times per second. */
void machine_publish_progress(struct machine *m, uint64_t t)
{
	if (!(atomic_load_explicit(&m->requests, memory_order_relaxed) & REQUEST_PROGRESS))
		return;
	atomic_store_explicit(&m->published_cycles, t, memory_order_relaxed);
	atomic_store_explicit(&m->published_instructions, counters_sum_work(m).instructions, memory_order_relaxed);
	atomic_fetch_and_explicit(&m->requests, ~(unsigned)REQUEST_PROGRESS, memory_order_release);
}

void gpu_read_progress(struct gpu *g, struct gpu_progress *out)
{
	struct machine *m = &g->m;
	unsigned before = atomic_fetch_or_explicit(&m->requests, REQUEST_PROGRESS, memory_order_acquire);

	out->answered = !(before & REQUEST_PROGRESS);
	out->done = atomic_load_explicit(&m->done, memory_order_relaxed);
	out->total = atomic_load_explicit(&m->total, memory_order_relaxed);
	out->cycles = atomic_load_explicit(&m->published_cycles, memory_order_relaxed);
	out->instructions = atomic_load_explicit(&m->published_instructions, memory_order_relaxed);
}

void gpu_clear_caches(struct gpu *g)
{
	memory_clear_caches(&g->m);
}
