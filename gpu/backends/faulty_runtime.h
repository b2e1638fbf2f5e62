/* A runtime on which something goes wrong (fault_model.h), around the one of a software GPU with noise. */
#ifndef GPU_BACKENDS_FAULTY_RUNTIME_H
#define GPU_BACKENDS_FAULTY_RUNTIME_H

#include "gpu/backends/backend.h"
#include "gpu/softgpu-link/fault_model.h"

/* Puts the faults between an open device and all that measure with it, after noisy_runtime_wrap. Once. */
void faulty_runtime_wrap(struct opened_device *d, const struct fault_model *faults);

#endif
