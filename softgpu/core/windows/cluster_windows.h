/* What a window is for the clusters of one thread: they begin the waves that the dispatcher placed, see what L2
 * answered to what they asked in the window before, and simulate their CUs; each by itself, or, where one thread has
 * all of them (machine.apart), in the order of events. */
#ifndef SOFTGPU_CORE_WINDOWS_CLUSTER_WINDOWS_H
#define SOFTGPU_CORE_WINDOWS_CLUSTER_WINDOWS_H

#include "softgpu/core/state/machine.h"

/* Up to the window's end or machine.pause. One that stops the launch keeps why, and the others go on. */
void clusters_run(struct machine *view);
/* They see the answers now, and begin the waves that were placed meanwhile. */
void clusters_resolve(struct machine *view);

#endif
