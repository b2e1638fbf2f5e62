#include "softgpu/core/windows/windows.h"

#include <immintrin.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/launch/host_fault.h"
#include "softgpu/core/windows/thread_views.h"
#include "softgpu/core/windows/window_threads.h"
#include "softgpu/core/launch/wave_start.h"
#include "softgpu/core/launch/workgroup_dispatch.h"
#include "softgpu/core/memory/deferred_access.h"
#include "softgpu/core/memory/store_overlay.h"
#include "softgpu/core/windows/l2_exchange.h"
#include "softgpu/core/timing/cluster_merge.h"
#include "softgpu/core/timing/window_log.h"
#include "softgpu/core/profile/launch_requests.h"
#include "softgpu/core/resident/freed_room.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/timing/line_dependencies.h"
#include "softgpu/core/timing/scheduler.h"
#include "softgpu/core/timing/waitcnt.h"

enum { WINDOW_CYCLES_MIN = 32 /* shorter ones cost more than they gain */ };
_Static_assert((int)WINDOW_CYCLES_MIN < (int)WINDOW_CYCLES_MAX, "l2_exchange.h limits windows");

bool windows_open(struct machine *m)
{
	m->clusters = m->arrays ? m->arrays : m->sqcs;
	m->cluster = calloc(m->clusters, sizeof *m->cluster);
	if (!m->cluster)
		return false;
	for (uint32_t k = 0; k < m->cus; k++) {
		struct cu *cu = &m->cu[k];
		cu->cluster = &m->cluster[cu->array ? cu->array - m->array : cu->sqc - m->sqc];
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
	const cycle_t longest = min_u64(shortest_latency(c), WINDOW_CYCLES_MAX);

	return c->window_cycles ? min_u64(c->window_cycles, longest) : longest;
}

/* A window costs about as much for one busy cluster as for some. */
static bool fills_clusters(const struct launch *n)
{
	return n->total >= n->m->clusters;
}

bool windows_can_run(const struct machine *m)
{
	const struct launch *n = m->resident[0];

	return m->model.timing && m->residents == 1 && !m->profiler && !m->checker && !n->repeat && !n->sample &&
		!n->d->gws && !m->short_of_scratch && fills_clusters(n) && m->model.l1_latency <= m->model.l2_latency &&
		cycles_of_window(&m->model) >= WINDOW_CYCLES_MIN;
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
	settle_threads(m);
	for (uint32_t k = 0; k < m->clusters; k++) {
		struct cluster *c = &m->cluster[k];
		event_queue_clear(&c->events);
		c->request.count = c->part.count = c->completion.count = c->fill.count = c->waiting.count =
			c->started.count = c->ended.count = c->deferred.count = 0;
		overlay_clear(&c->stores);
	}
	for (uint32_t k = 0; k < m->cus; k++) {
		const uint32_t cluster = m->cu[k].cluster - m->cluster;
		m->cu[k].waiting = 0;
		m->cu[k].memo = cluster;
		m->cu[k].memo_epoch = m->launches;
		view_take_cu(m->view[cluster % m->threads], &m->cu[k]);
		move_event(&m->cu[k], &m->cu[k].cluster->events);
	}
}

void windows_leave(struct machine *m)
{
	if (!m->windowed)
		return;
	m->windowed = false;
	for (uint32_t k = 0; k < m->cus; k++) {
		m->cu[k].memo = m->cu[k].memo_epoch = 0;
		view_take_cu(m, &m->cu[k]);
		move_event(&m->cu[k], &m->events);
	}
	views_merge_counts(m);
	window_threads_end(m);
}

/* --- the end of a window --- */
/* When the accesses that the wave waits for complete. */
static cycle_t time_of_accesses(struct wave *w, const struct cluster *c, bool all)
{
	cycle_t t = 0;

	for (enum waitcnt_kind kind = 0; kind < WAITCNT_KINDS; kind++)
		t = max_u64(t, completion_time(c, waitcnt_completion(w, kind, all ? w->waitcnt[kind].count - 1 : -1)));
	return t;
}

static void wake_wave(struct cluster *c, const struct waiting_wave *x)
{
	struct wave *w = x->wave;
	struct cu *cu = w->simd->cu;
	struct scheduler *q = &cu->scheduler;
	cycle_t t = max_u64(x->known, time_of_accesses(w, c, x->ends));

	t = max_u64(t, completion_time(c, x->fetch)) + x->extra;
	w->next = results_wait(w, w->ip, t);
	cu->waiting--;
	scheduler_set_far(q, scheduler_wave_index(w), w->next);
	event_queue_set(&c->events, cu - cu->m->cu, scheduler_next_cycle(q));
}

static void wake_waves(struct cluster *c)
{
	for (size_t n = 0; n < c->waiting.count; n++)
		wake_wave(c, &c->waiting.at[n]);
	c->waiting.count = 0;
}

/* Takes over the ends of all clusters in the order of their keys. */
static void collect_ends(struct machine *m)
{
	struct cluster_merge q = {0};

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

/* --- a window --- */
/* All decisions of the dispatcher before the cycle: it knows by now what frees room until then. */
static void dispatch_before(struct machine *m, cycle_t end)
{
	while (event_queue_time_of(&m->events, DISPATCHER) < end && !m->halt)
		dispatch_next_workgroup(m, event_queue_time_of(&m->events, DISPATCHER));
}

/* The dispatcher has placed them; the rest is the cluster's work. */
static void begin_waves(struct cluster *c)
{
	for (size_t n = 0; n < c->started.count; n++)
		wave_begin(c->started.at[n].wave, c->started.at[n].exec, c->started.at[n].at);
	c->started.count = 0;
}

static void run_cluster(struct machine *view, struct cluster *c)
{
	begin_waves(c);
	while (c->events.count && event_queue_first_time(&c->events) < c->end && !view->halt) {
		struct cu *cu = &view->cu[event_queue_first_id(&c->events)];
		c->running = cu;
		view->issue[0](cu);
	}
}

/* --- its parts, on each thread --- */
static uint32_t number_of_view(const struct machine *view)
{
	uint32_t number = 0;

	while (view->owner->view[number] != view)
		number++;
	return number;
}

static void run_clusters(struct machine *view)
{
	for (uint32_t k = number_of_view(view); k < view->clusters; k += view->threads) {
		run_cluster(view, &view->cluster[k]);
		l2_exchange_sort(view, &view->cluster[k]);
	}
}

static void serve_channels(struct machine *view)
{
	l2_exchange_serve(view, number_of_view(view), view->threads);
}

static void write_stores(struct machine *view)
{
	overlays_write(view, number_of_view(view), view->threads);
}

static void resolve_clusters(struct machine *view)
{
	for (uint32_t k = number_of_view(view); k < view->clusters; k += view->threads) {
		overlay_clear(&view->cluster[k].stores);
		l2_exchange_resolve(view, &view->cluster[k]);
		wake_waves(&view->cluster[k]);
	}
}

static bool has_work(const struct machine *m, uint32_t thread)
{
	for (uint32_t k = thread; k < m->clusters; k += m->threads)
		if (m->cluster[k].started.count || event_queue_first_time(&m->cluster[k].events) < m->cluster[k].end)
			return true;
	return false;
}

static bool works_alone(const struct machine *m)
{
	uint32_t busy = 0;

	for (uint32_t k = 0; k < m->threads; k++)
		busy += has_work(m, k);
	return busy < 2;
}

enum { FEW_REQUESTS = 256 /* which one thread serves before others have begun */ };

static void write_and_serve(struct machine *view)
{
	write_stores(view);
	serve_channels(view);
}

/* What the clusters have written down. */
struct window_log {
	size_t requests, lines, deferred;
};

static struct window_log count_log(const struct machine *m)
{
	struct window_log log = {0};

	for (uint32_t k = 0; k < m->clusters; k++) {
		const struct cluster *c = &m->cluster[k];
		log.requests += c->request.count;
		log.lines += c->stores.line.count;
		log.deferred += c->deferred.count;
	}
	return log;
}

/* Stores act, then what has to come after them, then requests: on all threads where these are many. */
static void exchange_window(struct machine *m, bool alone)
{
	const struct window_log log = count_log(m);
	const bool few = alone || log.requests < FEW_REQUESTS, serve_together = !few && l2_channels_are_apart(m),
		   write_together = serve_together && !log.deferred;

	if (log.lines && !write_together)
		overlays_write(m, 0, 1);
	if (log.deferred)
		accesses_apply(m);
	if (serve_together)
		window_threads_run(m, write_together && log.lines ? write_and_serve : serve_channels, false);
	else
		l2_exchange_serve(m, 0, 1);
	window_threads_run(m, resolve_clusters, few);
}

cycle_t windows_next_event(const struct machine *m)
{
	cycle_t t = m->events.count ? event_queue_first_time(&m->events) : CYCLE_NEVER;

	for (uint32_t k = 0; m->windowed && k < m->clusters; k++)
		t = min_u64(t, event_queue_first_time(&m->cluster[k].events));
	return min_u64(t, CYCLE_NEVER);
}

/* Mappings of the program that wait to be seen are seen from the next window on. */
static void see_mappings(struct machine *m)
{
	if (m->threads > 1 && m->vm.unmapped_hook)
		m->vm.unmapped_hook();
	views_refresh_mappings(m);
}

static void run_window(struct machine *m, cycle_t begin, cycle_t end)
{
	for (uint32_t k = 0; k < m->clusters; k++) {
		m->cluster[k].begin = begin;
		m->cluster[k].end = end;
		m->cluster[k].latest = 0;
	}
	for (uint32_t k = 1; k < m->threads; k++)
		m->view[k]->pause = m->pause;
	dispatch_before(m, begin + m->model.dispatch_free_cycles);
	const bool alone = works_alone(m);
	window_threads_run(m, run_clusters, alone);
	if (m->halt) {
		overlays_write(m, 0, 1);
		return;
	}
	exchange_window(m, alone);
	for (uint32_t k = 0; k < m->clusters; k++)
		m->resident[0]->end = max_u64(m->resident[0]->end, m->cluster[k].latest);
	collect_ends(m);
	see_mappings(m);
}

static void stop_if_requested(struct machine *m, cycle_t t)
{
	if (!machine_has_requests(m))
		return;
	views_merge_counts(m);
	if (!machine_poll_stop(m, t))
		return;
	m->halt = m->resident[0]->out->status = LAUNCH_STOPPED;
	snprintf(m->resident[0]->out->message, sizeof m->resident[0]->out->message, "stopped on request");
}

/* Windows begin at multiples of their length; those in which nothing happens are left out. */
void windows_run(struct machine *m)
{
	const struct launch *n = m->resident[0];
	const cycle_t length = cycles_of_window(&m->model);

	if (!m->windowed)
		enter_windows(m);
	see_mappings(m);
	for (cycle_t at = 0; !m->halt;) {
		const cycle_t first = windows_next_event(m);
		if (first >= m->pause || first >= CYCLE_NEVER)
			break;
		const cycle_t begin = max_u64(at, first - (first - min_u64(first, n->begin)) % length);
		at = min_u64(begin + length, m->pause);
		run_window(m, begin, at);
		window_threads_adapt(m);
		stop_if_requested(m, at);
	}
}
