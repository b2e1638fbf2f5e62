/* Kernel descriptors: the resources of a kernel and its initial SGPRs. */
#ifndef SOFTGPU_CORE_DISPATCH_KERNEL_DESCRIPTOR_H
#define SOFTGPU_CORE_DISPATCH_KERNEL_DESCRIPTOR_H

#include "softgpu/core/state/machine.h"

/* Bits of compute_pgm_rsrc2 (LLVM AMDGPU usage, kernel descriptor). */
enum { RSRC2_GROUP_ID_X = 7, RSRC2_GROUP_INFO = 10, RSRC2_WORK_ITEM_ID = 11 };

/* Fills in registers, LDS, entry and user SGPRs of the launch. Returns NULL, or an error message. */
const char *descriptor_read(struct launch *n);

#endif
