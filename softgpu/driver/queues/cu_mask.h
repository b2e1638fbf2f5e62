/* SET_CU_MASK: the CUs that a queue's kernels may use. */
#ifndef SOFTGPU_DRIVER_QUEUES_CU_MASK_H
#define SOFTGPU_DRIVER_QUEUES_CU_MASK_H

#include "softgpu/core/softgpu.h"

struct kfd_cu_mask;
struct model;

/* 0 or an errno. */
int cu_mask_parse(const struct model *m, const struct kfd_cu_mask *a, struct cu_mask *out);
bool cu_mask_is_empty(const struct cu_mask *mask);

#endif
