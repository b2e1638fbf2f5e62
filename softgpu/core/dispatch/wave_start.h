/* Starts waves: what a wave finds in its registers, and where its registers, LDS and scratch are. */
#ifndef SOFTGPU_CORE_DISPATCH_WAVE_START_H
#define SOFTGPU_CORE_DISPATCH_WAVE_START_H

#include "softgpu/core/state/machine.h"

/* Creates the work-item ids, which are the same for all workgroups; launch_free_ids frees them. False: rejected. */
bool launch_create_ids(struct launch *n);
void launch_free_ids(struct launch *n);

/* Starts those waves of the workgroup that have work-items in the grid, one after the other from cycle t on. Returns
 * their number. */
uint32_t workgroup_start_waves(struct workgroup *g, cycle_t t);
/* The wave, which has its slot, begins at cycle t. In windows, the thread of its cluster calls it. */
void wave_begin(struct wave *w, uint64_t exec, cycle_t t);

#endif
