/* The host's virtual time: CPU time of the program, without the simulation and the waiting for it, and the device's
 * time where the program waits for the device.
 *
 * A thread's time is the largest of its own work and of what any thread has read before, so time never goes back, in
 * any thread. Work that a thread does while the device works costs no extra time unless it takes longer. */
#ifndef SOFTGPU_DRIVER_TIME_HOST_TIME_H
#define SOFTGPU_DRIVER_TIME_HOST_TIME_H

#include <stdbool.h>
#include <time.h>

#include "softgpu/core/time_types.h"

/* SOFTGPU_HOST_CLOCK: "virtual": programs see the virtual time; "note": a line on standard error tells that they time
 * the simulation; otherwise nothing. */
bool host_time_is_virtual(void);
bool host_time_has_note(void);

/* Virtual, or several GPUs: then threads count what they have seen the GPUs do, though no work of their own, because a
 * GPU may begin no earlier what depends on another one. */
bool host_time_is_tracked(void);

/* The calling thread's time, ns since the start of the program. */
ns_t host_time_now(void);
/* The same, where the thread submits work or begins to wait. */
ns_t host_time_begin(void);
/* The thread has waited since the last call: nothing of that counts. Its time is `until`, if that is later. */
void host_time_end(ns_t until);
/* The thread sees what the device had done at `until`. */
void host_time_observe(ns_t until);
/* The same where the thread polls: finding the device not ready again and again costs no time. */
void host_time_poll(bool ready, ns_t until);
/* The latest time of any thread. */
ns_t host_time_latest(void);
/* What a clock shows at `host`. */
ns_t host_time_of_clock(clockid_t clock, ns_t host);

/* The calling thread simulates the device: its CPU time does not count. */
void host_time_set_device_thread(void);

/* CPU times of the calling thread, and of all threads whose CPU time counts. While the device's thread runs, Linux's
 * sum over all threads may lack what they have done since the last tick. */
#define CPU_TICK_NS 4000000
struct cpu_times {
	ns_t wall, thread, all;
	bool device_runs;
};
/* The time that a thread has needed for its own work, and for that of others for which it has waited. */
static inline ns_t cpu_times_elapsed(const struct cpu_times *from, const struct cpu_times *to)
{
	ns_t own = to->thread - from->thread, wall = to->wall - from->wall;
	ns_t blocked = wall > own ? wall - own : 0;
	int64_t others =
		(int64_t)(to->all - from->all - own) - (from->device_runs || to->device_runs ? CPU_TICK_NS : 0);

	if (others <= 0)
		return own;
	return own + (blocked < (ns_t)others ? blocked : (ns_t)others);
}

#endif
