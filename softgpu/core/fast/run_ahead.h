/* What waves do before its time.
 *
 * Between two issues of a wave come those of many others, and its registers leave the host's caches. So where a wave
 * comes to LDS or loads from memory, it and the others of its workgroup do what follows at once, as far as nobody else
 * may tell: past barriers, where all of the workgroup come to them, and along branches. Their time comes when they
 * issue, and is the same: what it depends on (the way of branches, the banks and lines of accesses) is put by until
 * then.
 *
 * A wave stops at everything that others see or that depends on time: stores, atomics, coherent loads, scalar memory,
 * messages, its end; and at a branch back when it has read from LDS since the last barrier, for it may be waiting for
 * another wave's word. */
#ifndef SOFTGPU_CORE_FAST_RUN_AHEAD_H
#define SOFTGPU_CORE_FAST_RUN_AHEAD_H

#include "softgpu/core/exec/machine.h"

/* The wave, which has nothing done ahead, and its workgroup go on, itself from i on. False when that cannot be done
 * before its time. */
bool run_ahead_workgroup(struct wave *w, const struct uop *i);

/* Whether the branch, done ahead and now issued, was taken. */
static inline bool run_ahead_pop_branch(struct wave *w)
{
	return w->deferred_branch_taken >> (w->deferred_branches_head++ % DEFERRED_BRANCHES_MAX) & 1;
}

/* Nothing is put by. */
static inline void run_ahead_reset(struct wave *w)
{
	w->ahead = 0;
	w->may_spin = false;
	w->deferred_lds_head = w->deferred_lds_tail = w->deferred_loads_head = w->deferred_loads_tail = 0;
	w->deferred_lines_head = w->deferred_lines_tail = w->deferred_branches_head = w->deferred_branches_tail = 0;
}

#endif
