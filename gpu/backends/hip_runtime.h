/* The HIP runtime library, loaded at run time. Only hip_runtime.c includes HIP headers. */
#ifndef GPU_BACKENDS_HIP_RUNTIME_H
#define GPU_BACKENDS_HIP_RUNTIME_H

#include "base/host/shared_library.h"
#include "gpu/backends/gpu_runtime.h"

extern const struct gpu_runtime hip_runtime;

/* `doctor` looks for the same one. */
extern const struct shared_library hip_library;
/* Whether there is a HIP library on this machine. One that is there and does not load counts: opening a device says
 * why. The worker process only. */
bool hip_is_installed(void);

/* From `start` on, the GPU waits before the first event until all is issued, where it can (stream_hold.h). For
 * hardware: what a software GPU measures does not depend on the host's time. Call it before `start`. */
void hip_hold_launches(void *device);

#endif
