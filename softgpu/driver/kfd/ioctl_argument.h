/* The argument structure of an ioctl: the driver works on a copy, as the kernel does. */
#ifndef SOFTGPU_DRIVER_KFD_IOCTL_ARGUMENT_H
#define SOFTGPU_DRIVER_KFD_IOCTL_ARGUMENT_H

#include <stdalign.h>
#include <stddef.h>

/* As large as any structure that the driver knows. */
struct ioctl_argument {
	alignas(8) unsigned char bytes[512];
};

/* 0 or EFAULT. The request number tells how long the program's structure is, and in which direction it is copied. What
 * an older program lacks is zero. What a newer one adds is ignored. */
int ioctl_argument_read(struct ioctl_argument *a, unsigned long request, const void *from);
int ioctl_argument_write(const struct ioctl_argument *a, unsigned long request, void *to);

#endif
