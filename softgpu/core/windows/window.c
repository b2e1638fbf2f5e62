#include "softgpu/core/windows/window.h"

#include <stdatomic.h>

#include "base/min_max.h"
#include "softgpu/core/dispatch/workgroup_dispatch.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/memory/window/deferred_access.h"
#include "softgpu/core/memory/window/overlay_merge.h"
#include "softgpu/core/resident/freed_room.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/timing/cluster_merge.h"
#include "softgpu/core/windows/cluster_windows.h"
#include "softgpu/core/windows/l2_exchange.h"
#include "softgpu/core/windows/thread_views.h"
#include "softgpu/core/windows/window_threads.h"

/* --- reports of the threads --- */
static struct window_report sum_reports(const struct machine *m)
{
	struct window_report sum = {0};

	for (uint32_t k = 0; k < m->threads; k++) {
		const struct window_report *r = &m->view[k]->thread.report;
		sum.requests += r->requests;
		sum.deferred += r->deferred;
		sum.stored_lines += r->stored_lines;
		sum.ended += r->ended;
		sum.latest = max_u64(sum.latest, r->latest);
		sum.halted |= r->halted;
	}
	return sum;
}

/* --- the dispatcher --- */
/* Takes over the ends of all clusters in the order of their keys. */
static void collect_ends(struct machine *m)
{
	struct cluster_merge q = {0};

	if (!sum_reports(m).ended)
		return;
	for (uint32_t k = 0; k < m->clusters; k++)
		if (m->cluster[k].ended.count)
			cluster_merge_add(&q, k, m->cluster[k].ended.at->key);
	while (q.count) {
		struct cluster *c = &m->cluster[q.turn->cluster];
		const struct ended_wave *e = &c->ended.at[q.turn->next];
		if (e->last)
			launch_retire_workgroup(e->wave->group, e->at);
		freed_room_add(m, e->wave, e->at, e->last);
		if (q.turn->next + 1 < c->ended.count) {
			cluster_merge_advance(&q, e[1].key);
			continue;
		}
		c->ended.count = 0;
		cluster_merge_drop(&q);
	}
}

/* All decisions of the dispatcher for the window that begins at the cycle: with timing, those for which it knows by now
 * what frees room. Those after a pause come after it, because another launch may join then. */
static void dispatch_for_window(struct machine *m, cycle_t begin)
{
	const cycle_t end = m->model.timing ? min_u64(begin + m->model.dispatch_free_cycles, m->pause)
					    : begin + FUNCTIONAL_SLICE_CYCLES;

	while (event_queue_time_of(&m->events, DISPATCHER) < end && !m->halt)
		dispatch_next_workgroup(m, event_queue_time_of(&m->events, DISPATCHER));
}

/* --- parts of a window, on each thread --- */
/* Each channel is served by one thread: its own, whose caches have its tags, or one that has nothing else to do. */
static bool take_channel(struct machine *view, uint32_t channel)
{
	const uint32_t window = view->owner->window;
	_Atomic uint32_t *served_in = &view->channel[channel].served_in;

	return atomic_load_explicit(served_in, memory_order_relaxed) != window &&
		atomic_exchange_explicit(served_in, window, memory_order_relaxed) != window;
}

static void serve_channels(struct machine *view)
{
	for (uint32_t k = view->thread.number; k < view->channels; k += view->threads)
		if (take_channel(view, k))
			l2_exchange_serve_channel(view, k);
	for (uint32_t k = 0; k < view->channels; k++)
		if (take_channel(view, k))
			l2_exchange_serve_channel(view, k);
}

/* While the other threads serve, the launching one dispatches for the next window. */
static void serve_and_dispatch(struct machine *view)
{
	if (view == view->owner) {
		collect_ends(view);
		dispatch_for_window(view, view->window_end);
	}
	serve_channels(view);
}

static void store_serve_and_dispatch(struct machine *view)
{
	overlays_write_part(view, view->thread.number);
	serve_and_dispatch(view);
}

/* --- a window --- */
static void halt_launch(struct machine *m, enum launch_status status, const struct launch_result *why)
{
	struct launch *n = m->resident[0];

	m->halt = status;
	if (n->out_of_bounds_until != CYCLE_NEVER)
		m->halt = n->out->status = LAUNCH_OUT_OF_BOUNDS;
	else
		*n->out = *why;
}

/* The first of those that stopped it, whichever thread came first. A host's fault stops a thread, not a cluster. */
static void settle_halt(struct machine *m)
{
	const bool halted = sum_reports(m).halted;
	const struct cluster *first = NULL;

	for (uint32_t k = 0; halted && k < m->clusters; k++)
		if (m->cluster[k].halt && (!first || m->cluster[k].halt_key < first->halt_key))
			first = &m->cluster[k];
	for (uint32_t k = 0; k < m->threads && !first; k++)
		if (m->view[k]->halt) {
			halt_launch(m, m->view[k]->halt, &m->view[k]->stopped);
			return;
		}
	if (first)
		halt_launch(m, first->halt, first->stopped);
}

static bool has_work_of_thread(const struct machine *m, const struct host_thread *h)
{
	for (uint32_t k = 0; k < h->clusters; k++) {
		const struct cluster *c = &m->cluster[h->cluster[k]];
		if (m->unresolved || c->started.count || event_queue_first_time(&c->events) < m->window_end)
			return true;
	}
	return false;
}

static bool works_alone(const struct machine *m)
{
	uint32_t busy = 0;

	for (uint32_t k = 0; k < m->threads; k++)
		busy += has_work_of_thread(m, &m->view[k]->thread);
	return busy < 2;
}

static void extend_launch_by_clusters(struct machine *m)
{
	m->resident[0]->end = max_u64(m->resident[0]->end, sum_reports(m).latest);
}

void window_resolve(struct machine *m)
{
	if (m->unresolved)
		window_threads_run(m, clusters_resolve, true);
	m->unresolved = false;
	extend_launch_by_clusters(m);
}

/* Mappings of the program that wait to be seen are seen from the next window on. */
void window_see_mappings(struct machine *m)
{
	if (m->threads > 1 && m->vm.unmapped_hook)
		m->vm.unmapped_hook();
	views_refresh_mappings(m);
}

enum { FEW_REQUESTS = 256 /* which one thread serves before others have begun */ };

static void serve_alone(struct machine *m)
{
	m->served_by_channel = false;
	m->unresolved = true;
	l2_exchange_serve_all(m);
	window_resolve(m);
}

static void exchange_alone(struct machine *m)
{
	serve_alone(m);
	collect_ends(m);
}

/* The caches are as if the clusters had asked in the order of events. */
static void exchange_halted(struct machine *m)
{
	overlays_write(m);
	if (m->model.timing)
		serve_alone(m);
}

static void exchange_together(struct machine *m, bool store)
{
	m->served_by_channel = m->unresolved = true;
	window_threads_run(m, store ? store_serve_and_dispatch : serve_and_dispatch, false);
	settle_halt(m);
}

/* What clusters have written down acts: stores, then what has to come after them, then requests. Where these are many,
 * all threads serve them, and the clusters see the answers when they begin the next window. */
static void exchange_window(struct machine *m, bool alone)
{
	const struct window_report r = sum_reports(m);
	const bool together = m->sorts_requests && !alone && r.requests >= FEW_REQUESTS,
		   stored = r.stored_lines && (r.deferred || !together);

	if (stored)
		overlays_write(m);
	if (r.deferred)
		accesses_apply(m);
	settle_halt(m);
	if (m->halt)
		exchange_halted(m);
	else if (together)
		exchange_together(m, r.stored_lines && !stored);
	else if (m->model.timing)
		exchange_alone(m);
	else
		collect_ends(m); /* without timing, nothing is asked, and nothing stored in overlays */
}

static void end_window(struct machine *m, bool alone)
{
	m->in_window = false;
	extend_launch_by_clusters(m);
	if (m->halt)
		exchange_halted(m);
	else
		exchange_window(m, alone);
	window_see_mappings(m);
}

static void begin_window(struct machine *m, cycle_t begin, cycle_t end)
{
	m->window_begin = begin;
	m->window_end = end;
	m->window++;
	m->in_window = m->begins_window = true;
	m->sorts_requests = m->model.timing && window_threads_are_several(m) && l2_channels_are_apart(m);
}

void window_resume(struct machine *m)
{
	dispatch_for_window(m, m->window_begin);
	const bool alone = works_alone(m);

	for (uint32_t k = 1; k < m->threads; k++)
		m->view[k]->pause = m->pause;
	window_threads_run(m, clusters_run, alone);
	m->unresolved = m->begins_window = false;
	settle_halt(m);
	if (m->halt || m->window_end <= m->pause)
		end_window(m, alone);
}

void window_run(struct machine *m, cycle_t begin, cycle_t end)
{
	begin_window(m, begin, end);
	window_resume(m);
}

void window_leave(struct machine *m)
{
	if (m->in_window)
		end_window(m, true);
}
