/* The virtual files of the GPUs: KFD topology, PCI and DRM nodes, sensors. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_SYSFS_TREE_H
#define SOFTGPU_DRIVER_INTERPOSE_SYSFS_TREE_H

#include <stdbool.h>

/* True if the path may lie in the virtual tree, which is then built. Fast: false for nearly all paths. Also false when
 * SOFTGPU specifies no valid device. */
bool sysfs_covers_path(const char *path);

#endif
