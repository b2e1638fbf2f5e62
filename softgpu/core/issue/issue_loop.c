/* The issue loop of a CU: one turn of a wave after the other, in the order of time. Compiled once per host variant;
 * VARIANT is the suffix of its table's name.
 *
 * A CU goes on by itself up to the next instruction that other CUs may see, which waits for theirs, or until the
 * dispatcher may bring it waves. A wave that is alone on its SIMD, or has many vector instructions in line, has all of
 * them in one turn where no other could come between; one that has done everything before its time has a short way,
 * fast_issue.h. */
#include "softgpu/core/issue/issue_loop.h"

#include "base/min_max.h"
#include "softgpu/core/fast/run_ahead.h"
#include "softgpu/core/exec/workgroup_dispatch.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/core/memory/l1.h"
#include "softgpu/core/fast/fast_issue.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/jit/jit.h"

/* The loop exists twice: as it is, and with reports to profiler.h. */
#define PROFILED_VARIANT static inline __attribute__((always_inline))

/* Until when the CU may go on. */
struct limits {
	uint64_t others; /* key of the queue's first event but the CU's: instructions that all may see come before it */
	uint64_t until; /* the last cycle of which all is known: neither a wave from the dispatcher nor a pause comes by
	                   then */
	uint64_t number; /* the CU's in the queue */
};

/* Waves come once the dispatcher's time has come; no earlier than one of the CU's own workgroups ends, where it is
 * full. Those that wait for scratch may come when any CU has done with it. */
static uint64_t until_waves(const struct cu *cu, uint64_t others)
{
	const struct machine *m = cu->m;

	if (!(m->launch.free_cus[cu->engine] >> cu->index & 1))
		return CYCLE_NEVER - 1;
	const uint64_t first =
		m->launch.scratch_groups ? others >> EVENT_ID_BITS : event_queue_time_of(&m->events, DISPATCHER);
	return min_u64(first + m->model.wave_start_cycles, CYCLE_NEVER - 1);
}

static struct limits limits_of(const struct cu *cu)
{
	const struct machine *m = cu->m;
	struct limits l = {.number = cu - m->cu};

	l.others = event_queue_first_other(&m->events, l.number);
	l.until = min_u64(until_waves(cu, l.others), m->pause - 1);
	return l;
}

/* --- instructions of a wave alone --- */
static __attribute__((noinline)) bool streak_ahead(struct wave *w, const struct uop *i)
{
	struct jit_block *x = jit_run_block(w, i);

	if (!x)
		return false;
	w->ahead = x->count - 1;
	w->ahead_end = x->after;
	x->runs++;
	((struct uop *)i)->hits--; /* which the run counts, too */
	return true;
}

/* Who looks inside sees the registers after each instruction. */
PROFILED_VARIANT void own_or_ahead(struct wave *w, const struct uop *i, bool done, bool report)
{
	if (!done && (report || !i->jit_block || !streak_ahead(w, i)))
		execute_uop(w, i);
}

PROFILED_VARIANT bool begin(struct wave *w, const struct uop *i, enum uop_kind kind, uint64_t t, bool report)
{
	if (report)
		profiler_record_issue(w, i, t);
	return issue_record(w, i, kind, t);
}

PROFILED_VARIANT void issue(
	struct simd *s, struct wave *w, const struct uop *i, enum uop_kind kind, uint64_t t, bool report)
{
	bool done = begin(w, i, kind, t, report);
	scheduler_port(&s->cu->scheduler, s, i->unit)->free_at = t + i->busy;
	if (kind == UOP_PLAIN) {
		own_or_ahead(w, i, done, report);
		advance_wave(w, i, t, t + i->cost);
	} else if (kind == UOP_WAITCNT) {
		advance_wave(w, i, t, t);
		if (report)
			profiler_record_wait(w, i->wait_vm, i->wait_lgkm);
		issue_waitcnt(w, i, t);
	} else { /* may set ip and next itself */
		const struct uop *after = i + i->words;
		set_next_in_line(w, after, t, t + i->cost);
		if (!done)
			i->fn(w, i);
		else if (run_ahead_pop_branch(w))
			simd_take_branch(w, i);
		if (w->ip == after)
			fetch_if_missing(w, after);
	}
}

/* All of a streak at once, from cycle t on, when its last instruction issues no later than at `until`; false when that
 * cannot be. */
static __attribute__((noinline)) bool whole_streak(struct wave *w, const struct uop *i, uint64_t t, uint64_t until)
{
	struct jit_block *x = i->jit_block;
	bool done = w->ahead >= x->count;

	if (t + x->cycles > until || (!done && (w->ahead || !jit_block_can_run(w, x))) ||
		!jit_block_code_ready(w, x, t))
		return false;
	if (done) {
		w->ahead -= x->count;
	} else {
		x->run(w->v, w->s);
		x->runs++;
	}
	w->last = t + x->cycles;
	advance_wave(w, x->last, w->last, w->last + x->last->cost);
	return true;
}

/* Until when a SIMD may go on alone: other waves of its CU may release its own from a barrier, or end and make room for
 * new ones. */
static inline uint64_t alone_until(const struct simd *s, const struct limits *l)
{
	const struct machine *m = s->cu->m;
	const bool room = m->launch.issued < m->launch.total;
	uint64_t until = l->until;

	if (!room && !s->at_barrier)
		return until;
	const uint64_t first = scheduler_next_cycle(&s->cu->scheduler);
	if (room)
		until = min_u64(until, first + m->model.wave_start_cycles);
	return s->at_barrier ? min_u64(until, first + m->model.barrier_cycles - 1) : until;
}

/* The only wave of its SIMD, for as long as nobody else may see what it does. */
PROFILED_VARIANT void run_alone(struct simd *s, struct wave *w, uint64_t t, uint64_t until, bool report)
{
	const struct uop *i = w->ip;

	do {
		if (!report && i->jit_block && whole_streak(w, i, t, until))
			scheduler_port(&s->cu->scheduler, s, UNIT_VALU)->free_at = w->last + i->jit_block->last->cost;
		else
			issue(s, w, i, i->kind, t, report);
		i = w->ip;
		t = w->next;
	} while (i->kind < UOP_SHARED && t <= until && !w->m->halt);
}

/* Vector instructions of the wave at place k back to back, all of the same cost. */
PROFILED_VARIANT void run_streak(struct simd *s, struct wave *w, uint32_t k, uint64_t t, uint64_t until, bool report)
{
	const struct uop *i = w->ip;
	const uint64_t cost = i->cost;

	until = min_u64(until, scheduler_exclusive_until(&s->cu->scheduler, s, k));
	do {
		if (!report && i->jit_block && i->jit_block->cost && whole_streak(w, i, t, until)) {
			t = w->last + cost;
			i = w->ip;
			continue;
		}
		own_or_ahead(w, i, begin(w, i, UOP_PLAIN, t, report), report);
		t += cost;
		advance_wave(w, i, t - cost, t);
		i = w->ip;
	} while (i->valu_run && i->cost == cost && w->next == t && t <= until);
	scheduler_port(&s->cu->scheduler, s, UNIT_VALU)->free_at = t;
}

PROFILED_VARIANT void own(
	struct simd *s, uint32_t k, struct wave *w, enum uop_kind kind, uint64_t t, const struct limits *l, bool report)
{
	const struct uop *i = w->ip;

	if (s->count == 1)
		run_alone(s, w, t, alone_until(s, l), report);
	else if (i->valu_run >= LONG_VALU_RUN)
		run_streak(s, w, k, t, alone_until(s, l), report);
	else
		issue(s, w, i, kind, t, report);
}

/* --- instructions that others see --- */
/* The address stage takes no more: the wave tries again when it does. */
PROFILED_VARIANT bool held_back(struct simd *s, struct wave *w, const struct uop *i, uint64_t t, bool report)
{
	uint64_t free = s->cu->l1_free, queue = w->m->model.l1_queue_cycles;

	if ((i->unit != UNIT_VMEM && i->unit != UNIT_FLAT) || free <= t + queue)
		return false;
	if (report)
		profiler_record_backpressure(w, i, t, free - queue);
	w->next = free - queue;
	return true;
}

PROFILED_VARIANT void access(struct simd *s, struct wave *w, const struct uop *i, bool done, bool report)
{
	if (!done && (!i->may_run_ahead || s->count == 1 || report || w->gpr_idx || !run_ahead_workgroup(w, i))) {
		execute_uop(w, i);
		return;
	}
	if (!done) { /* it is the first, which counted already */
		w->ahead--;
		((struct uop *)i)->hits--;
	}
	if (i->unit == UNIT_LDS)
		waitcnt_push(w, WAITCNT_LGKM, lds_replay_deferred(s->cu, w, w->last + i->cost));
	else
		memory_replay_deferred(w, i);
}

/* False when the wave has ended. */
PROFILED_VARIANT bool shared(
	struct simd *s, struct wave *w, const struct uop *i, enum uop_kind kind, uint64_t t, bool report)
{
	bool done = begin(w, i, kind, t, report);

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
		simd_arrive_barrier(w, t);
	} else {
		access(s, w, i, done, report);
	}
	return true;
}

/* --- a CU --- */
/* What becomes of a wave whose turn it was: its next one comes at w->next; or it left the unit to others until then; or
 * others decide. */
enum outcome { GOES_ON, HOLDS_BACK, IS_AT_BARRIER, HAS_ENDED };

PROFILED_VARIANT enum outcome go(
	struct simd *s, uint32_t k, struct wave *w, enum uop_kind kind, uint64_t t, struct limits *l, bool report)
{
	const struct uop *i = w->ip;

	if (kind < UOP_SHARED) {
		own(s, k, w, kind, t, l, report);
		return GOES_ON;
	}
	if (kind == UOP_MEMORY && held_back(s, w, i, t, report))
		return HOLDS_BACK;
	if (shared(s, w, i, kind, t, report))
		return kind == UOP_BARRIER ? IS_AT_BARRIER : GOES_ON;
	*l = limits_of(s->cu);
	return HAS_ENDED;
}

/* Whether it is the turn of other CUs. */
static inline bool others_first(const struct uop *i, uint64_t t, const struct limits *l)
{
	return i->kind >= UOP_SHARED && !i->cu_local && event_queue_key(t, l->number) > l->others;
}

/* The wave, whose port is free, issues; false when the CU has to stop. */
PROFILED_VARIANT bool turn(struct cu *cu, unsigned wave, struct wave *w, uint64_t t, struct limits *l, bool report)
{
	struct scheduler *q = &cu->scheduler;
	const unsigned to = q->port_of[wave];
	const enum uop_kind kind = w->ip->kind;

	if (others_first(w->ip, t, l))
		return false;
	scheduler_pop_wave(q, t);
	enum outcome end = go(w->simd, wave % SCHED_SLOTS_PER_SIMD, w, kind, t, l, report);
	if (!report && end == GOES_ON)
		issue_waitcnts(w);
	scheduler_wake_port_waiter(q, to);
	if (end <= HOLDS_BACK)
		scheduler_requeue(q, wave, w);
	return true;
}

/* --- the loop --- */
/* All turns of a cycle. */
PROFILED_VARIANT bool run_cycle(struct cu *cu, uint64_t t, struct limits *l, bool report)
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
		} else if ((report || !fast_issue_try(cu, wave, w, t, l->until)) && !turn(cu, wave, w, t, l, report)) {
			return false;
		}
	}
	return true;
}

/* The only wave of its CU has one turn after the other. */
PROFILED_VARIANT bool run_only(struct cu *cu, uint64_t t, struct limits *l, bool report)
{
	struct scheduler *q = &cu->scheduler;

	scheduler_enter_cycle(q, t);
	const unsigned wave = __builtin_ctzll(q->ring[t % SCHED_RING_CYCLES]);
	struct simd *s = &cu->simd[wave / SCHED_SLOTS_PER_SIMD];
	struct wave *w = q->wave[wave];
	scheduler_pop_wave(q, t);
	for (enum outcome end = GOES_ON; end <= HOLDS_BACK;) {
		t = scheduler_ready_cycle(q, w);
		if (t > l->until || others_first(w->ip, t, l) || cu->m->halt) {
			scheduler_requeue(q, wave, w);
			return false;
		}
		q->now = t;
		end = go(s, 0, w, w->ip->kind, t, l, report);
		if (!report && end == GOES_ON)
			issue_waitcnts(w);
	}
	return true;
}

/* Others have their turn, until it is the CU's again. */
static void rest(struct cu *cu, uint64_t number)
{
	const uint64_t t = scheduler_next_cycle(&cu->scheduler);

	if (t >= CYCLE_NEVER)
		event_queue_remove(&cu->m->events, number);
	else
		event_queue_set(&cu->m->events, number, t);
}

PROFILED_VARIANT void run_cu(struct cu *cu, bool report)
{
	struct machine *m = cu->m;
	struct limits l = limits_of(cu);
	bool on = true;

	while (on && !m->halt) {
		const uint64_t t = scheduler_next_cycle(&cu->scheduler);
		on = t <= l.until && (cu->waves == 1 ? run_only(cu, t, &l, report) : run_cycle(cu, t, &l, report));
	}
	rest(cu, l.number);
}

static void run(struct cu *cu)
{
	run_cu(cu, false);
}

static void run_seen(struct cu *cu)
{
	run_cu(cu, true);
}

issue_fn *const VARIANT_NAME(issue)[2] = {run, run_seen};
