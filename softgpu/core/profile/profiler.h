/* Looking inside a launch: what every cycle of every wave went to, by cause and by instruction, and along the critical
 * path.
 *
 * While somebody looks, machine.inside is not NULL and the issue loop and the memory pipeline run in second
 * instantiations that report to this; otherwise neither knows of it. What is reported is read off the times that the
 * model has computed: looking never changes one.
 */
#ifndef SOFTGPU_CORE_PROFILE_PROFILER_H
#define SOFTGPU_CORE_PROFILE_PROFILER_H

#include "softgpu/core/profile/profile_events.h"
#include "softgpu/core/exec/machine.h"
#include "softgpu/probe.h"

enum stall_reason {
#define STALL_REASON(id, ...) STALL_##id,
#include "softgpu/stall_reasons.def"
#undef STALL_REASON
	STALL_REASON_COUNT
};

/* --- an access's way --- */
enum { PATH_MAX = 8 };

/* What an access in flight went through from `begin` on, in the order of time: cause k until until[k]. */
struct access_path {
	uint64_t begin;
	uint32_t count;
	uint8_t cause[PATH_MAX];
	uint64_t until[PATH_MAX];
};

static inline uint64_t access_path_end(const struct access_path *p)
{
	return p->count ? p->until[p->count - 1] : p->begin;
}

static inline void access_path_begin(struct access_path *p, uint64_t t)
{
	if (!p)
		return;
	p->begin = t;
	p->count = 0;
}

/* Until cycle `until` it was `cause`; nothing when that is past. The last place takes what is too much. */
static inline void access_path_add(struct access_path *p, enum stall_reason cause, uint64_t until)
{
	if (!p || until <= access_path_end(p))
		return;
	if (p->count < PATH_MAX)
		p->count++;
	p->cause[p->count - 1] = cause;
	p->until[p->count - 1] = until;
}

/* The end is at `until` after all. */
static inline void access_path_truncate(struct access_path *p, uint64_t until)
{
	if (!p || !p->count)
		return;
	while (p->count > 1 && p->until[p->count - 2] >= until)
		p->count--;
	p->until[p->count - 1] = until;
}

/* --- reports --- */
/* At a launch's begin and end. begin sets machine.inside when gpu_set_profiling has asked for it. */
void profiler_begin(struct machine *m, unsigned what);
void profiler_end(struct machine *m);
void profiler_free(struct machine *m);

/* The dispatcher acts at cycle t; it may act again because the wave that is ending at t made room; it starts a wave at
 * `start`. */
void profiler_record_dispatch(struct machine *m, uint64_t t);
void profiler_record_freed_slot(struct machine *m, uint64_t t);
void profiler_record_start(struct wave *w, uint64_t start);

/* The wave issues i at cycle t (before w->last and w->next change); it must wait until `until` for the address stage;
 * it fetches i from cycle t until `until`; a wait instruction
 * issued at w->last waits for these counts; its last instruction, issued at t, has been carried out. */
void profiler_record_issue(struct wave *w, const struct uop *i, uint64_t t);
void profiler_record_backpressure(struct wave *w, const struct uop *i, uint64_t t, uint64_t until);
void profiler_record_fetch(struct wave *w, const struct uop *i, uint64_t t, uint64_t until);
void profiler_record_wait(struct wave *w, unsigned vm, unsigned lgkm);
void profiler_record_finish(struct wave *w, uint64_t t);

/* The way of the access that the wave makes now: its completion has been pushed to a counter; the launch does not end
 * before it is through. */
struct access_path *profiler_new_access_path(struct wave *w);
void profiler_commit_access(struct wave *w, enum waitcnt_kind kind);
void profiler_record_counter_full(struct wave *w, enum waitcnt_kind kind, uint64_t until);
void profiler_record_drain(struct wave *w, const struct access_path *p);
/* Channels have stopped the CU's address stage until then. Causes of waiting for it: */
void profiler_record_cu_stall(struct cu *cu, uint64_t until);
void profiler_add_address_stage(const struct cu *cu, struct access_path *p, uint64_t until);

/* An access to a cache's set; the tag that fell out of it (0: none). An LDS access's dwords, by bank. */
void profiler_record_cache(struct machine *m, enum cache_kind cache, size_t instance, uint64_t set, bool hit);
void profiler_record_eviction(struct machine *m, enum cache_kind cache, size_t instance, uint64_t set, uint64_t tag);
void profiler_record_banks(struct wave *w, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic);

/* --- what has been seen in the last launch --- */
size_t profiler_read_breakdown(const struct machine *m, struct softgpu_cycles *out, size_t max);
size_t profiler_read_profile(const struct machine *m, struct softgpu_instruction *out, size_t max);
const struct profile_events *profiler_get_events(const struct machine *m); /* NULL without */

#endif
