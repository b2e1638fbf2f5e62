/* What the host reads of memory of the GPU by copies: undefined values that kernels stored there are reported. */
#ifndef SOFTGPU_DRIVER_CHECK_HOST_READS_H
#define SOFTGPU_DRIVER_CHECK_HOST_READS_H

#include <stdint.h>

struct active_launch;
struct copied_rows;
struct softgpu_device;

/* A launch ends that left such values; `number`: for the journal. After 65,536 of them it is not kept. Device thread,
 * under the device lock. */
void host_reads_keep_launch(const struct active_launch *r, uint64_t number);
/* The host has read these rows. `stack`: where (host_stack.h). Any thread. */
void host_reads_report(const struct copied_rows *c, uint32_t stack);
/* A copy of these rows to the host was requested, and may run later. Any thread. Of 256 such copies is known where they
 * were requested; what runs after so many further ones is not reported. */
void host_reads_expect(const struct copied_rows *c, uint32_t stack);
/* The copy engine copies a part of a row. Device thread, under the device lock, before the copy. */
void host_reads_note_copy(struct softgpu_device *d, uint64_t to, uint64_t from, uint64_t bytes);
void host_reads_reset_in_child(void);

#endif
