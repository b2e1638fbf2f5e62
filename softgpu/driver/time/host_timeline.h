/* Where the work of the GPUs lies on the host's time line (host_time.h).
 *
 * Device time (virtual_clock.h) stands still while the GPU is idle; host time does not. A packet begins when its GPU
 * has ended the one before and the host has submitted it, whichever is later: the difference between the two times,
 * which each GPU has for itself, only grows. Times of events that threads and other GPUs can observe are noted by
 * address: a packet's slot when it was submitted, a signal when its value was stored. */
#ifndef SOFTGPU_DRIVER_TIME_HOST_TIMELINE_H
#define SOFTGPU_DRIVER_TIME_HOST_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/time_types.h"

enum { HOST_TIMELINE_GPUS = 8 };

/* A GPU opens: its time `device` is the host's time `host`. */
void host_timeline_open(unsigned gpu, ns_t host, ns_t device);
/* At device time `device` begins a packet that was submitted at `submitted`. Device thread. */
void host_timeline_begin(unsigned gpu, ns_t device, ns_t submitted);
/* The GPU has reached this time. Returns it as host time. Device thread. */
ns_t host_timeline_reach(unsigned gpu, ns_t device);
/* The host time of a time of the GPU, and the GPU's time at a host time. Device thread. */
ns_t host_timeline_from_device(unsigned gpu, ns_t device);
ns_t host_timeline_to_device(unsigned gpu, ns_t host);
/* The latest host time that the GPU, or any GPU, has reached; any thread. */
ns_t host_timeline_latest_of(unsigned gpu);
ns_t host_timeline_latest(void);

/* Any thread. A note may be lost: later ones can take its place. An address is rounded down to 64 bytes. */
void host_timeline_note(uint64_t va, ns_t host);
bool host_timeline_find(uint64_t va, ns_t *host);

#endif
