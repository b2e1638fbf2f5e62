/* Run-ahead: functional execution of waves before their issue cycle, with deferred timing.
 *
 * Many other waves issue between two issues of a wave, so its registers leave the host's caches. Therefore, when a wave
 * reaches an LDS access or a load, it and its workgroup execute the following instructions at once, as long as the
 * result is not observable: past barriers that the whole workgroup reaches, and along branches. The simulated time does
 * not change. What it depends on (directions of branches, banks and lines of accesses) is stored in the wave until the
 * instructions issue.
 *
 * A wave stops at everything that is observable or depends on time: stores to memory and LDS, atomics, coherent loads,
 * scalar memory, messages, its end. So what a load reads ahead is what it would read at its issue cycle, unless a wave
 * stores there meanwhile. It does not if the waves of the workgroup wait for each other at barriers; and a kernel in
 * which they may wait in another way does not run ahead (wait_loops.h). Left are data races: a load that runs ahead may
 * miss a store without which the program would be right only by chance. */
#ifndef SOFTGPU_CORE_FAST_RUN_AHEAD_H
#define SOFTGPU_CORE_FAST_RUN_AHEAD_H

#include "softgpu/core/state/machine.h"

/* What is known of the kernel that begins with an instruction. */
enum wait_loop_search { WAIT_LOOP_UNKNOWN, WAIT_LOOP_NONE, WAIT_LOOP_POSSIBLE };

/* Finds out whether the launch's waves may run ahead. Call when its first instruction is decoded. */
void run_ahead_begin_launch(struct launch *n);

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
	w->deferred_lds_head = w->deferred_lds_tail = w->deferred_loads_head = w->deferred_loads_tail = 0;
	w->deferred_lines_head = w->deferred_lines_tail = w->deferred_branches_head = w->deferred_branches_tail = 0;
}

#endif
