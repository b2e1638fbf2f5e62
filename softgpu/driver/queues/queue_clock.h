/* Time lines of queues, on a machine with several GPUs.
 *
 * A queue may wait for another GPU, which must not keep the other queues of its own GPU. So each queue has its own
 * time: a packet begins when the one before has ended, when it was submitted, and when what it waits for has been
 * stored. The compute units of a GPU are one resource: its kernels run one after another. Copies have one engine per
 * queue. Then it makes no difference which queue the device thread serves first. A machine with one GPU has one time
 * line, or that of queue_overlap.h. Device thread, under the device lock. */
#ifndef SOFTGPU_DRIVER_QUEUES_QUEUE_CLOCK_H
#define SOFTGPU_DRIVER_QUEUES_QUEUE_CLOCK_H

#include "softgpu/core/time_types.h"

struct hsa_queue;
struct softgpu_device;

void queue_clock_open(struct hsa_queue *q);  /* a new queue */
void queue_clock_enter(struct hsa_queue *q); /* sets the GPU's clock to the queue's time */
/* Sets it to the latest time of its queues. While a launch of the queue runs, which has reached `running_until` (0: it
 * does not), the queue's time stays where the launch began. */
void queue_clock_leave(struct hsa_queue *q, ns_t running_until);
/* Before a kernel begins, and after its end. */
void queue_clock_begin_kernel(struct softgpu_device *d);
void queue_clock_end_kernel(struct softgpu_device *d);

#endif
