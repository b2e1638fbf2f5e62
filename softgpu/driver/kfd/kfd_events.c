#include "softgpu/driver/kfd/kfd_events.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "softgpu/driver/faults/user_memory.h"
#include "softgpu/abi/kfd_abi.h"
#include "softgpu/driver/queues/submission_hold.h"
#include "softgpu/driver/time/host_monotonic.h"

/* Any nonzero offset: with 0 the runtime's waiters never sleep in WAIT_EVENTS. */
#define EVENT_PAGE UINT64_C(0xc000000000000000)
#define NS_PER_MS  UINT64_C(1000000)
/* Events of one wait, which may name an event more than once. The kernel's limit is the memory that it can allocate. */
#define KFD_WAIT_MAX (UINT32_C(1) << 16)

struct event {
	bool allocated, raised, auto_reset;
	uint64_t last_set; /* value of set_count when it was last set */
	uint32_t type;
	struct kfd_memory_fault fault;
};

static struct event events[KFD_EVENT_LIMIT];
static uint32_t waiters[KFD_EVENT_LIMIT]; /* how many threads wait for each */
static uint64_t set_count;                /* how often any event was set */
static uint32_t first_free;               /* all events below it are in use; the runtime creates thousands at startup */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;

bool kfd_events_init(void)
{
	pthread_condattr_t attr;

	memset(events, 0, sizeof events);
	memset(waiters, 0, sizeof waiters);
	first_free = 1;
	pthread_mutex_init(&lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	return pthread_cond_init(&changed, &attr) == 0;
}

static struct event *find_event(uint32_t id)
{
	return id > 0 && id < KFD_EVENT_LIMIT && events[id].allocated ? &events[id] : NULL;
}

int kfd_event_create(struct kfd_create_event *a)
{
	uint32_t id;

	pthread_mutex_lock(&lock);
	while (first_free < KFD_EVENT_LIMIT && events[first_free].allocated)
		first_free++;
	id = first_free;
	if (id < KFD_EVENT_LIMIT)
		events[id] = (struct event){.allocated = true, .auto_reset = a->auto_reset, .type = a->type};
	pthread_mutex_unlock(&lock);
	if (id == KFD_EVENT_LIMIT)
		return ENOSPC;
	a->event_id = a->slot = a->trigger_data = id;
	if (a->type == KFD_EVENT_SIGNAL || a->type == KFD_EVENT_DEBUG)
		a->page_offset = EVENT_PAGE;
	return 0;
}

static void raise_event(struct event *e)
{
	e->raised = true;
	e->last_set = ++set_count;
}

/* Changes an event and wakes the threads if one waits for it. */
static int update_event(uint32_t id, bool allocated, bool raised)
{
	struct event *e;

	pthread_mutex_lock(&lock);
	e = find_event(id);
	if (e) {
		e->allocated = allocated;
		if (!allocated && id < first_free)
			first_free = id;
		e->raised = false;
		if (raised)
			raise_event(e);
		if (waiters[id])
			pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return e ? 0 : EINVAL;
}

int kfd_event_destroy(uint32_t id)
{
	return update_event(id, false, false);
}

int kfd_event_set(uint32_t id)
{
	return update_event(id, true, true);
}

int kfd_event_reset(uint32_t id)
{
	return update_event(id, true, false);
}

void kfd_events_raise_memory_fault(uint32_t gpu_id, uint64_t va, bool mapped, bool write)
{
	struct kfd_memory_fault fault = {.va = va & ~UINT64_C(4095), .gpu_id = gpu_id};

	fault.not_present = !mapped;
	fault.read_only = mapped && write;
	fault.no_execute = mapped && !write;
	pthread_mutex_lock(&lock);
	for (uint32_t id = 1; id < KFD_EVENT_LIMIT; id++)
		if (events[id].allocated && events[id].type == KFD_EVENT_MEMORY) {
			events[id].fault = fault;
			raise_event(&events[id]);
		}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* --- waiting --- */
/* set_count at the end of this thread's last wait: the thread could see all events set before. */
static __thread uint64_t thread_set_count;

/* Two threads of the runtime wait for the same auto-reset event: one for its own signal, one for all signals. If the
 * first resets the event, the second may miss it. The kernel (kfd_events.c) wakes only those already waiting, and a
 * late thread hangs. A spurious wakeup is harmless: the runtime checks its signals' values. */
static bool is_signaled(const struct event *e, uint64_t seen)
{
	return e->raised || e->last_set > seen;
}

struct waiting {
	struct kfd_event_data *data; /* the program's */
	uint64_t seen;               /* thread_set_count */
	uint32_t count;
	uint32_t ids[]; /* of the events */
};

/* For the caller to free. NULL with EFAULT or ENOMEM. */
static struct waiting *copy_waiting(const struct kfd_wait_events *a)
{
	struct kfd_event_data *data = (struct kfd_event_data *)(uintptr_t)a->events, copy;
	struct waiting *w = NULL;

	errno = ENOMEM;
	if (a->count <= KFD_WAIT_MAX)
		w = malloc(sizeof *w + a->count * sizeof *w->ids);
	if (!w)
		return NULL;
	w->data = data;
	w->seen = thread_set_count;
	w->count = a->count;
	for (uint32_t i = 0; i < w->count; i++) {
		if (!copy_from_user(&copy, &data[i], sizeof copy)) {
			free(w);
			errno = EFAULT;
			return NULL;
		}
		w->ids[i] = copy.event_id;
	}
	return w;
}

/* Number of signaled events; -1 if one does not exist (anymore). */
static int count_signaled(const struct waiting *w)
{
	int raised = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		const struct event *e = find_event(w->ids[i]);

		if (!e)
			return -1;
		raised += is_signaled(e, w->seen);
	}
	return raised;
}

/* 0 or EFAULT. The fault is the first member of the event data, whose address need not be aligned. */
static int consume_signaled(const struct waiting *w)
{
	int error = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		struct event *e = find_event(w->ids[i]);

		if (!is_signaled(e, w->seen))
			continue;
		if (e->type == KFD_EVENT_MEMORY && !copy_to_user(&w->data[i], &e->fault, sizeof e->fault))
			error = EFAULT;
		if (e->auto_reset)
			e->raised = false;
	}
	return error;
}

/* An event may be destroyed during the wait, and its number used again; threads that wait for the number count. */
static void count_waiter(const struct waiting *w, int change)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (w->ids[i] < KFD_EVENT_LIMIT)
			waiters[w->ids[i]] += (uint32_t)change;
}

static bool wait_for_change(uint32_t timeout, const struct timespec *until)
{
	if (timeout == 0)
		return false;
	if (timeout == KFD_WAIT_FOREVER)
		return pthread_cond_wait(&changed, &lock) == 0;
	return pthread_cond_timedwait(&changed, &lock, until) == 0;
}

static int wait_for_events(struct kfd_wait_events *a, const struct waiting *w)
{
	struct timespec until = host_monotonic_after(a->timeout_ms == KFD_WAIT_FOREVER ? 0 : a->timeout_ms * NS_PER_MS);
	int raised, wanted = a->all ? (int)a->count : 1, error = 0;
	bool waiting = true;

	pthread_mutex_lock(&lock);
	count_waiter(w, 1);
	for (;;) {
		raised = count_signaled(w);
		if (raised < 0 || raised >= wanted || !waiting)
			break;
		waiting = wait_for_change(a->timeout_ms, &until);
	}
	count_waiter(w, -1);
	if (raised >= wanted) {
		error = consume_signaled(w);
		a->result = KFD_WAIT_COMPLETE;
	} else {
		error = raised < 0 ? EINVAL : 0;
		a->result = KFD_WAIT_TIMEOUT;
	}
	thread_set_count = set_count;
	pthread_mutex_unlock(&lock);
	return error;
}

/* For the device thread. A wait for all events is over with the first one: the thread looks at the others itself. */
static bool is_event_wait_over(const void *what)
{
	pthread_mutex_lock(&lock);
	const bool over = count_signaled(what) != 0;
	pthread_mutex_unlock(&lock);
	return over;
}

int kfd_events_wait(struct kfd_wait_events *a)
{
	struct waiting *w = copy_waiting(a);
	const struct submission_wait wait = {is_event_wait_over, w};
	int error;

	if (!w)
		return errno;
	submission_hold_begin_wait(&wait);
	error = wait_for_events(a, w);
	submission_hold_end_wait();
	free(w);
	return error;
}
