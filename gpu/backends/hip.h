/* Opening a HIP device together with its sensors; for the backends that run on HIP. */
#ifndef GPU_BACKENDS_HIP_H
#define GPU_BACKENDS_HIP_H

#include "gpu/backends/backend.h"

bool hip_open_device(int index, struct opened_device *out, struct err *e);

#endif
