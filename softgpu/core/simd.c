#include "softgpu/core/simd.h"

#include "softgpu/core/ahead.h"
#include "softgpu/core/code.h"
#include "softgpu/core/dispatch.h"
#include "softgpu/core/fetch.h"
#include "softgpu/core/issue.h"
#include "softgpu/core/streak.h"
#include "softgpu/core/turns.h"

/* --- barriers and ends --- */
static void release(struct group *g, uint64_t t)
{
	for (uint32_t k = 0; k < g->waves; k++) {
		struct wave *w = g->wave[k];
		if (!w || w->next != NEVER)
			continue;
		w->next = t + w->m->model.barrier_cycles;
		w->simd->blocked--;
		if (!seen(w->m))
			issue_waits(w);
		turn_next(&w->simd->cu->turns, turn_of(w), w);
		if (!w->ahead)
			call_registers(w);
	}
	g->arrived = 0;
}

void simd_barrier(struct wave *w, uint64_t t)
{
	struct group *g = w->group;

	w->last = t;
	w->next = NEVER;
	w->simd->blocked++;
	if (++g->arrived == g->alive)
		release(g, t);
}

static void leave(struct simd *s, const struct wave *w)
{
	s->count--;
	s->used &= ~(1u << w->slot);
	for (uint32_t k = w->place; k < s->count; k++) {
		s->order[k] = s->order[k + 1];
		s->order[k]->place = k;
	}
	turns_leave(&s->cu->turns, s->number % SIMDS, w->place);
}

void simd_end(struct wave *w, uint64_t t)
{
	struct group *g = w->group;

	leave(w->simd, w);
	g->wave[w->index] = NULL;
	w->m->launch.end = turn_later(w->m->launch.end, t + w->ip->cost);
	g->alive--;
	if (!g->alive)
		dispatch_done(w->m, g, t);
	else if (g->arrived == g->alive)
		release(g, t);
	w->simd->cu->waves--;
}

uint64_t simd_limit(const struct simd *s)
{
	return turn_sooner(turns_of_others(s), queue_limit(&s->cu->m->queue, s->number / SIMDS) >> QUEUE_ID_BITS);
}

void simd_clear(struct simd *s)
{
	s->count = s->blocked = s->used = s->cleared = 0;
}

static void shift(struct simd *s, uint64_t dt)
{
	struct turns *q = &s->cu->turns;

	for (uint32_t k = 0; k < s->count; k++) {
		struct wave *w = s->order[k];
		w->last += dt;
		if (w->next == NEVER)
			continue;
		w->next += dt;
		w->next = turn_later(w->next, q->now);
		turn_next(q, turn_of(w), w);
	}
}

/* A repeat moves on, repeat.c. */
void simd_shift(struct cu *cu, uint64_t dt)
{
	struct turns *q = &cu->turns;
	const struct turns before = *q;

	turns_clear(q);
	q->now = before.now + dt;
	for (unsigned k = 0; k < SIMDS * TURN_PLACES; k++)
		if (k % TURN_PLACES != UNIT_FETCH)
			q->port[k].free = before.port[k].free + dt;
	for (unsigned k = 0; k < SIMDS; k++)
		shift(&cu->simd[k], dt);
}

void simd_add(struct simd *s, struct wave *w, uint64_t start)
{
	w->next = start;
	w->last = 0;
	w->phase = 0;
	ahead_none(w);
	w->place = s->count;
	s->order[s->count++] = w;
	streaks_met(w, w->ip, w->m->sums.waves);
	fetch_go(w, w->ip);
	turn_next(&s->cu->turns, turn_of(w), w);
	queue_lower(&w->m->queue, s->number / SIMDS, start);
}

/* --- branches --- */
static void go(struct wave *w, const struct inst *target)
{
	w->next = w->last + w->m->model.branch_taken_cycles;
	fetch_go(w, target);
	if (asked_to_stop(w->m, w->last))
		machine_halt(w, target, LAUNCH_STOPPED, "stopped on request");
}

/* From now on whoever comes to it looks it up. */
static void enter(struct machine *m, struct inst *target)
{
	if (!target->enters)
		streaks_entered(m->streaks);
	target->enters = true;
}

void simd_branch(struct wave *w, const struct inst *i)
{
	if (w->running_ahead) {
		w->taken = true;
		return;
	}
	if (!i->target) {
		struct inst *target = code_at(w->m, i->pc + i->words * 4 + (int64_t)i->d.imm * 4);
		enter(w->m, target);
		((struct inst *)i)->target = target;
	}
	if (!w->ahead)
		streaks_met(w, i->target, i->hits);
	go(w, i->target);
}

void simd_jump(struct wave *w, uint64_t va)
{
	struct inst *target = code_at(w->m, va);

	enter(w->m, target);
	go(w, target);
}
