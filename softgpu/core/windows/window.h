/* One window: the dispatcher places workgroups, clusters simulate it on the launch's threads, and what they ask of L2
 * is served. */
#ifndef SOFTGPU_CORE_WINDOWS_WINDOW_H
#define SOFTGPU_CORE_WINDOWS_WINDOW_H

#include "softgpu/core/state/machine.h"

/* Up to the window's end or machine.pause. Afterwards the launch may be halted; or machine.in_window: it was paused,
 * and window_resume goes on; or machine.unresolved: clusters have not seen the answers to what they asked. They see
 * them in the next window, which then begins at `end`, or by window_resolve. */
void window_run(struct machine *m, cycle_t begin, cycle_t end);
void window_resume(struct machine *m);
/* What a paused window has done acts now, because something else goes on with the waves. */
void window_leave(struct machine *m);
void window_resolve(struct machine *m);
void window_see_mappings(struct machine *m);

#endif
