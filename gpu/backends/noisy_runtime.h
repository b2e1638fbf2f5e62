/* A runtime whose times have noise (noise_model.h), around the one of a software GPU. */
#ifndef GPU_BACKENDS_NOISY_RUNTIME_H
#define GPU_BACKENDS_NOISY_RUNTIME_H

#include "gpu/backends/backend.h"
#include "gpu/softgpu-link/noise_model.h"

/* Puts the noise between an open device and all that measure with it: its times and its clock readings. Once. */
void noisy_runtime_wrap(struct opened_device *d, const struct noise_model *noise);

#endif
