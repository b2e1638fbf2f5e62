/* What other threads ask of the launching thread: to stop, and how far it is. It polls at taken branches and at the
 * ends of workgroups. */
#ifndef SOFTGPU_CORE_PROFILE_LAUNCH_REQUESTS_H
#define SOFTGPU_CORE_PROFILE_LAUNCH_REQUESTS_H

#include "softgpu/core/state/machine.h"

/* Fulfills the requests at cycle t, except REQUEST_STOP. */
void machine_publish_progress(struct machine *m, cycle_t t);
static inline bool machine_has_requests(const struct machine *m)
{
	return __builtin_expect(atomic_load_explicit(&m->requests, memory_order_relaxed) != 0, 0);
}
/* Fulfills all requests; returns whether to stop. */
static inline bool machine_poll_stop(struct machine *m, cycle_t t)
{
	if (!machine_has_requests(m))
		return false;
	machine_publish_progress(m, t);
	return atomic_load_explicit(&m->requests, memory_order_relaxed) & REQUEST_STOP;
}

#endif
