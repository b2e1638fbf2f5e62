/* Global wave sync (GWS): barriers and semaphores for waves of all CUs. Vega ISA 12.13, DS_GWS_*. */
#ifndef SOFTGPU_CORE_ISSUE_GLOBAL_WAVE_SYNC_H
#define SOFTGPU_CORE_ISSUE_GLOBAL_WAVE_SYNC_H

#include "softgpu/core/state/machine.h"

/* The operations, called by the instructions at their issue. A wave that must wait gets next = CYCLE_NEVER until
 * another one releases it. `value` is that of the first active lane. */
void gws_init(struct wave *w, const struct uop *i, uint32_t value);
void gws_barrier(struct wave *w, const struct uop *i, uint32_t value);
void gws_sema_p(struct wave *w, const struct uop *i, uint32_t value);
void gws_sema_v(struct wave *w, const struct uop *i, uint32_t value);
void gws_sema_br(struct wave *w, const struct uop *i, uint32_t value);
void gws_sema_release_all(struct wave *w, const struct uop *i, uint32_t value);

/* Cycles from the issue of an operation to the next instruction of the waves that it releases. */
static inline cycle_t gws_cycles(const struct machine *m)
{
	/* at least that of a barrier, within which a CU may run without asking the others */
	return m->model.gws_latency > m->model.barrier_cycles ? m->model.gws_latency : m->model.barrier_cycles;
}

#endif
