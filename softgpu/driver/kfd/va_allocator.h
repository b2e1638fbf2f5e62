/* First-fit allocation of address ranges with coalescing. Deterministic: the same calls return the same addresses. Only
 * manages addresses, not memory. Callers serialize. */
#ifndef SOFTGPU_DRIVER_KFD_VA_ALLOCATOR_H
#define SOFTGPU_DRIVER_KFD_VA_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct extent {
	uint64_t start, end;
};

struct va_allocator { /* free extents, sorted, no two adjacent */
	struct extent *free;
	size_t count, capacity;
};

bool va_allocator_init(struct va_allocator *r, uint64_t start, uint64_t end);
void va_allocator_destroy(struct va_allocator *r);
/* Takes the lowest (with `high`, the highest) free range of `size` bytes at a multiple of `align`, a power of two.
 * False if full. */
bool va_allocator_take(struct va_allocator *r, uint64_t size, uint64_t align, bool high, uint64_t *out);
void va_allocator_release(struct va_allocator *r, uint64_t start, uint64_t size);

#endif
