/* What the interposed calls want to know from below. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_HOOKS_IOCTL_H
#define SOFTGPU_DRIVER_INTERPOSE_HOOKS_IOCTL_H

#include <stdint.h>

struct hsa_signal {
	uint64_t handle;
}; /* hsa.h's, with the same calling convention */

/* Called when a queue is made: by then the HIP runtime is there, if the program has one. */
void hooks_find_hip(void);

#endif
