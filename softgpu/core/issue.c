/* The issue loop of a CU: one turn of a wave after the other, in the order of time. Compiled once per host level; LEVEL
 * is the end of its table's name.
 *
 * A CU goes on by itself up to the next instruction that other CUs may see, which waits for theirs, or until the
 * dispatcher may bring it waves. A wave that is alone on its SIMD, or has many vector instructions in line, has all of
 * them in one turn where no other could come between; one that has done everything before its time has a short way,
 * quick.h. */
#include "softgpu/core/issue.h"

#include "softgpu/core/ahead.h"
#include "softgpu/core/dispatch.h"
#include "softgpu/core/inside.h"
#include "softgpu/core/lds.h"
#include "softgpu/core/memory.h"
#include "softgpu/core/quick.h"
#include "softgpu/core/simd.h"
#include "softgpu/core/streak.h"

/* The loop exists twice: as it is, and with reports to inside.h. */
#define TWICE static inline __attribute__((always_inline))

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

	if (!(m->launch.room[cu->engine] >> cu->place & 1))
		return NEVER - 1;
	const uint64_t first =
		m->launch.scratch_groups ? others >> QUEUE_ID_BITS : queue_time_of(&m->queue, DISPATCHER);
	return turn_sooner(first + m->model.wave_start_cycles, NEVER - 1);
}

static struct limits limits_of(const struct cu *cu)
{
	const struct machine *m = cu->m;
	struct limits l = {.number = cu - m->cu};

	l.others = queue_limit(&m->queue, l.number);
	l.until = turn_sooner(until_waves(cu, l.others), m->pause - 1);
	return l;
}

/* --- instructions of a wave alone --- */
static __attribute__((noinline)) bool streak_ahead(struct wave *w, const struct inst *i)
{
	struct streak *x = streak_run(w, i);

	if (!x)
		return false;
	w->ahead = x->count - 1;
	w->done = x->after;
	x->runs++;
	((struct inst *)i)->hits--; /* which the run counts, too */
	return true;
}

/* Who looks inside sees the registers after each instruction. */
TWICE void own_or_ahead(struct wave *w, const struct inst *i, bool done, bool report)
{
	if (!done && (report || !i->compiled || !streak_ahead(w, i)))
		execute(w, i);
}

TWICE bool begin(struct wave *w, const struct inst *i, enum inst_kind kind, uint64_t t, bool report)
{
	if (report)
		inside_issue(w, i, t);
	return issue_begin(w, i, kind, t);
}

TWICE void issue(struct simd *s, struct wave *w, const struct inst *i, enum inst_kind kind, uint64_t t, bool report)
{
	bool done = begin(w, i, kind, t, report);
	turn_port(&s->cu->turns, s, i->unit)->free = t + i->busy;
	if (kind == KIND_PLAIN) {
		own_or_ahead(w, i, done, report);
		advance(w, i, t, t + i->cost);
	} else if (kind == KIND_WAIT) {
		advance(w, i, t, t);
		if (report)
			inside_wait(w, i->wait_vm, i->wait_lgkm);
		issue_wait(w, i, t);
	} else { /* may set ip and next itself */
		const struct inst *after = i + i->words;
		in_line(w, after, t, t + i->cost);
		if (!done)
			i->fn(w, i);
		else if (ahead_taken(w))
			simd_branch(w, i);
		if (w->ip == after)
			look_for(w, after);
	}
}

/* All of a streak at once, from cycle t on, when its last instruction issues no later than at `until`; false when that
 * cannot be. */
static __attribute__((noinline)) bool whole_streak(struct wave *w, const struct inst *i, uint64_t t, uint64_t until)
{
	struct streak *x = i->compiled;
	bool done = w->ahead >= x->count;

	if (t + x->cycles > until || (!done && (w->ahead || !streak_may_run(w, x))) || !streak_fetched(w, x, t))
		return false;
	if (done) {
		w->ahead -= x->count;
	} else {
		x->run(w->v, w->s);
		x->runs++;
	}
	w->last = t + x->cycles;
	advance(w, x->last, w->last, w->last + x->last->cost);
	return true;
}

/* Until when a SIMD may go on alone: other waves of its CU may release its own from a barrier, or end and make room for
 * new ones. */
static inline uint64_t alone_until(const struct simd *s, const struct limits *l)
{
	const struct machine *m = s->cu->m;
	const bool room = m->launch.issued < m->launch.total;
	uint64_t until = l->until;

	if (!room && !s->blocked)
		return until;
	const uint64_t first = turns_next(&s->cu->turns);
	if (room)
		until = turn_sooner(until, first + m->model.wave_start_cycles);
	return s->blocked ? turn_sooner(until, first + m->model.barrier_cycles - 1) : until;
}

/* The only wave of its SIMD, for as long as nobody else may see what it does. */
TWICE void run_alone(struct simd *s, struct wave *w, uint64_t t, uint64_t until, bool report)
{
	const struct inst *i = w->ip;

	do {
		if (!report && i->compiled && whole_streak(w, i, t, until))
			turn_port(&s->cu->turns, s, UNIT_VALU)->free = w->last + i->compiled->last->cost;
		else
			issue(s, w, i, i->kind, t, report);
		i = w->ip;
		t = w->next;
	} while (i->kind < KIND_SHARED && t <= until && !w->m->halt);
}

/* Vector instructions of the wave at place k back to back, all of the same cost. */
TWICE void run_streak(struct simd *s, struct wave *w, uint32_t k, uint64_t t, uint64_t until, bool report)
{
	const struct inst *i = w->ip;
	const uint64_t cost = i->cost;

	until = turn_sooner(until, turn_streak(&s->cu->turns, s, k));
	do {
		if (!report && i->compiled && i->compiled->cost && whole_streak(w, i, t, until)) {
			t = w->last + cost;
			i = w->ip;
			continue;
		}
		own_or_ahead(w, i, begin(w, i, KIND_PLAIN, t, report), report);
		t += cost;
		advance(w, i, t - cost, t);
		i = w->ip;
	} while (i->streak && i->cost == cost && w->next == t && t <= until);
	turn_port(&s->cu->turns, s, UNIT_VALU)->free = t;
}

TWICE void own(struct simd *s, uint32_t k, struct wave *w, enum inst_kind kind, uint64_t t, const struct limits *l,
	bool report)
{
	const struct inst *i = w->ip;

	if (s->count == 1)
		run_alone(s, w, t, alone_until(s, l), report);
	else if (i->streak >= LONG_STREAK)
		run_streak(s, w, k, t, alone_until(s, l), report);
	else
		issue(s, w, i, kind, t, report);
}

/* --- instructions that others see --- */
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

TWICE void access(struct simd *s, struct wave *w, const struct inst *i, bool done, bool report)
{
	if (!done && (!i->ahead || s->count == 1 || report || w->gpr_idx || !ahead_run(w, i))) {
		execute(w, i);
		return;
	}
	if (!done) { /* it is the first, which counted already */
		w->ahead--;
		((struct inst *)i)->hits--;
	}
	if (i->unit == UNIT_LDS)
		flight_push(w, FLIGHT_LGKM, lds_play(s->cu, w, w->last + i->cost));
	else
		memory_play(w, i);
}

/* False when the wave has ended. */
TWICE bool shared(struct simd *s, struct wave *w, const struct inst *i, enum inst_kind kind, uint64_t t, bool report)
{
	bool done = begin(w, i, kind, t, report);

	turn_port(&s->cu->turns, s, i->unit)->free = t + i->busy;
	if (kind == KIND_END) {
		simd_end(w, t);
		if (report)
			inside_finish(w, t);
		return false;
	}
	advance(w, i, t, kind == KIND_BARRIER ? t : t + i->cost);
	if (kind == KIND_BARRIER) {
		w->phase += !done;
		simd_barrier(w, t);
	} else {
		access(s, w, i, done, report);
	}
	return true;
}

/* --- a CU --- */
/* What becomes of a wave whose turn it was: its next one comes at w->next; or it left the unit to others until then; or
 * others decide. */
enum outcome { GOES_ON, HOLDS_BACK, IS_AT_BARRIER, HAS_ENDED };

TWICE enum outcome go(
	struct simd *s, uint32_t k, struct wave *w, enum inst_kind kind, uint64_t t, struct limits *l, bool report)
{
	const struct inst *i = w->ip;

	if (kind < KIND_SHARED) {
		own(s, k, w, kind, t, l, report);
		return GOES_ON;
	}
	if (kind == KIND_MEMORY && held_back(s, w, i, t, report))
		return HOLDS_BACK;
	if (shared(s, w, i, kind, t, report))
		return kind == KIND_BARRIER ? IS_AT_BARRIER : GOES_ON;
	*l = limits_of(s->cu);
	return HAS_ENDED;
}

/* Whether it is the turn of other CUs. */
static inline bool others_first(const struct inst *i, uint64_t t, const struct limits *l)
{
	return i->kind >= KIND_SHARED && !i->local && queue_key(t, l->number) > l->others;
}

/* The wave, whose port is free, issues; false when the CU has to stop. */
TWICE bool turn(struct cu *cu, unsigned wave, struct wave *w, uint64_t t, struct limits *l, bool report)
{
	struct turns *q = &cu->turns;
	const unsigned to = q->to[wave];
	const enum inst_kind kind = w->ip->kind;

	if (others_first(w->ip, t, l))
		return false;
	turn_come(q, t);
	enum outcome end = go(w->simd, wave % TURN_PLACES, w, kind, t, l, report);
	if (!report && end == GOES_ON)
		issue_waits(w);
	turn_take(q, to);
	if (end <= HOLDS_BACK)
		turn_next(q, wave, w);
	return true;
}

/* --- the loop --- */
/* All turns of a cycle. */
TWICE bool run_cycle(struct cu *cu, uint64_t t, struct limits *l, bool report)
{
	struct turns *q = &cu->turns;
	const uint64_t *at = &q->at[t % RING_CYCLES];

	turns_come(q, t);
	while (*at) {
		const unsigned wave = __builtin_ctzll(*at);
		struct port *p = &q->port[q->to[wave]];
		struct wave *w = q->wave[wave];
		if (p->free > t) {
			turn_come(q, t);
			turn_wait(q, wave, p);
		} else if ((report || !quick(cu, wave, w, t, l->until)) && !turn(cu, wave, w, t, l, report)) {
			return false;
		}
	}
	return true;
}

/* The only wave of its CU has one turn after the other. */
TWICE bool run_only(struct cu *cu, uint64_t t, struct limits *l, bool report)
{
	struct turns *q = &cu->turns;

	turns_come(q, t);
	const unsigned wave = __builtin_ctzll(q->at[t % RING_CYCLES]);
	struct simd *s = &cu->simd[wave / TURN_PLACES];
	struct wave *w = q->wave[wave];
	turn_come(q, t);
	for (enum outcome end = GOES_ON; end <= HOLDS_BACK;) {
		t = turn_time(q, w);
		if (t > l->until || others_first(w->ip, t, l) || cu->m->halt) {
			turn_next(q, wave, w);
			return false;
		}
		q->now = t;
		end = go(s, 0, w, w->ip->kind, t, l, report);
		if (!report && end == GOES_ON)
			issue_waits(w);
	}
	return true;
}

/* Others have their turn, until it is the CU's again. */
static void rest(struct cu *cu, uint64_t number)
{
	const uint64_t t = turns_next(&cu->turns);

	if (t >= NEVER)
		queue_remove(&cu->m->queue, number);
	else
		queue_set(&cu->m->queue, number, t);
}

TWICE void run_cu(struct cu *cu, bool report)
{
	struct machine *m = cu->m;
	struct limits l = limits_of(cu);
	bool on = true;

	while (on && !m->halt) {
		const uint64_t t = turns_next(&cu->turns);
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

issue_fn *const LEVEL_NAME(issue)[2] = {run, run_seen};
