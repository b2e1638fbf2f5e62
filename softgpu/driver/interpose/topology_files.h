/* The KFD topology: /sys/devices/virtual/kfd/kfd/topology with two nodes, the host and the GPU. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_TOPOLOGY_FILES_H
#define SOFTGPU_DRIVER_INTERPOSE_TOPOLOGY_FILES_H

/* Adds the files to the virtual tree. */
void topology_add_files(void);

#endif
