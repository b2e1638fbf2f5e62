/* Where the device's work lies on the host's time line (host_time.h).
 *
 * Device time (virtual_clock.h) stands still while the device is idle; host time does not. A packet begins when the
 * device has ended the one before and the host has submitted it, whichever is later: the difference between the two
 * times only grows. Times of events that threads can observe are noted by address: a packet's slot when it was
 * submitted, a signal when its value was stored. */
#ifndef SOFTGPU_DRIVER_TIME_HOST_TIMELINE_H
#define SOFTGPU_DRIVER_TIME_HOST_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/time_types.h"

/* A device opens: its time `device` is the host's time `host`. */
void host_timeline_open(ns_t host, ns_t device);
/* At device time `device` begins a packet that was submitted at `submitted`. Device thread. */
void host_timeline_begin(ns_t device, ns_t submitted);
/* The device has reached this time. Returns it as host time. Device thread. */
ns_t host_timeline_reach(ns_t device);
/* The host time that the device has reached; any thread. */
ns_t host_timeline_latest(void);

/* Any thread. Notes may be lost: a later one can take the place. An address is rounded down to 64 bytes. */
void host_timeline_note(uint64_t va, ns_t host);
bool host_timeline_find(uint64_t va, ns_t *host);

#endif
