/* Buffers of the program that end where they end: kernels get addresses that reach nothing else (probe.h). */
#ifndef SOFTGPU_DRIVER_PROBE_BOUNDED_BUFFERS_H
#define SOFTGPU_DRIVER_PROBE_BOUNDED_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/softgpu.h"
#include "softgpu/probe.h"

struct softgpu_device;

/* The address for kernels; 0 if the bytes are not device memory, or all slots are taken. Call these two without the
 * device lock; they wait for the end of a packet. */
uint64_t bounded_buffer_open(struct softgpu_device *d, uint64_t va, uint64_t bytes);
void bounded_buffer_close(struct softgpu_device *d, uint64_t address);
/* Keeps the access that ended the launch, if it is the first one since the last take. Under the device lock. */
void bounded_buffers_note(const struct dispatch *what, const struct launch_result *r);
/* False if there was none. Without the device lock. */
bool bounded_buffers_take(struct softgpu_out_of_bounds *out);
/* What a check asks (check_report.h): a bounded buffer counts as written, and what is around it is the gap of an
 * allocation whose number bounded_buffers_get takes. False: the address is of no bounded buffer. The launching thread,
 * while no buffer is opened or closed. */
check_find_fn bounded_buffers_find_extent;
bool bounded_buffers_get(uint32_t allocation, uint64_t *address, uint64_t *bytes);
void bounded_buffers_reset_in_child(void);

#endif
