/* Time lines of queues.
 *
 * A queue may wait for another GPU, which must not keep the other queues of its own GPU. So on a machine with several
 * GPUs, each queue has its own time: a packet begins when the one before has ended, when it was submitted, and when
 * what it waits for has been stored. The compute units of a GPU are one resource: its kernels run one after another.
 * Copies have one engine per queue. Then it makes no difference which queue the device thread serves first.
 *
 * On a machine with one GPU, packets begin and end in the order of its time (resident_kernels.h), and a queue only has
 * a time before which its next packet does not begin. Device thread, under the device lock. */
#ifndef SOFTGPU_DRIVER_QUEUES_QUEUE_CLOCK_H
#define SOFTGPU_DRIVER_QUEUES_QUEUE_CLOCK_H

#include <stdbool.h>

#include "softgpu/core/time_types.h"

struct hsa_queue;
struct softgpu_device;

void queue_clock_open(struct hsa_queue *q);  /* a new queue */
void queue_clock_enter(struct hsa_queue *q); /* sets the GPU's clock to the queue's time */
/* Sets it to the latest time of its queues. While a launch of the queue runs, which has reached `running_until` (0: it
 * does not), the queue's time stays where the launch began. */
void queue_clock_leave(struct hsa_queue *q, ns_t running_until);
/* The queue's next packet, or what follows in this one, begins no earlier than at `until`. With several GPUs, its time
 * goes on at once; with one, false if that is later than now. */
bool queue_clock_pass_to(struct hsa_queue *q, ns_t until);
/* One GPU: whether the queue's time has come. */
bool queue_clock_is_due(struct hsa_queue *q);
/* Before a kernel begins, and after its end. */
void queue_clock_begin_kernel(struct softgpu_device *d);
void queue_clock_end_kernel(struct softgpu_device *d);

#endif
