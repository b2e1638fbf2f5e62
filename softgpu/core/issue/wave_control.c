#include "softgpu/core/issue/wave_control.h"

#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/fast/run_ahead.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/launch/workgroup_dispatch.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/exec/execute_uop.h"
#include "softgpu/core/issue/advance_wave.h"
#include "softgpu/core/jit/jit.h"
#include "softgpu/core/timing/scheduler.h"

/* --- barriers and ends --- */
static void release_barrier(struct workgroup *g, cycle_t t)
{
	for (uint32_t k = 0; k < g->waves; k++) {
		struct wave *w = g->wave[k];
		if (!w || w->next != CYCLE_NEVER)
			continue;
		w->next = t + w->m->model.barrier_cycles;
		w->simd->at_barrier--;
		if (!machine_is_profiled(w->m))
			issue_waitcnts(w);
		scheduler_requeue(&w->simd->cu->scheduler, scheduler_wave_index(w), w);
		if (!w->ahead)
			prefetch_vgprs(w);
	}
	g->arrived = 0;
}

void simd_arrive_barrier(struct wave *w, cycle_t t)
{
	struct workgroup *g = w->group;

	w->last = t;
	w->next = CYCLE_NEVER;
	w->simd->at_barrier++;
	if (++g->arrived == g->alive)
		release_barrier(g, t);
}

static void remove_wave(struct simd *s, const struct wave *w)
{
	s->count--;
	s->used_slots &= ~(1u << w->slot);
	for (uint32_t k = w->age; k < s->count; k++) {
		s->by_age[k] = s->by_age[k + 1];
		s->by_age[k]->age = k;
	}
	scheduler_remove_wave(&s->cu->scheduler, s->number % SIMDS, w->age);
}

void simd_end_wave(struct wave *w, cycle_t t)
{
	struct workgroup *g = w->group;

	remove_wave(w->simd, w);
	g->wave[w->index] = NULL;
	w->m->launch.end = max_u64(w->m->launch.end, t + w->ip->cost);
	g->alive--;
	if (!g->alive)
		dispatch_retire_workgroup(w->m, g, t);
	else if (g->arrived == g->alive)
		release_barrier(g, t);
	w->simd->cu->waves--;
}

cycle_t simd_next_other_event(const struct simd *s)
{
	return min_u64(scheduler_next_of_other_simds(s),
		event_queue_first_other(&s->cu->m->events, s->number / SIMDS) >> EVENT_ID_BITS);
}

void simd_clear(struct simd *s)
{
	s->count = s->at_barrier = s->used_slots = s->cleared_slots = 0;
}

static void shift_simd_time(struct simd *s, cycle_t dt)
{
	struct scheduler *q = &s->cu->scheduler;

	for (uint32_t k = 0; k < s->count; k++) {
		struct wave *w = s->by_age[k];
		w->last += dt;
		for (unsigned n = 0; n < RESULT_SLOTS; n++)
			w->result_ready[n] += dt;
		if (w->next == CYCLE_NEVER)
			continue;
		w->next += dt;
		w->next = max_u64(w->next, q->now);
		scheduler_requeue(q, scheduler_wave_index(w), w);
	}
}

void cu_shift_time(struct cu *cu, cycle_t dt)
{
	struct scheduler *q = &cu->scheduler;
	const struct scheduler before = *q;

	scheduler_clear(q);
	q->now = before.now + dt;
	for (unsigned k = 0; k < SIMDS * SCHED_SLOTS_PER_SIMD; k++)
		if (k % SCHED_SLOTS_PER_SIMD != UNIT_FETCH)
			q->port[k].free_at = before.port[k].free_at + dt;
	for (unsigned k = 0; k < SIMDS; k++)
		shift_simd_time(&cu->simd[k], dt);
}

void simd_add_wave(struct simd *s, struct wave *w, cycle_t start)
{
	w->next = start;
	w->last = 0;
	w->barrier_phase = 0;
	memset(w->result_ready, 0, sizeof w->result_ready);
	run_ahead_reset(w);
	w->age = s->count;
	s->by_age[s->count++] = w;
	jit_note_execution(w, w->ip, w->m->sums.waves);
	fetch_resume_at(w, w->ip);
	scheduler_requeue(&s->cu->scheduler, scheduler_wave_index(w), w);
	event_queue_lower(&w->m->events, s->number / SIMDS, start);
}

/* --- branches --- */
static void continue_at(struct wave *w, const struct uop *target)
{
	w->next = w->last + w->m->model.branch_taken_cycles;
	fetch_resume_at(w, target);
	if (machine_poll_stop(w->m, w->last))
		machine_halt(w, target, LAUNCH_STOPPED, "stopped on request");
}

/* From now on, waves that reach the target check the instruction cache there. */
static void mark_fetch_entry(struct machine *m, struct uop *target)
{
	if (!target->is_fetch_entry)
		jit_entry_added(m->jit);
	target->is_fetch_entry = true;
}

void simd_take_branch(struct wave *w, const struct uop *i)
{
	if (w->in_run_ahead) {
		w->branch_taken = true;
		return;
	}
	if (!i->target) {
		struct uop *target = decode_cache_lookup(w->m, i->pc + i->words * 4 + (int64_t)i->d.imm * 4);
		mark_fetch_entry(w->m, target);
		((struct uop *)i)->target = target;
	}
	if (!w->ahead)
		jit_note_execution(w, i->target, i->hits);
	continue_at(w, i->target);
}

void simd_jump_to(struct wave *w, uint64_t va)
{
	struct uop *target = decode_cache_lookup(w->m, va);

	mark_fetch_entry(w->m, target);
	continue_at(w, target);
}
