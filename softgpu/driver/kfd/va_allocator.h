/* First-fit allocation of address ranges with coalescing. Deterministic: the same calls give the same addresses.
 * Holds no memory itself; callers serialise. */
#ifndef SOFTGPU_DRIVER_KFD_VA_ALLOCATOR_H
#define SOFTGPU_DRIVER_KFD_VA_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct extent {
	uint64_t start, end;
};

struct va_allocator { /* free extents, sorted, none touching the next */
	struct extent *free;
	size_t count, room;
};

bool va_allocator_init(struct va_allocator *r, uint64_t start, uint64_t end);
void va_allocator_destroy(struct va_allocator *r);
/* Lowest (or, with `high`, highest) place of `size` bytes at a multiple of `align`, a power of two. False when full. */
bool va_allocator_take(struct va_allocator *r, uint64_t size, uint64_t align, bool high, uint64_t *out);
void va_allocator_release(struct va_allocator *r, uint64_t start, uint64_t size);

#endif
