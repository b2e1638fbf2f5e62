/* The machines of the threads that simulate a launch together (state/machine.h), and the waves' way from one to
 * another.
 */
#ifndef SOFTGPU_CORE_WINDOWS_THREAD_VIEWS_H
#define SOFTGPU_CORE_WINDOWS_THREAD_VIEWS_H

#include "softgpu/core/state/machine.h"

/* Executors for the machine's thread, executors.c. */
bool machine_open_executors(struct machine *m);
void machine_close_executors(struct machine *m);

/* False: out of memory. */
bool views_open(struct machine *m);
void views_close(struct machine *m);
/* The launch, of which nothing has run in windows, runs on so many threads, or on fewer if memory is short. */
void views_begin_launch(struct machine *m, uint32_t threads);
/* The views see what has changed in the machine. */
void views_refresh(struct machine *m);
/* Those views see what has been mapped. */
void views_refresh_mappings(struct machine *m);
/* The CU and its waves belong to the thread with this view. */
void view_take_cu(struct machine *view, struct cu *cu);
/* After CUs have changed hands: their new threads see what their instruction caches have evicted meanwhile. */
void views_drop_evicted_code(struct machine *m);
/* Adds what the threads have counted to what the machine has. */
void views_merge_counts(struct machine *m);

#endif
