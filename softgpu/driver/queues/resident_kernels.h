/* Kernels of several queues at the same time, on a machine with one GPU, and its virtual time.
 *
 * All packets begin and end in the order of virtual time. A queue's packet begins when the one before has ended, and
 * what it waits for. When no packet can begin or end at the present time, time goes on to where one can: the end of a
 * copy, the gap after a kernel, or the end of a kernel. Up to then the resident kernels are simulated together
 * (core/softgpu.h). Copies have one engine for each queue.
 *
 * Kernels that are captured or checked run one after another: a capture has the memory before its launch, and checks
 * are of one launch. A kernel that waits for another one then lets it in after a while. Device thread, under the device
 * lock. */
#ifndef SOFTGPU_DRIVER_QUEUES_RESIDENT_KERNELS_H
#define SOFTGPU_DRIVER_QUEUES_RESIDENT_KERNELS_H

#include <stdbool.h>

#include "softgpu/core/time_types.h"

struct active_launch;
struct hsa_queue;
struct softgpu_device;

/* Whether this machine has one GPU; otherwise queue_clock.h applies. */
bool resident_kernels_are_used(void);
/* Brings the GPU's clock to what has been simulated. Call before a packet is looked at. */
void resident_kernels_update_clock(struct softgpu_device *d);
/* Whether another kernel can begin. */
bool resident_kernels_have_room(const struct softgpu_device *d);
void resident_kernels_begin(struct active_launch *r);
/* Whether it has ended; the GPU's clock is then at its end. */
bool resident_kernels_have_ended(const struct active_launch *r);
/* Finishes it; sets r->end_ns and the GPU's clock. */
void resident_kernels_finish(struct active_launch *r);
/* Ends the kernel of a queue in the middle; the others go on. */
void resident_kernels_abandon(struct active_launch *r);

/* No packet can begin or end now: lets time go on, up to a slice. False: there is nothing to wait for. */
bool resident_kernels_advance(struct softgpu_device *d);

#endif
