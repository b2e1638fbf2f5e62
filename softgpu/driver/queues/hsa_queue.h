/* The queues of all GPUs. The device thread executes their packets (device_thread.h). */
#ifndef SOFTGPU_DRIVER_QUEUES_HSA_QUEUE_H
#define SOFTGPU_DRIVER_QUEUES_HSA_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/driver/queues/launch_slots.h"

#define HSA_QUEUES_MAX 128

struct softgpu_device;
struct kfd_create_queue;
struct kfd_cu_mask;
struct kfd_queue_gws;
struct kfd_update_queue;

enum hsa_queue_kind { HSA_QUEUE_NONE, HSA_QUEUE_AQL, HSA_QUEUE_SDMA };

/* Of a copy engine: up to which position packets were submitted, and when (submission.h). */
enum { SUBMITTED_COPIES = 1024 };
struct submitted_copy {
	uint64_t until;
	ns_t at;
};
struct submitted_copies {
	struct submitted_copy list[SUBMITTED_COPIES]; /* a ring */
	unsigned first, count;
	uint64_t until; /* of the last one ever */
};

struct hsa_queue {
	_Atomic enum hsa_queue_kind kind;
	struct softgpu_device *device;
	bool of_runtime;           /* the runtime's own queue of its GPU */
	_Atomic bool active;       /* percentage > 0 */
	_Atomic uint32_t priority; /* KFD's, 0 to KFD_TOP_PRIORITY */
	bool has_gws;              /* its kernels may use global wave sync */
	bool halted;               /* a kernel faulted; the queue executes no more packets */
	bool idle;                 /* no packet since the last one has ended */
	bool starvation_reported;  /* a kernel waits because the CU mask is empty, and the warning is printed */
	bool scratch_requested;    /* waits until the runtime grows its scratch */
	uint32_t id;
	uint64_t ring, size; /* ring: va; size: bytes */
	uint64_t read_va, write_va;
	uint64_t *doorbell;
	uint64_t position; /* SDMA: bytes read so far */
	ns_t local_ns;     /* device time at which its next packet can begin, if it waits for nothing else */
	bool is_early;     /* its next packet waits for that time; one GPU (resident_kernels.h) */
	bool after_kernel; /* its last packet was a kernel, which ended at: */
	ns_t kernel_end_ns;
	struct submitted_copies copies;
	struct cu_mask cus;           /* read it with hsa_queue_get_cu_mask */
	struct active_launch running; /* AQL: the running launch, of the packet at the read index */
};

enum queue_progress {  /* what the device thread can do next; ordered, least progress first */
	QUEUE_IDLE,    /* no packet is ready; the doorbell will ring */
	QUEUE_BLOCKED, /* waits for a value in memory; must be polled */
	QUEUE_RUNNING, /* a launch is running */
	QUEUE_DONE,
};

/* Executes at most one packet, or one slice of a launch. Device thread, under the device lock. */
enum queue_progress aql_execute_packet(struct softgpu_device *d, struct hsa_queue *q);
enum queue_progress sdma_execute_packet(struct softgpu_device *d, struct hsa_queue *q);
/* Whether a packet is present, even if it must wait. */
bool aql_has_packet(struct softgpu_device *d, struct hsa_queue *q);
bool sdma_has_packet(struct softgpu_device *d, struct hsa_queue *q);

/* The queue of this number, which may be free; NULL after the last. */
struct hsa_queue *hsa_queue_at(unsigned i);
/* One more than the largest number that a queue has had: the device thread looks at no others. */
unsigned hsa_queue_count(void);

/* 0 or an errno. */
int hsa_queue_add(struct softgpu_device *d, struct kfd_create_queue *args);
int hsa_queue_update(const struct kfd_update_queue *args);
/* Applies to kernels that start later. */
int hsa_queue_set_cu_mask(const struct kfd_cu_mask *args);
/* Gives the queue the process's global wave sync of its GPU, or takes it away (count 0). */
int hsa_queue_allocate_gws(struct kfd_queue_gws *args);
struct gws_resources *hsa_queue_get_gws(const struct hsa_queue *q); /* NULL: none */
struct cu_mask hsa_queue_get_cu_mask(const struct hsa_queue *q);
/* Returns when the device thread no longer uses the queue. A launch still running on it is stopped. */
int hsa_queue_remove(uint32_t id);
void hsa_queues_reset_in_child(void);

#endif
