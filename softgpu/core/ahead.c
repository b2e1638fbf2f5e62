#include "softgpu/core/ahead.h"

#include "softgpu/core/issue.h"
#include "softgpu/core/memory.h"
#include "softgpu/core/streak.h"

enum { MOST_AHEAD = 192 /* instructions of a wave */ };
_Static_assert(MOST_AHEAD + MOST_STREAK <= UINT16_MAX, "wave.ahead holds what a streak adds");

/* The next instruction that the wave has not done. */
static const struct inst *position(const struct wave *w)
{
	return w->ahead ? w->done : w->ip == &w->m->fetch ? w->wanted : w->ip;
}

/* Whether the wave is behind a barrier that others of its workgroup have yet to come to. */
static bool waits(const struct wave *w)
{
	const struct group *g = w->group;

	for (uint32_t k = 0; k < g->waves; k++) {
		const struct wave *o = g->wave[k];
		if (o && (int8_t)(o->phase - w->phase) < 0 && position(o)->kind != KIND_END)
			return true;
	}
	return false;
}

/* What follows the branch; NULL when that is not known or has to wait. */
static const struct inst *branch(struct wave *w, const struct inst *i)
{
	if ((uint8_t)(w->branches_ahead - w->branches_done) == BRANCHES_AHEAD)
		return NULL;
	w->taken = false;
	i->fn(w, i);
	if (w->taken && (!i->target || (w->listens && i->target->pc <= i->pc)))
		return NULL;
	if (w->taken)
		streaks_met(w, i->target, i->hits);
	const uint64_t bit = UINT64_C(1) << (w->branches_ahead++ % BRANCHES_AHEAD);
	w->branch_ahead = w->taken ? w->branch_ahead | bit : w->branch_ahead & ~bit;
	return w->taken ? i->target : i + i->words;
}

static bool access(struct wave *w, const struct inst *i)
{
	if (i->unit == UNIT_LDS) {
		if ((uint8_t)(w->lds_ahead - w->lds_done) == LDS_AHEAD)
			return false;
		w->listens = true;
	} else if (i->memory->misses) {
		return false;
	}
	w->refused = false;
	execute(w, i);
	return !w->refused;
}

/* Does the instruction and returns what comes next; NULL when its time must come first. */
static const struct inst *step(struct wave *w, const struct inst *i)
{
	switch (i->kind) {
	case KIND_WAIT: break;
	case KIND_BRANCH: return branch(w, i);
	case KIND_BARRIER:
		w->phase++;
		w->listens = false;
		break;
	case KIND_MEMORY:
		if (!access(w, i))
			return NULL;
		break;
	default: execute(w, i);
	}
	return i + i->words;
}

/* From i on, until a barrier at the latest. */
static bool go(struct wave *w, const struct inst *i)
{
	const uint32_t before = w->ahead;

	if (!i->ahead || before >= MOST_AHEAD || w->gpr_idx || waits(w))
		return false;
	if (!before) {
		ahead_none(w);
		call_registers(w);
	}
	w->running_ahead = true;
	for (bool on = true; on && w->ahead < MOST_AHEAD && !w->gpr_idx && i->ahead;) {
		if (i->streak) {
			int32_t left = MOST_AHEAD - w->ahead;
			i = execute_in_line(w, i, &left);
			w->ahead = MOST_AHEAD - left;
			continue;
		}
		const struct inst *next = step(w, i);
		if (!next)
			break;
		((struct inst *)i)->hits++;
		w->ahead++;
		on = i->kind != KIND_BARRIER || !waits(w);
		i = next;
	}
	w->running_ahead = false;
	w->done = i;
	return w->ahead > before;
}

bool ahead_run(struct wave *w, const struct inst *i)
{
	const struct group *g = w->group;
	bool more = go(w, i);

	if (!more)
		return false;
	while (more) {
		more = false;
		for (uint32_t k = 0; k < g->waves; k++)
			more |= g->wave[k] && go(g->wave[k], position(g->wave[k]));
	}
	return true;
}
