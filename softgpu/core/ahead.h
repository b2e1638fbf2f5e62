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
#ifndef SOFTGPU_CORE_AHEAD_H
#define SOFTGPU_CORE_AHEAD_H

#include "softgpu/core/machine.h"

/* The wave, which has nothing done ahead, and its workgroup go on, itself from i on. False when that cannot be done
 * before its time. */
bool ahead_run(struct wave *w, const struct inst *i);

/* Whether the branch, done ahead and now issued, was taken. */
static inline bool ahead_taken(struct wave *w)
{
	return w->branch_ahead >> (w->branches_done++ % BRANCHES_AHEAD) & 1;
}

/* Nothing is put by. */
static inline void ahead_none(struct wave *w)
{
	w->ahead = 0;
	w->listens = false;
	w->lds_done = w->lds_ahead = w->loads_done = w->loads_ahead = 0;
	w->lines_done = w->lines_ahead = w->branches_done = w->branches_ahead = 0;
}

#endif
