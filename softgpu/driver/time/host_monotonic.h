/* The host's monotonic clock. Only for sleeping, polling and utilization; measured times come from virtual_clock.h. */
#ifndef SOFTGPU_DRIVER_TIME_HOST_MONOTONIC_H
#define SOFTGPU_DRIVER_TIME_HOST_MONOTONIC_H

#include <time.h>

#include "softgpu/core/time_types.h"

static inline ns_t host_monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (ns_t)t.tv_sec * 1000000000 + (ns_t)t.tv_nsec;
}

#endif
