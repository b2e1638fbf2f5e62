/* Memory of the program's own that the GPU can reach, such as pinned memory and what the runtime allocates on the host.
 * It is not protected, because system calls into protected pages would fail: its pages that exist are copied before the
 * launch. Device thread, under the device lock. */
#ifndef SOFTGPU_DRIVER_CAPTURE_PROGRAM_MEMORY_H
#define SOFTGPU_DRIVER_CAPTURE_PROGRAM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program_run { /* neighboring pages */
	uint64_t at; /* offset in an address space of the copied memory */
	uint64_t bytes;
	uint8_t *before; /* NULL: zeros, because the pages did not exist */
	const uint8_t *host;
};

/* Copies [host, host + bytes) to the offsets from `at` on. False if memory for it runs out or cannot be read. */
bool program_memory_keep(const void *host, uint64_t bytes, uint64_t at);
/* What was kept since the last clear, in the order of the calls. */
const struct program_run *program_memory_runs(size_t *count);
/* Whether the run's memory has changed since. */
bool program_memory_has_changed(const struct program_run *r);
void program_memory_clear(void);

#endif
