/* What HIP copies from and to the host. Of small copies it writes to memory of the GPU itself, so no queue has them. */
#ifndef SOFTGPU_DRIVER_CHECK_COPIED_MEMORY_H
#define SOFTGPU_DRIVER_CHECK_COPIED_MEMORY_H

#include <stdint.h>

enum copy_kind {
	HOST_TO_DEVICE = 1,
	DEVICE_TO_HOST = 2,
	COPY_DEFAULT = 4
}; /* hipMemcpyKind of HIP's hip_runtime_api.h */

struct copied_rows {
	uint64_t to, from, pitch, from_pitch, width, height; /* bytes; pitch: at `to` */
};
/* `kind`: enum copy_kind; of a wider argument, the upper half may be anything. */
/* A function of HIP has returned `status`: if it has copied from the host, the memory is defined. Any thread. */
void copied_memory_note(int status, uint32_t kind, const struct copied_rows *c);
/* The function has waited for the copy: if it has copied to the host, the memory was read. Any thread. */
void copied_memory_note_read(int status, uint32_t kind, const struct copied_rows *c);
/* It will be called, and may return before it reads. Any thread. */
void copied_memory_expect_read(uint32_t kind, const struct copied_rows *c);

#endif
