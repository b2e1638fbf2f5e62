/* libsoftgpu.so as a file: whether it is there, whole, loadable and of this program's version. */
#ifndef GPU_SOFTGPU_LINK_SOFTLIB_H
#define GPU_SOFTGPU_LINK_SOFTLIB_H

#include "base/err.h"

#define SOFTLIB_NAME "libsoftgpu.so"

/* For asking only: nothing is put below this process. NULL with the mend; the caller ends it with dlclose. */
void *softlib_open(struct err *e);

#endif
