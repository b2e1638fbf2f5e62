/* Run-ahead: functional execution of waves before their issue cycle, with deferred timing.
 *
 * Many other waves issue between two issues of a wave, so its registers leave the host's caches. Therefore, when a wave
 * reaches an LDS access or a load, it and its workgroup execute the following instructions at once, as long as the
 * result is not observable: past barriers that the whole workgroup reaches, and along branches. The simulated time does
 * not change. What it depends on (directions of branches, banks and lines of accesses) is stored in the wave until the
 * instructions issue.
 *
 * A wave stops at everything that is observable or depends on time: stores, atomics, coherent loads, scalar memory,
 * messages, its end. It also stops at a backward branch if it has read LDS since the last barrier, because it may spin
 * on a value from another wave. */
#ifndef SOFTGPU_CORE_FAST_RUN_AHEAD_H
#define SOFTGPU_CORE_FAST_RUN_AHEAD_H

#include "softgpu/core/exec/machine.h"

/* Runs ahead with the wave, from i on, and its workgroup. The wave must not have executed anything ahead. False if i
 * must wait for its issue cycle. */
bool run_ahead_workgroup(struct wave *w, const struct uop *i);

/* Whether the branch that now issues was taken when it was executed ahead. */
static inline bool run_ahead_pop_branch(struct wave *w)
{
	return w->deferred_branch_taken >> (w->deferred_branches_head++ % DEFERRED_BRANCHES_MAX) & 1;
}

/* Clears the deferred timing. */
static inline void run_ahead_reset(struct wave *w)
{
	w->ahead = 0;
	w->may_spin = false;
	w->deferred_lds_head = w->deferred_lds_tail = w->deferred_loads_head = w->deferred_loads_tail = 0;
	w->deferred_lines_head = w->deferred_lines_tail = w->deferred_branches_head = w->deferred_branches_tail = 0;
}

#endif
