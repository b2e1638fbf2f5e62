/* Runs launches on a device. */
#include <immintrin.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/launch/windows.h"
#include "softgpu/core/launch/host_fault.h"
#include "softgpu/core/launch/workgroup_dispatch.h"
#include "softgpu/core/launch/cold_caches.h"
#include "softgpu/core/state/gpu.h"

/* Whether one of several launches has ended. The only one ends when nothing is left to do. */
static bool has_ended_launch(const struct machine *m)
{
	if (__builtin_expect(m->residents <= 1, 1))
		return false;
	for (uint32_t k = 0; k < m->residents; k++)
		if (m->resident[k]->done == m->resident[k]->total)
			return true;
	return false;
}

static void run_events(struct machine *m)
{
	if (m->halt)
		return;
	if (windows_can_run(m)) {
		windows_run(m);
		return;
	}
	windows_leave(m);
	while (m->events.count && !m->halt && !has_ended_launch(m) && event_queue_first_time(&m->events) < m->pause) {
		uint32_t id = event_queue_first_id(&m->events);
		if (id == DISPATCHER)
			dispatch_next_workgroup(m, event_queue_first_time(&m->events));
		else if (!m->model.timing)
			simd_run_functional(&m->cu[id]);
		else
			m->issue[m->profiler != NULL](&m->cu[id]);
	}
}

/* The launch that this thread runs, and the way out of it when the host denies an access. */
static _Thread_local struct machine *running;
static _Thread_local sigjmp_buf way_out;

/* The launch of the wave is not known: any that is resident. */
static void end_with_host_fault(struct machine *m, uint64_t va, bool write)
{
	struct launch_result *out = m->resident[0]->out;

	m->halt = out->status = LAUNCH_MEMORY_FAULT;
	out->fault_va = va;
	out->fault_access = write ? VM_WRITE : VM_READ;
	snprintf(out->message, sizeof out->message,
		"memory fault: %s at 0x%llx: the program has protected this memory of the host (mprotect)",
		write ? "write" : "read", (unsigned long long)va);
}

void run_guarded(struct machine *m, void (*f)(struct machine *m))
{
	struct machine *before = running;
	sigjmp_buf out;

	memcpy(&out, &way_out, sizeof out);
	if (!sigsetjmp(way_out, 0)) {
		running = m;
		f(m);
	}
	running = before;
	memcpy(&way_out, &out, sizeof out);
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
	const cycle_t next = windows_next_event(m);

	for (uint32_t k = 0; k < m->residents && !m->halt; k++) {
		const struct launch *n = m->resident[k];
		if (n->out_of_bounds_until != CYCLE_NEVER && next >= n->out_of_bounds_until)
			m->halt = n->out->status = LAUNCH_OUT_OF_BOUNDS;
	}
}

bool gpu_run_until(struct gpu *g, uint64_t until)
{
	struct machine *m = &g->m;
	uint32_t host = _mm_getcsr();

	_mm_setcsr(m->thread.mxcsr);
	m->pause = until;
	for (uint32_t k = 0; k < m->residents; k++)
		m->pause = min_u64(m->pause, m->resident[k]->out_of_bounds_until);
	memset(m->thread.vm_window, 0, sizeof m->thread.vm_window); /* mappings may have changed */
	run_guarded(m, run_events);
	end_after_out_of_bounds(m);
	_mm_setcsr(host);
	return m->halt || windows_next_event(m) >= CYCLE_NEVER || has_ended_launch(m);
}

enum launch_status gpu_launch(struct gpu *g, const struct dispatch *d, struct launch_result *out)
{
	gpu_begin_launch(g, d, out);
	while (!gpu_launch_has_ended(g, out))
		gpu_run_until(g, UINT64_MAX);
	return gpu_end_launch(g, out);
}

void gpu_clear_caches(struct gpu *g)
{
	memory_clear_caches(&g->m);
}
