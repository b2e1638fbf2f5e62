/* The KFD topology: /sys/devices/virtual/kfd/kfd/topology with a node for the host and one for each GPU. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_TOPOLOGY_FILES_H
#define SOFTGPU_DRIVER_INTERPOSE_TOPOLOGY_FILES_H

/* Adds the files to the virtual tree. */
void topology_add_files(void);

#endif
