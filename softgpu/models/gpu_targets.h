/* The families and targets, for the files of the models. */
#ifndef SOFTGPU_MODELS_GPU_TARGETS_H
#define SOFTGPU_MODELS_GPU_TARGETS_H

#include "softgpu/models/gpu_model.h"

extern const struct gpu_family gpu_family_gfx9, gpu_family_gfx11;
extern const struct gpu_target gpu_target_gfx900, gpu_target_gfx906, gpu_target_gfx908, gpu_target_gfx90a,
	gpu_target_gfx1100;

#endif
