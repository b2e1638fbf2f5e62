/* The host's monotonic clock. Only for sleeping, polling and utilization; measured times come from virtual_clock.h. */
#ifndef SOFTGPU_DRIVER_TIME_HOST_MONOTONIC_H
#define SOFTGPU_DRIVER_TIME_HOST_MONOTONIC_H

#include <time.h>

#include "softgpu/core/time_types.h"
#include "softgpu/driver/interpose/interpose.h"

static inline ns_t host_monotonic_ns(void)
{
	struct timespec t;

	REAL_FUNCTION(clock_gettime)(CLOCK_MONOTONIC, &t);
	return (ns_t)t.tv_sec * 1000000000 + (ns_t)t.tv_nsec;
}

/* The time on that clock when `ns` more have passed. */
static inline struct timespec host_monotonic_after(ns_t ns)
{
	ns_t at = host_monotonic_ns() + ns;

	return (struct timespec){.tv_sec = (time_t)(at / 1000000000), .tv_nsec = (long)(at % 1000000000)};
}

#endif
