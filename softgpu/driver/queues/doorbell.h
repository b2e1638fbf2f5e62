/* The doorbell page and how the device thread sleeps on it.
 *
 * A program rings by a plain store. While the device thread sleeps the page is read-only; the first store faults, the
 * handler opens the page and wakes the thread, and the store is executed again. Costs nothing while the device is busy
 * or idle.
 */
#ifndef SOFTGPU_DRIVER_QUEUES_DOORBELL_H
#define SOFTGPU_DRIVER_QUEUES_DOORBELL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

void doorbell_set_mapping(uint64_t va, uint64_t size); /* where the program has mapped the page */
void doorbell_reset_in_child(void);

/* Device thread. After doorbell_arm nothing is missed: look for work once more, then doorbell_sleep, which returns when
 * the doorbell rang, doorbell_wake was called or `ns` passed (0: no limit). doorbell_arm is false while there is no
 * page. */
bool doorbell_arm(void);
void doorbell_sleep(uint64_t ns);
void doorbell_wake(void); /* any thread, async-signal-safe */

/* For the interposed sigaction: true when SIGSEGV is ours by now; then `old` is filled and `new` becomes what our
 * handler hands other faults to. */
bool doorbell_swap_sigaction(const struct sigaction *new_action, struct sigaction *old);

#endif
