/* The table of queues: creating, changing and removing them. */
#include "softgpu/driver/queues/hsa_queue.h"

#include <errno.h>
#include <pthread.h>

#include "softgpu/abi/kfd_abi.h"
#include "softgpu/driver/interpose/runtime_callers.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/queues/cu_mask.h"
#include "softgpu/driver/queues/device_thread.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/queues/queue_clock.h"
#include "softgpu/driver/queues/resident_kernels.h"
#include "softgpu/driver/queues/submission_hold.h"

#define STOP_RETRY_NS 1000000

static struct hsa_queue queues[HSA_QUEUES_MAX];
static _Atomic unsigned used;                                  /* hsa_queue_count */
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER; /* for queue creation and CU masks */

struct hsa_queue *hsa_queue_at(unsigned i)
{
	return i < HSA_QUEUES_MAX ? &queues[i] : NULL;
}

unsigned hsa_queue_count(void)
{
	return used;
}

static bool is_valid_queue(const struct kfd_create_queue *a)
{
	return a->percentage <= KFD_TOP_PERCENTAGE && a->priority <= KFD_TOP_PRIORITY &&
		a->ring_bytes >= KFD_MIN_RING_BYTES && (a->ring_bytes & (a->ring_bytes - 1)) == 0 &&
		a->ring % 256 == 0 && a->read_pointer && a->write_pointer;
}

static enum hsa_queue_kind queue_kind_of(uint32_t type)
{
	switch (type) {
	case KFD_QUEUE_AQL: return HSA_QUEUE_AQL;
	case KFD_QUEUE_SDMA: return HSA_QUEUE_SDMA;
	default: return HSA_QUEUE_NONE;
	}
}

/* The runtime creates its own queue of a GPU before those of the program. */
static bool is_for_runtime(const struct softgpu_device *d, uint32_t id)
{
	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++)
		if (queues[i].device == d && queues[i].of_runtime)
			return i == id;
	return true;
}

/* The device thread may be running a launch. It sees the queue as soon as `kind` is set. */
static int create_queue_locked(struct softgpu_device *d, struct kfd_create_queue *a)
{
	uint32_t id = 0;

	while (id < HSA_QUEUES_MAX && queues[id].kind != HSA_QUEUE_NONE)
		id++;
	if (id == HSA_QUEUES_MAX || !device_thread_start())
		return ENOMEM;
	d->doorbells[id] = 0;
	queues[id].of_runtime = is_for_runtime(d, id);
	queues[id].device = d;
	queues[id].active = a->percentage > 0;
	queues[id].priority = a->priority;
	queues[id].halted = queues[id].starvation_reported = queues[id].scratch_requested = false;
	queues[id].cus.limited = false;
	queues[id].has_gws = false;
	queues[id].id = id;
	queues[id].ring = a->ring;
	queues[id].size = a->ring_bytes;
	queues[id].read_va = a->read_pointer;
	queues[id].write_va = a->write_pointer;
	queues[id].doorbell = &d->doorbells[id];
	queues[id].position = 0;
	queue_clock_open(&queues[id]);
	queues[id].is_early = queues[id].after_kernel = false;
	queues[id].copies.count = 0;
	queues[id].copies.until = 0;
	queues[id].idle = true;
	queues[id].kind = queue_kind_of(a->type);
	if (id >= used)
		used = id + 1;
	a->queue_id = id;
	a->doorbell_offset = DOORBELL_OFFSET(d->index) + id * sizeof(uint64_t);
	return 0;
}

int hsa_queue_add(struct softgpu_device *d, struct kfd_create_queue *a)
{
	int error;

	if (!is_valid_queue(a) || queue_kind_of(a->type) == HSA_QUEUE_NONE)
		return EINVAL;
	runtime_callers_find();
	pthread_mutex_lock(&table_lock);
	error = create_queue_locked(d, a);
	pthread_mutex_unlock(&table_lock);
	doorbell_wake();
	driver_trace(
		TRACE_CALLS, "  queue %u type %u ring %#lx %u bytes", a->queue_id, a->type, a->ring, a->ring_bytes);
	return error;
}

static void stop_queue_launch(const struct hsa_queue *q)
{
	struct gpu *gpu = q->running.gpu;

	if (gpu)
		gpu_stop_launch(gpu);
}

/* With one GPU, the device thread gives the lock away after each slice. */
static void take_device_and_abandon(struct hsa_queue *q)
{
	device_lock();
	if (!q->running.gpu)
		return;
	resident_kernels_abandon(&q->running);
	aql_execute_packet(q->device, q);
	if (q->running.gpu) /* its packet no longer exists */
		launch_slot_finish(&q->running);
}

/* Takes the device lock and ends the queue's running launch. Other queues finish their packet or their slice. */
static void take_device_and_stop(struct hsa_queue *q)
{
	if (resident_kernels_are_used()) {
		take_device_and_abandon(q);
		return;
	}
	while (!device_lock_timed(STOP_RETRY_NS)) /* repeated: a stop just before the launch starts has no effect */
		stop_queue_launch(q);
	queue_clock_enter(q);
	do {
		stop_queue_launch(q);
	} while (q->running.gpu && aql_execute_packet(q->device, q) == QUEUE_RUNNING);
	queue_clock_leave(q, 0);
	if (q->running.gpu) /* its packet no longer exists */
		launch_slot_finish(&q->running);
}

int hsa_queue_update(const struct kfd_update_queue *a)
{
	uint32_t id = a->queue_id;

	if (a->percentage > KFD_TOP_PERCENTAGE || a->priority > KFD_TOP_PRIORITY)
		return EINVAL;
	if (id >= HSA_QUEUES_MAX || queues[id].kind == HSA_QUEUE_NONE)
		return EFAULT; /* as pqm_update_queue_properties in the Linux kernel */
	if (a->ring_bytes && a->ring != queues[id].ring) {
		take_device_and_stop(&queues[id]);
		queues[id].ring = a->ring;
		queues[id].size = a->ring_bytes;
		device_unlock();
	}
	queues[id].active = a->percentage > 0;
	queues[id].priority = a->priority;
	doorbell_wake();
	return 0;
}

/* Not under the device lock, because a kernel of the queue may run for long. A running kernel keeps its CUs; the card
 * would move its waves. */
int hsa_queue_set_cu_mask(const struct kfd_cu_mask *a)
{
	struct cu_mask mask;
	bool known = a->queue_id < HSA_QUEUES_MAX && queues[a->queue_id].kind != HSA_QUEUE_NONE;
	const struct softgpu_device *d = known ? queues[a->queue_id].device : device_get();
	int error = cu_mask_parse(&d->model, a, &mask);

	if (error)
		return error;
	if (!known)
		return EFAULT; /* as pqm_update_mqd in the Linux kernel */
	pthread_mutex_lock(&table_lock);
	queues[a->queue_id].cus = mask;
	pthread_mutex_unlock(&table_lock);
	doorbell_wake();
	return 0;
}

static bool any_queue_has_gws(const struct softgpu_device *d)
{
	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++)
		if (queues[i].kind != HSA_QUEUE_NONE && queues[i].device == d && queues[i].has_gws)
			return true;
	return false;
}

/* The answers of kfd_ioctl_alloc_queue_gws and pqm_set_gws in the Linux kernel: of a process's queues on a GPU, one has
 * all of the GPU's resources. */
static int allocate_gws_locked(const struct kfd_queue_gws *a)
{
	if (a->queue_id >= HSA_QUEUES_MAX || queues[a->queue_id].kind == HSA_QUEUE_NONE)
		return EINVAL;
	const struct softgpu_device *d = queues[a->queue_id].device;
	if (!d->model.gpu->target->family->gws_resources)
		return ENODEV;
	if (a->count && any_queue_has_gws(d))
		return EBUSY;
	if (!a->count && !any_queue_has_gws(d))
		return EINVAL;
	queues[a->queue_id].has_gws = a->count > 0;
	return 0;
}

int hsa_queue_allocate_gws(struct kfd_queue_gws *a)
{
	pthread_mutex_lock(&table_lock);
	int error = allocate_gws_locked(a);
	pthread_mutex_unlock(&table_lock);
	a->first = 0;
	return error;
}

struct gws_resources *hsa_queue_get_gws(const struct hsa_queue *q)
{
	return q->has_gws ? &q->device->gws : NULL;
}

struct cu_mask hsa_queue_get_cu_mask(const struct hsa_queue *q)
{
	struct cu_mask mask;

	pthread_mutex_lock(&table_lock);
	mask = q->cus;
	pthread_mutex_unlock(&table_lock);
	return mask;
}

int hsa_queue_remove(uint32_t id)
{
	if (id >= HSA_QUEUES_MAX || queues[id].kind == HSA_QUEUE_NONE)
		return EINVAL;
	queues[id].active = false;
	take_device_and_stop(&queues[id]);
	queues[id].kind = HSA_QUEUE_NONE;
	device_unlock();
	return 0;
}

void hsa_queues_reset_in_child(void)
{
	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++) {
		queues[i].kind = HSA_QUEUE_NONE;
		queues[i].of_runtime = false;
		queues[i].device = NULL;
		queues[i].running.gpu = NULL;
	}
	used = 0;
	submission_hold_reset_in_child();
	device_thread_reset_in_child();
	pthread_mutex_init(&table_lock, NULL);
}
