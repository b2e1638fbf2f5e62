#include "softgpu/driver/queues/hsa_queue.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "softgpu/core/timing/core_clock.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/queues/cu_mask.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/interpose/hooks_ioctl.h"
#include "softgpu/driver/kfd/kfd_abi.h"
#include "softgpu/driver/time/utilization.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/probe/statistics.h"
#include "softgpu/driver/queues/queue_overlap.h"
#include "softgpu/driver/probe/driver_trace.h"

#define SPIN_NS       30000 /* busy looks for the next packet before the thread sleeps: a few launch latencies */
#define BLOCKED_NS    50000 /* between looks at a value that no doorbell announces */
#define STOP_RETRY_NS 1000000
#define UTILITY       0 /* the runtime makes its own queue first */
#define PATIENCE                                                                                                     \
	1000 /* rounds that other queues may keep the runtime's waiting, and those of higher priority the lower ones \
	      */
#define NORMAL_PRIORITY 7        /* what libhsakmt makes of it */
#define ALONE_NS        20000000 /* host time that a launch has for itself while other queues have packets */
#define ALONE_CYCLES \
	(UINT64_C(1) << 28) /* and while the runtime's own queue has: no time but the device's may decide there */

static struct hsa_queue queues[HSA_QUEUES_MAX];
static bool started;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER; /* creation, and CU masks */

/* The device's memory grows as kernels and copies touch it; the host is not to be driven into its OOM killer by that.
 */
static void check_budget(void)
{
	static uint64_t budget;

	if (!budget)
		budget = kfd_memory_budget_bytes();
	if (kfd_memory_committed_bytes() <= budget)
		return;
	driver_warn(
		"device memory takes %lu MiB of host memory, more than its budget of %lu MiB (host_memory_percent); "
		"use smaller buffers",
		(unsigned long)(kfd_memory_committed_bytes() >> 20), (unsigned long)(budget >> 20));
	abort();
}

static uint64_t host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* --- the device thread --- */
static bool works(const struct hsa_queue *q)
{
	return q->kind != HSA_QUEUE_NONE && q->active && !q->halted;
}

/* A queue may be new, and its ring with it. */
static bool has_packet(struct softgpu_device *d, struct hsa_queue *q)
{
	kfd_memory_flush_mappings();
	return works(q) && (q->kind == HSA_QUEUE_AQL ? aql_has_packet(d, q) : sdma_has_packet(d, q));
}

/* Whether the launch of `q` goes on without a look at the others; it has been at it since `since`. */
static bool alone(struct softgpu_device *d, const struct hsa_queue *q, uint64_t since)
{
	bool long_since = host_ns() - since >= ALONE_NS;

	if (queue_overlap_is_active())
		return true;
	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++) {
		if (&queues[i] == q || queues[i].kind == HSA_QUEUE_NONE)
			continue;
		if (queues[i].running.gpu)
			return false;
		if (i == UTILITY ? q->running.reached >= ALONE_CYCLES : long_since)
			if (has_packet(d, &queues[i]))
				return false;
	}
	return true;
}

static enum queue_step_result work(struct softgpu_device *d, struct hsa_queue *q)
{
	uint64_t since = host_ns(), seen = since;
	enum queue_step_result step;

	utilization_mark_busy();
	do {
		statistics_start();
		step = q->kind == HSA_QUEUE_AQL ? aql_execute_packet(d, q) : sdma_execute_packet(d, q);
		if (step < QUEUE_STEP_RUNNING)
			break;
		utilization_add_busy(seen, host_ns());
		seen = host_ns();
	} while (step == QUEUE_STEP_RUNNING && alone(d, q, since));
	utilization_mark_idle();
	if (step < QUEUE_STEP_RUNNING)
		return step;
	if (step == QUEUE_STEP_RUNNING) /* what other queues begin now begins here */
		vclock_advance_to(q->running.start_ns + sclk_cycles_to_ps(&d->model, q->running.reached, 0) / 1000);
	check_budget();
	return step;
}

static enum queue_step_result step_one(struct softgpu_device *d, struct hsa_queue *q)
{
	enum queue_step_result step = QUEUE_STEP_IDLE;

	if (q->kind == HSA_QUEUE_NONE)
		return QUEUE_STEP_IDLE;
	device_lock_yielding();
	kfd_memory_flush_mappings();
	if (queue_overlap_is_held()) {
		step = QUEUE_STEP_BLOCKED;
	} else if (works(q)) {
		queue_overlap_enter(q);
		step = work(d, q);
		queue_overlap_leave(q);
	}
	device_unlock();
	return step;
}

static bool utility_ready(struct softgpu_device *d)
{
	bool ready;

	if (!works(&queues[UTILITY]))
		return false;
	device_lock_yielding();
	ready = has_packet(d, &queues[UTILITY]);
	device_unlock();
	return ready;
}

/* Whether the others may keep the runtime's own queue waiting, now that they have come to `most`. */
static bool passed_over(enum queue_step_result most)
{
	static unsigned rounds;
	uint64_t longest = 0;

	for (unsigned i = UTILITY + 1; i < HSA_QUEUES_MAX; i++)
		if (queues[i].running.gpu && queues[i].running.reached > longest)
			longest = queues[i].running.reached;
	if (most < QUEUE_STEP_RUNNING || queues[UTILITY].running.gpu || longest >= ALONE_CYCLES ||
		(most == QUEUE_STEP_DONE && ++rounds >= PATIENCE)) {
		rounds = 0;
		return false;
	}
	return true;
}

/* Copy engines are no compute pipes: what they do is independent of the priority of kernels. */
static unsigned level_of(const struct hsa_queue *q)
{
	return q->kind == HSA_QUEUE_SDMA ? NORMAL_PRIORITY : q->priority;
}

/* A bit for each that some queue of the program has. */
static unsigned levels_in_use(void)
{
	unsigned levels = 0;

	for (unsigned i = UTILITY + 1; i < HSA_QUEUES_MAX; i++)
		if (queues[i].kind != HSA_QUEUE_NONE)
			levels |= 1u << level_of(&queues[i]);
	return levels;
}

/* Whether kernels of lower priority may run, now that those of a higher one have come to `most`. */
static bool may_come_lower(enum queue_step_result most)
{
	static unsigned rounds;

	if (most == QUEUE_STEP_DONE && ++rounds < PATIENCE)
		return false;
	rounds = 0;
	return true;
}

/* One packet of each queue of a level, of copy engines alone where kernels may not; how far kernels have come. */
static enum queue_step_result step_level(
	struct softgpu_device *d, unsigned level, bool kernels, enum queue_step_result *most)
{
	enum queue_step_result compute = QUEUE_STEP_IDLE, step;

	for (unsigned i = UTILITY + 1; i < HSA_QUEUES_MAX; i++) {
		struct hsa_queue *q = &queues[i];
		bool copies = q->kind == HSA_QUEUE_SDMA;
		if (level_of(q) != level || !(copies || kernels))
			continue;
		step = step_one(d, q);
		*most = step > *most ? step : *most;
		if (!copies && step > compute)
			compute = step;
	}
	return compute;
}

/* Level by level from the highest on, until a packet of a compute queue gets done. One that waits, or a launch that
 * takes long, lets the lower ones go on: it may be they that it waits for. */
static enum queue_step_result step_program(struct softgpu_device *d)
{
	enum queue_step_result most = QUEUE_STEP_IDLE;
	bool kernels = true;

	for (unsigned left = levels_in_use(); left;) {
		unsigned level = 31 - (unsigned)__builtin_clz(left);
		left &= ~(1u << level);
		enum queue_step_result compute = step_level(d, level, kernels, &most);
		if (kernels && left)
			kernels = may_come_lower(compute);
	}
	return most;
}

/* One packet of each queue. The runtime's own queue is looked at first and served last: it copies code objects while
 * the program's packets, which came earlier, may still lie there. Served the other way round, an event in front of a
 * first launch would sometimes have the copy before it and sometimes behind it. */
static enum queue_step_result step_all(struct softgpu_device *d)
{
	bool utility = utility_ready(d);
	enum queue_step_result most = step_program(d), step;

	if (!utility || passed_over(most))
		return most;
	step = step_one(d, &queues[UTILITY]);
	return step > most ? step : most;
}

static enum queue_step_result spin(struct softgpu_device *d)
{
	uint64_t until = host_ns() + SPIN_NS;
	enum queue_step_result step;

	do {
		step = step_all(d);
	} while (step < QUEUE_STEP_RUNNING && host_ns() < until);
	return step;
}

static void *device_thread(void *argument)
{
	struct softgpu_device *d = argument;

	pthread_setname_np(pthread_self(), "softgpu");
	for (;;) {
		enum queue_step_result step = spin(d);
		bool armed;

		if (step >= QUEUE_STEP_RUNNING)
			continue;
		if (step == QUEUE_STEP_IDLE) {
			device_lock_yielding();
			queue_overlap_finish();
			device_unlock();
		}
		armed = doorbell_arm();
		step = step_all(d);
		doorbell_sleep(step >= QUEUE_STEP_RUNNING ? 1 : step == QUEUE_STEP_IDLE && armed ? 0 : BLOCKED_NS);
	}
	return NULL;
}

/* With every signal blocked but those that a fault of our own raises. */
static bool start_thread(struct softgpu_device *d)
{
	sigset_t all, old;
	pthread_t thread;

	if (started)
		return true;
	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	started = pthread_create(&thread, NULL, device_thread, d) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (started)
		pthread_detach(thread);
	return started;
}

/* --- calls --- */
static bool sensible(const struct kfd_create_queue *a)
{
	return a->percentage <= KFD_TOP_PERCENTAGE && a->priority <= KFD_TOP_PRIORITY &&
		a->ring_bytes >= KFD_MIN_RING_BYTES && (a->ring_bytes & (a->ring_bytes - 1)) == 0 &&
		a->ring % 256 == 0 && a->read_pointer && a->write_pointer;
}

static enum hsa_queue_kind kind_of(uint32_t type)
{
	switch (type) {
	case KFD_QUEUE_AQL: return HSA_QUEUE_AQL;
	case KFD_QUEUE_SDMA: return HSA_QUEUE_SDMA;
	default: return HSA_QUEUE_NONE;
	}
}

/* The device thread may be in the middle of a launch; it sees the queue once its kind is there. */
static int create_locked(struct softgpu_device *d, struct kfd_create_queue *a)
{
	uint32_t id = 0;

	while (id < HSA_QUEUES_MAX && queues[id].kind != HSA_QUEUE_NONE)
		id++;
	if (id == HSA_QUEUES_MAX || !start_thread(d))
		return ENOMEM;
	d->doorbells[id] = 0;
	queues[id].active = a->percentage > 0;
	queues[id].priority = a->priority;
	queues[id].halted = queues[id].starved = queues[id].scratch_wanted = false;
	queues[id].cus.limited = false;
	queues[id].id = id;
	queues[id].ring = a->ring;
	queues[id].size = a->ring_bytes;
	queues[id].read_va = a->read_pointer;
	queues[id].write_va = a->write_pointer;
	queues[id].doorbell = &d->doorbells[id];
	queues[id].position = 0;
	queues[id].kind = kind_of(a->type);
	a->queue_id = id;
	a->doorbell_offset = DOORBELL_OFFSET + id * sizeof(uint64_t);
	return 0;
}

int hsa_queue_add(struct softgpu_device *d, struct kfd_create_queue *a)
{
	int error;

	if (!sensible(a) || kind_of(a->type) == HSA_QUEUE_NONE)
		return EINVAL;
	hooks_find_hip();
	pthread_mutex_lock(&table);
	error = create_locked(d, a);
	pthread_mutex_unlock(&table);
	doorbell_wake();
	driver_trace(
		TRACE_CALLS, "  queue %u type %u ring %#lx %u bytes", a->queue_id, a->type, a->ring, a->ring_bytes);
	return error;
}

static void stop(const struct hsa_queue *q)
{
	struct gpu *gpu = q->running.gpu;

	if (gpu)
		gpu_stop_launch(gpu);
}

/* Takes the device from the thread and ends what runs on the queue; other queues finish their packet or their turn. */
static void take_device(struct softgpu_device *d, struct hsa_queue *q)
{
	while (!device_lock_timed(STOP_RETRY_NS)) /* again and again: a stop just before the launch starts is lost */
		stop(q);
	do {
		stop(q);
	} while (q->running.gpu && aql_execute_packet(d, q) == QUEUE_STEP_RUNNING);
	if (q->running.gpu) /* its packet is not there any more */
		launch_slot_finish(&q->running);
}

int hsa_queue_update(struct softgpu_device *d, const struct kfd_update_queue *a)
{
	uint32_t id = a->queue_id;

	if (a->percentage > KFD_TOP_PERCENTAGE || a->priority > KFD_TOP_PRIORITY)
		return EINVAL;
	if (id >= HSA_QUEUES_MAX || queues[id].kind == HSA_QUEUE_NONE)
		return EFAULT; /* the kernel's pqm_update_queue_properties */
	if (a->ring_bytes && a->ring != queues[id].ring) {
		take_device(d, &queues[id]);
		queues[id].ring = a->ring;
		queues[id].size = a->ring_bytes;
		device_unlock();
	}
	queues[id].active = a->percentage > 0;
	queues[id].priority = a->priority;
	doorbell_wake();
	return 0;
}

/* Not under the device lock: a kernel of the queue may run for long. It keeps its CUs, where the card would move its
 * waves. */
int hsa_queue_set_cu_mask(struct softgpu_device *d, const struct kfd_cu_mask *a)
{
	struct cu_mask mask;
	int error = cu_mask_parse(&d->model, a, &mask);

	if (error)
		return error;
	if (a->queue_id >= HSA_QUEUES_MAX || queues[a->queue_id].kind == HSA_QUEUE_NONE)
		return EFAULT; /* the kernel's pqm_update_mqd */
	pthread_mutex_lock(&table);
	queues[a->queue_id].cus = mask;
	pthread_mutex_unlock(&table);
	doorbell_wake();
	return 0;
}

struct cu_mask hsa_queue_get_cu_mask(const struct hsa_queue *q)
{
	struct cu_mask mask;

	pthread_mutex_lock(&table);
	mask = q->cus;
	pthread_mutex_unlock(&table);
	return mask;
}

int hsa_queue_remove(struct softgpu_device *d, uint32_t id)
{
	if (id >= HSA_QUEUES_MAX || queues[id].kind == HSA_QUEUE_NONE)
		return EINVAL;
	queues[id].active = false;
	take_device(d, &queues[id]);
	queues[id].kind = HSA_QUEUE_NONE;
	device_unlock();
	return 0;
}

void hsa_queues_reset_in_child(void)
{
	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++) {
		queues[i].kind = HSA_QUEUE_NONE;
		queues[i].running.gpu = NULL;
	}
	launch_slots_reset_in_child();
	statistics_reset_in_child();
	started = false;
	pthread_mutex_init(&table, NULL);
}
