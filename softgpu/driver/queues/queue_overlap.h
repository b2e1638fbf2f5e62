/* Overlap of queues in virtual time.
 *
 * Packets arrive at the host's pace, which does not show when the real device would have received them. So each packet
 * normally begins when the last one of any queue has ended. A program can mark packets that belong together
 * (softgpu_together): they are held until the sequence is complete. Then every queue has its own time line from the
 * same start. The time lines join where packets wait for each other's signals, and when all are done. The compute units
 * are one resource: kernels of several queues run one after another. Copies have one engine per queue. A sequence is
 * for one GPU. Device thread, under the device lock, except queue_overlap_hold. */
#ifndef SOFTGPU_DRIVER_QUEUES_QUEUE_OVERLAP_H
#define SOFTGPU_DRIVER_QUEUES_QUEUE_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

struct hsa_queue;
struct softgpu_device;

void queue_overlap_hold(bool on); /* any thread; false releases the held packets */
/* The device thread begins to serve the queues in their order. Held packets are released only here: in the middle of a
 * round, a later queue would get the compute units before an earlier one. */
void queue_overlap_begin_round(void);
bool queue_overlap_is_held(void);
bool queue_overlap_is_active(void); /* a sequence with separate time lines runs; its launches are not time-sliced */
void queue_overlap_enter(struct hsa_queue *q); /* sets the clock to the queue's local time */
void queue_overlap_leave(struct hsa_queue *q);
void queue_overlap_finish(void); /* all queues are done: the clock stays where the last one ended */

/* Records that a packet stored a value now, or that the current packet waited for it. */
void queue_overlap_note_store(struct softgpu_device *d, uint64_t va);
void queue_overlap_note_wait(struct softgpu_device *d, uint64_t va);
/* Call before (true) and after (false) a kernel. */
void queue_overlap_serialize_kernel(struct softgpu_device *d, bool begins);

#endif
