/* The environment that puts the software GPU below a program. */
#ifndef GPU_SOFTGPU_LINK_SOFTENV_H
#define GPU_SOFTGPU_LINK_SOFTENV_H

#include <stdbool.h>

#include "base/err.h"

/* Checks "mi25,l1_bytes=65536" with the software GPU itself. False with what would be right, or when libsoftgpu.so is
 * not there. */
bool softgpu_check_model(const char *model, struct err *e);
/* Sets the environment that puts libsoftgpu.so below a program that is exec'd next: LD_PRELOAD, LD_LIBRARY_PATH,
 * SOFTGPU; scrubs HSA_*, HIP_*, ROCR_*, GPU_DEVICE_ORDINAL, CUDA_VISIBLE_DEVICES. */
bool softgpu_env_apply(const char *model, struct err *e);
/* Takes the preload out of the environment again, so that a compiler started from here runs without it. */
void softgpu_env_remove(void);
/* Replaces this process by PROGRAM on the software GPU `model`; returns an exit status only when that fails. */
int softgpu_exec(const char *model, char **argv, struct err *e);

#endif
