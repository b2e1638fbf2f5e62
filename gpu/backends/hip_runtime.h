/* The HIP runtime library, loaded at run time. Only hip_runtime.c includes HIP headers. */
#ifndef GPU_BACKENDS_HIP_RUNTIME_H
#define GPU_BACKENDS_HIP_RUNTIME_H

#include "gpu/backends/gpu_runtime.h"

extern const struct gpu_runtime hip_runtime;

/* The library names to try, newest first, NULL-terminated. `doctor` looks for the same ones. */
extern const char *const hip_sonames[];

#endif
