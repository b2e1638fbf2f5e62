/* Utilization of the GPUs in the last second of host time. */
#ifndef SOFTGPU_DRIVER_TIME_UTILIZATION_H
#define SOFTGPU_DRIVER_TIME_UTILIZATION_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/time_types.h"

/* The GPU worked from `start` to `end`, ns of CLOCK_MONOTONIC, in increasing order; it may still be working. Device
 * thread. */
void utilization_add_busy(unsigned gpu, ns_t start, ns_t end);
void utilization_mark_busy(void);          /* one starts working; device thread */
bool utilization_is_busy(void);            /* any of them; any thread */
int64_t utilization_percent(unsigned gpu); /* any thread */
void utilization_mark_idle(void);          /* it stops working; device thread */
void utilization_reset_in_child(void);

#endif
