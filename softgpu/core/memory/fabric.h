/* The Infinity Fabric of gfx11, between L2 and the Infinity Cache: the state of its clock, and the translation of
 * addresses. A header, because l2.h inlines it.
 *
 * The fabric lowers its clock while few requests use it, whatever the shaders' clock is (Chips and Cheese, "Latency
 * Testing is Hard (RDNA 3 Power Saving)"). A chase by one wave never raises it.
 *
 * A line that L2 or L3 holds is taken to be on a page whose translation is cached as well, because the cached
 * translations span more than L3. Lines from memory look it up. Physical pages stand for virtual ones: the driver maps
 * them in large contiguous pieces. */
#ifndef SOFTGPU_CORE_MEMORY_FABRIC_H
#define SOFTGPU_CORE_MEMORY_FABRIC_H

#include "base/min_max.h"
#include "softgpu/core/state/machine.h"

enum { TLB_PAGE_BITS = 21 /* amdgpu's vm_fragment_size: 2 MiB */, TLB_WAYS = 16 };

bool fabric_open(struct machine *m);
void fabric_close(struct machine *m);
/* At the start of a launch. */
void fabric_begin_launch(struct machine *m);

/* A request reaches the fabric at cycle t; returns by how many cycles the clock's state delays it. */
static inline cycle_t fabric_delay_request(struct machine *m, cycle_t t)
{
	struct fabric *f = &m->fabric;
	const cycle_t before = f->recent[f->next];

	f->recent[f->next] = t + 1;
	f->next = (f->next + 1) % FABRIC_WAKE_REQUESTS;
	const int64_t idle = m->model.l3_idle_latency - m->model.l3_latency;

	return idle < 0 || (before && t < before + m->model.l3_wake_cycles) ? 0 : (cycle_t)idle;
}

/* By how many cycles a read of memory at cycle t waits for the translation of its line of 64 bytes. The tables are read
 * one after the other, each with `latency`. */
static inline cycle_t fabric_delay_translation(struct machine *m, uint64_t line, cycle_t t, cycle_t latency)
{
	struct cache *tlb = &m->fabric.tlb;
	const uint64_t page = line >> (TLB_PAGE_BITS - 6), set = page & (tlb->sets - 1);
	const uint64_t *ready = cache_find(tlb, set, page);

	if (ready)
		return max_u64(*ready, t) - t;
	const cycle_t wait = m->model.tlb_walk_reads * latency;
	cache_insert(tlb, set, page, 0, t + wait);
	return wait;
}

#endif
