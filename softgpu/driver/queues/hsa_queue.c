#include "softgpu/driver/queues/hsa_queue.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "softgpu/core/timing/core_clock.h"
#include "softgpu/driver/time/host_monotonic.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/queues/cu_mask.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/interpose/runtime_callers.h"
#include "softgpu/abi/kfd_abi.h"
#include "softgpu/driver/time/utilization.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/probe/program_watch.h"
#include "softgpu/driver/probe/statistics.h"
#include "softgpu/driver/queues/queue_clock.h"
#include "softgpu/driver/queues/queue_overlap.h"
#include "softgpu/driver/probe/driver_trace.h"

#define SPIN_NS       30000 /* how long to poll for the next packet before sleeping: a few launch latencies */
#define BLOCKED_NS    50000 /* polling interval for values that no doorbell announces */
#define STOP_RETRY_NS 1000000
/* How many rounds in a row other queues may go before the runtime's queues, and high priorities before low ones. */
#define STARVATION_ROUNDS 1000
#define NORMAL_PRIORITY   7        /* libhsakmt's mapping of the default priority */
#define EXCLUSIVE_NS      20000000 /* host time that a launch runs exclusively while other queues have packets */
/* The same while the runtime's own queue has packets, in cycles: only device time may decide there, so that runs are
 * repeatable. */
#define EXCLUSIVE_CYCLES (UINT64_C(1) << 28)

static struct hsa_queue queues[HSA_QUEUES_MAX];
static bool thread_started;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER; /* for queue creation and CU masks */

/* Device memory grows as kernels and copies touch it. Stops the program before the host's OOM killer runs. */
static void check_budget(void)
{
	static uint64_t budget;

	if (!budget)
		budget = kfd_memory_budget_bytes();
	if (kfd_memory_committed_bytes() <= budget)
		return;
	driver_warn("device memory uses %lu MiB of host memory, more than its budget of %lu MiB (host_memory_percent); "
		    "use smaller buffers",
		(unsigned long)(kfd_memory_committed_bytes() >> 20), (unsigned long)(budget >> 20));
	abort();
}

/* --- the device thread --- */
static bool is_runnable(const struct hsa_queue *q)
{
	return q->kind != HSA_QUEUE_NONE && q->active && !q->halted;
}

/* Flushes mappings first: the queue and its ring may be new. */
static bool queue_has_packet(struct hsa_queue *q)
{
	kfd_memory_flush_mappings();
	return is_runnable(q) &&
		(q->kind == HSA_QUEUE_AQL ? aql_has_packet(q->device, q) : sdma_has_packet(q->device, q));
}

/* Whether the launch of `q`, which has run since `since`, continues without serving other queues. */
static bool may_run_exclusively(const struct hsa_queue *q, ns_t since)
{
	bool long_since = host_monotonic_ns() - since >= EXCLUSIVE_NS;

	if (queue_overlap_is_active())
		return true;
	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++) {
		if (&queues[i] == q || queues[i].kind == HSA_QUEUE_NONE)
			continue;
		if (queues[i].running.gpu)
			return false;
		if (queues[i].of_runtime ? q->running.cycles_run >= EXCLUSIVE_CYCLES : long_since)
			if (queue_has_packet(&queues[i]))
				return false;
	}
	return true;
}

/* Device time of the queue's running launch; at its end it may be a little later. */
static ns_t running_until(const struct hsa_queue *q)
{
	return q->running.start_ns + sclk_cycles_to_ps(&q->device->model, q->running.cycles_run, 0) / 1000;
}

static enum queue_progress run_queue(struct hsa_queue *q)
{
	struct softgpu_device *d = q->device;
	ns_t since = host_monotonic_ns(), slice_start = since;
	enum queue_progress progress;

	utilization_mark_busy();
	do {
		statistics_start();
		progress = q->kind == HSA_QUEUE_AQL ? aql_execute_packet(d, q) : sdma_execute_packet(d, q);
		if (progress < QUEUE_RUNNING)
			break;
		utilization_add_busy(d->index, slice_start, host_monotonic_ns());
		slice_start = host_monotonic_ns();
		if (progress == QUEUE_RUNNING)
			host_timeline_reach(d->index, running_until(q));
	} while (progress == QUEUE_RUNNING && may_run_exclusively(q, since));
	utilization_mark_idle();
	if (progress == QUEUE_IDLE)
		q->idle = true;
	if (progress < QUEUE_RUNNING)
		return progress;
	if (progress == QUEUE_RUNNING && machine_gpu_count() == 1) /* kernels that other queues start now begin here */
		vclock_advance_to(&d->clock, running_until(q));
	check_budget();
	return progress;
}

static enum queue_progress service_queue(struct hsa_queue *q)
{
	enum queue_progress progress = QUEUE_IDLE;

	if (q->kind == HSA_QUEUE_NONE)
		return QUEUE_IDLE;
	device_lock_yielding();
	kfd_memory_flush_mappings();
	if (queue_overlap_is_held()) {
		progress = QUEUE_BLOCKED;
	} else if (is_runnable(q)) {
		queue_overlap_enter(q);
		queue_clock_enter(q);
		progress = run_queue(q);
		queue_clock_leave(q, progress == QUEUE_RUNNING ? running_until(q) : 0);
		queue_overlap_leave(q);
	}
	device_unlock();
	return progress;
}

static bool is_ready(struct hsa_queue *q)
{
	bool ready;

	if (!is_runnable(q))
		return false;
	device_lock_yielding();
	ready = queue_has_packet(q);
	device_unlock();
	return ready;
}

/* A bit for each GPU whose queue of the runtime has a packet. */
static uint32_t ready_runtime_queues(void)
{
	uint32_t ready = 0;

	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++)
		if (queues[i].of_runtime && is_ready(&queues[i]))
			ready |= 1u << queues[i].device->index;
	return ready;
}

static bool is_runtime_queue_running(void)
{
	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++)
		if (queues[i].of_runtime && queues[i].running.gpu)
			return true;
	return false;
}

/* Whether the program's queues, which made `best` progress, may keep the runtime's own queues waiting. */
static bool may_defer_runtime_queues(enum queue_progress best)
{
	static unsigned rounds;
	cycle_t most_cycles = 0;

	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++)
		if (!queues[i].of_runtime && queues[i].running.gpu && queues[i].running.cycles_run > most_cycles)
			most_cycles = queues[i].running.cycles_run;
	if (best < QUEUE_RUNNING || is_runtime_queue_running() || most_cycles >= EXCLUSIVE_CYCLES ||
		(best == QUEUE_DONE && ++rounds >= STARVATION_ROUNDS)) {
		rounds = 0;
		return false;
	}
	return true;
}

/* Kernel priorities do not apply to copy engines, which are not compute pipes. */
static unsigned scheduling_priority(const struct hsa_queue *q)
{
	return q->kind == HSA_QUEUE_SDMA ? NORMAL_PRIORITY : q->priority;
}

/* Bit mask of the priorities of the program's queues. */
static unsigned priorities_in_use(void)
{
	unsigned priorities = 0;

	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++)
		if (!queues[i].of_runtime && queues[i].kind != HSA_QUEUE_NONE)
			priorities |= 1u << scheduling_priority(&queues[i]);
	return priorities;
}

/* Whether kernels of lower priority may run, when those of higher priority made `best` progress. */
static bool may_serve_lower(enum queue_progress best)
{
	static unsigned rounds;

	if (best == QUEUE_DONE && ++rounds < STARVATION_ROUNDS)
		return false;
	rounds = 0;
	return true;
}

/* Serves one packet of each queue of a priority; only copy engines unless `kernels`. Returns the progress of the
 * kernels. */
static enum queue_progress service_priority(unsigned priority, bool kernels, enum queue_progress *best)
{
	enum queue_progress compute = QUEUE_IDLE, progress;

	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++) {
		struct hsa_queue *q = &queues[i];
		bool copies = q->kind == HSA_QUEUE_SDMA;
		if (q->of_runtime || scheduling_priority(q) != priority || !(copies || kernels))
			continue;
		progress = service_queue(q);
		*best = progress > *best ? progress : *best;
		if (!copies && progress > compute)
			compute = progress;
	}
	return compute;
}

/* Serves priorities from the highest down, until a packet of a compute queue completes. If a packet waits or a launch
 * takes long, lower priorities run too: it may be waiting for them. */
static enum queue_progress service_program_queues(void)
{
	enum queue_progress best = QUEUE_IDLE;
	bool kernels = true;

	for (unsigned left = priorities_in_use(); left;) {
		unsigned priority = 31 - (unsigned)__builtin_clz(left);
		left &= ~(1u << priority);
		enum queue_progress compute = service_priority(priority, kernels, &best);
		if (kernels && left)
			kernels = may_serve_lower(compute);
	}
	return best;
}

/* Serves one packet of each queue. The runtime's own queue of a GPU is checked first and served last: it copies code
 * objects while earlier packets of the program may still be pending. In the opposite order, an event before a first
 * launch would fall sometimes before and sometimes after the copy. */
static enum queue_progress service_all_queues(void)
{
	uint32_t ready = ready_runtime_queues();
	enum queue_progress best, progress;

	device_lock_yielding();
	queue_overlap_begin_round();
	device_unlock();
	best = service_program_queues();
	if (!ready || may_defer_runtime_queues(best))
		return best;
	for (unsigned i = 0; i < HSA_QUEUES_MAX; i++)
		if (queues[i].of_runtime && ready >> queues[i].device->index & 1) {
			progress = service_queue(&queues[i]);
			best = progress > best ? progress : best;
		}
	return best;
}

static enum queue_progress poll_queues(void)
{
	ns_t until = host_monotonic_ns() + SPIN_NS;
	enum queue_progress progress;

	do {
		progress = service_all_queues();
	} while (progress < QUEUE_RUNNING && host_monotonic_ns() < until);
	return progress;
}

static void *run_device_thread(void *unused)
{
	(void)unused;
	pthread_setname_np(pthread_self(), "softgpu");
	host_time_set_device_thread();
	for (;;) {
		enum queue_progress progress = poll_queues();
		bool armed;

		if (progress >= QUEUE_RUNNING)
			continue;
		if (progress == QUEUE_IDLE) {
			device_lock_yielding();
			queue_overlap_finish();
			device_unlock();
		}
		armed = doorbell_arm();
		progress = service_all_queues();
		doorbell_sleep(progress >= QUEUE_RUNNING ? 1 : progress == QUEUE_IDLE && armed ? 0 : BLOCKED_NS);
	}
	return NULL;
}

/* Blocks all signals except those that a fault in this thread raises. */
static bool start_device_thread(void)
{
	sigset_t all, old;
	pthread_t thread;

	if (thread_started)
		return true;
	program_watch_start();
	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	thread_started = pthread_create(&thread, NULL, run_device_thread, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (thread_started)
		pthread_detach(thread);
	return thread_started;
}

/* --- calls --- */
struct hsa_queue *hsa_queue_at(unsigned i)
{
	return i < HSA_QUEUES_MAX ? &queues[i] : NULL;
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
	if (id == HSA_QUEUES_MAX || !start_device_thread())
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
	queues[id].copies.count = 0;
	queues[id].copies.until = 0;
	queues[id].idle = true;
	queues[id].kind = queue_kind_of(a->type);
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

/* Takes the device lock and ends the queue's running launch. Other queues finish their packet or their slice. */
static void take_device_and_stop(struct hsa_queue *q)
{
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
	if (!d->model.gpu->family->gws_resources)
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
	statistics_reset_in_child();
	program_watch_reset_in_child();
	thread_started = false;
	pthread_mutex_init(&table_lock, NULL);
}
