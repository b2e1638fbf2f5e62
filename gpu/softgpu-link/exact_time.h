/* The time of a launch on a software GPU: event times are floats in ms, and the software GPU reports its own in ps. */
#ifndef GPU_SOFTGPU_LINK_EXACT_TIME_H
#define GPU_SOFTGPU_LINK_EXACT_TIME_H

#include <stdbool.h>

/* The exact time of a launch if it agrees with the event time within 1 us + 0.1 %; otherwise the event time, and *agree
 * is false. */
double launch_exact_seconds(double event, double exact, bool *agree);

#endif
