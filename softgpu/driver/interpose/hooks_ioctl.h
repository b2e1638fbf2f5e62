/* Declarations for the interposed HSA calls. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_HOOKS_IOCTL_H
#define SOFTGPU_DRIVER_INTERPOSE_HOOKS_IOCTL_H

#include <stdint.h>

struct hsa_signal {
	uint64_t handle;
}; /* as in hsa.h, with the same calling convention */

#endif
