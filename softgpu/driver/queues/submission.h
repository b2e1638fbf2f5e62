/* When packets were submitted, on the host's time line (time/host_timeline.h). Without effect unless programs see the
 * virtual clock. */
#ifndef SOFTGPU_DRIVER_QUEUES_SUBMISSION_H
#define SOFTGPU_DRIVER_QUEUES_SUBMISSION_H

#include <stdint.h>

#include "softgpu/core/time_types.h"

struct hsa_queue;

/* A packet begins. Its slot's address tells when it was submitted; where that is unknown (copies, the runtime's own
 * packets), a queue that was idle has just received it. Device thread. */
void submission_begin(struct hsa_queue *q, uint64_t packet_va);
/* The device stores a value at `device`; call it before the store, for threads that wait. Device thread. */
void submission_note_store(uint64_t va, ns_t device);

#endif
