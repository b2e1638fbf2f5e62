/* The issue loop of a CU: the first turn of its SIMDs', over and over. Compiled once per host level; LEVEL is the end of its table's name.
 *
 * What waves do is done in the order of time where anybody else may see it: at LDS and barriers among the waves of the CU, at memory and
 * ends among all. A SIMD goes on alone through what is its own, until others may put a wave beside its own. */
#include "softgpu/core/issue.h"

#include "softgpu/core/dispatch.h"
#include "softgpu/core/inside.h"
#include "softgpu/core/lds.h"
#include "softgpu/core/memory.h"
#include "softgpu/core/simd.h"
#include "softgpu/core/streak.h"

/* The loop exists twice: as it is, and with reports to inside.h. */
#define TWICE static inline __attribute__((always_inline))

enum {
	MOST_AHEAD = 64, /* instructions that a wave has done before they issue */
	LONG_STREAK = 12, /* instructions that are worth a look at whether they issue back to back */
};
_Static_assert(MOST_AHEAD + MOST_STREAK <= UINT8_MAX, "wave.ahead holds what a streak adds");

/* Until when the CU may go on. */
struct limits {
	uint64_t others;  /* the queue's first event but the CU's: instructions that all may see come no later */
	uint64_t waves;   /* the last cycle at which no wave from the dispatcher can have come */
	uint64_t number;  /* the CU's in the queue */
};

static struct limits limits_of(const struct cu *cu)
{
	const struct machine *m = cu->m;
	struct limits l = { .number = cu - m->cu };

	l.others = queue_limit(&m->queue, l.number);
	/* waves that wait for scratch may come to a CU when any other has done with it */
	l.waves = m->launch.scratch_groups ? l.others : queue_time_of(&m->queue, DISPATCHER);
	l.waves += m->model.wave_start_cycles;
	return l;
}

/* --- instructions of a wave alone ---------------------------------------------------------------------------------- */
/* With an access to LDS what follows it in line is done ahead of its time, up to the next instruction that is neither LDS's nor the
 * wave's own, while the wave's registers are in the host's caches: between two issues of a wave come those of many others. Their
 * time comes when they issue. Without a barrier or an atomic in between nobody may rely on what other waves do to LDS meanwhile. */
static __attribute__((noinline)) void run_ahead(struct wave *w, const struct inst *i)
{
	w->lds_done = w->lds_ahead = 0;
	w->running_ahead = true;
	call_registers(w);
	do {
		const struct streak *x = streak_run(w, i);
		if (x) {
			w->ahead += x->count;
			i = x->after;
			continue;
		}
		if (i->kind != KIND_WAIT) {
			execute(w, i);
			w->ahead++;
		}
		i += i->words;
	} while (i->ahead && w->ahead < MOST_AHEAD && w->lds_ahead < LDS_AHEAD && !w->gpr_idx);
	w->running_ahead = false;
}

TWICE void wait_counts(struct wave *w, const struct inst *i, uint64_t t, bool report)
{
	uint32_t n = i->d.imm, vm = (n & 15) | (n >> 10 & 48), lgkm = n >> 8 & 15;

	if (report)
		inside_wait(w, vm, lgkm);
	w->next = wave_wait(w, t, vm, lgkm) + i->cost;
}

static __attribute__((noinline)) bool streak_ahead(struct wave *w, const struct inst *i)
{
	const struct streak *x = streak_run(w, i);

	if (x)
		w->ahead = x->count - 1;
	return x;
}

/* Who looks inside sees the registers after each instruction. */
TWICE void own_or_ahead(struct wave *w, const struct inst *i, bool report)
{
	if (__builtin_expect(w->ahead, 0))
		w->ahead--;
	else if (report || !i->compiled || !streak_ahead(w, i))
		execute(w, i);
}

TWICE void begin(struct wave *w, const struct inst *i, uint64_t t, bool report)
{
	((struct inst *)i)->hits++;
	if (report)
		inside_issue(w, i, t);
	w->last = t;
}

TWICE void issue(struct simd *s, struct wave *w, const struct inst *i, uint64_t t, bool report)
{
	begin(w, i, t, report);
	s->unit_free[i->unit] = t + i->cost;
	if (i->kind == KIND_PLAIN) {
		own_or_ahead(w, i, report);
		advance(w, i, t, t + i->cost);
	} else if (i->kind == KIND_WAIT) {
		advance(w, i, t, t);
		wait_counts(w, i, t, report);
	} else { /* may set ip and next itself */
		const struct inst *after = i + i->words;
		in_line(w, after, t, t + i->cost);
		i->fn(w, i);
		if (w->ip == after)
			look_for(w, after);
	}
}

/* All of a streak at once, from cycle t on, when its last instruction issues no later than at `until`; false when that cannot be. */
static __attribute__((noinline)) bool whole_streak(struct wave *w, const struct inst *i, uint64_t t, uint64_t until)
{
	struct streak *x = i->compiled;
	bool done = w->ahead >= x->count;

	if (t + x->cycles > until || (!done && (w->ahead || !streak_may_run(w, x))) || !streak_fetched(w, x, t))
		return false;
	if (done)
		w->ahead -= x->count;
	else
		x->run(w->v, w->s);
	x->runs++;
	w->last = t + x->cycles;
	advance(w, x->last, w->last, w->last + x->last->cost);
	return true;
}

/* The only wave of its SIMD, for as long as nobody else may see what it does. */
TWICE void run_alone(struct simd *s, uint64_t t, uint64_t until, bool report)
{
	struct wave *w = s->order[0];
	const struct inst *i = w->ip;

	do {
		if (!report && i->compiled && whole_streak(w, i, t, until))
			s->unit_free[UNIT_VALU] = w->last + i->compiled->last->cost;
		else
			issue(s, w, i, t, report);
		i = w->ip;
		t = w->next;
	} while (i->kind < KIND_SHARED && t <= until && !w->m->halt);
	turn_pass(s, 0, UNIT_COUNT, 0);
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

TWICE void shared(struct simd *s, uint32_t k, struct wave *w, const struct inst *i, uint64_t t, bool report)
{
	if (i->kind == KIND_MEMORY && held_back(s, w, i, t, report)) {
		turn_pass(s, k, UNIT_COUNT, 0);
		return;
	}
	begin(w, i, t, report);
	s->unit_free[i->unit] = t + i->cost;
	if (i->kind == KIND_END) {
		simd_end(w, t);
		if (report)
			inside_finish(w, t);
		return;
	}
	advance(w, i, t, i->kind == KIND_BARRIER ? t : t + i->cost);
	if (i->kind == KIND_BARRIER) {
		simd_barrier(w, t);
	} else if (!i->ahead || (!w->ahead && (s->count == 1 || report || w->gpr_idx))) {
		execute(w, i);
	} else {
		if (!w->ahead)
			run_ahead(w, i);
		w->ahead--;
		lds_play(w, i);
	}
	turn_pass(s, k, i->unit, t + i->cost);
}

/* --- a CU ---------------------------------------------------------------------------------------------------------- */
/* A SIMD's turn among those of its CU: by time, equal ones by number. */
static inline uint64_t turn_of_simd(const struct simd *s, uint32_t number)
{
	return (s->first & -(UINT64_C(1) << PLACE_BITS)) | number;
}

static inline struct simd *first_simd(struct cu *cu)
{
	struct simd *all = cu->simd;

	_Static_assert(SIMDS == 4, "two pairs");
	uint64_t a = turn_sooner(turn_of_simd(&all[0], 0), turn_of_simd(&all[1], 1));
	uint64_t b = turn_sooner(turn_of_simd(&all[2], 2), turn_of_simd(&all[3], 3));
	return &all[turn_place(turn_sooner(a, b))];
}

static inline uint64_t first_of_others(const struct simd *s, uint32_t number)
{
	const struct simd *all = s->cu->simd;
	uint64_t a = turn_of_simd(&all[number ^ 1], number ^ 1), b = turn_of_simd(&all[number ^ 2], number ^ 2);

	return turn_sooner(turn_of_simd(&all[number ^ 3], number ^ 3), turn_sooner(a, b));
}

/* Until when a SIMD may go on alone, the others' next turn being at cycle `first`: they may release its waves from a barrier, or end theirs
 * and make room for new ones. */
static inline uint64_t alone_until(const struct simd *s, uint64_t first, const struct limits *l)
{
	const struct machine *m = s->cu->m;
	uint64_t room = m->launch.issued < m->launch.total ? first + m->model.wave_start_cycles : NEVER - 1;
	uint64_t released = s->blocked ? first + m->model.barrier_cycles - 1 : NEVER - 1;

	return turn_sooner(turn_sooner(l->waves, NEVER - 1), turn_sooner(room, released));
}

/* What all may see, from cycle t on: false when others come before. At the same cycle the CU goes on whose turn it is. */
TWICE bool shared_turn(struct simd *s, uint32_t k, struct wave *w, uint64_t t, struct limits *l, bool report)
{
	const struct inst *i = w->ip;
	struct cu *cu = s->cu;
	bool ends = i->kind == KIND_END;

	if (i->local ? t > l->waves : t > l->others)
		return false;
	shared(s, k, w, i, t, report);
	if (ends)
		*l = limits_of(cu);
	if (t >= cu->m->pause)
		cu->m->paused = cu;
	return true;
}

/* Vector instructions of one wave back to back, all of the same cost; returns when the last one issued. */
TWICE uint64_t run_streak(struct simd *s, struct wave *w, uint32_t k, uint64_t t, uint64_t until, bool report)
{
	const struct inst *i = w->ip;
	const uint64_t cost = i->cost, first = turn_streak(s, k);

	until = turn_sooner(until, turn_time(first) - (turn_place(first) < k));
	do {
		if (!report && i->compiled && i->compiled->cost && whole_streak(w, i, t, until)) {
			t = w->last + cost;
			i = w->ip;
			continue;
		}
		begin(w, i, t, report);
		own_or_ahead(w, i, report);
		t += cost;
		advance(w, i, t - cost, t);
		i = w->ip;
	} while (i->streak && i->cost == cost && w->next == t && t <= until);
	s->unit_free[UNIT_VALU] = t;
	return t - cost;
}

/* The wave at place k, whose next instruction is its own. */
TWICE void own_turn(struct simd *s, uint32_t k, struct wave *w, uint64_t t, uint64_t until, bool report)
{
	const struct inst *i = w->ip;

	if (s->count == 1) {
		run_alone(s, t, until, report);
		return;
	}
	if (i->streak >= LONG_STREAK)
		t = run_streak(s, w, k, t, until, report);
	else
		issue(s, w, i, t, report);
	turn_pass(s, k, i->unit, t + i->cost);
}

/* The SIMD whose turn it is goes on until another of its CU has to; false when it is the turn of other CUs. */
TWICE bool run_simd(struct simd *s, struct limits *l, bool report)
{
	struct machine *m = s->cu->m;
	uint32_t number = s - s->cu->simd;
	uint64_t others = first_of_others(s, number), t = turn_time(s->first);
	uint64_t until = turn_later(t, alone_until(s, turn_time(others), l));

	do {
		uint32_t k = turn_place(s->first);
		struct wave *w = s->order[k];
		enum inst_kind kind = w->ip->kind;
		if (kind < KIND_SHARED) {
			own_turn(s, k, w, t, until, report);
		} else {
			if (turn_of_simd(s, number) > others)
				return true;
			if (!shared_turn(s, k, w, t, l, report))
				return false;
			if (kind >= KIND_BARRIER) /* others may have come by waves */
				return true;
		}
		t = turn_time(s->first);
	} while (t <= until && !m->halt && !m->paused);
	return true;
}

TWICE void run_cu(struct cu *cu, bool report)
{
	struct machine *m = cu->m;
	struct limits l = limits_of(cu);

	while (!m->halt && !m->paused) {
		struct simd *s = first_simd(cu);
		uint64_t t = turn_time(s->first);
		if (t >= NEVER) {
			queue_remove(&m->queue, l.number);
			return;
		}
		if (t > l.waves || !run_simd(s, &l, report)) {
			queue_set(&m->queue, l.number, turn_time(first_simd(cu)->first));
			return;
		}
	}
}

static void run(struct cu *cu)
{
	run_cu(cu, false);
}

static void run_seen(struct cu *cu)
{
	run_cu(cu, true);
}

issue_fn *const LEVEL_NAME(issue)[2] = { run, run_seen };
