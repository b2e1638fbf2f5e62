#include "softgpu/core/memory/fabric.h"

#include <string.h>

bool fabric_open(struct machine *m)
{
	return !m->model.l3_bytes || cache_open(&m->fabric.tlb, m->model.tlb_entries / TLB_WAYS, TLB_WAYS);
}

void fabric_close(struct machine *m)
{
	cache_close(&m->fabric.tlb);
}

void fabric_begin_launch(struct machine *m)
{
	if (!m->model.l3_bytes)
		return;
	memset(m->fabric.recent, 0, sizeof m->fabric.recent);
	cache_complete_fills(&m->fabric.tlb);
}
