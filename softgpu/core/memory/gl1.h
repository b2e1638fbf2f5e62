/* The L1 cache of a shader array of gfx11, between the L0 caches of its CUs and L2. It holds no written data. */
#ifndef SOFTGPU_CORE_MEMORY_GL1_H
#define SOFTGPU_CORE_MEMORY_GL1_H

#include "softgpu/core/memory/l2.h"
#include "softgpu/core/timing/window_log.h"

/* Loads a line at cycle t; returns when its data is back. DLC bypasses the cache. */
PROFILED_VARIANT cycle_t gl1_load(
	struct machine *m, struct shader_array *a, uint64_t line, cycle_t t, unsigned flags, struct access_path *p)
{
	const struct model *c = &m->model;
	const bool bypass = flags & FLAG_DLC;
	const uint64_t number = line >> m->l2_shift, set = number & (a->l1.sets - 1);
	uint64_t *ready = cache_find(&a->l1, set, number);
	cycle_t *bank = &a->bank_free[number & (c->gl1_banks - 1)], s = max_u64(t, *bank);

	access_path_add(p, STALL_L1_QUEUE, s);
	*bank = s + c->gl1_line_cycles;
	if (ready && !bypass) {
		access_path_add(p, STALL_GL1, s + c->gl1_latency);
		access_path_add(p, STALL_FILL, *ready);
		return cycle_is_unknown(*ready) ? due_not_before(a->cluster, s + c->gl1_latency, *ready)
						: max_u64(s + c->gl1_latency, *ready);
	}
	const cycle_t back = !p && m->apart ? l2_ask_load(a->cluster, line, s) : l2_load(m, line, s, p);
	if (ready)
		cache_refill(&a->l1, ready, back);
	else
		cache_insert(&a->l1, set, number, 0, back);
	if (!p && cycle_is_unknown(back) && ready)
		fill_later(a->cluster, ready, back);
	else if (!p && cycle_is_unknown(back))
		fill_newest_later(a->cluster, &a->l1, set, back);
	return back;
}

#endif
