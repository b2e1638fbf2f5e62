/* The issue loop of a CU: issues the instructions of its waves in time order. Compiled once per host variant; the macro
 * VARIANT is the suffix of its table's name.
 *
 * A CU runs independently up to its next instruction that other CUs may observe, or until the dispatcher may send it
 * waves. A wave that is alone on its SIMD, or that has many vector instructions in line, issues all of them at once
 * when no other wave can issue between them. Instructions that were executed ahead take a fast path, fast_issue.h. */
#include "softgpu/core/issue/issue_loop.h"

#include "base/min_max.h"
#include "softgpu/core/check/checker.h"
#include "softgpu/core/exec/execute_uop.h"
#include "softgpu/core/fast/run_ahead.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/core/memory/access_memo.h"
#include "softgpu/core/memory/store_stops.h"
#include "softgpu/core/timing/window_log.h"
#include "softgpu/core/fast/fast_issue.h"
#include "softgpu/core/exec/advance_wave.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/timing/scheduler.h"
#include "softgpu/core/jit/jit.h"
#include "softgpu/core/issue/global_wave_sync.h"

/* The loop is instantiated twice: with and without reports to the profiler. */
#define PROFILED_VARIANT static inline __attribute__((always_inline))

/* How far the CU may run. */
struct limits {
	uint64_t others; /* key of the first event of another CU or of the dispatcher: shared instructions must come
	                    before it */
	cycle_t until;   /* the last cycle by which neither a new wave nor a pause can come, nor a window end */
	cycle_t beyond;  /* the same if no wave of the CU waits for what the end of the window brings */
	uint64_t number; /* the CU's id in the queue */
};

/* The last cycle before a new wave can start. The dispatcher sends waves at its next event; to a full CU only after one
 * of the CU's own workgroups ends. If scratch is short, a new wave may start when any CU releases scratch. */
static cycle_t last_cycle_before_waves(const struct cu *cu, uint64_t others)
{
	const struct machine *m = cu->m;

	if (!(m->free_cus[cu->engine] >> cu->index & 1) && !cu->freed)
		return CYCLE_NEVER - 1;
	const cycle_t first =
		m->short_of_scratch ? others >> EVENT_ID_BITS : event_queue_time_of(&m->events, DISPATCHER);
	return min_u64(first + m->model.wave_start_cycles, CYCLE_NEVER - 1);
}

/* The first cycle of waves of a launch that begins when another one ends, at the next event or later. */
static cycle_t first_cycle_of_joining_waves(const struct machine *m, uint64_t others)
{
	return (others >> EVENT_ID_BITS) + m->model.launch_cycles + m->model.wave_start_cycles;
}

enum { BEYOND_CYCLES = 1 << 14 /* after a window, in which a wave may execute what no other can see */ };

/* In a window, waves that it does not have yet start after its end. */
static struct limits find_limits_in_window(const struct cu *cu)
{
	const struct machine *m = cu->m;
	const cycle_t end = cluster_stop(m, cu->cluster);
	const bool may_get_waves =
		m->owner->unstarted && (cu->freed || m->owner->free_cus[cu->engine] >> cu->index & 1);
	struct limits l = {.number = cu - m->cu, .until = end - 1};

	l.others = min_u64(event_queue_first_other(cu->events, l.number), (end << EVENT_ID_BITS) - 1);
	/* Not too far: another cluster may be about to end the launch, and the wave's loop may be endless. */
	l.beyond = may_get_waves ? l.until : min_u64(end + BEYOND_CYCLES, m->pause) - 1;
	return l;
}

static struct limits find_limits(const struct cu *cu)
{
	const struct machine *m = cu->m;
	struct limits l = {.number = cu - m->cu};

	if (m->windowed)
		return find_limits_in_window(cu);
	l.others = event_queue_first_other(cu->events, l.number);
	l.until = min_u64(last_cycle_before_waves(cu, l.others), m->pause - 1);
	if (m->gws_waiting) /* another CU may release its waves */
		l.until = min_u64(l.until, (l.others >> EVENT_ID_BITS) + gws_cycles(m) - 1);
	if (m->residents > 1) /* when one ends, another may begin */
		l.until = min_u64(l.until, first_cycle_of_joining_waves(m, l.others));
	l.beyond = l.until;
	return l;
}

/* --- instructions that other waves cannot observe --- */
static __attribute__((noinline)) bool execute_block_ahead(struct wave *w, const struct uop *i)
{
	struct jit_block *x = jit_run_block(w, i);

	if (!x)
		return false;
	w->ahead = x->count - 1;
	w->ahead_end = x->after;
	x->runs++;
	((struct uop *)i)->hits--; /* the block counts it too */
	return true;
}

static void check_instruction(struct wave *w, const struct uop *i)
{
	if (machine_is_checked(w->m))
		checker_execute(w, i);
}

/* A profiled launch executes one instruction at a time: traces contain the registers after each. */
PROFILED_VARIANT void execute_or_run_ahead(struct wave *w, const struct uop *i, bool done, bool report)
{
	if (report)
		check_instruction(w, i);
	if (!done && (report || !i->jit_block || !execute_block_ahead(w, i)))
		execute_uop(w, i);
}

PROFILED_VARIANT bool record_issue(struct wave *w, const struct uop *i, enum uop_kind kind, cycle_t t, bool report)
{
	if (report)
		profiler_record_issue(w, i, t);
	return issue_record(w, i, kind, t);
}

PROFILED_VARIANT void issue_private(
	struct simd *s, struct wave *w, const struct uop *i, enum uop_kind kind, cycle_t t, bool report)
{
	bool done = record_issue(w, i, kind, t, report);
	scheduler_port(&s->cu->scheduler, s, i->unit)->free_at = t + i->busy;
	if (kind == UOP_PLAIN) {
		execute_or_run_ahead(w, i, done, report);
		advance_wave(w, i, t, t + i->cost);
	} else if (kind == UOP_WAITCNT) {
		advance_wave(w, i, t, t);
		if (report)
			profiler_record_wait(w, i);
		issue_waitcnt(w, i, t);
	} else { /* a branch sets ip and next itself */
		const struct uop *after = i + i->words;
		if (report)
			check_instruction(w, i);
		set_next_in_line(w, after, t, t + i->cost);
		if (!done)
			i->fn(w, i);
		else if (run_ahead_pop_branch(w))
			simd_take_branch(w, i);
		if (w->ip == after)
			fetch_if_missing(w, after);
	}
}

/* Issues a whole compiled block, from cycle t on. False if its last instruction would issue after `until`, or if it
 * cannot run as a whole. */
static __attribute__((noinline)) bool issue_block(struct wave *w, const struct uop *i, cycle_t t, cycle_t until)
{
	struct jit_block *x = i->jit_block;
	bool done = w->ahead >= x->count;

	if (t + x->cycles > until || (!done && (w->ahead || !jit_block_can_run(w, x))) || !jit_results_ready(w, x, t) ||
		!jit_block_code_ready(w, x, t))
		return false;
	if (done) {
		w->ahead -= x->count;
	} else {
		x->run(w->v, w->s);
		x->runs++;
	}
	w->last = t + x->cycles;
	jit_record_results(w, x, t);
	advance_wave(w, x->last, w->last, w->last + x->last->cost);
	return true;
}

/* Until when a SIMD may run without the CU's other SIMDs: their waves may release this SIMD's waves from a barrier, or
 * end and make room for new ones. */
static inline cycle_t simd_independent_until(const struct simd *s, const struct limits *l)
{
	const struct machine *m = s->cu->m;
	const bool room =
		m->owner->unstarted != 0 || m->residents > 1; /* or for one that begins when another launch ends */
	cycle_t until = s->cu->waiting || s->cu->defers ? l->until : l->beyond;

	if (!room && !s->at_barrier)
		return until;
	const cycle_t first = scheduler_next_cycle(&s->cu->scheduler);
	if (room)
		until = min_u64(until, first + m->model.wave_start_cycles);
	return s->at_barrier ? min_u64(until, first + m->model.barrier_cycles - 1) : until;
}

/* Issues the only wave of its SIMD for as long as no other wave can observe it. */
PROFILED_VARIANT void issue_only_wave(struct simd *s, struct wave *w, cycle_t t, cycle_t until, bool report)
{
	const struct uop *i = w->ip;

	do {
		if (!report && i->jit_block && issue_block(w, i, t, until))
			scheduler_port(&s->cu->scheduler, s, UNIT_VALU)->free_at = w->last + i->jit_block->last->cost;
		else
			issue_private(s, w, i, i->kind, t, report);
		i = w->ip;
		t = w->next = matrix_core_wait(s, i, w->next);
	} while (i->kind < UOP_SHARED && t <= until && !w->m->halt);
}

/* Issues vector instructions of the k-th oldest wave back to back, all of the same cost. */
PROFILED_VARIANT void issue_valu_run(struct simd *s, struct wave *w, uint32_t k, cycle_t t, cycle_t until, bool report)
{
	const struct uop *i = w->ip;
	const cycle_t cost = i->cost;

	until = min_u64(until, scheduler_exclusive_until(&s->cu->scheduler, s, k));
	do {
		if (!report && i->jit_block && i->jit_block->cost && issue_block(w, i, t, until)) {
			t = w->last + cost;
			i = w->ip;
			continue;
		}
		execute_or_run_ahead(w, i, record_issue(w, i, UOP_PLAIN, t, report), report);
		t += cost;
		advance_wave(w, i, t - cost, t);
		i = w->ip;
	} while (i->valu_run && i->cost == cost && w->next == t && t <= until);
	scheduler_port(&s->cu->scheduler, s, UNIT_VALU)->free_at = t;
}

PROFILED_VARIANT void issue_unobserved(
	struct simd *s, uint32_t k, struct wave *w, enum uop_kind kind, cycle_t t, const struct limits *l, bool report)
{
	const struct uop *i = w->ip;

	if (s->count == 1)
		issue_only_wave(s, w, t, simd_independent_until(s, l), report);
	else if (i->valu_run >= LONG_VALU_RUN)
		issue_valu_run(s, w, k, t, simd_independent_until(s, l), report);
	else
		issue_private(s, w, i, kind, t, report);
}

/* --- instructions that other waves may observe --- */
/* When a wave of the SIMD tries for the address stage again, whose queue has room from cycle t on: SIMDs take turns,
 * one a cycle, as a CU selects the SIMD that issues (AMD: Graphics Cores Next whitepaper). */
static cycle_t turn_of_simd(const struct simd *s, cycle_t t)
{
	return t + (s->number - s->memory->last_simd - 1) % SIMDS;
}

/* Whether the address stage's queue is full. The wave then tries again when it has room. */
PROFILED_VARIANT bool hold_back_access(struct simd *s, struct wave *w, const struct uop *i, cycle_t t, bool report)
{
	const cycle_t queue = w->m->model.l1_queue_cycles;

	if (i->unit != UNIT_VMEM && i->unit != UNIT_FLAT)
		return false;
	const cycle_t free = store_stops_apply(s->memory, t);
	if (free <= t + queue)
		return false;
	if (report)
		profiler_record_backpressure(w, i, t, free - queue);
	w->next = turn_of_simd(s, free - queue);
	return true;
}

/* Whether accesses of the wave that ends are outstanding: it keeps its slot and registers until stores are acknowledged
 * and loads are back (LLVM: MSG_DEALLOC_VGPRS of gfx11 exists because waves wait for their stores). */
PROFILED_VARIANT bool hold_back_end(struct wave *w, const struct uop *i, cycle_t t, bool report)
{
	const cycle_t complete = waitcnt_all_complete(w);

	if (complete <= t || w->vgprs_released)
		return false;
	if (report)
		profiler_record_end_wait(w, i, t);
	if (cycle_is_unknown(complete))
		cluster_wait(w, t, 0, 0, true);
	w->next = complete;
	return true;
}

PROFILED_VARIANT void execute_access(struct simd *s, struct wave *w, const struct uop *i, bool done, bool report)
{
	if (report)
		check_instruction(w, i);
	if (!done && (!i->may_run_ahead || s->count == 1 || report || w->gpr_idx || !run_ahead_workgroup(w, i))) {
		execute_uop(w, i);
		return;
	}
	if (!done) { /* the first one executed ahead; it is counted already */
		w->ahead--;
		((struct uop *)i)->hits--;
	}
	if (i->unit == UNIT_LDS)
		waitcnt_push(w, WAITCNT_LGKM, lds_replay_deferred(w, w->last + i->cost));
	else
		memory_replay_deferred(w, i);
}

/* False if the wave has ended. */
PROFILED_VARIANT bool issue_shared(
	struct simd *s, struct wave *w, const struct uop *i, enum uop_kind kind, cycle_t t, bool report)
{
	bool done = record_issue(w, i, kind, t, report);

	scheduler_port(&s->cu->scheduler, s, i->unit)->free_at = t + i->busy;
	if (kind == UOP_ENDPGM) {
		simd_end_wave(w, t);
		if (report)
			profiler_record_finish(w, t);
		return false;
	}
	advance_wave(w, i, t, kind == UOP_BARRIER ? t : t + i->cost);
	if (kind == UOP_BARRIER) {
		w->barrier_phase += !done;
		if (report && machine_is_checked(w->m))
			checker_arrive_barrier(w, i);
		simd_arrive_barrier(w, t);
	} else {
		execute_access(s, w, i, done, report);
	}
	return true;
}

/* Whether the matrix core multiplies for another instruction. The wave then tries again when it is free. */
static bool hold_back_product(const struct simd *s, struct wave *w, const struct uop *i, cycle_t t)
{
	const cycle_t free = matrix_core_wait(s, i, t);

	if (free == t)
		return false;
	w->next = free;
	return true;
}

/* --- a CU --- */
/* State of a wave after an issue attempt. WAVE_READY: issues next at w->next. WAVE_HELD_BACK: did not issue; retries at
 * w->next. */
enum wave_outcome { WAVE_READY, WAVE_HELD_BACK, WAVE_AT_BARRIER, WAVE_ENDED };

PROFILED_VARIANT enum wave_outcome issue_one(
	struct simd *s, uint32_t k, struct wave *w, enum uop_kind kind, cycle_t t, struct limits *l, bool report)
{
	const struct uop *i = w->ip;

	if (kind < UOP_SHARED) {
		if (hold_back_product(s, w, i, t))
			return WAVE_HELD_BACK;
		issue_unobserved(s, k, w, kind, t, l, report);
		return WAVE_READY;
	}
	if (kind == UOP_MEMORY && hold_back_access(s, w, i, t, report))
		return WAVE_HELD_BACK;
	if (kind == UOP_ENDPGM && hold_back_end(w, i, t, report))
		return WAVE_HELD_BACK;
	const bool lives = issue_shared(s, w, i, kind, t, report);
	if (lives && kind < UOP_GLOBAL_SYNC)
		return WAVE_READY;
	if (kind == UOP_BARRIER)
		return WAVE_AT_BARRIER;
	*l = find_limits(s->cu);
	return !lives ? WAVE_ENDED : w->next == CYCLE_NEVER ? WAVE_AT_BARRIER : WAVE_READY;
}

/* Whether events of other CUs come before this instruction. */
static inline bool other_cus_come_first(const struct uop *i, cycle_t t, const struct limits *l)
{
	return i->kind >= UOP_SHARED && !i->cu_local && event_queue_key(t, l->number) > l->others;
}

/* Issues the wave, whose port is free. False if other CUs must run first. */
PROFILED_VARIANT bool issue_wave(struct cu *cu, unsigned wave, struct wave *w, cycle_t t, struct limits *l, bool report)
{
	struct scheduler *q = &cu->scheduler;
	const unsigned to = q->port_of[wave];
	const enum uop_kind kind = w->ip->kind;

	if (other_cus_come_first(w->ip, t, l))
		return false;
	scheduler_pop_wave(q, t);
	enum wave_outcome outcome = issue_one(w->simd, wave % SCHED_SLOTS_PER_SIMD, w, kind, t, l, report);
	if (!report && outcome == WAVE_READY)
		issue_waitcnts(w);
	scheduler_wake_port_waiter(q, to);
	if (outcome <= WAVE_HELD_BACK)
		scheduler_requeue(q, wave, w);
	return true;
}

/* --- the loop --- */
/* Issues everything of cycle t. False if other CUs must run first. */
PROFILED_VARIANT bool run_cycle(struct cu *cu, cycle_t t, struct limits *l, bool report)
{
	struct scheduler *q = &cu->scheduler;
	const uint64_t *at = &q->ring[t % SCHED_RING_CYCLES];

	scheduler_enter_cycle(q, t);
	while (*at) {
		const unsigned wave = __builtin_ctzll(*at);
		struct issue_port *p = &q->port[q->port_of[wave]];
		struct wave *w = q->wave[wave];
		if (p->free_at > t) {
			scheduler_pop_wave(q, t);
			scheduler_wait_port(q, wave, p);
		} else if ((report || !fast_issue_try(cu, wave, w, t, l->until)) &&
			!issue_wave(cu, wave, w, t, l, report)) {
			return false;
		}
	}
	return true;
}

/* The same for the only wave of a CU, for more than one cycle. */
PROFILED_VARIANT bool run_single_wave(struct cu *cu, cycle_t t, struct limits *l, bool report)
{
	struct scheduler *q = &cu->scheduler;

	scheduler_enter_cycle(q, t);
	const unsigned wave = __builtin_ctzll(q->ring[t % SCHED_RING_CYCLES]);
	struct simd *s = &cu->simd[wave / SCHED_SLOTS_PER_SIMD];
	struct wave *w = q->wave[wave];
	scheduler_pop_wave(q, t);
	for (enum wave_outcome outcome = WAVE_READY; outcome <= WAVE_HELD_BACK;) {
		t = scheduler_ready_cycle(q, w);
		if (t > l->until || other_cus_come_first(w->ip, t, l) || cu->m->halt) {
			scheduler_requeue(q, wave, w);
			return false;
		}
		q->now = t;
		outcome = issue_one(s, 0, w, w->ip->kind, t, l, report);
		if (!report && outcome == WAVE_READY)
			issue_waitcnts(w);
	}
	return true;
}

/* Sets the CU's next event. */
static void reschedule_cu(struct cu *cu, uint64_t number)
{
	const cycle_t t = scheduler_next_cycle(&cu->scheduler);

	if (t >= CYCLE_UNKNOWN)
		event_queue_remove(cu->events, number);
	else
		event_queue_set(cu->events, number, t);
}

PROFILED_VARIANT void run_cu(struct cu *cu, bool report)
{
	struct machine *m = cu->m;
	struct limits l = find_limits(cu);
	bool on = true;

	while (on && !m->halt) {
		const cycle_t t = scheduler_next_cycle(&cu->scheduler);
		on = t <= l.until &&
			(cu->waves == 1 ? run_single_wave(cu, t, &l, report) : run_cycle(cu, t, &l, report));
	}
	reschedule_cu(cu, l.number);
}

static void run_unprofiled(struct cu *cu)
{
	run_cu(cu, false);
}

static void run_profiled(struct cu *cu)
{
	run_cu(cu, true);
}

issue_fn *const VARIANT_NAME(issue)[2] = {run_unprofiled, run_profiled};
