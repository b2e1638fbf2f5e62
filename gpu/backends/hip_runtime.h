/* The HIP runtime library, loaded at run time. Only hip_runtime.c includes HIP headers. */
#ifndef GPU_BACKENDS_HIP_RUNTIME_H
#define GPU_BACKENDS_HIP_RUNTIME_H

#include "base/host/shared_library.h"
#include "gpu/backends/gpu_runtime.h"

extern const struct gpu_runtime hip_runtime;

/* `doctor` looks for the same one. */
extern const struct shared_library hip_library;

#endif
