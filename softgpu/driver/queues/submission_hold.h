/* Work that is submitted without a wait in between begins at the same time.
 *
 * The host submits to one queue after the other, and the device cannot know that more will follow. So while a thread
 * that has submitted work goes on, virtual time stands still: the device begins when each of these threads waits for
 * it, or for 250 ms of its own CPU time has neither submitted nor waited (half of that if it does so again and again).
 * A thread whose wait is over, though it may not have noticed, goes on. Then the device's times do not depend on how
 * fast the host is.
 *
 * Threads that are not known to submit (those that write packets themselves, and the runtime's own) hold nothing. A
 * program can also hold everything (softgpu_together). */
#ifndef SOFTGPU_DRIVER_QUEUES_SUBMISSION_HOLD_H
#define SOFTGPU_DRIVER_QUEUES_SUBMISSION_HOLD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "softgpu/core/time_types.h"

struct submitter;

/* The calling thread submits work, or wakes a thread that does; it holds the device from now on. */
void submission_hold_begin(void);

/* The calling thread, which submits, creates a thread that will submit for it and holds the device, too, from now on.
 * The new thread takes what this returns (NULL: out of memory); it is dropped if the thread is not created. */
struct submitter *submission_hold_begin_thread(void);
void submission_hold_take_thread(struct submitter *s);
void submission_hold_drop_thread(struct submitter *s);
/* How often the calling thread has, and how often any thread. */
uint64_t submission_hold_count_own(void);
uint64_t submission_hold_count_all(void);

/* What a thread waits for. `is_over` is called by the device thread while the wait lasts. */
struct submission_wait {
	bool (*is_over)(const void *what);
	const void *what;
};
/* Around a wait of the calling thread. `w` stays until the end. Without effect in threads that have not submitted. */
void submission_hold_begin_wait(const struct submission_wait *w);
void submission_hold_end_wait(void);
/* Waits until the calling thread has taken something that another one gives; in the same moment it goes on. `take`
 * takes it if it is there, `w` only looks. Up to a deadline of CLOCK_REALTIME (NULL: none). 0 or ETIMEDOUT. */
int submission_hold_take(
	const struct submission_wait *w, bool (*take)(const void *what), const struct timespec *deadline);
/* Something is there. */
void submission_hold_give(void);
/* The calling thread has polled without success for a while. Until the device has stored another value than those
 * counted by `seen` (hsa_signals.h), or the thread submits, it counts as waiting. */
void submission_hold_poll(uint32_t seen);

/* Holds everything until it is released; any thread. It ends by itself after three seconds, with a warning. */
void submission_hold_all(bool on);

/* Device thread, which has work to do: whether virtual time stands still, and after how many ns at most (*ns) to ask
 * again. `queues`: how many the program has; 0: its threads cannot hold the device now. */
bool submission_hold_is_on(unsigned queues, ns_t *ns);
/* Any thread: whether the device has work that it was held back from when it looked last. */
bool submission_hold_is_in_force(void);
void submission_hold_reset_in_child(void);

#endif
