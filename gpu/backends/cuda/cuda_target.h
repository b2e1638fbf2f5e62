/* The target of a GPU of NVIDIA, without loading its driver into this process. */
#ifndef GPU_BACKENDS_CUDA_CUDA_TARGET_H
#define GPU_BACKENDS_CUDA_CUDA_TARGET_H

#include <stdbool.h>

#include "gpu/backends/backend.h"

/* "sm_90" of "cuda:0", as nvidia-smi says; false if it cannot be asked. */
bool cuda_query_target(const char *device, char arch[DEVICE_ARCH]);

#endif
