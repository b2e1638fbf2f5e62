/* CUDA's driver as a runtime. */
#ifndef GPU_BACKENDS_CUDA_CUDA_RUNTIME_H
#define GPU_BACKENDS_CUDA_CUDA_RUNTIME_H

#include "gpu/backends/gpu_runtime.h"

extern const struct gpu_runtime cuda_runtime;

#endif
