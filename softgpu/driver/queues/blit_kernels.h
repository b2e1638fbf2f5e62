/* The kernels with which HIP fills and copies device memory, and what a launch of them does.
 *
 * HIP compiles them from OpenCL text when a program starts, so their code depends on its compiler. They are known by
 * their names and by the names, offsets and sizes of their arguments, which are the same in HIP 5.2 and 5.7. With other
 * arguments, a kernel of such a name is not known. */
#ifndef SOFTGPU_DRIVER_QUEUES_BLIT_KERNELS_H
#define SOFTGPU_DRIVER_QUEUES_BLIT_KERNELS_H

#include "softgpu/core/softgpu.h"

struct softgpu_device;

/* Describes the launch of the kernel `name`; bytes 0: it is not known. Under the device lock. */
struct bulk_move blit_kernel_describe(struct softgpu_device *d, const struct dispatch *what, const char *name);

#endif
