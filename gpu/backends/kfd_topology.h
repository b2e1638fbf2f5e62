/* The GPUs that the kernel driver shows, in the order in which ROCm numbers them. */
#ifndef GPU_BACKENDS_KFD_TOPOLOGY_H
#define GPU_BACKENDS_KFD_TOPOLOGY_H

#include <stddef.h>

#include "gpu/protocol/record.h"

#define KFD_NODES "/sys/class/kfd/kfd/topology/nodes"

struct kfd_gpu {
	unsigned node;
	char arch[DEVICE_ARCH]; /* "gfx1100"; "" if the driver is too old to say */
};

/* The name of the property gfx_target_version; "" for 0. */
void kfd_format_arch(unsigned version, char out[DEVICE_ARCH]);
/* At most `max`. `nodes`: KFD_NODES. */
size_t kfd_list_gpus(const char *nodes, struct kfd_gpu *out, size_t max);

#endif
