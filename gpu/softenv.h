/* The environment that puts the software GPU below a program; see also client.h. */
#ifndef GPU_SOFTENV_H
#define GPU_SOFTENV_H

#include <stdbool.h>

#include "base/status.h"

/* Checks "mi25,l1_bytes=65536" with the software GPU itself. False with what would be right, or when libsoftgpu.so is not there. */
bool softgpu_model_check(const char *model, struct err *e);
/* Takes the preload out of the environment again, so that a compiler started from here runs without it. */
void softgpu_environment_undo(void);

#endif
