/* Interposed calls with which HIP submits work: which thread does, and for the host's virtual time, when. */
#include <stdbool.h>
#include <stdint.h>

#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/abi/aql.h"
#include "softgpu/driver/queues/submission.h"
#include "softgpu/driver/queues/submission_hold.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"

/* The caller fills the slots after this call, so the device cannot have read them yet. */
static void note_slots(const struct amd_queue *q, uint64_t first, uint64_t count)
{
	ns_t now = host_time_begin();

	for (uint64_t i = first; q->size && i < first + count; i++)
		host_timeline_note(q->base + i % q->size * AQL_PACKET_BYTES, now);
}

typedef uint64_t add_index_fn(const struct amd_queue *, uint64_t);
EXPORT add_index_fn hsa_queue_add_write_index_relaxed, hsa_queue_add_write_index_scacquire,
	hsa_queue_add_write_index_screlease, hsa_queue_add_write_index_scacq_screl;

#define INTERPOSE_ADD_INDEX(name)                                      \
	uint64_t name(const struct amd_queue *queue, uint64_t count)   \
	{                                                              \
		submission_hold_begin();                               \
		uint64_t first = RUNTIME_FUNCTION(name)(queue, count); \
                                                                       \
		if (host_time_is_tracked())                            \
			note_slots(queue, first, count);               \
		return first;                                          \
	}
INTERPOSE_ADD_INDEX(hsa_queue_add_write_index_relaxed)
INTERPOSE_ADD_INDEX(hsa_queue_add_write_index_scacquire)
INTERPOSE_ADD_INDEX(hsa_queue_add_write_index_screlease)
INTERPOSE_ADD_INDEX(hsa_queue_add_write_index_scacq_screl)

/* Copies: the runtime writes their packets. Their arguments are integers, pointers, and structures of one integer. */
typedef int copy_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
static void begin_copy(void)
{
	host_time_begin();
	if (machine_gpu_count() > 1)
		submission_begin_copy();
}

static void end_copy(void)
{
	if (machine_gpu_count() > 1)
		submission_end_copy();
}

EXPORT copy_fn hsa_amd_memory_async_copy, hsa_amd_memory_async_copy_rect, hsa_amd_memory_async_copy_on_engine;

#define INTERPOSE_COPY(name)                                                                                     \
	int name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h, \
		uint64_t i, uint64_t j)                                                                          \
	{                                                                                                        \
		int status;                                                                                      \
		bool tracked = host_time_is_tracked();                                                           \
                                                                                                                 \
		submission_hold_begin();                                                                         \
		if (tracked)                                                                                     \
			begin_copy();                                                                            \
		status = RUNTIME_FUNCTION(name)(a, b, c, d, e, f, g, h, i, j);                                   \
		if (tracked)                                                                                     \
			end_copy();                                                                              \
		return status;                                                                                   \
	}
INTERPOSE_COPY(hsa_amd_memory_async_copy)
INTERPOSE_COPY(hsa_amd_memory_async_copy_rect)
INTERPOSE_COPY(hsa_amd_memory_async_copy_on_engine)
