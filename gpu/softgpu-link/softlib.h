/* Loads libsoftgpu.so to query it, after checking that the file is complete and has the right version. */
#ifndef GPU_SOFTGPU_LINK_SOFTLIB_H
#define GPU_SOFTGPU_LINK_SOFTLIB_H

#include "base/err.h"

#define SOFTLIB_NAME "libsoftgpu.so"

/* For queries only: this process does not run on the software GPU afterwards. NULL with an error; the caller calls
 * dlclose. */
void *softlib_open(struct err *e);

#endif
