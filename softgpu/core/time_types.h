/* Units of simulated time. */
#ifndef SOFTGPU_CORE_TIME_TYPES_H
#define SOFTGPU_CORE_TIME_TYPES_H

#include <stdint.h>

typedef uint64_t cycle_t; /* core clock cycles; a point in time counts from the arrival of the launch's packet */
typedef uint64_t ns_t;    /* nanoseconds */

#define CYCLE_NEVER \
	((cycle_t)(UINT64_MAX >> 16)) /* later than any launch ends; leaves room for the event queue's key */

/* From here on, below CYCLE_NEVER, a time stands for one that is not known yet: window_log.h. No launch lasts so long.
 */
#define CYCLE_UNKNOWN (UINT64_C(1) << 47)

#endif
