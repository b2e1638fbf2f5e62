/* What other threads ask of the launching thread: to stop, and how far it is. It looks at taken branches and at the
 * ends of workgroups; in windows only between two of them, because counting reads and resets what the helpers count. */
#ifndef SOFTGPU_CORE_PROFILE_LAUNCH_REQUESTS_H
#define SOFTGPU_CORE_PROFILE_LAUNCH_REQUESTS_H

#include "softgpu/core/state/machine.h"

static inline bool machine_has_requests(const struct machine *m)
{
	return __builtin_expect(atomic_load_explicit(&m->requests, memory_order_relaxed) != 0, 0);
}

/* Fulfills all requests at cycle t, while no helper runs; returns whether to stop. */
bool machine_fulfill_requests(struct machine *m, cycle_t t);

/* The same at any time: in windows, requests wait. */
static inline bool machine_poll_stop(struct machine *m, cycle_t t)
{
	return machine_has_requests(m) && !m->windowed && machine_fulfill_requests(m, t);
}

#endif
