#include "softgpu/driver/kfd/va_allocator.h"

#include <stdlib.h>
#include <string.h>

static bool reserve_extents(struct va_allocator *r, size_t count)
{
	struct extent *grown;

	if (count <= r->capacity)
		return true;
	grown = realloc(r->free, count * 2 * sizeof *grown);
	if (!grown)
		return false;
	r->free = grown;
	r->capacity = count * 2;
	return true;
}

static void insert_extent(struct va_allocator *r, size_t at, struct extent e)
{
	memmove(&r->free[at + 1], &r->free[at], (r->count - at) * sizeof e);
	r->free[at] = e;
	r->count++;
}

static void remove_extent(struct va_allocator *r, size_t at)
{
	r->count--;
	memmove(&r->free[at], &r->free[at + 1], (r->count - at) * sizeof *r->free);
}

bool va_allocator_init(struct va_allocator *r, uint64_t start, uint64_t end)
{
	*r = (struct va_allocator){0};
	if (!reserve_extents(r, 16))
		return false;
	insert_extent(r, 0, (struct extent){start, end});
	return true;
}

void va_allocator_destroy(struct va_allocator *r)
{
	free(r->free);
	*r = (struct va_allocator){0};
}

/* Start of a range within `e`; false if it does not fit. */
static bool fit_in_extent(struct extent e, uint64_t size, uint64_t align, bool high, uint64_t *start)
{
	if (e.end - e.start < size)
		return false;
	*start = high ? (e.end - size) & ~(align - 1) : (e.start + align - 1) & ~(align - 1);
	return *start >= e.start && *start <= e.end - size;
}

bool va_allocator_take(struct va_allocator *r, uint64_t size, uint64_t align, bool high, uint64_t *out)
{
	if (size == 0 || !reserve_extents(r, r->count + 1))
		return false;
	for (size_t n = 0; n < r->count; n++) {
		size_t i = high ? r->count - 1 - n : n;
		struct extent e = r->free[i];

		if (!fit_in_extent(e, size, align, high, out))
			continue;
		remove_extent(r, i);
		if (*out + size < e.end)
			insert_extent(r, i, (struct extent){*out + size, e.end});
		if (e.start < *out)
			insert_extent(r, i, (struct extent){e.start, *out});
		return true;
	}
	return false;
}

void va_allocator_release(struct va_allocator *r, uint64_t start, uint64_t size)
{
	struct extent e = {start, start + size};
	size_t i = 0;

	while (i < r->count && r->free[i].start < start)
		i++;
	if (i < r->count && r->free[i].start == e.end) {
		e.end = r->free[i].end;
		remove_extent(r, i);
	}
	if (i > 0 && r->free[i - 1].end == e.start) {
		r->free[i - 1].end = e.end;
		return;
	}
	if (reserve_extents(r, r->count + 1))
		insert_extent(r, i, e);
}
