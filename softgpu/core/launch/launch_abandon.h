/* Ends a launch in the middle while others go on: takes its waves and workgroups off the CUs. What its waves have sent
 * to memory stays. Between runs, so no wave is issuing. */
#ifndef SOFTGPU_CORE_LAUNCH_LAUNCH_ABANDON_H
#define SOFTGPU_CORE_LAUNCH_LAUNCH_ABANDON_H

struct launch;

/* The launch ends at the cycle that has been reached; its result keeps its status. */
void launch_abandon(struct launch *n);

#endif
