/* Functional execution without timing: runs the workgroups of a CU slice by slice.
 * A wave that waits for a load from memory lets the others of its workgroup run, as on hardware, where the load takes
 * longer than what they do meanwhile. RCCL relies on it: after a barrier, one wave loads the next piece of work into
 * the LDS that the others still read. */
#include "softgpu/core/check/checker.h"
#include "softgpu/core/exec/execute_uop.h"
#include "softgpu/core/exec/advance_wave.h"
#include "softgpu/core/issue/wave_control.h"

enum {
	SLICE_BRANCHES = 4096,
	SLICE_ROUNDS = 256,
	WINDOW_ACCESSES = 1024 /* that a cluster defers before its waves wait for the window's end: host memory */
};

/* --- windows --- */
static bool window_is_full(const struct cu *cu)
{
	return cu->m->windowed && cu->cluster->deferred.count >= WINDOW_ACCESSES;
}

/* Whether what the wave waits for happens at the end of the window. */
static bool waits_for_window(struct wave *w, const struct uop *wait)
{
	const uint32_t window = w->m->owner->window;

	if (!w->m->windowed || w->deferred_in != window ||
		(wait->wait_vm == WAITCNT_MAX && wait->wait_lgkm == WAITCNT_MAX))
		return false;
	w->held_in = window;
	return true;
}

static bool can_run(const struct wave *w)
{
	return w && w->next != CYCLE_NEVER && !w->m->halt && !(w->m->windowed && w->held_in == w->m->owner->window);
}

/* --- waves --- */
/* Runs a block of scalar instructions. Returns the next instruction. */
static const struct uop *execute_scalar_block(struct wave *w, struct jit_block *x)
{
	x->run(w->v, w->s);
	x->runs++;
	return x->after;
}

/* A wave that is alone has no others to wait for. */
static bool waits_for_load(const struct wave *w, const struct uop *wait, bool scalar_load)
{
	return w->group->waves > 1 && (wait->wait_vm < WAITCNT_MAX || (scalar_load && wait->wait_lgkm < WAITCNT_MAX));
}

/* Runs a wave. True if it reached a barrier, its end or a wait for a load, so that other waves may continue. */
static bool run_wave_slice(struct wave *w, uint64_t t)
{
	const bool checked = machine_is_checked(w->m); /* each instruction executes alone */
	bool scalar_load = false;                      /* since the slice began */

	w->last = t;
	for (unsigned branches = 0; branches < SLICE_BRANCHES && !w->m->halt;) {
		const struct uop *i = w->ip;
		if (i->valu_run && !w->gpr_idx && !checked) {
			w->ip = execute_valu_run(w, i, &(int32_t){INT32_MAX});
			continue;
		}
		if (i->jit_block && !i->valu_run && !checked) {
			w->ip = execute_scalar_block(w, i->jit_block);
			continue;
		}
		((struct uop *)i)->hits++;
		if (checked)
			checker_execute(w, i);
		switch (i->kind) {
		case UOP_WAITCNT:
			w->ip = i + i->words;
			if (waits_for_window(w, i) || waits_for_load(w, i, scalar_load))
				return true;
			break;
		case UOP_BARRIER:
			advance_wave(w, i, t, t);
			if (checked)
				checker_arrive_barrier(w, i);
			simd_arrive_barrier(w, t);
			if (w->next == CYCLE_NEVER)
				return true;
			break;
		case UOP_GLOBAL_SYNC:
			w->ip = i + i->words;
			execute_uop(w, i);
			if (w->next == CYCLE_NEVER)
				return true;
			break;
		case UOP_ENDPGM: simd_end_wave(w, t); return true;
		case UOP_BRANCH: branches += window_is_full(w->simd->cu) ? SLICE_BRANCHES : 1; /* fall through */
		default:
			w->ip = i + i->words; /* a branch may set it */
			scalar_load |= i->unit == UNIT_SMEM;
			execute_uop(w, i);
		}
	}
	return false;
}

/* Runs the waves of a workgroup in turn, repeatedly while they reach barriers or waits. One workgroup at a time uses
 * the host's caches best. */
static void run_workgroup_slices(struct workgroup *g, uint64_t t)
{
	bool more = true;

	for (unsigned rounds = 0; more && rounds < SLICE_ROUNDS && !window_is_full(g->cu); rounds++) {
		more = false;
		for (uint32_t k = 0; k < g->waves; k++) {
			struct wave *w = g->wave[k];
			if (can_run(w))
				more |= run_wave_slice(w, t);
		}
	}
}

void simd_run_functional(struct cu *cu)
{
	struct machine *m = cu->m;
	uint32_t number = cu - m->cu;
	uint64_t t = event_queue_first_time(cu->events);
	bool more = false;

	cu->scheduler.now = t;
	for (uint32_t n = 0; n < m->residents; n++) {
		struct cu_share *share = &cu->share[m->resident[n]->number];
		for (uint64_t e = share->used; e && !m->halt; e &= e - 1)
			run_workgroup_slices(&share->group[__builtin_ctzll(e)], t);
	}
	for (unsigned k = 0; k < SIMDS; k++)
		more |= cu->simd[k].count > cu->simd[k].at_barrier;
	if (more)
		event_queue_set(cu->events, number, t + FUNCTIONAL_SLICE_CYCLES);
	else
		event_queue_remove(cu->events, number);
}
