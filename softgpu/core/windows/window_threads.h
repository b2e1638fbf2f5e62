/* The threads on which a launch runs in windows. How many views of the machine it has is settled when it begins; the
 * threads that run them come and go with the host's idle cores. Neither changes a result. */
#ifndef SOFTGPU_CORE_WINDOWS_WINDOW_THREADS_H
#define SOFTGPU_CORE_WINDOWS_WINDOW_THREADS_H

#include "softgpu/core/state/machine.h"

/* Before the first window of a launch, and after the last one. */
void window_threads_begin(struct machine *m);
void window_threads_end(struct machine *m);
/* Before each further time that windows begin in this launch. */
void window_threads_resume(struct machine *m);
/* Between windows: takes idle cores, and gives up those that others want, now and then. */
void window_threads_adapt(struct machine *m);
/* Whether it has helpers now, which window_threads_adapt may change. */
bool window_threads_are_several(const struct machine *m);
/* Runs the function for each view, on the threads; with `alone` on this one. Each view may be halted then. */
void window_threads_run(struct machine *m, void (*run)(struct machine *view), bool alone);
void window_threads_close(struct machine *m);

#endif
