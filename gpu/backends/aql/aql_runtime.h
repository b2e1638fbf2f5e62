/* Runs kernels through the kernel driver's AQL queues, for targets that the ROCm runtime here does not know. Memory,
 * launches, copies and times are those of the driver; vendor libraries need HIP. */
#ifndef GPU_BACKENDS_AQL_AQL_RUNTIME_H
#define GPU_BACKENDS_AQL_AQL_RUNTIME_H

#include "gpu/backends/gpu_runtime.h"

extern const struct gpu_runtime aql_runtime;

#endif
