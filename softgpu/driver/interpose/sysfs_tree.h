/* The files of one device: KFD topology, PCI and DRM nodes, sensors. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_SYSFS_TREE_H
#define SOFTGPU_DRIVER_INTERPOSE_SYSFS_TREE_H

#include <stdbool.h>

/* Fast: false for nearly every path there is. True when the path may lie in the tree; then the tree has been built.
 * Also false when SOFTGPU names no device. */
bool sysfs_covers_path(const char *path);

#endif
