#include "softgpu/core/simd.h"

#include <immintrin.h>
#include <string.h>

#include "softgpu/core/code.h"
#include "softgpu/core/dispatch.h"
#include "softgpu/core/fetch.h"
#include "softgpu/core/inside.h"
#include "softgpu/core/lds.h"
#include "softgpu/core/memory.h"
#include "softgpu/core/ops.h"

/* The issue loop exists twice: as it is, and with reports to inside.h. */
#define TWICE static inline __attribute__((always_inline))

/* A SIMD that may yet get waves to run beside its own, released from a barrier or new ones, runs no further than this beyond what the others have
 * reached: what it has issued by then would keep them from the units they want. */
enum { LOOKAHEAD = 32 };
enum { MOST_AHEAD = 64 /* instructions that a wave has done before they issue */ };
enum { PLACE_BITS = 4 };
_Static_assert(MAX_SLOTS <= 1 << PLACE_BITS, "a wave's place among those of its SIMD fits below a time");

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* --- choosing ------------------------------------------------------------------------------------------------------ */
static uint64_t issue_time(const struct simd *s, uint32_t k)
{
	return later(s->next[k], s->unit_free[s->unit[k]]);
}

/* Of the wave that is k-th by age, after it has run or been released. */
static void keep(struct simd *s, uint32_t k)
{
	s->next[k] = s->order[k]->next;
	s->unit[k] = s->order[k]->ip->unit;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The wave that issues first, the oldest among equals: the smallest of times that have the wave's place below them. Which it is
 * follows no pattern: a branch for each would often go wrong. */
TWICE uint32_t choose(const struct simd *s, uint64_t *when)
{
	uint64_t first = issue_time(s, 0) << PLACE_BITS;

	if (s->count == 1) {
		*when = issue_time(s, 0);
		return 0;
	}
	for (uint32_t k = 1; k < s->count; k++)
		first = sooner(first, issue_time(s, k) << PLACE_BITS | k);
	*when = first >> PLACE_BITS;
	return first & ((1u << PLACE_BITS) - 1);
}

/* Until when no other wave of the SIMD could issue, provided that the one chosen keeps the vector unit busy: younger waves that
 * want that unit wait for as long as it does. */
static __attribute__((noinline)) uint64_t horizon(const struct simd *s, uint32_t chosen)
{
	const uint64_t vector = s->unit[chosen] == UNIT_VALU;
	uint64_t until = NEVER;

	for (uint32_t k = 0; k < chosen; k++)
		until = sooner(until, issue_time(s, k));
	for (uint32_t k = chosen + 1; k < s->count; k++)
		until = sooner(until, issue_time(s, k) | -(vector & (s->unit[k] == UNIT_VALU)));
	return until;
}

/* --- instructions that stay inside the wave ------------------------------------------------------------------------- */
/* Sets the host's modes; the operation to run is another where those alone do not give what MODE says. */
static __attribute__((noinline)) op_fn *change_mode(struct wave *w, const struct inst *i, op_fn *fn)
{
	uint32_t mx = w->mx[i->fp], csr = mx & ~MX_MODED;

	if (w->m->mxcsr != csr)
		_mm_setcsr(w->m->mxcsr = csr);
	if (!(mx & MX_MODED))
		return fn;
	return fn == w->m->ops[OP_COUNT] ? ops_moded[OP_COUNT] : fn == w->m->ops[i->d.op] ? ops_moded[i->d.op] : fn;
}

static inline op_fn *floating_point(struct wave *w, const struct inst *i, op_fn *fn)
{
	return w->m->mxcsr == w->mx[i->fp] ? fn : change_mode(w, i, fn);
}

/* The next instruction in line; one that crosses fetch windows comes late unless something longer hides it. */
static inline void advance(struct wave *w, const struct inst *i, uint64_t next)
{
	const struct inst *after = i + i->words;

	uint16_t fetch;

	w->next = next;
	w->ip = after;
	memcpy(&fetch, &after->cross, sizeof fetch); /* and enters: hardly any instruction has either */
	if (__builtin_expect(!fetch, 1))
		return;
	if (after->cross)
		w->next = later(next, w->last + 4 + after->cross);
	if (after->enters)
		fetch_go(w, after);
}

static inline void execute(struct wave *w, const struct inst *i)
{
	const struct inst *x = i;
	op_fn *fn = i->fn;

	if (i->fp | w->gpr_idx) {
		if (w->gpr_idx && i->unit == UNIT_VALU) {
			x = code_indexed(w, i);
			fn = x->fn;
		} else if (w->gpr_idx & GPR_IDX_SKIP && i->kind == KIND_MEMORY && i->unit != UNIT_SMEM) {
			return;
		}
		fn = floating_point(w, i, fn);
	}
	fn(w, x);
}

/* With an access to LDS what follows it in line is done ahead of its time, up to the next instruction that is neither LDS's nor the
 * wave's own, while the wave's registers are in the host's caches: between two issues of a wave come those of many others. Their
 * time comes when they issue. Without a barrier or an atomic in between nobody may rely on what other waves do to LDS meanwhile. */
static __attribute__((noinline)) void run_ahead(struct wave *w, const struct inst *i)
{
	w->lds_done = w->lds_ahead = 0;
	w->running_ahead = true;
	do {
		if (i->kind != KIND_WAIT) {
			execute(w, i);
			w->ahead++;
		}
		i += i->words;
	} while (i->ahead && w->ahead < MOST_AHEAD && w->lds_ahead < LDS_AHEAD && !w->gpr_idx);
	w->running_ahead = false;
}

TWICE void wait_counts(struct wave *w, const struct inst *i, bool report)
{
	uint32_t n = i->d.imm, vm = (n & 15) | (n >> 10 & 48), lgkm = n >> 8 & 15;

	if (report)
		inside_wait(w, vm, lgkm);
	w->next = wave_wait(w, w->last, vm, lgkm) + i->cost;
}

/* Runs the wave that is k-th by age from cycle t for as long as it is its turn: alone or back to back on the vector unit. */
TWICE void run_wave(struct simd *s, uint32_t k, uint64_t t, uint64_t limit, bool report)
{
	struct wave *w = s->order[k];
	const struct inst *i = w->ip;
	uint64_t until = 0; /* not looked for before there is a second instruction in line, which is seldom */
	bool alone = s->count == 1;

	for (;;) {
		((struct inst *)i)->hits++;
		if (report)
			inside_issue(w, i, t);
		w->last = t;
		if (i->kind == KIND_PLAIN) {
			if (__builtin_expect(!w->ahead, 1))
				execute(w, i);
			else
				w->ahead--;
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
		if (i->kind >= KIND_SHARED || t > limit)
			return;
		if (alone)
			continue;
		if (i->unit != UNIT_VALU || t != was || t < s->unit_free[UNIT_VALU])
			return;
		if (!until)
			until = horizon(s, k);
		if (t >= until)
			return;
	}
}

/* --- barriers and ends --------------------------------------------------------------------------------------------- */
/* The SIMD has something to do at time t, and who runs it may find out what. */
static void event(struct simd *s, uint64_t t)
{
	if (t < s->at) {
		s->at = t;
		s->local = true;
	}
}

static uint32_t place_of(const struct simd *s, const struct wave *w)
{
	uint32_t k = 0;

	while (s->order[k] != w)
		k++;
	return k;
}

static void release(struct group *g, uint64_t t)
{
	for (uint32_t k = 0; k < g->waves; k++) {
		struct wave *w = g->wave[k];
		if (!w || w->next != NEVER)
			continue;
		w->next = t + w->m->model.barrier_cycles;
		w->simd->blocked--;
		keep(w->simd, place_of(w->simd, w));
		event(w->simd, w->next);
	}
	g->arrived = 0;
}

static void barrier(struct wave *w, const struct inst *i, uint64_t t)
{
	struct group *g = w->group;

	w->last = t;
	advance(w, i, t);
	w->next = NEVER;
	w->simd->blocked++;
	if (++g->arrived == g->alive)
		release(g, t);
}

TWICE void end(struct simd *s, struct wave *w, uint64_t t)
{
	struct group *g = w->group;
	uint32_t k = place_of(s, w);

	for (s->count--; k < s->count; k++) {
		s->order[k] = s->order[k + 1];
		s->next[k] = s->next[k + 1];
		s->unit[k] = s->unit[k + 1];
	}
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
		if (!i->ahead || (!w->ahead && (s->count == 1 || report || w->gpr_idx))) {
			execute(w, i);
			return;
		}
		if (!w->ahead)
			run_ahead(w, i);
		w->ahead--;
		lds_play(w, i);
	}
}

/* --- a CU ---------------------------------------------------------------------------------------------------------- */
/* The first event that this SIMD has to wait for: in its CU, or of the dispatcher, who may put a wave there, or in the chip.
 * Waves that wait for scratch may come to a CU when any other has done with it. */
static uint64_t near_limit(const struct simd *s)
{
	const struct cu *cu = s->cu;
	const struct machine *m = cu->m;
	uint64_t t = m->launch.scratch_groups ? queue_limit(&m->queue, s->number / SIMDS) : queue_time_of(&m->queue, DISPATCHER);

	for (unsigned k = 0; k < SIMDS; k++)
		if (&cu->simd[k] != s && cu->simd[k].at < t)
			t = cu->simd[k].at;
	return t;
}

static uint64_t far_limit(const struct simd *s, uint64_t near)
{
	uint64_t t = queue_limit(&s->cu->m->queue, s->number / SIMDS);

	return t < near ? t : near;
}

uint64_t simd_limit(const struct simd *s)
{
	return far_limit(s, near_limit(s));
}

/* Waves at a barrier, or workgroups that the dispatcher has not handed out. */
static bool expects_waves(const struct simd *s)
{
	const struct launch *n = &s->cu->m->launch;

	return s->blocked || n->issued < n->total;
}

static void stop_at(struct simd *s, uint64_t t, bool local)
{
	s->at = t;
	s->local = local;
}

TWICE void run(struct simd *s, bool report)
{
	struct machine *m = s->cu->m;
	uint64_t t, near = near_limit(s);

	s->at = NEVER;
	while (s->count) {
		uint32_t k = choose(s, &t);
		struct wave *w = s->order[k];
		if (t >= NEVER)
			return;
		if (w->ip->kind >= KIND_SHARED) {
			if (t > (w->ip->local ? near : far_limit(s, near))) {
				stop_at(s, t, w->ip->local);
				return;
			}
			bool ends = w->ip->kind == KIND_END;
			shared(s, w, t, report);
			if (!ends)
				keep(s, k);
			s->at = NEVER;
			near = near_limit(s);
			if (t >= m->pause && s->count) {
				m->paused = s;
				return;
			}
		} else {
			uint64_t furthest = expects_waves(s) ? near + LOOKAHEAD : NEVER;
			if (t > furthest) {
				stop_at(s, t, true);
				return;
			}
			run_wave(s, k, t, furthest, report);
			keep(s, k);
		}
		if (m->halt)
			return;
	}
}

static struct simd *first_simd(struct cu *cu)
{
	struct simd *s = &cu->simd[0];

	for (unsigned k = 1; k < SIMDS; k++)
		if (cu->simd[k].at < s->at)
			s = &cu->simd[k];
	return s;
}

/* `next`, if there is one, goes on where it paused. */
TWICE void run_cu(struct cu *cu, struct simd *next, bool report)
{
	struct machine *m = cu->m;
	uint32_t number = cu->simd[0].number / SIMDS;

	for (bool first = !next;; first = false) {
		struct simd *s = next ? next : first_simd(cu);
		if (!next && s->at >= NEVER) {
			queue_remove(&m->queue, number);
			return;
		}
		if (!next && !first && (s->local ? s->at > near_limit(s) : s->at >= far_limit(s, NEVER))) {
			queue_set(&m->queue, number, s->at);
			return;
		}
		next = NULL;
		run(s, report);
		if (m->halt || m->paused)
			return;
	}
}

void simd_run(struct cu *cu, struct simd *paused)
{
	run_cu(cu, paused, false);
}

void simd_run_seen(struct cu *cu, struct simd *paused)
{
	run_cu(cu, paused, true);
}

/* --- without timing ------------------------------------------------------------------------------------------------ */
enum { TURN_BRANCHES = 4096, TURN_ROUNDS = 256, TURN_CYCLES = 65536 /* by which a turn moves the clock, so that it moves */ };

/* Whether the wave came to a barrier or its end: others may go on then. */
static bool turn(struct simd *s, struct wave *w, uint64_t t)
{
	w->last = t;
	for (unsigned branches = 0; branches < TURN_BRANCHES && !w->m->halt;) {
		const struct inst *i = w->ip;
		((struct inst *)i)->hits++;
		switch (i->kind) {
		case KIND_WAIT:
			w->ip = i + i->words;
			break;
		case KIND_BARRIER:
			barrier(w, i, t);
			if (w->next == NEVER)
				return true;
			break;
		case KIND_END:
			end(s, w, t);
			return true;
		case KIND_BRANCH:
			branches++; /* fall through */
		default:
			w->ip = i + i->words; /* a branch may set it */
			execute(w, i);
		}
	}
	return false;
}

/* A workgroup's waves in turn, over and over while they come to barriers: what they use stays in the host's caches. */
static void turns(struct group *g, uint64_t t)
{
	bool more = true;

	for (unsigned rounds = 0; more && rounds < TURN_ROUNDS; rounds++) {
		more = false;
		for (uint32_t k = 0; k < g->waves; k++) {
			struct wave *w = g->wave[k];
			if (w && w->next != NEVER && !w->m->halt)
				more |= turn(w->simd, w, t);
		}
	}
}

void simd_run_untimed(struct cu *cu)
{
	struct machine *m = cu->m;
	uint32_t number = cu - m->cu;
	uint64_t t = queue_time(&m->queue);
	bool more = false;

	for (uint64_t e = cu->groups_used; e && !m->halt; e &= e - 1)
		turns(&cu->group[__builtin_ctzll(e)], t);
	for (unsigned k = 0; k < SIMDS; k++)
		more |= cu->simd[k].count > cu->simd[k].blocked;
	if (more)
		queue_set(&m->queue, number, t + TURN_CYCLES);
	else
		queue_remove(&m->queue, number);
}

void simd_add(struct simd *s, struct wave *w, uint64_t start)
{
	w->next = start;
	w->last = 0;
	w->ahead = 0;
	s->order[s->count++] = w;
	fetch_go(w, w->ip);
	keep(s, s->count - 1);
	event(s, start);
	queue_lower(&w->m->queue, s->number / SIMDS, start);
}

/* --- branches ------------------------------------------------------------------------------------------------------ */
static void go(struct wave *w, const struct inst *target)
{
	w->next = w->last + w->m->model.branch_taken_cycles;
	fetch_go(w, target);
	if (asked_to_stop(w->m, w->last))
		machine_halt(w, target, LAUNCH_STOPPED, "stopped on request");
}

void simd_branch(struct wave *w, const struct inst *i)
{
	if (!i->target) {
		struct inst *target = code_at(w->m, i->pc + i->words * 4 + (int64_t)i->d.imm * 4);
		target->enters = true;
		((struct inst *)i)->target = target;
	}
	go(w, i->target);
}

void simd_jump(struct wave *w, uint64_t va)
{
	struct inst *target = code_at(w->m, va);

	target->enters = true;
	go(w, target);
}
