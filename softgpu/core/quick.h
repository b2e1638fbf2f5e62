/* Turns of waves that have done what comes before their time (ahead.h), so that nothing is left of it but when: what no other wave sees,
 * and LDS, with the wait behind it. Where CUs are full most turns are such ones. The times are those that the issue loop gives to each
 * instruction by itself. */
#ifndef SOFTGPU_CORE_QUICK_H
#define SOFTGPU_CORE_QUICK_H

#include "softgpu/core/issue.h"
#include "softgpu/core/lds.h"

enum { QUICK_AHEAD = 3 /* instructions of a quick turn, at most */ };

/* Whether the code has come that a quick turn leads to when i is its last instruction but a wait. */
static inline bool quick_there(const struct wave *w, const struct inst *i)
{
	const struct inst *after = i + i->words;

	return is_there(w, after) && (!i->then_words || is_there(w, after + i->then_words));
}

/* The wave has issued i, and could go on with what follows at cycle `next`; or behind that, where it is a wait. */
static inline void quick_next(struct turns *q, unsigned wave, struct wave *w, const struct inst *i, uint64_t next)
{
	const struct inst *after = i + i->words;

	if (i->then_words) {
		next = flight_wait(w, next, after->wait_vm, after->wait_lgkm) + after->cost;
		w->ahead--;
		after += i->then_words;
	}
	w->ip = after;
	w->next = next;
	turn_next_as(q, wave, w, true);
}

static inline bool quick_lds(struct cu *cu, unsigned wave, struct wave *w, const struct inst *i, uint64_t t)
{
	struct turns *q = &cu->turns;
	const unsigned to = q->to[wave];

	if (w->flight[FLIGHT_LGKM].count == LGKM_COUNT_MAX || !quick_there(w, i))
		return false;
	turn_come(q, t);
	w->ahead--;
	w->last = t;
	q->port[to].free = t + i->cost;
	flight_enter(w, FLIGHT_LGKM, lds_play(cu, w, t + i->cost));
	turn_take(q, to);
	quick_next(q, wave, w, i, turn_later(t + i->cost, t + i[i->words].late));
	return true;
}

/* One instruction; or two of the vector ALU, when no older wave of the SIMD can come between them. */
static inline bool quick_own(struct cu *cu, unsigned wave, struct wave *w, const struct inst *i, uint64_t t)
{
	struct turns *q = &cu->turns;
	const struct inst *last = i, *second = i + i->words;
	const unsigned to = q->to[wave];

	if (i->quick == QUICK_PAIR && is_there(w, second) && turn_undisturbed(q, w->simd, wave, t))
		last = second;
	if (!quick_there(w, last))
		return false;
	turn_come(q, t);
	w->ahead -= 1 + (last != i);
	t += last != i ? TURN_ROW : 0;
	w->last = t;
	q->port[to].free = t + last->busy;
	turn_take(q, to);
	quick_next(q, wave, w, last, turn_later(t + last->cost, t + last[last->words].late));
	return true;
}

/* The wave's turn at cycle t, when it is such a one; else it is still to come. */
static inline bool quick(struct cu *cu, unsigned wave, struct wave *w, uint64_t t)
{
	const struct inst *i = w->ip;

	if (w->ahead < QUICK_AHEAD || i->quick == QUICK_NOT)
		return false;
	return i->quick == QUICK_LDS ? quick_lds(cu, wave, w, i, t) : quick_own(cu, wave, w, i, t);
}

#endif
