/* Executes instructions of a workgroup before their issue cycle. */
#include "softgpu/core/fast/run_ahead.h"

#include "softgpu/core/fast/wait_loops.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/exec/execute_uop.h"
#include "softgpu/core/memory/access_memo.h"
#include "softgpu/core/jit/jit.h"

enum { RUN_AHEAD_MAX = 192 /* instructions of a wave */ };
_Static_assert(RUN_AHEAD_MAX + JIT_BLOCK_MAX <= UINT16_MAX, "wave.ahead can count a whole JIT block more");

/* The next instruction that the wave has not executed. */
static const struct uop *run_ahead_position(const struct wave *w)
{
	return w->ahead ? w->ahead_end : w->ip == &w->m->fetch ? w->fetch_target : w->ip;
}

/* Whether the wave has passed a barrier that another wave of its workgroup has not reached. */
static bool must_wait_at_barrier(const struct wave *w)
{
	const struct workgroup *g = w->group;

	for (uint32_t k = 0; k < g->waves; k++) {
		const struct wave *o = g->wave[k];
		if (o && (int8_t)(o->barrier_phase - w->barrier_phase) < 0 && run_ahead_position(o)->kind != UOP_ENDPGM)
			return true;
	}
	return false;
}

/* Executes a branch ahead. Returns the next instruction; NULL: it must wait for the issue. */
static const struct uop *run_ahead_branch(struct wave *w, const struct uop *i)
{
	if ((uint8_t)(w->deferred_branches_tail - w->deferred_branches_head) == DEFERRED_BRANCHES_MAX)
		return NULL;
	w->branch_taken = false;
	i->fn(w, i);
	const struct uop *next = i + i->words;
	if (w->branch_taken) {
		next = i->target ? i->target : decode_cache_lookup(launch_executor(w), uop_branch_target(i));
		jit_note_execution(w, next, i->hits);
	}
	const uint64_t bit = UINT64_C(1) << (w->deferred_branches_tail++ % DEFERRED_BRANCHES_MAX);
	w->deferred_branch_taken = w->branch_taken ? w->deferred_branch_taken | bit : w->deferred_branch_taken & ~bit;
	return next;
}

static bool run_ahead_memory(struct wave *w, const struct uop *i)
{
	if (i->unit == UNIT_LDS ? (uint8_t)(w->deferred_lds_tail - w->deferred_lds_head) == DEFERRED_LDS_MAX
				: !memory_repeats(w, i))
		return false;
	w->run_ahead_blocked = false;
	execute_uop(w, i);
	return !w->run_ahead_blocked;
}

/* Executes an instruction ahead. Returns the next one; NULL: it must wait for its issue cycle. */
static const struct uop *run_ahead_step(struct wave *w, const struct uop *i)
{
	switch (i->kind) {
	case UOP_WAITCNT: break;
	case UOP_BRANCH: return run_ahead_branch(w, i);
	case UOP_BARRIER: w->barrier_phase++; break;
	case UOP_MEMORY:
		if (!run_ahead_memory(w, i))
			return NULL;
		break;
	default: execute_uop(w, i);
	}
	return i + i->words;
}

/* Executes from i on, at most up to a barrier that not all waves have reached. False if nothing was executed. */
static bool run_ahead_wave(struct wave *w, const struct uop *i)
{
	const uint32_t before = w->ahead;

	if (!i->may_run_ahead || before >= RUN_AHEAD_MAX || w->gpr_idx || must_wait_at_barrier(w))
		return false;
	if (!before) {
		run_ahead_reset(w);
		prefetch_vgprs(w);
	}
	w->in_run_ahead = true;
	for (bool more = true; more && w->ahead < RUN_AHEAD_MAX && !w->gpr_idx && i->may_run_ahead;) {
		if (i->valu_run) {
			int32_t left = RUN_AHEAD_MAX - w->ahead;
			i = execute_valu_run(w, i, &left);
			w->ahead = RUN_AHEAD_MAX - left;
			continue;
		}
		const struct uop *next = run_ahead_step(w, i);
		if (!next)
			break;
		((struct uop *)i)->hits++;
		w->ahead++;
		more = i->kind != UOP_BARRIER || !must_wait_at_barrier(w);
		i = next;
	}
	w->in_run_ahead = false;
	w->ahead_end = i;
	return w->ahead > before;
}

void run_ahead_begin_launch(struct launch *n)
{
	const struct machine *m = n->m;
	struct uop *entry = (struct uop *)n->entry;

	if (m->model.timing && entry->wait_loop == WAIT_LOOP_UNKNOWN)
		entry->wait_loop = kernel_has_wait_loop(&n->m->vm, n->executor->target, entry->pc) ? WAIT_LOOP_POSSIBLE
												   : WAIT_LOOP_NONE;
	n->runs_ahead = entry->wait_loop == WAIT_LOOP_NONE;
}

bool run_ahead_workgroup(struct wave *w, const struct uop *i)
{
	const struct workgroup *g = w->group;
	bool more = w->launch->runs_ahead && run_ahead_wave(w, i);

	if (!more)
		return false;
	while (more) {
		more = false;
		for (uint32_t k = 0; k < g->waves; k++)
			more |= g->wave[k] && run_ahead_wave(g->wave[k], run_ahead_position(g->wave[k]));
	}
	return true;
}
