/* What HIP copies from the host. Of small copies it writes to memory of the GPU itself, so no queue has them. */
#ifndef SOFTGPU_DRIVER_CHECK_COPIED_MEMORY_H
#define SOFTGPU_DRIVER_CHECK_COPIED_MEMORY_H

#include <stdint.h>

enum copy_kind { HOST_TO_DEVICE = 1, COPY_DEFAULT = 4 }; /* hipMemcpyKind of HIP's hip_runtime_api.h */

struct copied_rows {
	uint64_t to, from, pitch, width, height; /* bytes; pitch: at `to` */
};
/* A function of HIP has returned `status`: if it has copied from the host, the memory is defined. Any thread. */
void copied_memory_note(int status, uint64_t kind, const struct copied_rows *c);

#endif
