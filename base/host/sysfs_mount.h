/* Whether /sys is mounted, where the ROCm libraries find GPUs. A chroot or a container may lack it. */
#ifndef BASE_HOST_SYSFS_MOUNT_H
#define BASE_HOST_SYSFS_MOUNT_H

#include <stdbool.h>

bool sysfs_is_mounted(void);

extern const char sysfs_mount_advice[]; /* how to mount it */

#endif
