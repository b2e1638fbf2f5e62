#include "softgpu/core/windows/cluster_windows.h"

#include <stdlib.h>

#include "base/min_max.h"
#include "softgpu/core/dispatch/wave_start.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/memory/window/overlay_merge.h"
#include "softgpu/core/memory/window/store_overlay.h"
#include "softgpu/core/timing/line_dependencies.h"
#include "softgpu/core/timing/scheduler.h"
#include "softgpu/core/timing/waitcnt.h"
#include "softgpu/core/timing/window_log.h"
#include "softgpu/core/windows/l2_exchange.h"

/* --- what waits for answers --- */
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

/* --- a cluster's window --- */
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
	while (c->events.count && event_queue_first_time(&c->events) < cluster_stop(view, c) && !view->halt) {
		struct cu *cu = &view->cu[event_queue_first_id(&c->events)];
		c->running = cu;
		if (view->model.timing)
			view->issue[0](cu);
		else
			simd_run_functional(cu);
	}
}

static void resolve_cluster(struct machine *view, struct cluster *c)
{
	overlay_clear(&c->stores);
	l2_exchange_resolve(view, c, view->owner->served_by_channel);
	wake_waves(c);
}

/* --- all of a thread --- */
/* The others of this thread go on: one of them may have stopped the launch earlier. */
static void keep_halt(struct machine *view, struct cluster *c)
{
	if (!c->stopped && !(c->stopped = malloc(sizeof *c->stopped)))
		abort(); /* as cluster_grow_list */
	c->halt = view->halt;
	c->halt_key = cluster_key(c);
	*c->stopped = view->stopped;
	view->halt = LAUNCH_OK;
}

static void begin_cluster(const struct machine *owner, struct cluster *c)
{
	c->begin = owner->window_begin;
	c->end = owner->window_end;
	c->halt = LAUNCH_OK;
}

static void report_clusters(struct machine *view)
{
	struct window_report r = {0};

	for (uint32_t k = 0; k < view->thread.clusters; k++) {
		const struct cluster *c = &view->cluster[view->thread.cluster[k]];
		r.requests += c->request.count;
		r.deferred += c->deferred.count;
		r.stored_lines += c->stores.line.count;
		r.ended += c->ended.count;
		r.latest = max_u64(r.latest, c->latest);
		r.halted |= c->halt != LAUNCH_OK;
	}
	view->thread.report = r;
}

static void run_clusters_apart(struct machine *view)
{
	const struct machine *owner = view->owner;

	for (uint32_t k = 0; k < view->thread.clusters; k++) {
		struct cluster *c = &view->cluster[view->thread.cluster[k]];
		if (owner->begins_window)
			begin_cluster(owner, c);
		if (owner->unresolved)
			resolve_cluster(view, c);
		run_cluster(view, c);
		if (view->halt)
			keep_halt(view, c);
		if (owner->sorts_requests && cluster_stop(view, c) == c->end) {
			l2_exchange_sort(view, c);
			overlay_sort(&c->stores, view->threads);
		}
	}
}

static void drop_events(struct machine *m, const struct cluster *c)
{
	for (uint32_t k = 0; k < m->cus; k++)
		if (m->cu[k].cluster == c)
			event_queue_remove(m->cu[k].events, k);
}

/* The first cluster's queue has the events of all. As apart, the others go on when one is stopped. */
static void run_in_order(struct machine *m)
{
	struct event_queue *q = &m->cluster->events;

	for (uint32_t k = 0; k < m->clusters; k++) {
		if (m->begins_window)
			begin_cluster(m, &m->cluster[k]);
		begin_waves(&m->cluster[k]);
	}
	while (q->count && event_queue_first_time(q) < cluster_stop(m, m->cluster)) {
		struct cu *cu = &m->cu[event_queue_first_id(q)];
		cu->cluster->running = cu;
		m->issue[0](cu);
		if (m->halt) {
			keep_halt(m, cu->cluster);
			drop_events(m, cu->cluster);
		}
	}
}

void clusters_run(struct machine *view)
{
	if (view->apart)
		run_clusters_apart(view);
	else
		run_in_order(view);
	report_clusters(view);
}

void clusters_resolve(struct machine *view)
{
	for (uint32_t k = 0; k < view->thread.clusters; k++) {
		struct cluster *c = &view->cluster[view->thread.cluster[k]];
		resolve_cluster(view, c);
		begin_waves(c);
	}
	report_clusters(view);
}
