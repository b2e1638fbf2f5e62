/* Keeps what is in the devices' memory before a launch touches it: while it is watched, the driver's view of it is
 * protected, and the first access to a page saves the page. Pages are 64 KiB of device memory and 4 KiB of host memory.
 * The program's own views are not protected. One launch at a time; device thread, under the device lock. */
#ifndef SOFTGPU_DRIVER_CAPTURE_FIRST_TOUCH_H
#define SOFTGPU_DRIVER_CAPTURE_FIRST_TOUCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of memory: offsets in an address space of all devices (captured_launch.h). */
struct touched_page {
	uint64_t at, bytes;
	uint8_t *before; /* valid until the next begin; NULL: zeros */
	const uint8_t *now;
	bool written;
};

/* False if the memory cannot be watched. */
bool first_touch_begin(void);
/* Saves a range now, as if it had been read. */
void first_touch_keep(const void *host, uint64_t bytes);
/* Ends it. The pages in the order of `at`, valid until the next begin; NULL with *count 0 if there are none, or if
 * *lost: memory for them ran out. */
const struct touched_page *first_touch_end(size_t *count, bool *lost);
/* The offset of memory of a device; false: it is not memory of a device. */
bool first_touch_offset(const void *host, uint64_t *at);

/* In the handler of a fault, any thread: whether the access can go on. */
bool first_touch_take_fault(void *address, bool write);

#endif
