/* Stores that found the queue of their L2 channel full stop their CU: from l2_stop_cycles after the store reached L2
 * on, L1's address stage accepts nothing until the queue has room. */
#ifndef SOFTGPU_CORE_MEMORY_STORE_STOPS_H
#define SOFTGPU_CORE_MEMORY_STORE_STOPS_H

#include "base/min_max.h"
#include "softgpu/core/state/machine.h"

/* A store that reached L2 at cycle t; the channel's queue has room at cycle `until`. If too many wait, the last one
 * stops the CU for both. */
static inline void store_stops_add(const struct machine *m, struct cu_memory *memory, cycle_t t, cycle_t until)
{
	struct store_stops *s = &memory->stops;

	if (!m->model.l2_stop_cycles) {
		memory->l1_free = max_u64(memory->l1_free, until);
		return;
	}
	struct store_stop *last = &s->stop[(s->tail - 1) % STORE_STOPS_MAX];
	if ((uint16_t)(s->tail - s->head) == STORE_STOPS_MAX)
		last->until = max_u64(last->until, until);
	else
		s->stop[s->tail++ % STORE_STOPS_MAX] = (struct store_stop){t + m->model.l2_stop_cycles, until};
}

/* When the address stage is free, as known at cycle t. */
static inline cycle_t store_stops_apply(struct cu_memory *memory, cycle_t t)
{
	struct store_stops *s = &memory->stops;

	while (__builtin_expect(s->head != s->tail, 0) && s->stop[s->head % STORE_STOPS_MAX].at <= t)
		memory->l1_free = max_u64(memory->l1_free, s->stop[s->head++ % STORE_STOPS_MAX].until);
	return memory->l1_free;
}

#endif
