/* The end of a window: what the clusters asked of L2 is served, in the order in which their instructions issued, and
 * the times that depend on it are found. Each part can run on several threads: the first and the last for different
 * clusters, the second for different channels. */
#ifndef SOFTGPU_CORE_WINDOWS_L2_EXCHANGE_H
#define SOFTGPU_CORE_WINDOWS_L2_EXCHANGE_H

#include "softgpu/core/state/machine.h"

enum { WINDOW_CYCLES_MAX = 1024 /* requests are sorted by their cycle in the window */ };

void l2_exchange_close(struct machine *m);

/* Whether channels have nothing in common, so that several threads can serve them. */
bool l2_channels_are_apart(const struct machine *m);
/* Sorts the cluster's requests by channel; only where these are apart. */
void l2_exchange_sort(const struct machine *m, struct cluster *c);
/* Serves a channel of which each cluster has sorted the requests. m: the thread's view, which counts them. */
void l2_exchange_serve_channel(struct machine *m, uint32_t channel);
/* Serves all requests, sorted or not. */
void l2_exchange_serve_all(struct machine *m);
/* The cluster's requests, fills and completions become known, and the lists of them empty. What waits for completions
 * still has their numbers: completion_time. by_channel: how they were served. */
void l2_exchange_resolve(const struct machine *m, struct cluster *c, bool by_channel);

/* A time that may be a completion's, of the window that was resolved last. */
cycle_t completion_time(const struct cluster *c, cycle_t due);

#endif
