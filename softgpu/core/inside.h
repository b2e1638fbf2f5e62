/* Looking inside a launch: what every cycle of every wave went to, by cause and by instruction, and along the critical
 * path.
 *
 * While somebody looks, machine.inside is not NULL and the issue loop and the memory pipeline run in second
 * instantiations that report to this; otherwise neither knows of it. What is reported is read off the times that the
 * model has computed: looking never changes one.
 */
#ifndef SOFTGPU_CORE_INSIDE_H
#define SOFTGPU_CORE_INSIDE_H

#include "softgpu/core/inside_events.h"
#include "softgpu/core/machine.h"
#include "softgpu/probe.h"

enum cause {
#define CAUSE(id, help) CAUSE_##id,
#include "softgpu/causes.def"
#undef CAUSE
	CAUSE_COUNT
};

/* --- an access's way --- */
enum { PATH_MAX = 8 };

/* What an access in flight went through from `begin` on, in the order of time: cause k until until[k]. */
struct path {
	uint64_t begin;
	uint32_t count;
	uint8_t cause[PATH_MAX];
	uint64_t until[PATH_MAX];
};

static inline uint64_t path_end(const struct path *p)
{
	return p->count ? p->until[p->count - 1] : p->begin;
}

static inline void path_begin(struct path *p, uint64_t t)
{
	if (!p)
		return;
	p->begin = t;
	p->count = 0;
}

/* Until cycle `until` it was `cause`; nothing when that is past. The last place takes what is too much. */
static inline void path_to(struct path *p, enum cause cause, uint64_t until)
{
	if (!p || until <= path_end(p))
		return;
	if (p->count < PATH_MAX)
		p->count++;
	p->cause[p->count - 1] = cause;
	p->until[p->count - 1] = until;
}

/* The end is at `until` after all. */
static inline void path_close(struct path *p, uint64_t until)
{
	if (!p || !p->count)
		return;
	while (p->count > 1 && p->until[p->count - 2] >= until)
		p->count--;
	p->until[p->count - 1] = until;
}

/* --- reports --- */
/* At a launch's begin and end. begin sets machine.inside when gpu_look has asked for it. */
void inside_begin(struct machine *m, unsigned what);
void inside_end(struct machine *m);
void inside_free(struct machine *m);

/* The dispatcher acts at cycle t; it may act again because the wave that is ending at t made room; it starts a wave at
 * `start`. */
void inside_dispatch(struct machine *m, uint64_t t);
void inside_room(struct machine *m, uint64_t t);
void inside_start(struct wave *w, uint64_t start);

/* The wave issues i at cycle t (before w->last and w->next change); it must wait until `until` for the address stage;
 * it fetches i from cycle t until `until`; a wait instruction
 * issued at w->last waits for these counts; its last instruction, issued at t, has been carried out. */
void inside_issue(struct wave *w, const struct inst *i, uint64_t t);
void inside_held(struct wave *w, const struct inst *i, uint64_t t, uint64_t until);
void inside_fetch(struct wave *w, const struct inst *i, uint64_t t, uint64_t until);
void inside_wait(struct wave *w, unsigned vm, unsigned lgkm);
void inside_finish(struct wave *w, uint64_t t);

/* The way of the access that the wave makes now: its completion has been pushed to a counter; the launch does not end
 * before it is through. */
struct path *inside_path(struct wave *w);
void inside_push(struct wave *w, enum flight_kind kind);
void inside_full(struct wave *w, enum flight_kind kind, uint64_t until);
void inside_drain(struct wave *w, const struct path *p);
/* Channels have stopped the CU's address stage until then. Causes of waiting for it: */
void inside_stopped(struct cu *cu, uint64_t until);
void inside_address_stage(const struct cu *cu, struct path *p, uint64_t until);

/* An access to a cache's set; the tag that fell out of it (0: none). An LDS access's dwords, by bank. */
void inside_cache(struct machine *m, enum cache_kind cache, size_t instance, uint64_t set, bool hit);
void inside_evicted(struct machine *m, enum cache_kind cache, size_t instance, uint64_t set, uint64_t tag);
void inside_banks(struct wave *w, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic);

/* --- what has been seen in the last launch --- */
size_t inside_account(const struct machine *m, struct softgpu_cycles *out, size_t max);
size_t inside_profile(const struct machine *m, struct softgpu_instruction *out, size_t max);
const struct events *inside_events(const struct machine *m); /* NULL without */

#endif
