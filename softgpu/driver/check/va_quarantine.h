/* Addresses for the memory of GPUs while allocations are tracked: each mapping lies apart from the others, and an
 * address comes back only after all 32 TiB of them were used.
 *
 * libhsakmt reserves addresses with mmap, and unmaps them to free them; so the hook of mmap chooses them. Nothing else
 * is there: the kernel places other mappings elsewhere unless all its addresses are in use. */
#ifndef SOFTGPU_DRIVER_CHECK_VA_QUARANTINE_H
#define SOFTGPU_DRIVER_CHECK_VA_QUARANTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Between these, on this thread, the runtime allocates memory. They nest. */
void va_quarantine_begin(void);
void va_quarantine_end(void);
/* Whether an mmap with these arguments reserves addresses for a GPU. */
bool va_quarantine_serves(const void *address, int protection, int flags);
/* As that mmap. MAP_FAILED with errno. */
void *va_quarantine_reserve(size_t bytes, int flags);
bool va_quarantine_contains(uint64_t address);

#endif
