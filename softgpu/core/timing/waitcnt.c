#include "softgpu/core/timing/waitcnt.h"

#include "softgpu/core/profile/profiler.h"

void waitcnt_push_slow(struct wave *w, enum waitcnt_kind kind, cycle_t due)
{
	struct waitcnt *f = &w->waitcnt[kind];

	if (f->count == w->m->waitcnt_max[kind]) {
		const cycle_t oldest = waitcnt_completion(w, kind, 0);
		if (machine_is_profiled(w->m))
			profiler_record_counter_full(w, kind, oldest);
		w->next = w->next > oldest ? w->next : oldest;
		f->head++;
		f->count--;
	}
	waitcnt_push_unchecked(w, kind, due);
	if (machine_is_profiled(w->m))
		profiler_commit_access(w, kind);
}

void waitcnt_reset(struct wave *w)
{
	for (enum waitcnt_kind kind = 0; kind < WAITCNT_KINDS; kind++) {
		w->waitcnt[kind] = (struct waitcnt){0, 0};
		w->due[kind][waitcnt_ring_index(w, kind, -1)] = 0;
	}
}
