/* The end of a window: what the clusters asked of L2 is served, in the order in which their instructions issued, and
 * the times that depend on it are found. Each part can run on several threads: the first and the last for different
 * clusters, the second for different channels. */
#ifndef SOFTGPU_CORE_WINDOWS_L2_EXCHANGE_H
#define SOFTGPU_CORE_WINDOWS_L2_EXCHANGE_H

#include "softgpu/core/state/machine.h"

enum { WINDOW_CYCLES_MAX = 1024 /* requests are sorted by their cycle in the window */ };

void l2_exchange_close(struct machine *m);

/* Sorts the cluster's requests by channel. */
void l2_exchange_sort(const struct machine *m, struct cluster *c);
/* Whether channels have nothing in common, so that several threads can serve them. */
bool l2_channels_are_apart(const struct machine *m);
/* Serves the requests of channels `number`, `number` + `step` and so on; step 1: of all, also where they are not apart.
 * m: the thread's view, which counts them. */
void l2_exchange_serve(struct machine *m, uint32_t number, uint32_t step);
/* The cluster's requests, fills and completions become known, and the lists of them empty. What waits for completions
 * still has their numbers: completion_time. */
void l2_exchange_resolve(const struct machine *m, struct cluster *c);

/* A time that may be a completion's, of the window that was resolved last. */
cycle_t completion_time(const struct cluster *c, cycle_t due);

#endif
