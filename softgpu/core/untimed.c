#include "softgpu/core/issue.h"
#include "softgpu/core/simd.h"

enum {
	TURN_BRANCHES = 4096,
	TURN_ROUNDS = 256,
	TURN_CYCLES = 65536 /* by which a turn moves the clock, so that it moves */
};

/* Whether the wave came to a barrier or its end: others may go on then. */
static bool turn(struct wave *w, uint64_t t)
{
	w->last = t;
	for (unsigned branches = 0; branches < TURN_BRANCHES && !w->m->halt;) {
		const struct inst *i = w->ip;
		if (i->streak && !w->gpr_idx) {
			w->ip = execute_in_line(w, i, &(int32_t){INT32_MAX});
			continue;
		}
		((struct inst *)i)->hits++;
		switch (i->kind) {
		case KIND_WAIT: w->ip = i + i->words; break;
		case KIND_BARRIER:
			advance(w, i, t, t);
			simd_barrier(w, t);
			if (w->next == NEVER)
				return true;
			break;
		case KIND_END: simd_end(w, t); return true;
		case KIND_BRANCH: branches++; /* fall through */
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
				more |= turn(w, t);
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
