#include "softgpu/core/simd.h"

#include <immintrin.h>

#include "softgpu/core/code.h"
#include "softgpu/core/dispatch.h"
#include "softgpu/core/inside.h"
#include "softgpu/core/memory.h"

/* The issue loop exists twice: as it is, and with reports to inside.h. */
#define TWICE static inline __attribute__((always_inline))

/* A SIMD that may yet get waves to run beside its own, released from a barrier or new ones, runs no further than this beyond what the others have
 * reached: what it has issued by then would keep them from the units they want. */
enum { LOOKAHEAD = 32 };

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* --- choosing ------------------------------------------------------------------------------------------------------ */
static uint64_t issue_time(const struct simd *s, const struct wave *w)
{
	return later(w->next, s->unit_free[w->ip->unit]);
}

/* The wave that issues first, the oldest among equals. */
TWICE struct wave *choose(const struct simd *s, uint64_t *when)
{
	struct wave *best = s->order[0];
	uint64_t t = issue_time(s, best);

	for (uint32_t k = 1; k < s->count; k++) {
		uint64_t other = issue_time(s, s->order[k]);
		if (other < t) {
			t = other;
			best = s->order[k];
		}
	}
	*when = t;
	return best;
}

/* Until when no other wave of the SIMD could issue, provided that `w` keeps the vector unit busy: younger waves that want
 * that unit wait for as long as it does. */
TWICE uint64_t horizon(const struct simd *s, const struct wave *w)
{
	bool older = true, vector = w->ip->unit == UNIT_VALU;
	uint64_t until = NEVER;

	for (uint32_t k = 0; k < s->count; k++) {
		const struct wave *other = s->order[k];
		if (other == w) {
			older = false;
			continue;
		}
		if (!older && vector && other->ip->unit == UNIT_VALU)
			continue;
		uint64_t t = issue_time(s, other);
		until = t < until ? t : until;
	}
	return until;
}

/* --- instructions that stay inside the wave ------------------------------------------------------------------------- */
static void floating_point(struct wave *w, const struct inst *i)
{
	if (w->m->mxcsr != w->mx[i->fp])
		_mm_setcsr(w->m->mxcsr = w->mx[i->fp]);
}

/* The next instruction in line; one that crosses fetch windows comes late unless something longer hides it. */
static inline void advance(struct wave *w, const struct inst *i, uint64_t next)
{
	const struct inst *after = i + i->words;

	if (after->cross)
		next = later(next, w->last + 4 + after->cross);
	w->next = next;
	w->ip = after;
}

TWICE void wait_counts(struct wave *w, const struct inst *i, bool report)
{
	uint32_t n = i->d.imm, vm = (n & 15) | (n >> 10 & 48), lgkm = n >> 8 & 15;

	if (report)
		inside_wait(w, vm, lgkm);
	w->next = wave_wait(w, w->last, vm, lgkm) + i->cost;
}

/* Runs wave w from cycle t for as long as it is its turn: alone (`until` is NEVER) or back to back on the vector unit. */
TWICE void run_wave(struct simd *s, struct wave *w, uint64_t t, uint64_t until, uint64_t limit, bool report)
{
	const struct inst *i = w->ip;
	bool alone = s->count == 1;

	for (;;) {
		((struct inst *)i)->hits++;
		if (report)
			inside_issue(w, i, t);
		w->last = t;
		if (i->kind == KIND_PLAIN) {
			const struct inst *x = i;
			if (i->fp | w->gpr_idx) {
				if (w->gpr_idx && i->unit == UNIT_VALU)
					x = code_indexed(w, i);
				floating_point(w, i);
			}
			x->fn(w, x);
			t += i->cost;
			s->unit_free[i->unit] = t;
			advance(w, i, t);
		} else {
			s->unit_free[i->unit] = t + i->cost;
			if (i->kind == KIND_WAIT) {
				advance(w, i, t);
				wait_counts(w, i, report);
			} else { /* may set ip and next itself */
				advance(w, i, t + i->cost);
				i->fn(w, i);
			}
			if (!alone || w->m->halt)
				return;
		}
		uint64_t was = t;
		i = w->ip;
		t = w->next;
		if (i->kind >= KIND_SHARED || t >= until || t > limit)
			return;
		if (!alone && (i->unit != UNIT_VALU || t != was || t < s->unit_free[UNIT_VALU]))
			return;
	}
}

/* --- barriers and ends --------------------------------------------------------------------------------------------- */
static void release(struct group *g, uint64_t t)
{
	for (uint32_t k = 0; k < g->waves; k++) {
		struct wave *w = g->wave[k];
		if (!w || w->next != NEVER)
			continue;
		w->next = t + w->m->model.barrier_cycles;
		w->simd->blocked--;
		queue_lower(&w->m->queue, w->simd->number, w->next);
	}
	g->arrived = 0;
}

static void barrier(struct wave *w, const struct inst *i, uint64_t t)
{
	struct group *g = w->group;

	w->last = t;
	w->ip = i + i->words;
	w->next = NEVER;
	w->simd->blocked++;
	if (++g->arrived == g->alive)
		release(g, t);
}

TWICE void end(struct simd *s, struct wave *w, uint64_t t)
{
	struct group *g = w->group;
	uint32_t k = 0;

	while (s->order[k] != w)
		k++;
	for (s->count--; k < s->count; k++)
		s->order[k] = s->order[k + 1];
	s->used &= ~(1u << w->slot);
	g->wave[w->index] = NULL;
	w->m->launch.end = later(w->m->launch.end, t + w->ip->cost);
	g->alive--;
	if (!g->alive)
		dispatch_done(w->m, g, t);
	else if (g->arrived == g->alive)
		release(g, t);
	s->cu->waves--;
}

/* --- instructions that others see ---------------------------------------------------------------------------------- */
/* The address stage takes no more: the wave tries again when it does. */
TWICE bool held_back(struct simd *s, struct wave *w, const struct inst *i, uint64_t t, bool report)
{
	uint64_t free = s->cu->l1_free, queue = w->m->model.l1_queue_cycles;

	if ((i->unit != UNIT_VMEM && i->unit != UNIT_FLAT) || free <= t + queue)
		return false;
	if (report)
		inside_held(w, i, t, free - queue);
	w->next = free - queue;
	return true;
}

TWICE void shared(struct simd *s, struct wave *w, uint64_t t, bool report)
{
	const struct inst *i = w->ip;

	if (i->kind == KIND_MEMORY && held_back(s, w, i, t, report))
		return;
	((struct inst *)i)->hits++;
	if (report)
		inside_issue(w, i, t);
	s->unit_free[i->unit] = t + i->cost;
	if (i->kind == KIND_BARRIER) {
		barrier(w, i, t);
	} else if (i->kind == KIND_END) {
		end(s, w, t);
		if (report)
			inside_finish(w, t);
	} else {
		w->last = t;
		advance(w, i, t + i->cost);
		if (i->fp)
			floating_point(w, i);
		if (w->gpr_idx & GPR_IDX_SKIP && i->kind == KIND_MEMORY && i->unit != UNIT_SMEM)
			return;
		i->fn(w, i);
	}
}

/* Waves at a barrier, or workgroups that the dispatcher has not handed out. */
static bool expects_waves(const struct simd *s)
{
	const struct launch *n = &s->cu->m->launch;

	return s->blocked || n->issued < n->total;
}

TWICE void run(struct simd *s, uint64_t limit, bool report)
{
	struct machine *m = s->cu->m;
	uint64_t t;

	while (s->count) {
		struct wave *w = choose(s, &t);
		if (t >= NEVER)
			break;
		if (w->ip->kind >= KIND_SHARED) {
			if (t > limit) {
				queue_set(&m->queue, s->number, t);
				return;
			}
			shared(s, w, t, report);
			limit = queue_limit(&m->queue, s->number);
		} else {
			uint64_t furthest = expects_waves(s) ? limit + LOOKAHEAD : NEVER;
			if (t > furthest) {
				queue_set(&m->queue, s->number, t);
				return;
			}
			run_wave(s, w, t, s->count == 1 ? NEVER : horizon(s, w), furthest, report);
		}
		if (m->halt)
			return;
	}
	queue_remove(&m->queue, s->number);
}

void simd_run(struct simd *s, uint64_t limit)
{
	run(s, limit, false);
}

void simd_run_seen(struct simd *s, uint64_t limit)
{
	run(s, limit, true);
}

void simd_add(struct simd *s, struct wave *w, uint64_t start)
{
	w->next = start;
	w->last = 0;
	s->order[s->count++] = w;
	queue_lower(&w->m->queue, s->number, start);
}

/* --- branches ------------------------------------------------------------------------------------------------------ */
static void go(struct wave *w, const struct inst *target)
{
	w->ip = target;
	w->next = w->last + w->m->model.branch_taken_cycles;
	if (asked_to_stop(w->m, w->last))
		machine_halt(w, target, LAUNCH_STOPPED, "stopped on request");
}

void simd_branch(struct wave *w, const struct inst *i)
{
	if (!i->target)
		((struct inst *)i)->target = code_at(w->m, i->pc + i->words * 4 + (int64_t)i->d.imm * 4);
	go(w, i->target);
}

void simd_jump(struct wave *w, uint64_t va)
{
	go(w, code_at(w->m, va));
}
