/* Instruction fetch: the instruction cache that a few CUs share, and fetching its lines from L2.
 *
 * A wave checks the cache when it enters a line of code, in line or by a branch. A hit costs nothing, because the
 * wave's instruction buffer runs ahead of issue. On a miss, the wave's next instruction becomes machine.fetch. That
 * accesses L2 in time order with all other waves, and restores the wave's instruction for when the line arrives. A miss
 * replaces the line that was fetched first: hits leave no trace, so that those that need no lookup are the same. The
 * cache keeps its contents between launches until code changes: the runtime invalidates it when it loads code (ROCR's
 * InvalidateCodeCaches).
 */
#ifndef SOFTGPU_CORE_MEMORY_ICACHE_FETCH_H
#define SOFTGPU_CORE_MEMORY_ICACHE_FETCH_H

#include "softgpu/core/state/machine.h"

enum { FETCH_LINE_BITS = 6 };

/* Initializes machine.fetch. */
void fetch_open(struct machine *m);
/* At the start of a launch; `all`: invalidates all code. */
void fetch_begin_launch(struct machine *m, bool all);
/* Executes s_icache_inv. */
void fetch_invalidate_icache(struct wave *w);

/* Looks up whether all of i is in the cache at cycle t. Records a hit in i->resident_in once its lines have arrived:
 * another wave may reach i before t. */
bool fetch_is_resident(struct wave *w, const struct uop *i, cycle_t t);

/* The wave continues at i from cycle w->next on. */
static inline void fetch_resume_at(struct wave *w, const struct uop *i)
{
	w->ip = i;
	if (__builtin_expect(!(i->resident_in & w->sqc_bit), 0) && !fetch_is_resident(w, i, w->next)) {
		w->fetch_target = i;
		w->ip = &w->m->fetch;
	}
}

#endif
