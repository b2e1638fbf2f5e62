/* Places workgroups on CUs with room. Each shader engine creates the waves of one workgroup at a time; the engines take
 * turns, but do not wait for each other. Resident launches of the same priority take turns. CUs that a launch of higher
 * priority may use get none of a lower one as long as it has workgroups to place. */
#include "softgpu/core/dispatch/workgroup_dispatch.h"

#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/check/checker.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/fast/atomic_loads.h"
#include "softgpu/core/fast/run_ahead.h"
#include "softgpu/core/fast/wait_loops.h"
#include "softgpu/core/fast/sampled_launch.h"
#include "softgpu/core/fast/steady_state.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/dispatch/kernel_descriptor.h"
#include "softgpu/core/dispatch/wave_start.h"
#include "softgpu/core/memory/l1.h"
#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/core/ops/ops.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/resident/freed_room.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/timing/scheduler.h"

/* --- priorities --- */
/* Whether `r` has workgroups to place that come before those of `n`. One that waits for scratch cannot place any. */
static bool goes_first(const struct launch *r, const struct launch *n)
{
	return r->d->priority > n->d->priority && r->issued < r->total && launch_has_scratch(r) &&
		r->out_of_bounds_until == CYCLE_NEVER;
}

/* The CUs of an engine that launches of higher priority leave to this one. */
static uint64_t cus_left_to(const struct launch *n, uint32_t engine)
{
	const struct machine *m = n->m;
	uint64_t left = UINT64_MAX;

	for (uint32_t k = 0; m->residents > 1 && k < m->residents; k++)
		if (goes_first(m->resident[k], n))
			left &= m->resident[k]->d->cus.limited ? ~m->resident[k]->d->cus.engine[engine] : 0;
	return left;
}

/* --- workgroups --- */
/* Round-robin over the shader engines that have room and are free at cycle t, and in each engine over its CUs. NULL:
 * none; *when: the cycle at which one with room is free, CYCLE_NEVER if none has room. */
static struct cu *find_cu(struct launch *n, cycle_t t, cycle_t *when)
{
	struct machine *m = n->m;
	uint32_t engines = m->model.shader_engines, per = m->cus / engines;

	*when = CYCLE_NEVER;
	for (uint32_t k = 0; k < engines; k++) {
		uint32_t e = (n->next_engine + k) % engines, from = n->next_cu[e];
		uint64_t room = n->free_cus[e] & cus_left_to(n, e);
		if (!room)
			continue;
		if (m->engine_free[e] > t) {
			*when = min_u64(*when, m->engine_free[e]);
			continue;
		}
		uint64_t ahead = room >> from << from;
		uint32_t cu = __builtin_ctzll(ahead ? ahead : room);
		n->next_engine = (e + 1) % engines;
		n->next_cu[e] = (cu + 1) % per;
		return &m->cu[e * per + cu];
	}
	return NULL;
}

/* Resets the caches and clocks of a CU when a launch first uses it. */
static void reset_cu(struct cu *cu)
{
	struct machine *m = cu->m;

	cu->touched = true;
	for (unsigned k = 0; k < model_cus_per_processor(&m->model); k++) {
		struct cu_memory *memory = &cu->memory[k];
		cache_clear(&memory->l1);
		if (memory->utcl1.sets)
			cache_clear(&memory->utcl1);
		memory->stops.head = memory->stops.tail = 0;
		memory->l1_free = memory->request_free = memory->lds_free = memory->lds_path_free = 0;
	}
	cu->freed = 0;
	for (unsigned k = 0; k < LAUNCHES_MAX; k++)
		cu->share[k].used = cu->share[k].cleared = cu->share[k].count = 0;
	cu->next_simd = 0;
	cu->scalar_free = 0;
	scheduler_clear(&cu->scheduler);
	for (unsigned k = 0; k < SIMDS; k++) {
		struct simd *s = &cu->simd[k];
		simd_clear(s);
		memset(s->used_rows, 0, sizeof s->used_rows);
		memset(s->cleared_rows, 0, sizeof s->cleared_rows);
	}
}

static void advance_workgroup_id(struct launch *n)
{
	n->issued++;
	n->m->unstarted--;
	for (unsigned k = 0; k < 3; k++) {
		if (++n->next[k] < n->grid[k])
			return;
		n->next[k] = 0;
	}
}

/* The first cycle at which a shader engine can take a workgroup, for all launches. */
static cycle_t first_free_engine(const struct machine *m)
{
	cycle_t first = CYCLE_NEVER;

	for (uint32_t e = 0; e < m->model.shader_engines; e++)
		first = min_u64(first, m->engine_free[e]);
	return first;
}

/* The engine is busy until the waves are created. */
static void start_workgroup(struct launch *n, struct cu *cu, cycle_t t)
{
	const struct model *c = &n->m->model;

	if (!cu->touched)
		reset_cu(cu);
	const cycle_t creation = workgroup_start_waves(launch_take_workgroup(n, cu), t) * c->dispatch_wave_cycles;
	launches_find_room(cu);
	n->m->engine_free[cu->engine] = t + max_u64(creation, c->dispatch_cycles);
	n->end =
		max_u64(n->end, n->m->engine_free[cu->engine]); /* it lasts at least until its workgroups are created */
	n->dispatch_at = max_u64(t, first_free_engine(n->m));
	for (uint32_t k = 0; k < n->m->residents; k++) {
		struct launch *r = n->m->resident[k];
		if (r->dispatch_event != CYCLE_NEVER)
			r->dispatch_event = max_u64(r->dispatch_event, n->dispatch_at);
	}
	advance_workgroup_id(n);
	if (n->issued == n->total)
		launches_wake_dispatcher(n->m, n->dispatch_at); /* those of lower priority may have waited for this */
}

/* Places the launch's next workgroup at cycle t if a CU has room. Returns when it tries again; CYCLE_NEVER: not before
 * a workgroup ends. */
static cycle_t place_workgroup(struct launch *n, cycle_t t)
{
	struct machine *m = n->m;

	if (n->out_of_bounds_until != CYCLE_NEVER)
		return CYCLE_NEVER;
	if (n->repeat)
		t = repeat_skip_periods(n, t);
	if (n->sample)
		sample_take(n, t);
	cycle_t when = CYCLE_NEVER;
	struct cu *cu = launch_has_scratch(n) ? find_cu(n, t, &when) : NULL;

	if (!cu && when != CYCLE_NEVER)
		return n->dispatch_at = when;
	if (!cu) {
		n->dispatch_blocked = true;
		return CYCLE_NEVER;
	}
	if (machine_is_profiled(m))
		profiler_record_dispatch(m, t);
	start_workgroup(n, cu, t);
	return n->issued < n->total ? n->dispatch_at : CYCLE_NEVER;
}

/* The launch whose turn it is at cycle t: of those of the highest priority, the one after that which had its turn last.
 */
static struct launch *next_launch(struct machine *m, cycle_t t)
{
	struct launch *first = NULL;
	uint32_t turn = m->turn;

	for (uint32_t k = 1; k <= m->residents; k++) {
		struct launch *n = m->resident[(turn + k) % m->residents];
		if (n->dispatch_event > t || (first && n->d->priority <= first->d->priority))
			continue;
		first = n;
		m->turn = (turn + k) % m->residents;
	}
	return first;
}

void dispatch_next_workgroup(struct machine *m, cycle_t t)
{
	freed_room_release(m, t);
	struct launch *n = next_launch(m, t);

	if (n)
		n->dispatch_event = place_workgroup(n, t);
	launch_schedule_dispatcher(m);
}

/* --- begin and end --- */
/* Prepares for waves of launch.lanes lanes. Decoded instructions depend on their number. */
static void select_executor(struct launch *n)
{
	const enum isa_target target = isa_target_of_wave_size(n->m->target, n->lanes);

	n->executor_number = executor_of_target(target);
	n->executor = &n->m->thread.executor[n->executor_number];
}

/* Loads that checks must know. */
static void find_special_loads(const struct launch *n)
{
	struct special_loads *p = &n->m->checker->polls, *a = &n->m->checker->atomic;

	p->count += kernel_find_polls(
		&n->m->vm, n->executor->target, n->entry_pc, p->pc + p->count, SPECIAL_LOADS_MAX - p->count);
	a->count += kernel_find_atomic_loads(
		&n->m->vm, n->executor->target, n->entry_pc, a->pc + a->count, SPECIAL_LOADS_MAX - a->count);
}

bool dispatch_begin(struct launch *n)
{
	const struct model *c = &n->m->model;
	const char *why = descriptor_read(n);

	if (why)
		return launch_reject(n, why);
	select_executor(n);
	if (!launch_reserve(n) || !launch_create_ids(n))
		return false;
	atomic_fetch_add_explicit(&n->m->total, n->total, memory_order_relaxed);
	n->entry = decode_cache_lookup(n->executor, n->entry_pc);
	run_ahead_begin_launch(n);
	if (machine_is_checked(n->m)) {
		find_special_loads(n);
		checker_begin_launch(n);
		checker_note_move(n);
	}
	n->lds_latency_all_lanes = c->lds_latency + lds_return_cycles(c, n->lanes);
	n->dispatch_event = n->begin + c->launch_cycles;
	launch_schedule_dispatcher(n->m);
	if (n->m->residents == 1) { /* they move the clock of the whole machine */
		repeat_begin(n);
		sample_begin(n);
	}
	return true;
}

void dispatch_end(struct launch *n)
{
	repeat_end(n);
	sample_end(n);
	freed_room_release_launch(n, n->m->reached);
	launch_free_ids(n);
	launch_release(n);
}
