/* Fills large buffers with several threads: a component depends on its index alone. */
#ifndef GPU_WORKER_BUFFERS_PARALLEL_FILL_H
#define GPU_WORKER_BUFFERS_PARALLEL_FILL_H

#include "gpu/protocol/element_type.h"

/* fill_store, on as many cores as are worth it. */
void fill_store_in_parallel(
	const struct element_type *t, const struct fill_rule *f, void *to, size_t from, size_t count);

#endif
