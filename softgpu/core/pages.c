#include "softgpu/core/pages.h"

#include <stdint.h>
#include <sys/mman.h>

enum { LARGE = 2 << 20 };

static size_t whole(size_t bytes)
{
	return (bytes + LARGE - 1) / LARGE * LARGE;
}

void *pages_alloc(size_t bytes)
{
	size_t size = whole(bytes);
	char *p = mmap(NULL, size + LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	size_t head = -(uintptr_t)p % LARGE;
	if (head)
		munmap(p, head);
	munmap(p + head + size, LARGE - head);
	madvise(p + head, size, MADV_HUGEPAGE); /* a wish */
	return p + head;
}

void pages_free(void *p, size_t bytes)
{
	if (p)
		munmap(p, whole(bytes));
}
