/* Zeroed host memory of the machine's own, in large pages where the host has them: waves take turns after a few instructions, and
 * with small pages each turn would miss the host's TLB. */
#ifndef SOFTGPU_CORE_PAGES_H
#define SOFTGPU_CORE_PAGES_H

#include <stddef.h>

/* NULL when there is none. Committed as it is touched. */
void *pages_alloc(size_t bytes);
/* What pages_alloc returned for that size, or NULL. */
void pages_free(void *p, size_t bytes);

#endif
