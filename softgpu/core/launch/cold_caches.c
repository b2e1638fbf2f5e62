#include "softgpu/core/launch/cold_caches.h"

#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/state/machine.h"
#include "softgpu/core/memory/icache_fetch.h"

/* Also written lines are dropped: only tags are simulated, the data is in memory. */
void memory_clear_l2(struct machine *m)
{
	for (uint32_t k = 0; k < m->channels; k++)
		cache_clear(&m->channel[k].l2);
}

void memory_clear_caches(struct machine *m)
{
	memory_clear_l2(m);
	for (uint32_t k = 0; k < m->channels; k++)
		if (m->channel[k].l3.sets)
			cache_clear(&m->channel[k].l3);
	if (m->fabric.tlb.sets)
		cache_clear(&m->fabric.tlb);
	fetch_begin_launch(m, true);
	decode_caches_drop_all(m);
}
