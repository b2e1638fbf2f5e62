/* A queue of AQL packets: kernels and barriers, as the HSA runtime specification defines them. */
#ifndef GPU_BACKENDS_AQL_AQL_QUEUE_H
#define GPU_BACKENDS_AQL_AQL_QUEUE_H

#include "gpu/backends/aql/aql_signal.h"
#include "kernels/reference/reference.h"

struct aql_queue {
	struct aql_device *device;
	struct amd_queue *queue;  /* shared with the GPU, as are the next two */
	struct amd_signal *error; /* of this queue */
	union aql_packet *ring;
	uint8_t *arguments; /* of kernels: a block for each packet of the ring */
	volatile uint64_t *doorbell;
	uint64_t written; /* packets */
	void *scratch;
	uint32_t scratch_lane; /* bytes for each of 64 lanes */
	uint32_t memory_event;
};

struct aql_kernel {
	uint64_t descriptor; /* its address */
	uint32_t lds_bytes, scratch_bytes;
};

bool aql_queue_open(struct aql_queue *q, struct aql_device *d, struct err *e);
/* When all packets before it have ended and `after` is reached, reaches `completion`; later packets wait for that.
 * NULL: none. */
bool aql_queue_barrier(
	struct aql_queue *q, const struct amd_signal *after, const struct amd_signal *completion, struct err *e);
enum { AQL_ARGUMENTS = 4096 /* bytes */ };
/* Each kernel begins when the one before it has ended. */
bool aql_queue_launch(struct aql_queue *q, const struct aql_kernel *k, const struct launch_shape *shape,
	const uint8_t arguments[AQL_ARGUMENTS], struct err *e);
/* After the last launch of a point: kept scratch would move the buffers of the next one. */
void aql_queue_release_scratch(struct aql_queue *q);
/* False with an error if the GPU has stopped the queue. */
bool aql_queue_check(const struct aql_queue *q, struct err *e);

#endif
