/* Empties the L2 cache of the device: on a GPU by a kernel that stores to a buffer of twice the cache's size, as
 * nvbench does with once its size; twice, because a cache need not replace its lines in order. On a software GPU
 * directly: its code and buffers must be at the same addresses as without. */
#ifndef GPU_WORKER_L2_FLUSH_H
#define GPU_WORKER_L2_FLUSH_H

#include "gpu/backends/backend.h"

/* Whether it is the kernel, which l2_flush_start has started and the caller waits for. */
bool l2_flush_is_launched(const struct opened_device *d);
/* Prepares the kernel and its buffer in the first call. False with an error. */
bool l2_flush_start(const struct opened_device *d, struct err *e);

#endif
