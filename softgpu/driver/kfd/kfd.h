/* ioctl on /dev/kfd and on the render node. Like the kernel's: 0, or -1 with errno. */
#ifndef SOFTGPU_DRIVER_KFD_KFD_H
#define SOFTGPU_DRIVER_KFD_KFD_H

int kfd_ioctl(unsigned long request, void *argument);
int drm_ioctl(unsigned gpu, unsigned long request, void *argument);

#endif
