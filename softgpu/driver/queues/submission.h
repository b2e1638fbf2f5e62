/* When packets were submitted, on the host's time line (time/host_timeline.h), and what they wait for. Without effect
 * unless times of the host count (host_time_is_tracked). */
#ifndef SOFTGPU_DRIVER_QUEUES_SUBMISSION_H
#define SOFTGPU_DRIVER_QUEUES_SUBMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/time_types.h"

struct hsa_queue;
struct softgpu_device;

/* A packet begins; false: not yet, with one GPU (queue_clock_is_due). Its slot's address, or for copies the position,
 * tells when it was submitted; where that is unknown (the runtime's own packets), a queue that was idle has just
 * received it, if the host's time is virtual. Device thread. */
bool submission_begin(struct hsa_queue *q, uint64_t packet_va);
/* The device stores a value at `device`; call it before the store, for threads that wait. Device thread. */
void submission_note_store(struct softgpu_device *d, uint64_t va, ns_t device);
/* A packet of `d` has waited for the value at `va`, which another GPU may have stored: its time is no earlier. Device
 * thread. */
void submission_note_wait(struct softgpu_device *d, uint64_t va);

/* Around a call of the program in which the runtime writes packets for a copy engine, of several GPUs: what the engines
 * then have is submitted at the thread's time. Any thread. */
void submission_begin_copy(void);
void submission_end_copy(void);
/* Such a call has not ended yet, and the next packet of the engine may belong to it. Device thread. */
bool submission_is_open(const struct hsa_queue *q);

#endif
