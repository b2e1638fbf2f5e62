/* The end of a window: serves what the clusters asked of L2, in the order in which their instructions issued, and finds
 * the times that depend on it. */
#ifndef SOFTGPU_CORE_MEMORY_L2_EXCHANGE_H
#define SOFTGPU_CORE_MEMORY_L2_EXCHANGE_H

#include "softgpu/core/state/machine.h"

/* False: out of memory. */
bool l2_exchange_open(struct machine *m);
void l2_exchange_close(struct machine *m);

/* Requests, fills and completions of all clusters become known, and the lists of them empty. What waits for
 * completions still has their numbers: completion_time. */
void l2_exchange_serve(struct machine *m);

/* A time that may be a completion's, of the window that l2_exchange_serve served last. */
cycle_t completion_time(const struct cluster *c, cycle_t due);

#endif
