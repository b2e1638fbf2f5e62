#include "softgpu/driver/queue.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "softgpu/driver/kfd_abi.h"
#include "softgpu/driver/device.h"
#include "softgpu/driver/doorbell.h"
#include "softgpu/driver/hooks.h"
#include "softgpu/driver/memory.h"
#include "softgpu/driver/together.h"
#include "softgpu/driver/trace.h"

#define SPIN_NS 30000         /* busy looks for the next packet before the thread sleeps: a few launch latencies */
#define BLOCKED_NS 50000      /* between looks at a value that no doorbell announces */
#define STOP_RETRY_NS 1000000
#define UTILITY 0             /* the runtime makes its own queue first */
#define PATIENCE 1000         /* rounds that other queues may keep the runtime's waiting */

static struct queue queues[QUEUE_LIMIT];
static _Atomic(struct queue *) current;
static bool started;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER; /* creation */

/* The device's memory grows as kernels and copies touch it; the host is not to be driven into its OOM killer by that. */
static void check_budget(void)
{
	static uint64_t budget;

	if (!budget)
		budget = memory_budget();
	if (memory_committed() <= budget)
		return;
	complain("device memory takes %lu MiB of host memory, more than its budget of %lu MiB (host_memory_percent); "
		 "use smaller buffers", (unsigned long)(memory_committed() >> 20), (unsigned long)(budget >> 20));
	abort();
}

/* --- the device thread ---------------------------------------------------------------------------------------------- */
static enum step step_one(struct device *d, struct queue *q)
{
	enum step step = STEP_NOTHING;

	if (q->kind == QUEUE_NONE)
		return STEP_NOTHING;
	device_lock_last();
	memory_settle();
	if (together_held()) {
		step = STEP_BLOCKED;
	} else if (q->kind != QUEUE_NONE && q->active && !q->halted) {
		current = q;
		together_enter(q);
		step = q->kind == QUEUE_AQL ? aql_step(d, q) : sdma_step(d, q);
		together_leave(q);
		if (step == STEP_DONE)
			check_budget();
		current = NULL;
	}
	device_unlock();
	return step;
}

static bool utility_ready(struct device *d)
{
	bool ready;

	if (queues[UTILITY].kind != QUEUE_AQL || !queues[UTILITY].active || queues[UTILITY].halted)
		return false;
	device_lock_last();
	memory_settle();
	ready = queues[UTILITY].kind == QUEUE_AQL && aql_ready(d, &queues[UTILITY]);
	device_unlock();
	return ready;
}

/* One packet of each queue. The runtime's own queue is looked at first and served last: it copies code objects while the
 * program's packets, which came earlier, may still lie there. Served the other way round, an event in front of a first launch
 * would sometimes have the copy before it and sometimes behind it. */
static enum step step_all(struct device *d)
{
	static unsigned passed_over;
	enum step most = STEP_NOTHING;
	bool utility = utility_ready(d);

	for (unsigned i = UTILITY + 1; i < QUEUE_LIMIT; i++) {
		enum step step = step_one(d, &queues[i]);

		if (step == STEP_DONE || most == STEP_NOTHING)
			most = step;
	}
	if (!utility || (most == STEP_DONE && ++passed_over < PATIENCE))
		return most;
	passed_over = 0;
	return step_one(d, &queues[UTILITY]);
}

static uint64_t host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static enum step spin(struct device *d)
{
	uint64_t until = host_ns() + SPIN_NS;
	enum step step;

	do {
		step = step_all(d);
	} while (step != STEP_DONE && host_ns() < until);
	return step;
}

static void *device_thread(void *argument)
{
	struct device *d = argument;

	pthread_setname_np(pthread_self(), "softgpu");
	for (;;) {
		enum step step = spin(d);
		bool armed;

		if (step == STEP_DONE)
			continue;
		if (step == STEP_NOTHING) {
			device_lock_last();
			together_idle();
			device_unlock();
		}
		armed = doorbell_arm();
		step = step_all(d);
		doorbell_sleep(step == STEP_DONE ? 1 : step == STEP_NOTHING && armed ? 0 : BLOCKED_NS);
	}
	return NULL;
}

/* With every signal blocked but those that a fault of our own raises. */
static bool start_thread(struct device *d)
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

/* --- calls ---------------------------------------------------------------------------------------------------------- */
static bool sensible(const struct kfd_create_queue *a)
{
	return a->ring_bytes >= KFD_MIN_RING_BYTES && (a->ring_bytes & (a->ring_bytes - 1)) == 0 &&
	       a->ring % 256 == 0 && a->read_pointer && a->write_pointer;
}

static enum queue_kind kind_of(uint32_t type)
{
	switch (type) {
	case KFD_QUEUE_AQL: return QUEUE_AQL;
	case KFD_QUEUE_SDMA: return QUEUE_SDMA;
	default: return QUEUE_NONE;
	}
}

/* The device thread may be in the middle of a launch; it sees the queue once its kind is there. */
static int create_locked(struct device *d, struct kfd_create_queue *a)
{
	uint32_t id = 0;

	while (id < QUEUE_LIMIT && queues[id].kind != QUEUE_NONE)
		id++;
	if (id == QUEUE_LIMIT || !start_thread(d))
		return ENOMEM;
	d->doorbells[id] = 0;
	queues[id].active = a->percentage > 0;
	queues[id].halted = queues[id].scratch_wanted = false;
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

int queue_create(struct device *d, struct kfd_create_queue *a)
{
	int error;

	if (!sensible(a) || kind_of(a->type) == QUEUE_NONE)
		return EINVAL;
	hooks_find_hip();
	pthread_mutex_lock(&table);
	error = create_locked(d, a);
	pthread_mutex_unlock(&table);
	doorbell_wake();
	trace(TRACE_CALLS, "  queue %u type %u ring %#lx %u bytes", a->queue_id, a->type, a->ring,
	      a->ring_bytes);
	return error;
}

/* Takes the device from the thread, stopping what runs on queue `id`; other queues finish their packet. */
static void take_device(struct device *d, uint32_t id)
{
	while (!device_lock_within(STOP_RETRY_NS)) /* again and again: a stop just before the launch starts is lost */
		if (current == &queues[id])
			gpu_stop(d->gpu);
}

int queue_update(struct device *d, const struct kfd_update_queue *a)
{
	uint32_t id = a->queue_id;

	if (id >= QUEUE_LIMIT || queues[id].kind == QUEUE_NONE)
		return EINVAL;
	if (a->ring_bytes && a->ring != queues[id].ring) {
		take_device(d, id);
		queues[id].ring = a->ring;
		queues[id].size = a->ring_bytes;
		device_unlock();
	}
	queues[id].active = a->percentage > 0;
	doorbell_wake();
	return 0;
}

int queue_destroy(struct device *d, uint32_t id)
{
	if (id >= QUEUE_LIMIT || queues[id].kind == QUEUE_NONE)
		return EINVAL;
	queues[id].active = false;
	take_device(d, id);
	queues[id].kind = QUEUE_NONE;
	device_unlock();
	return 0;
}

void queues_forget(void)
{
	for (unsigned i = 0; i < QUEUE_LIMIT; i++)
		queues[i].kind = QUEUE_NONE;
	current = NULL;
	started = false;
	pthread_mutex_init(&table, NULL);
}
