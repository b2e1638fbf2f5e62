/* Runs launches on a device. */
#include <immintrin.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/windows/windows.h"
#include "softgpu/core/state/host_fault.h"
#include "softgpu/core/dispatch/workgroup_dispatch.h"
#include "softgpu/core/launch/cold_caches.h"
#include "softgpu/core/launch/launch_abandon.h"
#include "softgpu/core/profile/perf_counters.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/state/gpu.h"
#include "softgpu/core/timing/core_clock.h"

static bool has_ended_workgroups(const struct launch *n)
{
	return n->done == n->total;
}

/* The end of the first launch to which nothing is left to do; CYCLE_NEVER: none. */
static cycle_t first_end(const struct machine *m)
{
	cycle_t first = CYCLE_NEVER;

	for (uint32_t k = 0; k < m->residents; k++)
		if (has_ended_workgroups(m->resident[k]))
			first = min_u64(first, m->resident[k]->end);
	return first;
}

/* The last workgroup of one of several launches lowers the pause to the launch's end (launch_retire_workgroup). */
static void run_events(struct machine *m)
{
	if (m->halt)
		return;
	if (windows_can_run(m)) {
		windows_run(m);
		return;
	}
	windows_leave(m);
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

static void end_after_out_of_bounds(struct machine *m)
{
	const cycle_t next = windows_next_event(m);

	for (uint32_t k = 0; k < m->residents && !m->halt; k++) {
		const struct launch *n = m->resident[k];
		if (n->out_of_bounds_until != CYCLE_NEVER && next >= n->out_of_bounds_until)
			m->halt = n->out->status = LAUNCH_OUT_OF_BOUNDS;
	}
}

static void set_pause(struct machine *m, cycle_t until)
{
	m->pause = until;
	for (uint32_t k = 0; k < m->residents; k++)
		m->pause = min_u64(m->pause, m->resident[k]->out_of_bounds_until);
	if (m->residents > 1)
		m->pause = min_u64(m->pause, first_end(m));
}

/* Where events are left, it is the pause; otherwise the launches may end later than the last event. */
static void note_reached(struct machine *m, cycle_t until)
{
	const cycle_t reached = windows_next_event(m) < CYCLE_NEVER ? m->pause : min_u64(until, first_end(m));

	if (reached != CYCLE_NEVER && reached != UINT64_MAX)
		m->reached = max_u64(m->reached, reached);
}

static bool is_over(const struct launch *n)
{
	if (n->m->halt)
		return true;
	return has_ended_workgroups(n) ? n->m->reached >= n->end : windows_next_event(n->m) >= CYCLE_NEVER;
}

static bool any_is_over(const struct machine *m)
{
	for (uint32_t k = 0; k < m->residents; k++)
		if (is_over(m->resident[k]))
			return true;
	return false;
}

/* An illegal instruction or a trap ends one queue; the kernels of others go on. */
static void isolate_error(struct gpu *g)
{
	struct machine *m = &g->m;

	if (m->residents <= 1 || (m->halt != LAUNCH_ILLEGAL && m->halt != LAUNCH_TRAP))
		return;
	for (uint32_t k = 0; k < m->residents; k++)
		if (m->resident[k]->out->status == m->halt) {
			m->halt = LAUNCH_OK;
			launch_abandon(m->resident[k]);
			return;
		}
}

bool gpu_run_until(struct gpu *g, cycle_t until)
{
	struct machine *m = &g->m;
	uint32_t host = _mm_getcsr();

	_mm_setcsr(m->thread.mxcsr);
	set_pause(m, until);
	memset(m->thread.vm_window, 0, sizeof m->thread.vm_window); /* mappings may have changed */
	run_guarded(m, run_events);
	end_after_out_of_bounds(m);
	_mm_setcsr(host);
	note_reached(m, until);
	isolate_error(g);
	return any_is_over(m);
}

bool gpu_run_on(struct gpu *g, cycle_t cycles)
{
	return gpu_run_until(g, g->m.reached + cycles);
}

bool gpu_launch_has_ended(const struct gpu *g, const struct launch_result *out)
{
	const struct launch *n = launch_of_result(&g->m, out);

	return !n || is_over(n);
}

/* --- the time --- */
cycle_t gpu_reached_cycle(const struct gpu *g)
{
	cycle_t cycle = g->m.reached + g->m.skipped_cycles;

	for (uint32_t k = 0; k < g->m.residents; k++)
		cycle += g->m.resident[k]->skipped_cycles;
	return cycle;
}

uint64_t gpu_reached_ps(const struct gpu *g)
{
	const struct model *c = &g->m.model;
	const cycle_t cycles = gpu_reached_cycle(g);

	if (!c->timing)
		return 0;
	return sclk_cycles_to_ps(c, cycles, min_u64(counters_sum_work(&g->m).valu_cycles, sclk_valu_limit(c, cycles)));
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

void gpu_clear_l2(struct gpu *g)
{
	memory_clear_l2(&g->m);
}
