/* Turns of waves that have done what comes before their time (ahead.h), so that nothing is left of it but when: what no
 * other wave sees, and LDS, with the wait behind it. Where CUs are full most turns are such ones. The times are those
 * that the issue loop gives to each instruction by itself. */
#ifndef SOFTGPU_CORE_QUICK_H
#define SOFTGPU_CORE_QUICK_H

#include "softgpu/core/issue.h"
#include "softgpu/core/lds.h"

enum { QUICK_AHEAD = 2 /* instructions of a quick turn, at least: one, and the wait behind it */ };

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

/* Vector instructions in line from i on, issued at cycle *t, that go back to back with no older wave of the SIMD
 * between them: the last one, and in *t its cycle. */
static inline const struct inst *quick_row(
	const struct cu *cu, unsigned wave, const struct wave *w, const struct inst *i, uint64_t *t, uint64_t until)
{
	until = turn_row(&cu->turns, w->simd, wave, turn_sooner(until, *t + i->row));
	const struct inst *after;

	for (unsigned left = w->ahead - QUICK_AHEAD; i->row && left && *t + i->cost <= until; left--) {
		after = i + i->words;
		if (!is_there(w, after))
			break;
		*t += i->cost;
		i = after;
	}
	return i;
}

/* One instruction, or a row. */
static inline bool quick_own(
	struct cu *cu, unsigned wave, struct wave *w, const struct inst *i, uint64_t t, uint64_t until)
{
	struct turns *q = &cu->turns;
	const struct inst *last = i;
	const unsigned to = q->to[wave];

	if (i->row)
		last = quick_row(cu, wave, w, i, &t, until);
	if (!quick_there(w, last))
		return false;
	turn_come(q, q->now);
	w->ahead -= 1 + i->streak - last->streak;
	w->last = t;
	q->port[to].free = t + last->busy;
	turn_take(q, to);
	quick_next(q, wave, w, last, turn_later(t + last->cost, t + last[last->words].late));
	return true;
}

/* The wave's turn at cycle t, when it is such a one; else it is still to come. The CU may go on until `until`. */
static inline bool quick(struct cu *cu, unsigned wave, struct wave *w, uint64_t t, uint64_t until)
{
	const struct inst *i = w->ip;

	if (w->ahead < QUICK_AHEAD || i->quick == QUICK_NOT)
		return false;
	return i->quick == QUICK_LDS ? quick_lds(cu, wave, w, i, t) : quick_own(cu, wave, w, i, t, until);
}

#endif
