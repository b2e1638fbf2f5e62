/* Memory of the host that holds one number throughout: a block of it, mapped again and again. While nothing is written
 * there it takes no more than the block, however large it is, and reads of it are served by the host's caches. */
#ifndef GPU_WORKER_FILL_PAGES_H
#define GPU_WORKER_FILL_PAGES_H

#include "gpu/protocol/element_type.h"

enum { FILL_PAGES_BLOCK = 2 << 20 };

/* May be written, too. NULL when there is no memory. */
void *fill_pages_alloc(const struct element_type *t, const struct fill_rule *f, size_t bytes);
void fill_pages_free(void *p, size_t bytes);

#endif
