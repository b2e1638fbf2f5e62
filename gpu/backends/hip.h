/* The HIP runtime, loaded at run time. hip.c is the only file that knows it. */
#ifndef GPU_BACKENDS_HIP_H
#define GPU_BACKENDS_HIP_H

#include "gpu/backends/gpu_backend.h"

extern const struct gpu_backend hip_backend;

/* The sonames tried, newest first, NULL-terminated: doctor looks for the same. */
extern const char *const hip_sonames[];

#endif
