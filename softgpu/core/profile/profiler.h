/* The profiler of a launch: what every cycle of every wave is spent on, by stall reason and instruction, and along the
 * critical path.
 *
 * While a launch is profiled, machine.profiler is not NULL, and the issue loop and the memory pipeline run in second
 * instantiations that report to these functions. Reports only contain times that the model has computed: profiling
 * never changes simulated time.
 */
#ifndef SOFTGPU_CORE_PROFILE_PROFILER_H
#define SOFTGPU_CORE_PROFILE_PROFILER_H

#include "softgpu/core/profile/profile_events.h"
#include "softgpu/core/state/machine.h"
#include "softgpu/probe.h"

enum stall_reason {
#define STALL_REASON(id, ...) STALL_##id,
#include "softgpu/stall_reasons.def"
#undef STALL_REASON
	STALL_REASON_COUNT
};

/* --- the path of an access --- */
enum { PATH_MAX = 8 };

/* What an outstanding access waited for, from `begin` on, in time order: reason[k] until until[k]. */
struct access_path {
	cycle_t begin;
	uint32_t count;
	uint8_t reason[PATH_MAX]; /* enum stall_reason */
	cycle_t until[PATH_MAX];
};

static inline cycle_t access_path_end(const struct access_path *p)
{
	return p->count ? p->until[p->count - 1] : p->begin;
}

static inline void access_path_begin(struct access_path *p, cycle_t t)
{
	if (!p)
		return;
	p->begin = t;
	p->count = 0;
}

/* Appends: `reason` until cycle `until`. No effect if that is past. A full path extends its last entry. */
static inline void access_path_add(struct access_path *p, enum stall_reason reason, cycle_t until)
{
	if (!p || until <= access_path_end(p))
		return;
	if (p->count < PATH_MAX)
		p->count++;
	p->reason[p->count - 1] = reason;
	p->until[p->count - 1] = until;
}

/* Ends the path at `until`, earlier or later than before. */
static inline void access_path_truncate(struct access_path *p, cycle_t until)
{
	if (!p || !p->count)
		return;
	while (p->count > 1 && p->until[p->count - 2] >= until)
		p->count--;
	p->until[p->count - 1] = until;
}

/* --- reports --- */
/* At the start and end of a launch, whose instructions have been counted (perf_counters.h). profiler_begin sets
 * machine.profiler if `what` (SOFTGPU_PROFILE_*) is not 0. */
void profiler_begin(struct machine *m, unsigned what);
void profiler_end(const struct launch *n);
void profiler_free(struct machine *m);

/* The dispatcher acts at cycle t; a wave ending at t makes room, so the dispatcher can continue; it starts a wave at
 * `start`. */
void profiler_record_dispatch(struct machine *m, cycle_t t);
void profiler_record_freed_slot(struct machine *m, cycle_t t);
/* The room of a wave that ends now becomes free later, between these two. */
void profiler_record_end(struct wave *w);
void profiler_begin_release(const struct wave *w);
void profiler_end_release(struct machine *m);
void profiler_record_start(struct wave *w, cycle_t start);

/* The wave issues i at cycle t (before w->last and w->next change); it waits for the address stage until `until`; it
 * fetches i from cycle t until `until`; its end i waits, from
 * cycle t on, for all its accesses; its s_waitcnt, issued at w->last, waits for these counts; its last instruction,
 * issued at t, has executed. */
void profiler_record_issue(struct wave *w, const struct uop *i, cycle_t t);
void profiler_record_backpressure(struct wave *w, const struct uop *i, cycle_t t, cycle_t until);
void profiler_record_fetch(struct wave *w, const struct uop *i, cycle_t t, cycle_t until);
void profiler_record_wait(struct wave *w, const struct uop *i);
void profiler_record_finish(struct wave *w, cycle_t t);
void profiler_record_end_wait(struct wave *w, const struct uop *i, cycle_t t);

/* The path of the access that the wave makes now; commit: its completion was pushed to a counter; counter_full: issue
 * stalls until `until`; drain: the launch does not end before the access completes. */
struct access_path *profiler_new_access_path(struct wave *w);
void profiler_commit_access(struct wave *w, enum waitcnt_kind kind);
void profiler_record_counter_full(struct wave *w, enum waitcnt_kind kind, cycle_t until);
void profiler_record_drain(struct wave *w, const struct access_path *p);
/* L2 channels stop the CU's address stage until `until`; appends the reasons for waiting for the stage. */
void profiler_record_cu_stall(struct cu *cu, cycle_t until);
void profiler_add_address_stage(const struct cu *cu, struct access_path *p, cycle_t until);

/* An access to a cache set; the evicted tag (0: none); an LDS access's dwords, by bank. */
void profiler_record_cache(struct machine *m, enum cache_kind cache, size_t instance, uint64_t set, bool hit);
void profiler_record_eviction(struct machine *m, enum cache_kind cache, size_t instance, uint64_t set, uint64_t tag);
void profiler_record_banks(struct wave *w, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic);

/* --- results of the last profiled launch --- */
size_t profiler_read_breakdown(const struct machine *m, struct softgpu_cycles *out, size_t max);
size_t profiler_read_profile(const struct machine *m, struct softgpu_instruction *out, size_t max);
const struct profile_events *profiler_get_events(const struct machine *m); /* NULL: none */

#endif
