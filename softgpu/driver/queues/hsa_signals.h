/* HSA signals in memory, as the packet processors access them. Device thread, under the device lock. */
#ifndef SOFTGPU_DRIVER_QUEUES_HSA_SIGNALS_H
#define SOFTGPU_DRIVER_QUEUES_HSA_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/time_types.h"

struct softgpu_device;

/* False if `va` is not mapped. */
bool hsa_signal_read(struct softgpu_device *d, uint64_t va, int64_t *value);
/* Completes a packet that ran from `start` to `end` (ns): stores time stamps, decrements the value, writes the mailbox
 * and sets the event, in this order. */
bool hsa_signal_complete(struct softgpu_device *d, uint64_t va, ns_t start, ns_t end);
/* Stores a value and notifies waiting threads. */
bool hsa_signal_write(struct softgpu_device *d, uint64_t va, int64_t value);

/* For host threads that wait for a signal without spinning: a counter that changes with every value the device stores.
 */
uint32_t hsa_signals_generation(void);
void hsa_signals_wait_change(uint32_t seen, ns_t ns); /* until it differs from `seen`, or `ns` have passed */
/* How long to wait for a change at most, after `waited` ns without one. Stores of other host threads send no
 * notification, so a waiter also polls: soon at first, later after a fraction of the time already waited. */
ns_t hsa_signals_poll_delay(ns_t waited);
void hsa_signals_notify(void); /* a value in memory changed in another way */

#endif
