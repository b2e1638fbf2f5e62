/* The dispatcher: places workgroups on CUs with free resources, one every few cycles for the whole chip, and starts
 * their waves. */
#ifndef SOFTGPU_CORE_DISPATCH_WORKGROUP_DISPATCH_H
#define SOFTGPU_CORE_DISPATCH_WORKGROUP_DISPATCH_H

#include "softgpu/core/state/machine.h"

/* Reads the kernel descriptor and the packet and prepares the launch, which is resident. On false, the launch result
 * contains the error. */
bool dispatch_begin(struct launch *n);
void dispatch_end(struct launch *n);

/* The dispatch event: places the next workgroup at cycle t if a CU has room. */
void dispatch_next_workgroup(struct machine *m, cycle_t t);

#endif
