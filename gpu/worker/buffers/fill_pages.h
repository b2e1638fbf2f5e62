/* Host memory filled with one number: one block, mapped many times. Until it is written, it takes only the memory of
 * the block, whatever its size, and reads hit the caches of the host. */
#ifndef GPU_WORKER_BUFFERS_FILL_PAGES_H
#define GPU_WORKER_BUFFERS_FILL_PAGES_H

#include "gpu/protocol/element_type.h"

enum { FILL_PAGES_BLOCK = 2 << 20 };

/* The memory is writable. NULL if out of memory. */
void *fill_pages_alloc(const struct element_type *t, const struct fill_rule *f, size_t bytes);
void fill_pages_free(void *p, size_t bytes);

#endif
