/* What resident launches have of the GPU: room on CUs for their workgroups, and slots of scratch. The dispatcher places
 * workgroups where there is room; a workgroup that ends makes room, also for those of other launches. */
#ifndef SOFTGPU_CORE_RESIDENT_LAUNCH_RESOURCES_H
#define SOFTGPU_CORE_RESIDENT_LAUNCH_RESOURCES_H

#include "softgpu/core/state/machine.h"

/* The room for the LDS of a CU's workgroups. An ideal CU has some for the workgroups of one more wave in each SIMD. */
static inline size_t lds_storage_of_cu(const struct model *c)
{
	return (size_t)c->lds_bytes * model_cus_per_processor(c) * (model_is_ideal(c, IDEAL_occupancy) ? 1 + SIMDS : 1);
}

/* The resident launch with this result; NULL: none. */
struct launch *launch_of_result(const struct machine *m, const struct launch_result *out);
/* Ends the launch before it begins; returns false. */
bool launch_reject(struct launch *n, const char *why);

/* Computes the grid, how many workgroups fit into a CU, and reserves scratch. On false, the launch result contains the
 * error. launch_release ends its residency and frees what was reserved. */
bool launch_reserve(struct launch *n);
void launch_release(struct launch *n);

/* Whether scratch has room for one more workgroup. */
bool launch_has_scratch(const struct launch *n);
/* Takes a slot of the CU and of scratch for the next workgroup; the CU has room. */
struct workgroup *launch_take_workgroup(struct launch *n, struct cu *cu);
/* Finds out for each launch whether the CU still has room. Call when the waves of a workgroup have started. */
void launches_find_room(const struct cu *cu);
/* The waves of this launch for which the waves of all launches leave registers and slots on a SIMD. */
uint32_t launch_count_free_waves(const struct launch *n, const struct simd *s);

/* In CU mode, workgroups of even and odd slots use different halves of the SIMDs. */
static inline bool launch_may_use_simd(const struct launch *n, unsigned simd, unsigned slot)
{
	return !n->cu_mode || simd / (SIMDS / 2) == slot % 2;
}

/* A SIMD with room for a wave of the workgroup, in turn. */
static inline struct simd *launch_find_simd(const struct launch *n, struct cu *cu, const struct workgroup *g)
{
	const uint32_t full = (1u << n->waves_per_simd) - 1;
	uint32_t k = cu->next_simd;

	for (;; k = (k + 1) % SIMDS) { /* terminates: the CU has room */
		struct simd *s = &cu->simd[k];
		if (!launch_may_use_simd(n, k, g->slot) || (s->used_rows[n->number] & full) == full)
			continue;
		if (n->m->residents > 1 && !launch_count_free_waves(n, s))
			continue;
		cu->next_simd = (k + 1) % SIMDS;
		return s;
	}
}

/* The next workgroup is so many further on. Those between count as ended. */
void launch_skip_workgroups(struct launch *n, uint64_t groups);
/* The last wave of the workgroup has ended at cycle t. */
void launch_retire_workgroup(struct workgroup *g, cycle_t t);
/* The slot and the registers of a wave that has ended are free. */
void launch_free_slot(struct wave *w);
/* The room of a workgroup that has ended is free at cycle t; wakes the dispatcher if it waits for room. */
void launch_free_workgroup(struct workgroup *g, cycle_t t);

/* Launches that wait for room try again at cycle t. */
void launches_wake_dispatcher(struct machine *m, cycle_t t);
/* Sets the dispatcher's event to when the first launch tries to place a workgroup. */
void launch_schedule_dispatcher(struct machine *m);

#endif
