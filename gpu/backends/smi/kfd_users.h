/* The processes that use a GPU of AMD, from the kernel driver's files. The SMI libraries read the same ones, but
 * rocm-smi before 5.6 crashes at a process on a GPU that a container does not show, and prints errors for one that has
 * just ended. */
#ifndef GPU_BACKENDS_SMI_KFD_USERS_H
#define GPU_BACKENDS_SMI_KFD_USERS_H

#include <stddef.h>

#include "gpu/backends/gpu_runtime.h"
#include "gpu/backends/kfd_topology.h"

#define KFD_PROCESSES "/sys/class/kfd/kfd/proc"

/* Finds the GPU by its PCI address, with all its partitions. `nodes`: KFD_NODES. */
void kfd_users_find(const char *nodes, const struct device_info *info);
/* The numbers of processes with a queue on that GPU, at most `max`. `processes`: KFD_PROCESSES. None with an old
 * driver, which does not list queues. */
size_t kfd_users_list(const char *processes, unsigned *pids, size_t max);
/* Those that are not ours; below WAVEDECK_SYSROOT, if that is set. */
unsigned kfd_count_others(void);

#endif
