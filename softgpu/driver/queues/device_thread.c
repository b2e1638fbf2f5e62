/* The device thread: which queue runs next, and for how long. */
#include "softgpu/driver/queues/device_thread.h"

#include <pthread.h>
#include <stdlib.h>

#include "softgpu/driver/queues/driver_thread.h"
#include "softgpu/core/timing/core_clock.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/probe/program_watch.h"
#include "softgpu/driver/probe/statistics.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/queues/queue_clock.h"
#include "softgpu/driver/queues/resident_kernels.h"
#include "softgpu/driver/queues/submission_hold.h"
#include "softgpu/driver/time/host_monotonic.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"
#include "softgpu/driver/time/utilization.h"
#include "softgpu/driver/time/virtual_clock.h"

#define SPIN_NS    30000 /* how long to poll for the next packet before sleeping: a few launch latencies */
#define BLOCKED_NS 50000 /* polling interval for values that no doorbell announces */
/* How many rounds in a row other queues may go before the runtime's queues, and high priorities before low ones. */
#define STARVATION_ROUNDS 1000
#define NORMAL_PRIORITY   7        /* libhsakmt's mapping of the default priority */
#define EXCLUSIVE_NS      20000000 /* host time that a launch runs exclusively while other queues have packets */
/* The same while the runtime's own queue has packets, in cycles: only device time may decide there, so that runs are
 * repeatable. */
#define EXCLUSIVE_CYCLES (UINT64_C(1) << 28)

static bool thread_started;

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

	for (unsigned i = 0; i < hsa_queue_count(); i++) {
		if (hsa_queue_at(i) == q || hsa_queue_at(i)->kind == HSA_QUEUE_NONE)
			continue;
		if (hsa_queue_at(i)->running.gpu)
			return false;
		if (hsa_queue_at(i)->of_runtime ? q->running.cycles_run >= EXCLUSIVE_CYCLES : long_since)
			if (queue_has_packet(hsa_queue_at(i)))
				return false;
	}
	return true;
}

/* Device time of the queue's running launch; at its end it may be a little later. */
static ns_t running_until(const struct hsa_queue *q)
{
	return q->running.start_ns + sclk_cycles_to_ps(&q->device->model, q->running.cycles_run, 0) / 1000;
}

/* The queues of the program, which may be held. While the runtime uses its own queue, the thread for which it does
 * waits for that, though it looks busy: 0. */
static unsigned holdable_queues(void)
{
	unsigned count = 0;

	for (unsigned i = 0; i < hsa_queue_count(); i++) {
		struct hsa_queue *q = hsa_queue_at(i);
		if (q->of_runtime && (q->running.gpu || queue_has_packet(q)))
			return 0;
		count += q->kind != HSA_QUEUE_NONE && !q->of_runtime;
	}
	return count;
}

/* Packets of the present time are looked at in rounds, from the first queue on. One ends when a thread submits: it may
 * have done so to a queue that the round has passed. It also ends when a thread holds the device, such as between two
 * waits: a queue that was held back would begin after the next one, or after time has passed. */
static struct {
	uint64_t submissions;
	bool was_held;
} this_round;

static void begin_round(void)
{
	this_round.submissions = submission_hold_count_all();
	this_round.was_held = false;
}

static bool is_round_over(void)
{
	ns_t unused;

	if (submission_hold_is_on(holdable_queues(), &unused))
		this_round.was_held = true;
	return this_round.was_held || this_round.submissions != submission_hold_count_all();
}

/* A packet, without the time that it takes. What a thread submits that has just seen a packet end waits for what else
 * the thread submits. */
static enum queue_progress begin_packet(struct hsa_queue *q)
{
	if (!queue_has_packet(q) && !q->running.gpu) {
		q->idle = true;
		return QUEUE_IDLE;
	}
	utilization_mark_busy();
	if (is_round_over())
		return QUEUE_BLOCKED;
	statistics_start();
	const enum queue_progress progress =
		q->kind == HSA_QUEUE_AQL ? aql_execute_packet(q->device, q) : sdma_execute_packet(q->device, q);

	q->idle = progress == QUEUE_IDLE;
	if (progress == QUEUE_DONE)
		check_budget();
	return progress;
}

/* The same with several GPUs: a launch runs on while it may. */
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
	if (is_runnable(q) && resident_kernels_are_used()) {
		progress = begin_packet(q);
	} else if (is_runnable(q)) {
		queue_clock_enter(q);
		progress = run_queue(q);
		queue_clock_leave(q, progress == QUEUE_RUNNING ? running_until(q) : 0);
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

	for (unsigned i = 0; i < hsa_queue_count(); i++)
		if (hsa_queue_at(i)->of_runtime && is_ready(hsa_queue_at(i)))
			ready |= 1u << hsa_queue_at(i)->device->index;
	return ready;
}

static bool is_runtime_queue_running(void)
{
	for (unsigned i = 0; i < hsa_queue_count(); i++)
		if (hsa_queue_at(i)->of_runtime && hsa_queue_at(i)->running.gpu)
			return true;
	return false;
}

/* Whether the program's queues, which made `best` progress, may keep the runtime's own queues waiting. */
static bool may_defer_runtime_queues(enum queue_progress best)
{
	static unsigned rounds;
	cycle_t most_cycles = 0;

	for (unsigned i = 0; i < hsa_queue_count(); i++)
		if (!hsa_queue_at(i)->of_runtime && hsa_queue_at(i)->running.gpu &&
			hsa_queue_at(i)->running.cycles_run > most_cycles)
			most_cycles = hsa_queue_at(i)->running.cycles_run;
	if (resident_kernels_are_used() && best == QUEUE_RUNNING)
		return false;
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

	for (unsigned i = 0; i < hsa_queue_count(); i++)
		if (!hsa_queue_at(i)->of_runtime && hsa_queue_at(i)->kind != HSA_QUEUE_NONE)
			priorities |= 1u << scheduling_priority(hsa_queue_at(i));
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

	for (unsigned i = 0; i < hsa_queue_count(); i++) {
		struct hsa_queue *q = hsa_queue_at(i);
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

	best = service_program_queues();
	if (!ready || may_defer_runtime_queues(best))
		return best;
	for (unsigned i = 0; i < hsa_queue_count(); i++)
		if (hsa_queue_at(i)->of_runtime && ready >> hsa_queue_at(i)->device->index & 1) {
			progress = service_queue(hsa_queue_at(i));
			best = progress > best ? progress : best;
		}
	return best;
}

/* --- one GPU: virtual time --- */
static bool has_work(void)
{
	for (unsigned i = 0; i < hsa_queue_count(); i++)
		if (hsa_queue_at(i)->running.gpu || queue_has_packet(hsa_queue_at(i)))
			return true;
	return false;
}

/* Whether a packet has come in since its queue was looked at, or its thread may submit more. */
static bool is_held_or_new(void)
{
	if (is_round_over())
		return true;
	for (unsigned i = 0; i < hsa_queue_count(); i++)
		if (hsa_queue_at(i)->idle && queue_has_packet(hsa_queue_at(i)))
			return true;
	return false;
}

/* Nothing else can be done at the present time. False: there is nothing to wait for. */
static bool advance_time(void)
{
	struct softgpu_device *d = device_get();
	const ns_t start = host_monotonic_ns();

	if (!d)
		return false;
	device_lock_yielding();
	bool advanced = has_work();
	if (advanced && !is_held_or_new()) {
		advanced = resident_kernels_advance(d);
		if (advanced)
			utilization_add_busy(d->index, start, host_monotonic_ns());
		check_budget();
	}
	device_unlock();
	return advanced;
}

/* --- rounds --- */
/* Work is submitted, and more may follow that belongs to it; asks again after *ns at most. */
static bool is_held(ns_t *ns)
{
	const struct softgpu_device *d = device_get();
	bool held;

	if (!d || !resident_kernels_are_used())
		return false;
	device_lock_yielding();
	held = has_work() && submission_hold_is_on(holdable_queues(), ns);
	if (held || d->kernels.count)
		utilization_mark_busy();
	else
		utilization_mark_idle();
	device_unlock();
	return held;
}

static enum queue_progress service_round(void)
{
	begin_round();
	const enum queue_progress progress = service_all_queues();

	if (progress == QUEUE_DONE || !resident_kernels_are_used())
		return progress;
	return advance_time() ? QUEUE_DONE : progress == QUEUE_RUNNING ? QUEUE_BLOCKED : progress;
}

static enum queue_progress poll_queues(ns_t *held)
{
	ns_t until = host_monotonic_ns() + SPIN_NS;
	enum queue_progress progress = QUEUE_IDLE;

	do {
		*held = 0;
		if (is_held(held))
			return QUEUE_BLOCKED;
		progress = service_round();
	} while (progress < QUEUE_RUNNING && host_monotonic_ns() < until);
	return progress;
}

/* A thread that waits or submits again wakes the device. */
static void sleep_while_held(void)
{
	ns_t ns;

	doorbell_listen();
	if (is_held(&ns))
		doorbell_sleep(ns);
}

static void *run_device_thread(void *unused)
{
	(void)unused;
	pthread_setname_np(pthread_self(), "softgpu");
	host_time_set_device_thread();
	for (;;) {
		ns_t held;
		enum queue_progress progress = poll_queues(&held);
		bool armed;

		if (progress >= QUEUE_RUNNING)
			continue;
		if (held) {
			sleep_while_held();
			continue;
		}
		armed = doorbell_arm();
		progress = is_held(&held) ? QUEUE_DONE : service_round();
		doorbell_sleep(progress >= QUEUE_RUNNING ? 1 : progress == QUEUE_IDLE && armed ? 0 : BLOCKED_NS);
	}
	return NULL;
}

bool device_thread_start(void)
{
	pthread_t thread;

	if (thread_started)
		return true;
	program_watch_start();
	thread_started = driver_thread_start(run_device_thread, &thread);
	return thread_started;
}

void device_thread_reset_in_child(void)
{
	statistics_reset_in_child();
	program_watch_reset_in_child();
	thread_started = false;
}
