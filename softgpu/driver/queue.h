/* Queues and the device thread that works on them, one packet at a time, in turn. Launches of different queues run one
 * after another unless one takes so long that a kernel of another queue may be what it waits for (pipes.h). */
#ifndef SOFTGPU_DRIVER_QUEUE_H
#define SOFTGPU_DRIVER_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/driver/pipes.h"

#define QUEUE_LIMIT 128

struct device;
struct kfd_create_queue;
struct kfd_cu_mask;
struct kfd_update_queue;

enum queue_kind { QUEUE_NONE, QUEUE_AQL, QUEUE_SDMA };

struct queue {
	_Atomic enum queue_kind kind;
	_Atomic bool active;       /* percentage above 0 */
	_Atomic uint32_t priority; /* KFD's, 0 to KFD_TOP_PRIORITY */
	bool halted;               /* a kernel of it faulted; it executes nothing more */
	bool starved;              /* a kernel of it waits for a mask with a CU, which has been said */
	bool scratch_wanted;       /* waits for the runtime to grow its scratch */
	uint32_t id;
	uint64_t ring, size; /* va and bytes */
	uint64_t read_va, write_va;
	uint64_t *doorbell;
	uint64_t position; /* SDMA: bytes read so far */
	uint64_t time;     /* together.h: ns, in sequence number `turn` */
	uint32_t turn;
	struct cu_mask cus;     /* queue_cus */
	struct running running; /* AQL: the launch of the packet at the read index */
};

enum step {           /* what more there is to do for the device thread, least first */
	STEP_NOTHING, /* no packet is ready; a doorbell will say when */
	STEP_BLOCKED, /* waits for a value in memory, which nobody announces */
	STEP_RUNNING, /* a launch is under way */
	STEP_DONE,
};

/* Executes at most one packet, or some cycles of a launch. Device thread, under the device lock. */
enum step aql_step(struct device *d, struct queue *q);
enum step sdma_step(struct device *d, struct queue *q);
/* Whether there is a packet, be it one that has to wait. */
bool aql_ready(struct device *d, struct queue *q);
bool sdma_ready(struct device *d, struct queue *q);

/* 0 or an errno. */
int queue_create(struct device *d, struct kfd_create_queue *args);
int queue_update(struct device *d, const struct kfd_update_queue *args);
/* For the kernels that begin from now on. */
int queue_set_cu_mask(struct device *d, const struct kfd_cu_mask *args);
struct cu_mask queue_cus(const struct queue *q);
/* Returns when the device thread has left the queue; a launch that still runs on it is stopped. */
int queue_destroy(struct device *d, uint32_t id);
void queues_forget(void);

#endif
