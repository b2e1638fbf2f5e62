#include "softgpu/core/fast/run_ahead.h"

#include "softgpu/core/issue/issue_loop.h"
#include "softgpu/core/memory/l1.h"
#include "softgpu/core/jit/jit.h"

enum { RUN_AHEAD_MAX = 192 /* instructions of a wave */ };
_Static_assert(RUN_AHEAD_MAX + JIT_BLOCK_MAX <= UINT16_MAX, "wave.ahead holds what a streak adds");

/* The next instruction that the wave has not done. */
static const struct uop *position(const struct wave *w)
{
	return w->ahead ? w->ahead_end : w->ip == &w->m->fetch ? w->fetch_target : w->ip;
}

/* Whether the wave is behind a barrier that others of its workgroup have yet to come to. */
static bool waits(const struct wave *w)
{
	const struct workgroup *g = w->group;

	for (uint32_t k = 0; k < g->waves; k++) {
		const struct wave *o = g->wave[k];
		if (o && (int8_t)(o->barrier_phase - w->barrier_phase) < 0 && position(o)->kind != UOP_ENDPGM)
			return true;
	}
	return false;
}

/* What follows the branch; NULL when that is not known or has to wait. */
static const struct uop *branch(struct wave *w, const struct uop *i)
{
	if ((uint8_t)(w->deferred_branches_tail - w->deferred_branches_head) == DEFERRED_BRANCHES_MAX)
		return NULL;
	w->branch_taken = false;
	i->fn(w, i);
	if (w->branch_taken && (!i->target || (w->may_spin && i->target->pc <= i->pc)))
		return NULL;
	if (w->branch_taken)
		jit_note_execution(w, i->target, i->hits);
	const uint64_t bit = UINT64_C(1) << (w->deferred_branches_tail++ % DEFERRED_BRANCHES_MAX);
	w->deferred_branch_taken = w->branch_taken ? w->deferred_branch_taken | bit : w->deferred_branch_taken & ~bit;
	return w->branch_taken ? i->target : i + i->words;
}

static bool access(struct wave *w, const struct uop *i)
{
	if (i->unit == UNIT_LDS) {
		if ((uint8_t)(w->deferred_lds_tail - w->deferred_lds_head) == DEFERRED_LDS_MAX)
			return false;
		w->may_spin = true;
	} else if (i->memory->misses) {
		return false;
	}
	w->run_ahead_blocked = false;
	execute_uop(w, i);
	return !w->run_ahead_blocked;
}

/* Does the instruction and returns what comes next; NULL when its time must come first. */
static const struct uop *step(struct wave *w, const struct uop *i)
{
	switch (i->kind) {
	case UOP_WAITCNT: break;
	case UOP_BRANCH: return branch(w, i);
	case UOP_BARRIER:
		w->barrier_phase++;
		w->may_spin = false;
		break;
	case UOP_MEMORY:
		if (!access(w, i))
			return NULL;
		break;
	default: execute_uop(w, i);
	}
	return i + i->words;
}

/* From i on, until a barrier at the latest. */
static bool go(struct wave *w, const struct uop *i)
{
	const uint32_t before = w->ahead;

	if (!i->may_run_ahead || before >= RUN_AHEAD_MAX || w->gpr_idx || waits(w))
		return false;
	if (!before) {
		run_ahead_reset(w);
		prefetch_vgprs(w);
	}
	w->in_run_ahead = true;
	for (bool on = true; on && w->ahead < RUN_AHEAD_MAX && !w->gpr_idx && i->may_run_ahead;) {
		if (i->valu_run) {
			int32_t left = RUN_AHEAD_MAX - w->ahead;
			i = execute_valu_run(w, i, &left);
			w->ahead = RUN_AHEAD_MAX - left;
			continue;
		}
		const struct uop *next = step(w, i);
		if (!next)
			break;
		((struct uop *)i)->hits++;
		w->ahead++;
		on = i->kind != UOP_BARRIER || !waits(w);
		i = next;
	}
	w->in_run_ahead = false;
	w->ahead_end = i;
	return w->ahead > before;
}

bool run_ahead_workgroup(struct wave *w, const struct uop *i)
{
	const struct workgroup *g = w->group;
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
