/* The virtual clock. It advances only when the device works and never reads a host clock, so a program prints the same
 * times in every run. */
#ifndef SOFTGPU_DRIVER_TIME_VIRTUAL_CLOCK_H
#define SOFTGPU_DRIVER_TIME_VIRTUAL_CLOCK_H

#include <stdint.h>

#include "softgpu/core/time_types.h"

struct model;

void vclock_init(const struct model *m); /* keeps the pointer */
ns_t vclock_now(void);                   /* ns of device time; any thread */
void vclock_advance(ns_t ns);    /* without a launch: the core clock runs at its idle frequency; device thread */
void vclock_advance_to(ns_t ns); /* the same, up to `ns` if that is later; device thread */
/* A launch began at `start_ns`, took `ps` and `cycles`; returns its end. If others ran concurrently, the clock may be
 * later already; it does not go back. Device thread. */
ns_t vclock_add_launch(ns_t start_ns, uint64_t ps, cycle_t cycles);
void vclock_set(ns_t ns);          /* device thread, for queues with local time (queue_overlap.h) */
uint64_t vclock_to_ticks(ns_t ns); /* time stamp of device time, at the model's timestamp_hz */
cycle_t vclock_core_cycles(void);  /* core clock cycles so far; device thread */
/* A reading of all counters, in ns. Readings strictly increase and are exactly proportional to each other: the runtime
 * fits a line through them to convert time stamps to host time. */
ns_t vclock_read_counters(void);

#endif
