/* Queues and the device thread that works on them, one packet at a time, in turn. Launches of different queues run one
 * after another unless one takes so long that a kernel of another queue may be what it waits for (launch_slots.h). */
#ifndef SOFTGPU_DRIVER_QUEUES_HSA_QUEUE_H
#define SOFTGPU_DRIVER_QUEUES_HSA_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/driver/queues/launch_slots.h"

#define HSA_QUEUES_MAX 128

struct softgpu_device;
struct kfd_create_queue;
struct kfd_cu_mask;
struct kfd_update_queue;

enum hsa_queue_kind { HSA_QUEUE_NONE, HSA_QUEUE_AQL, HSA_QUEUE_SDMA };

struct hsa_queue {
	_Atomic enum hsa_queue_kind kind;
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
	uint64_t time;     /* queue_overlap.h: ns, in sequence number `turn` */
	uint32_t turn;
	struct cu_mask cus;           /* hsa_queue_get_cu_mask */
	struct active_launch running; /* AQL: the launch of the packet at the read index */
};

enum queue_step_result {    /* what more there is to do for the device thread, least first */
	QUEUE_STEP_IDLE,    /* no packet is ready; a doorbell will say when */
	QUEUE_STEP_BLOCKED, /* waits for a value in memory, which nobody announces */
	QUEUE_STEP_RUNNING, /* a launch is under way */
	QUEUE_STEP_DONE,
};

/* Executes at most one packet, or some cycles of a launch. Device thread, under the device lock. */
enum queue_step_result aql_execute_packet(struct softgpu_device *d, struct hsa_queue *q);
enum queue_step_result sdma_execute_packet(struct softgpu_device *d, struct hsa_queue *q);
/* Whether there is a packet, be it one that has to wait. */
bool aql_has_packet(struct softgpu_device *d, struct hsa_queue *q);
bool sdma_has_packet(struct softgpu_device *d, struct hsa_queue *q);

/* 0 or an errno. */
int hsa_queue_add(struct softgpu_device *d, struct kfd_create_queue *args);
int hsa_queue_update(struct softgpu_device *d, const struct kfd_update_queue *args);
/* For the kernels that begin from now on. */
int hsa_queue_set_cu_mask(struct softgpu_device *d, const struct kfd_cu_mask *args);
struct cu_mask hsa_queue_get_cu_mask(const struct hsa_queue *q);
/* Returns when the device thread has left the queue; a launch that still runs on it is stopped. */
int hsa_queue_remove(struct softgpu_device *d, uint32_t id);
void hsa_queues_reset_in_child(void);

#endif
