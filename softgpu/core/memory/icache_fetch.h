/* Instruction fetch: the cache that a few CUs share and the way of its lines from L2.
 *
 * A wave looks for a line when it enters it: in line, or behind a branch. One that is there costs nothing, for the
 * wave's buffer runs ahead of issue. For one that is not, the wave's next instruction becomes machine.fetch, which asks
 * L2 when it is its turn among all that other waves do, and puts the wanted one back for when the line has come. What
 * was fetched stays from launch to launch until code changes: the runtime invalidates these caches when it loads code
 * (ROCR's InvalidateCodeCaches).
 */
#ifndef SOFTGPU_CORE_MEMORY_ICACHE_FETCH_H
#define SOFTGPU_CORE_MEMORY_ICACHE_FETCH_H

#include "softgpu/core/exec/machine.h"

enum { FETCH_LINE_BITS = 6 };

/* The fetch instruction of a machine; forgets the launch before, and with `all` the code. */
void fetch_open(struct machine *m);
void fetch_begin_launch(struct machine *m, bool all);
/* s_icache_inv */
void fetch_invalidate_icache(struct wave *w);

/* Whether all of i is there at cycle t, looked up; and remembered in i->held once no wave can come before the lines
 * did. */
bool fetch_is_resident(struct wave *w, const struct uop *i, uint64_t t);

/* The wave goes on at i from w->next on. */
static inline void fetch_resume_at(struct wave *w, const struct uop *i)
{
	w->ip = i;
	if (__builtin_expect(!(i->resident_in & w->sqc_bit), 0) && !fetch_is_resident(w, i, w->next)) {
		w->fetch_target = i;
		w->ip = &w->m->fetch;
	}
}

#endif
