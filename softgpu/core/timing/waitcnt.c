#include "softgpu/core/timing/waitcnt.h"

#include "softgpu/core/timing/window_log.h"
#include "softgpu/core/profile/profiler.h"

void waitcnt_push_slow(struct wave *w, enum waitcnt_kind kind, cycle_t due)
{
	struct waitcnt *f = &w->waitcnt[kind];

	if (f->count == w->m->waitcnt_max[kind]) {
		const cycle_t oldest = waitcnt_completion(w, kind, 0);
		if (machine_is_profiled(w->m))
			profiler_record_counter_full(w, kind, oldest);
		f->head++;
		f->count--;
		if (cycle_is_unknown(oldest) && !cycle_is_unknown(w->next))
			cluster_wait(w, w->next, 0, 0, false);
		w->next = w->next > oldest ? w->next : oldest;
	}
	waitcnt_push_unchecked(w, kind, due);
	if (machine_is_profiled(w->m))
		profiler_commit_access(w, kind);
}

cycle_t waitcnt_join(struct wave *w, enum waitcnt_kind kind, unsigned n, cycle_t due, cycle_t before)
{
	struct cluster *c = w->simd->cu->cluster;

	if (due < CYCLE_UNKNOWN || completion_of(c, due)->wave) { /* the latter is in another counter, too */
		*CLUSTER_APPEND(c->completion) = (struct completion){.also = due};
		due = COMPLETION_BASE + c->completion.count - 1;
	}
	struct completion *x = completion_of(c, due);
	x->before = before;
	x->wave = w;
	x->counter = kind;
	x->slot = waitcnt_ring_index(w, kind, n);
	return due;
}

void waitcnt_raise_last(struct wave *w, enum waitcnt_kind kind, cycle_t t)
{
	struct cluster *c = w->simd->cu->cluster;
	const unsigned slot = waitcnt_ring_index(w, kind, w->waitcnt[kind].count - 1);
	cycle_t *due = &w->due[kind][slot];

	if (cycle_is_unknown(*due)) {
		due_raise(c, *due, t);
		return;
	}
	if (!w->m->apart) {
		*due = max_u64(*due, t);
		return;
	}
	*CLUSTER_APPEND(c->completion) =
		(struct completion){.floor = max_u64(*due, t), .wave = w, .counter = kind, .slot = slot};
	*due = COMPLETION_BASE + c->completion.count - 1;
}

void waitcnt_reset(struct wave *w)
{
	for (enum waitcnt_kind kind = 0; kind < WAITCNT_KINDS; kind++) {
		w->waitcnt[kind] = (struct waitcnt){0, 0};
		w->due[kind][waitcnt_ring_index(w, kind, -1)] = 0;
	}
}
