/* Bounded buffers (softgpu.h), as accesses see them. */
#ifndef SOFTGPU_CORE_STATE_GPU_MEMORY_H
#define SOFTGPU_CORE_STATE_GPU_MEMORY_H

#include "softgpu/core/state/machine.h"

/* Whether the address is in a slot that is in use. */
bool memory_is_bounded(const struct machine *m, uint64_t va);

#endif
