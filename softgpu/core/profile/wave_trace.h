/* One wave followed step by step: what each instruction left in registers, where it went in memory and what it met
 * there.
 *
 * Where nobody follows a wave machine.trace is NULL and each of these is a look at that, made only in launches looked
 * into (profiler.h). */
#ifndef SOFTGPU_CORE_PROFILE_WAVE_TRACE_H
#define SOFTGPU_CORE_PROFILE_WAVE_TRACE_H

#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/l1.h"

/* Which wave, and which of its steps; NULL: none. For the launches that begin later. False when memory ran out. */
bool trace_select_wave(struct machine *m, const struct softgpu_follow *what);
void trace_free(struct machine *m);
void trace_begin(struct machine *m); /* a launch that is looked into */

/* The wave has been created, it issues i at cycle t (what it issued before has been carried out), it has ended. */
void trace_start(struct wave *w);
void trace_issue(struct wave *w, const struct uop *i, uint64_t t);
void trace_finish(struct wave *w);

/* The accesses of the instruction issued last, each before its time is found. LDS: byte addresses in the workgroup's
 * part. */
void trace_vector_access(struct wave *w, const struct memory_access *x, enum memory_kind kind);
void trace_lds_access(struct wave *w, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic);
void trace_scalar_access(struct wave *w, uint64_t phys, unsigned dwords);
/* A cache answers the access that is under way; all of it is back at `due`, having gone that way. */
void trace_cache_answer(struct machine *m, enum cache_kind cache, bool hit);
void trace_complete_access(struct wave *w, const struct access_path *p, uint64_t due);

/* What was seen in the last launch that was looked into; NULL when the wave or the step never came. */
const struct softgpu_trace *trace_get_last(const struct machine *m);

#endif
