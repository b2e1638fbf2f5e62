#include "softgpu/core/windows/windows.h"

#include <immintrin.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/windows/thread_views.h"
#include "softgpu/core/windows/window.h"
#include "softgpu/core/windows/window_threads.h"
#include "softgpu/core/memory/window/deferred_access.h"
#include "softgpu/core/memory/window/store_overlay.h"
#include "softgpu/core/windows/l2_exchange.h"
#include "softgpu/core/profile/launch_requests.h"

enum { WINDOW_CYCLES_MIN = 32 /* shorter ones cost more than they gain */ };
_Static_assert((int)WINDOW_CYCLES_MIN < (int)WINDOW_CYCLES_MAX, "l2_exchange.h limits windows");

bool windows_open(struct machine *m)
{
	m->clusters = m->arrays ? m->arrays : m->sqcs;
	m->cluster = allocate_host_lines(m->clusters, sizeof *m->cluster);
	if (!m->cluster)
		return false;
	for (uint32_t k = 0; k < m->cus; k++) {
		struct cu *cu = &m->cu[k];
		cu->cluster = &m->cluster[cu->array ? cu->array - m->array : cu->sqc - m->sqc];
		cu->cluster->cus++;
		cu->sqc->cluster = cu->cluster;
		if (cu->array)
			cu->array->cluster = cu->cluster;
		cu->events = &m->events;
	}
	return true;
}

void windows_close(struct machine *m)
{
	window_threads_close(m);
	l2_exchange_close(m);
	free(m->cluster);
}

/* --- whether, and how long --- */
/* The shortest time in which what a CU does reaches another cluster, or in which a deferred access completes. */
static cycle_t shortest_latency(const struct model *c)
{
	cycle_t t = min_u64(c->l2_latency, min_u64(c->dram_latency, c->system_latency));

	t = min_u64(t, min_u64(c->store_latency, c->l2_stop_cycles));
	t = min_u64(t, min_u64(c->scalar_l2_latency, c->icache_l2_latency));
	if (c->gl1_bytes) /* loads that bypass L0 may hit it */
		t = min_u64(t, c->gl1_latency);
	return min_u64(t, c->dispatch_free_cycles + c->wave_start_cycles);
}

static cycle_t cycles_of_window(const struct model *c)
{
	const cycle_t longest =
		c->timing ? min_u64(shortest_latency(c), WINDOW_CYCLES_MAX) : (cycle_t)FUNCTIONAL_SLICE_CYCLES;

	return c->window_cycles ? min_u64(c->window_cycles, longest) : longest;
}

/* Without timing, threads see at once what others store, so results of workgroups that race would differ from run to
 * run: only on request. */
static bool windows_fit(const struct model *c)
{
	return cycles_of_window(c) >= WINDOW_CYCLES_MIN && (c->timing ? c->l1_latency <= c->l2_latency : c->threads);
}

/* A window costs about as much for one busy cluster as for some. */
static bool fills_clusters(const struct launch *n)
{
	return n->total >= n->m->clusters;
}

bool windows_can_run(const struct machine *m)
{
	const struct launch *n = m->resident[0];

	return m->residents == 1 && !m->profiler && !m->checker && !n->repeat && !n->sample && !n->d->gws &&
		!m->short_of_scratch && fills_clusters(n) && windows_fit(&m->model);
}

/* --- begin and end --- */
static void move_event(struct cu *cu, struct event_queue *to)
{
	const uint32_t id = cu - cu->m->cu;
	const bool queued = cu->events->at[id];
	const cycle_t t = event_queue_time_of(cu->events, id);

	event_queue_remove(cu->events, id);
	cu->events = to;
	if (queued)
		event_queue_set(to, id, t);
}

void windows_begin_launch(struct machine *m)
{
	m->threads = 1;
	m->has_threads = false;
}

static void settle_threads(struct machine *m)
{
	if (m->has_threads) {
		window_threads_resume(m);
		views_refresh(m);
	} else {
		window_threads_begin(m);
	}
	m->has_threads = true;
}

static void enter_windows(struct machine *m)
{
	m->windowed = true;
	m->unresolved = m->in_window = false;
	settle_threads(m);
	for (uint32_t k = 0; k < m->clusters; k++) {
		struct cluster *c = &m->cluster[k];
		event_queue_clear(&c->events);
		c->request.count = c->part.count = c->completion.count = c->fill.count = c->waiting.count =
			c->started.count = c->ended.count = c->deferred.count = 0;
		c->latest = 0;
		overlay_clear(&c->stores);
	}
	for (uint32_t k = 0; k < m->threads; k++)
		m->view[k]->thread.report = (struct window_report){0};
	for (uint32_t k = 0; k < m->cus; k++) {
		m->cu[k].waiting = 0;
		accesses_forget(&m->cu[k]);
		m->cu[k].memo = m->cu[k].cluster - m->cluster;
		m->cu[k].memo_epoch = m->launches;
		view_take_cu(m->cu[k].cluster->view, &m->cu[k]);
		move_event(&m->cu[k], m->apart ? &m->cu[k].cluster->events : &m->cluster->events);
	}
	views_drop_evicted_code(m);
}

void windows_leave(struct machine *m)
{
	if (!m->windowed)
		return;
	window_leave(m);
	m->windowed = m->apart = false;
	for (uint32_t k = 0; k < m->cus; k++) {
		m->cu[k].memo = m->cu[k].memo_epoch = 0;
		view_take_cu(m, &m->cu[k]);
		move_event(&m->cu[k], &m->events);
	}
	views_drop_evicted_code(m);
	views_merge_counts(m);
	window_threads_end(m);
}

cycle_t windows_next_event(const struct machine *m)
{
	cycle_t t = m->events.count ? event_queue_first_time(&m->events) : CYCLE_NEVER;

	for (uint32_t k = 0; m->windowed && k < m->clusters; k++)
		t = min_u64(t, event_queue_first_time(&m->cluster[k].events));
	if (m->windowed && m->in_window)
		t = min_u64(t, m->window_end);
	return min_u64(t, CYCLE_NEVER);
}

static void stop_if_requested(struct machine *m, cycle_t t)
{
	if (!machine_has_requests(m))
		return;
	views_merge_counts(m);
	if (!machine_fulfill_requests(m, t))
		return;
	struct launch *n = m->resident[0];
	m->halt = n->out->status = LAUNCH_STOPPED;
	n->end = max_u64(n->end, max_u64(t, atomic_load_explicit(&m->published_cycles, memory_order_relaxed)));
	snprintf(n->out->message, sizeof n->out->message, "stopped on request");
}

/* The begin of the next window, not before `at`; CYCLE_NEVER: none begins before the pause. */
static cycle_t next_window(const struct machine *m, cycle_t at, cycle_t length)
{
	const cycle_t first = m->unresolved ? at : windows_next_event(m), start = m->resident[0]->begin;

	if (first >= m->pause || first >= CYCLE_NEVER)
		return CYCLE_NEVER;
	return max_u64(at, first - (first - min_u64(first, start)) % length);
}

/* Windows begin at multiples of their length; those in which nothing happens are left out, if it is known yet. A pause
 * does not end a window: where accesses race, it would change results. */
void windows_run(struct machine *m)
{
	const cycle_t length = cycles_of_window(&m->model);

	if (!m->windowed)
		enter_windows(m);
	window_see_mappings(m);
	if (m->in_window)
		window_resume(m);
	for (cycle_t at = 0; !m->halt && !m->in_window;) {
		if (m->unresolved && at >= m->pause)
			window_resolve(m);
		const cycle_t begin = next_window(m, at, length);
		if (begin >= CYCLE_NEVER)
			break;
		at = begin + length;
		window_run(m, begin, at);
		window_threads_adapt(m);
		m->pause = min_u64(m->pause, m->resident[0]->out_of_bounds_until);
		stop_if_requested(m, at);
	}
	if (!m->in_window)
		window_resolve(m);
}
