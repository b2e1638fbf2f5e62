/* The doorbell pages, one of each GPU, and how the device thread sleeps until a doorbell is written.
 *
 * A program rings a doorbell with a plain store. While the device thread sleeps, the pages are read-only. The first
 * store faults; the handler makes the page writable and wakes the thread, and the store is executed again. There is no
 * cost while the device is busy or idle. */
#ifndef SOFTGPU_DRIVER_QUEUES_DOORBELL_H
#define SOFTGPU_DRIVER_QUEUES_DOORBELL_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/time_types.h"

void doorbell_set_mapping(unsigned gpu, uint64_t va, uint64_t size); /* address of the page in the program */
void doorbell_reset_in_child(void);

/* Device thread. After doorbell_arm no doorbell is missed: check for work once more, then call doorbell_sleep. It
 * returns when a doorbell rings, on doorbell_wake, or after `ns` (0: no limit). doorbell_arm returns false while no
 * page is mapped. */
bool doorbell_arm(void);
/* The same for doorbell_wake alone. */
void doorbell_listen(void);
void doorbell_sleep(ns_t ns);
void doorbell_wake(void); /* any thread, async-signal-safe */

/* For the fault handler: whether a store to this address rings a doorbell. Then the pages are writable again, and the
 * store can be executed again. */
bool doorbell_take_fault(uint64_t address);

#endif
