/* The virtual clock of a GPU. It advances only when the GPU works and never reads a host clock, so a program prints the
 * same times in every run. All GPUs start at the same time; a GPU that waits for another one goes forward to the time
 * of what it waited for. */
#ifndef SOFTGPU_DRIVER_TIME_VIRTUAL_CLOCK_H
#define SOFTGPU_DRIVER_TIME_VIRTUAL_CLOCK_H

#include <stdint.h>

#include "softgpu/core/time_types.h"

struct model;

struct virtual_clock {
	const struct model *model;
	uint64_t timestamp_hz;
	cycle_t cycles;
	_Atomic ns_t now, last_reading;
};

void vclock_init(struct virtual_clock *c, const struct model *m); /* keeps the pointer */
ns_t vclock_now(const struct virtual_clock *c);                   /* ns of device time; any thread */
/* Without a launch: the core clock runs at its idle frequency. Device thread. */
void vclock_advance(struct virtual_clock *c, ns_t ns);
void vclock_advance_to(struct virtual_clock *c, ns_t ns); /* the same, up to `ns` if that is later */
/* A launch began at `start_ns`, took `ps` and `cycles`; returns its end. If others ran concurrently, the clock may be
 * later already; it does not go back. Device thread. */
ns_t vclock_add_launch(struct virtual_clock *c, ns_t start_ns, uint64_t ps, cycle_t cycles);
/* Idle time, after which the runtime reads the counters before it converts the next time stamp. So event times do not
 * depend on how much time has passed before. Under the device lock. */
void vclock_separate(struct virtual_clock *c);
/* Resident launches have reached `ns` and so many core cycles in all; the clock does not go back. Device thread. */
void vclock_follow_launches(struct virtual_clock *c, ns_t ns, cycle_t cycles);
/* Goes to any time. The core clock is where it would be, had it always run at its idle frequency, which is its highest:
 * it does not go back for a queue whose time does not. Device thread. */
void vclock_restart(struct virtual_clock *c, ns_t ns);
/* Time stamp of device time, at the model's timestamp_hz. */
uint64_t vclock_to_ticks(const struct virtual_clock *c, ns_t ns);
cycle_t vclock_core_cycles(const struct virtual_clock *c); /* core clock cycles so far; device thread */
/* A reading of all counters, in ns. Readings strictly increase and are exactly proportional to each other: the runtime
 * fits a line through them to convert time stamps to host time. */
ns_t vclock_read_counters(struct virtual_clock *c);

#endif
