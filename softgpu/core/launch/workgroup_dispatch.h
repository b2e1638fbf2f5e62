/* The dispatcher: places workgroups on CUs with free resources, one every few cycles for the whole chip, and starts
 * their waves. */
#ifndef SOFTGPU_CORE_LAUNCH_WORKGROUP_DISPATCH_H
#define SOFTGPU_CORE_LAUNCH_WORKGROUP_DISPATCH_H

#include "softgpu/core/state/machine.h"

/* Reads the kernel descriptor and the packet and prepares the launch. On false, the launch result contains the error.
 */
bool dispatch_begin(struct machine *m);
void dispatch_end(struct machine *m);

/* The dispatch event: places the next workgroup at cycle t if a CU has room. */
void dispatch_next_workgroup(struct machine *m, uint64_t t);

/* Leaves out workgroups: the next one is so many further on, and they count as ended. */
void dispatch_skip_workgroups(struct machine *m, uint64_t groups);

/* The last wave of a workgroup has ended at cycle t. */
void dispatch_retire_workgroup(struct machine *m, struct workgroup *g, uint64_t t);

#endif
