/* The host's monotonic clock. Only for sleeping, polling and utilization; measured times come from virtual_clock.h. */
#ifndef SOFTGPU_DRIVER_TIME_HOST_MONOTONIC_H
#define SOFTGPU_DRIVER_TIME_HOST_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline uint64_t host_monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#endif
