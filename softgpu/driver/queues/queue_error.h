/* Errors that halt a queue. They reach the runtime as on hardware, and the runtime prints its own diagnosis. */
#ifndef SOFTGPU_DRIVER_QUEUES_QUEUE_ERROR_H
#define SOFTGPU_DRIVER_QUEUES_QUEUE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

struct softgpu_device;
struct hsa_queue;

/* Values of queue_inactive_signal that the runtime's queue error handler reads (amd_aql_queue.cpp of ROCR-Runtime). */
enum hsa_queue_error {
	QUEUE_ERROR_SCRATCH = 1, /* not an error: grow the scratch and clear the signal */
	QUEUE_ERROR_CODE = 8,
	QUEUE_ERROR_PACKET = 32,
	QUEUE_ERROR_SCRATCH_WAVE32 = 0x400, /* the same for a kernel with waves of 32 lanes */
	QUEUE_ERROR_MEMORY = 0x20000000,
	QUEUE_ERROR_ILLEGAL = 0x40000000,
};
#define QUEUE_ERROR_TRAP INT64_C(0x80000000) /* too large for an enumerator */

/* Both halt the queue. */
void hsa_queue_raise_memory_fault(struct softgpu_device *d, struct hsa_queue *q, uint64_t va, bool write);
void hsa_queue_raise_error(struct softgpu_device *d, struct hsa_queue *q, int64_t error);

#endif
