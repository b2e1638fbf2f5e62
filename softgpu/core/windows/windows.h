/* Runs a launch in windows of cycles: in each, every cluster simulates its CUs without the others, then all that they
 * asked of L2 is served, and the dispatcher learns which waves ended. Times are those of the order of events. Stores
 * reach memory then (memory/window/store_overlay.h), and after them atomics, loads that bypass L1 and stores by one
 * lane act (memory/window/deferred_access.h). So clusters can be simulated in any order, and by any number of threads.
 * One thread that has all of them takes the order of events: L2 then serves each request at once, and says the same.
 *
 * Without timing, a window is a slice of each CU (issue/wave_control.h). Stores reach memory at once, and a wave that
 * waits for a deferred access goes on in the next window. So results are those of any number of threads if workgroups
 * do not race.
 */
#ifndef SOFTGPU_CORE_WINDOWS_WINDOWS_H
#define SOFTGPU_CORE_WINDOWS_WINDOWS_H

#include "softgpu/core/state/machine.h"

/* False: out of memory. */
bool windows_open(struct machine *m);
void windows_close(struct machine *m);

/* Whether what is resident can run in windows now. */
bool windows_can_run(const struct machine *m);
/* Runs up to machine.pause, or the launch's end, or until it is halted. Afterwards the machine is still windowed: waves
 * belong to threads, and CUs have their events in the queues of clusters. */
void windows_run(struct machine *m);
/* The machine is no longer. Call before anything but windows_run goes on with its waves. */
void windows_leave(struct machine *m);
/* At the start of a launch on an idle machine. */
void windows_begin_launch(struct machine *m);
/* When anything happens next, windowed or not; CYCLE_NEVER: nothing does. */
cycle_t windows_next_event(const struct machine *m);

#endif
