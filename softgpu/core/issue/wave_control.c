#include "softgpu/core/issue/wave_control.h"

#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/check/checker.h"
#include "softgpu/core/fast/run_ahead.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/resident/freed_room.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/exec/execute_uop.h"
#include "softgpu/core/exec/advance_wave.h"
#include "softgpu/core/jit/jit.h"
#include "softgpu/core/profile/launch_requests.h"
#include "softgpu/core/timing/window_log.h"
#include "softgpu/core/timing/scheduler.h"

/* --- barriers and ends --- */
static void release_barrier(struct workgroup *g, cycle_t t)
{
	if (machine_is_checked(g->launch->m))
		checker_pass_barrier(g);
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
	for (uint32_t k = w->age; k < s->count; k++) {
		s->by_age[k] = s->by_age[k + 1];
		s->by_age[k]->age = k;
	}
	scheduler_remove_wave(&s->cu->scheduler, s->number % SIMDS, w->age);
}

static void free_room(struct wave *w, cycle_t t)
{
	struct workgroup *g = w->group;
	const bool last = !g->alive;

	if (!w->m->windowed && !w->m->model.dispatch_free_cycles) {
		launch_free_slot(w);
		if (last)
			launch_free_workgroup(g, t);
		return;
	}
	w->simd->cu->freed += last;
	if (machine_is_profiled(w->m))
		profiler_record_end(w);
	if (w->m->windowed)
		cluster_note_end(w, t, last);
	else
		freed_room_add(w->m, w, t, last);
}

void simd_end_wave(struct wave *w, cycle_t t)
{
	struct workgroup *g = w->group;

	remove_wave(w->simd, w);
	g->wave[w->index] = NULL;
	cu_extend_launch(w->simd->cu, w->launch, t + w->ip->cost);
	g->alive--;
	free_room(w, t);
	if (!g->alive && !w->m->windowed)
		launch_retire_workgroup(g, t);
	else if (g->alive && g->arrived == g->alive)
		release_barrier(g, t);
	w->simd->cu->waves--;
}

void simd_drop_wave(struct wave *w)
{
	if (w->next == CYCLE_NEVER)
		w->simd->at_barrier--;
	remove_wave(w->simd, w);
	launch_free_slot(w);
	w->group->wave[w->index] = NULL;
	w->simd->cu->waves--;
}

void simd_clear(struct simd *s)
{
	s->count = s->at_barrier = s->used_slots = 0;
	s->matrix_core_free = 0;
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
	jit_note_execution(w, w->ip, ++w->m->thread.begun_waves);
	fetch_resume_at(w, w->ip);
	scheduler_requeue(&s->cu->scheduler, scheduler_wave_index(w), w);
	event_queue_lower(s->cu->events, s->number / SIMDS, start);
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
static void mark_fetch_entry(struct executor *x, struct uop *target)
{
	if (!target->is_fetch_entry)
		jit_entry_added(x->jit);
	target->is_fetch_entry = true;
}

void simd_take_branch(struct wave *w, const struct uop *i)
{
	if (w->in_run_ahead) {
		w->branch_taken = true;
		return;
	}
	if (!i->target) {
		struct uop *target = decode_cache_lookup(launch_executor(w), uop_branch_target(i));
		mark_fetch_entry(launch_executor(w), target);
		((struct uop *)i)->target = target;
	}
	if (!w->ahead)
		jit_note_execution(w, i->target, i->hits);
	continue_at(w, i->target);
}

void simd_jump_to(struct wave *w, uint64_t va)
{
	struct uop *target = decode_cache_lookup(launch_executor(w), va);

	mark_fetch_entry(launch_executor(w), target);
	continue_at(w, target);
}
