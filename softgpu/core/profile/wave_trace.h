/* Traces one wave step by step: the registers that each instruction changes, its memory addresses, and the caches'
 * answers.
 *
 * These functions are called only in profiled launches (profiler.h); they do nothing while machine.trace is NULL. */
#ifndef SOFTGPU_CORE_PROFILE_WAVE_TRACE_H
#define SOFTGPU_CORE_PROFILE_WAVE_TRACE_H

#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/l1.h"

/* Selects the wave and the steps to trace from the next launch on; NULL: none. False if memory runs out. */
bool trace_select_wave(struct machine *m, const struct softgpu_follow *what);
void trace_free(struct machine *m);
void trace_begin(struct machine *m); /* at the start of a profiled launch */

/* The wave was created; it issues i at cycle t (everything before has executed); it has ended. */
void trace_start(struct wave *w);
void trace_issue(struct wave *w, const struct uop *i, cycle_t t);
void trace_finish(struct wave *w);

/* The accesses of the instruction issued last, before they are scheduled. LDS: byte addresses in the workgroup's
 * allocation. */
void trace_vector_access(struct wave *w, const struct memory_access *x, enum memory_kind kind);
void trace_lds_access(struct wave *w, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic);
void trace_scalar_access(struct wave *w, uint64_t phys, unsigned dwords);
/* A cache answers the current access; all of the access completes at `due`, having taken path p. */
void trace_cache_answer(struct machine *m, enum cache_kind cache, bool hit);
void trace_complete_access(struct wave *w, const struct access_path *p, cycle_t due);

/* The trace of the last profiled launch; NULL if the wave or the step did not occur. */
const struct softgpu_trace *trace_get_last(const struct machine *m);

#endif
