/* Memory for what different host threads write: each object begins in a line of the host's caches of its own, so that
 * threads do not take lines from each other. */
#ifndef SOFTGPU_CORE_STATE_HOST_LINES_H
#define SOFTGPU_CORE_STATE_HOST_LINES_H

#include <stdlib.h>
#include <string.h>

enum { HOST_LINE = 64 };
#define OF_ONE_THREAD __attribute__((aligned(HOST_LINE)))

/* Zeroed; for free(). NULL: out of memory. size: a multiple of HOST_LINE, as that of each type OF_ONE_THREAD. */
static inline void *allocate_host_lines(size_t count, size_t size)
{
	void *p = aligned_alloc(HOST_LINE, count * size);

	return p ? memset(p, 0, count * size) : NULL;
}

#endif
