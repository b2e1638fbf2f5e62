/* Queues side by side in virtual time.
 *
 * Packets arrive at the host's pace, which says nothing about when the board would have got them; so each packet
 * normally begins where the last one of any queue has ended. A program that knows what belongs together says so
 * (softgpu_together): what it submits is held until it is complete, then every queue has a time line of its own, from
 * the same moment on, and they meet where packets wait for each other's signals and when all are done. The compute
 * units are one resource: kernels of several queues run one after the other. Copies have an engine for each queue. All
 * but queue_overlap_hold: device thread, under the device lock. */
#ifndef SOFTGPU_DRIVER_QUEUES_QUEUE_OVERLAP_H
#define SOFTGPU_DRIVER_QUEUES_QUEUE_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

struct hsa_queue;

void queue_overlap_hold(bool on); /* any thread: false lets go what has been held */
bool queue_overlap_is_held(void);
bool queue_overlap_is_active(void);            /* a sequence has time lines of its own: its launches take no turns */
void queue_overlap_enter(struct hsa_queue *q); /* the clock goes to the queue's own time */
void queue_overlap_leave(struct hsa_queue *q);
void queue_overlap_finish(void); /* no queue has anything left: the clock goes to where the last one ended */

/* When a value in memory was last stored by a packet, and that the packet under way has waited for it. */
void queue_overlap_note_store(uint64_t va);
void queue_overlap_note_wait(uint64_t va);
void queue_overlap_serialize_kernel(bool begins); /* around a kernel */

#endif
