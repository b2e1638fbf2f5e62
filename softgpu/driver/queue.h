/* Queues and the device thread that works on them, one packet at a time, in turn. */
#ifndef SOFTGPU_DRIVER_QUEUE_H
#define SOFTGPU_DRIVER_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#define QUEUE_LIMIT 128

struct device;
struct kfd_create_queue;
struct kfd_update_queue;

enum queue_kind { QUEUE_NONE, QUEUE_AQL, QUEUE_SDMA };

struct queue {
	_Atomic enum queue_kind kind;
	_Atomic bool active;            /* percentage above 0 */
	bool halted;            /* a kernel of it faulted; it executes nothing more */
	bool scratch_wanted;    /* waits for the runtime to grow its scratch */
	uint32_t id;
	uint64_t ring, size;    /* va and bytes */
	uint64_t read_va, write_va;
	uint64_t *doorbell;
	uint64_t position;      /* SDMA: bytes read so far */
	uint64_t time;          /* together.h: ns, in sequence number `turn` */
	uint32_t turn;
};

enum step {
	STEP_NOTHING,           /* no packet is ready; a doorbell will say when */
	STEP_DONE,
	STEP_BLOCKED,           /* waits for a value in memory, which nobody announces */
};

/* Executes at most one packet. Device thread, under the device lock. */
enum step aql_step(struct device *d, struct queue *q);
bool aql_ready(struct device *d, struct queue *q);
enum step sdma_step(struct device *d, struct queue *q);

/* 0 or an errno. */
int queue_create(struct device *d, struct kfd_create_queue *args);
int queue_update(struct device *d, const struct kfd_update_queue *args);
/* Returns when the device thread has left the queue; a launch that still runs on it is stopped. */
int queue_destroy(struct device *d, uint32_t id);
void queues_forget(void);

#endif
