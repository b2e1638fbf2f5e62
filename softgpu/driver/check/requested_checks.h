/* Checks of launches for the program itself, such as a worker that measures an experiment (probe.h). They add to those
 * of SOFTGPU_CHECK. */
#ifndef SOFTGPU_DRIVER_CHECK_REQUESTED_CHECKS_H
#define SOFTGPU_DRIVER_CHECK_REQUESTED_CHECKS_H

#include "softgpu/core/softgpu.h"

/* enum check, for the next launch on; 0: none. Any thread. */
unsigned requested_checks(void);
/* What a kernel may access: bounded buffers, and allocations if they are tracked. The launching thread. */
check_find_fn requested_checks_find_extent;
/* Keeps the reports of a launch that has ended, for the program to read, if checks are requested. Under the device
 * lock, or the thread that runs captured launches. */
void requested_checks_keep(const struct gpu *g, const char *kernel, const struct dispatch *d);

#endif
