/* Units of simulated time. */
#ifndef SOFTGPU_CORE_TIME_TYPES_H
#define SOFTGPU_CORE_TIME_TYPES_H

#include <stdint.h>

typedef uint64_t cycle_t; /* core clock cycles; a point in time counts from the arrival of the launch's packet */
typedef uint64_t ns_t;    /* nanoseconds */

#define CYCLE_NEVER \
	((cycle_t)(UINT64_MAX >> 16)) /* later than any launch ends; leaves room for the event queue's key */

#endif
