#include "softgpu/driver/kfd/kfd_events.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/kfd_abi.h"

#define EVENT_PAGE                                                                                         \
	UINT64_C(0xc000000000000000) /* any non-zero offset: with 0 the runtime's waiters never sleep here \
	                              */

struct event {
	bool live, raised, auto_reset;
	uint64_t last; /* of its settings, its number among all events' */
	uint32_t type;
	struct kfd_memory_fault fault;
};

static struct event events[KFD_EVENT_LIMIT];
static uint64_t settings; /* so far, of all events */
static uint32_t lowest;   /* no event below it is free: the runtime makes thousands at its start */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;

bool kfd_events_init(void)
{
	pthread_condattr_t attr;

	memset(events, 0, sizeof events);
	lowest = 1;
	pthread_mutex_init(&lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	return pthread_cond_init(&changed, &attr) == 0;
}

static struct event *event_of(uint32_t id)
{
	return id > 0 && id < KFD_EVENT_LIMIT && events[id].live ? &events[id] : NULL;
}

int kfd_event_create(struct kfd_create_event *a)
{
	uint32_t id;

	pthread_mutex_lock(&lock);
	while (lowest < KFD_EVENT_LIMIT && events[lowest].live)
		lowest++;
	id = lowest;
	if (id < KFD_EVENT_LIMIT)
		events[id] = (struct event){.live = true, .auto_reset = a->auto_reset, .type = a->type};
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
	e->last = ++settings;
}

/* Applies one change to an event and wakes everybody who may wait for it. */
static int change(uint32_t id, bool live, bool raised)
{
	struct event *e;

	pthread_mutex_lock(&lock);
	e = event_of(id);
	if (e) {
		e->live = live;
		if (!live && id < lowest)
			lowest = id;
		e->raised = false;
		if (raised)
			raise_event(e);
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return e ? 0 : EINVAL;
}

int kfd_event_destroy(uint32_t id)
{
	return change(id, false, false);
}

int kfd_event_set(uint32_t id)
{
	return change(id, true, true);
}

int kfd_event_reset(uint32_t id)
{
	return change(id, true, false);
}

void kfd_events_raise_memory_fault(uint64_t va, bool mapped, bool write)
{
	struct kfd_memory_fault fault = {.va = va & ~UINT64_C(4095), .gpu_id = KFD_GPU_ID};

	fault.not_present = !mapped;
	fault.read_only = mapped && write;
	fault.no_execute = mapped && !write;
	pthread_mutex_lock(&lock);
	for (uint32_t id = 1; id < KFD_EVENT_LIMIT; id++)
		if (events[id].live && events[id].type == KFD_EVENT_MEMORY) {
			events[id].fault = fault;
			raise_event(&events[id]);
		}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* --- waiting --- */
/* Settings that the thread knows of: what they announced, it could see when its last wait was over. */
static __thread uint64_t known;

/* Two threads of the runtime wait for one event that resets itself: one for a signal of its own, one for all signals.
 * What the first finds raised, the second may yet have to hear of. In the kernel (kfd_events.c) all hear of it who wait
 * by then, and a thread that was late hangs. Nobody is harmed who wakes for nothing: the runtime looks at its signals'
 * values. */
static bool lets_go(const struct event *e)
{
	return e->raised || e->last > known;
}

/* How many of the events let go, or -1 when one does not exist (any more). */
static int count_raised(const struct kfd_event_data *data, uint32_t count)
{
	int raised = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct event *e = event_of(data[i].event_id);

		if (!e)
			return -1;
		raised += lets_go(e);
	}
	return raised;
}

static void take(struct kfd_event_data *data, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct event *e = event_of(data[i].event_id);

		if (!lets_go(e))
			continue;
		if (e->type == KFD_EVENT_MEMORY)
			data[i].fault = e->fault;
		if (e->auto_reset)
			e->raised = false;
	}
}

static struct timespec deadline(uint32_t ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	if (t.tv_nsec >= 1000000000)
		t.tv_sec++, t.tv_nsec -= 1000000000;
	return t;
}

static bool sleep_more(uint32_t timeout, const struct timespec *until)
{
	if (timeout == 0)
		return false;
	if (timeout == KFD_WAIT_FOREVER)
		return pthread_cond_wait(&changed, &lock) == 0;
	return pthread_cond_timedwait(&changed, &lock, until) == 0;
}

int kfd_events_wait(struct kfd_wait_events *a)
{
	struct kfd_event_data *data = (struct kfd_event_data *)(uintptr_t)a->events;
	struct timespec until = deadline(a->timeout_ms == KFD_WAIT_FOREVER ? 0 : a->timeout_ms);
	bool more = true;
	int raised;

	pthread_mutex_lock(&lock);
	for (;;) {
		raised = count_raised(data, a->count);
		if (raised < 0 || raised >= (a->all ? (int)a->count : 1) || !more)
			break;
		more = sleep_more(a->timeout_ms, &until);
	}
	if (raised >= (a->all ? (int)a->count : 1)) {
		take(data, a->count);
		a->result = KFD_WAIT_COMPLETE;
	} else {
		a->result = KFD_WAIT_TIMEOUT;
	}
	known = settings;
	pthread_mutex_unlock(&lock);
	return raised < 0 ? EINVAL : 0;
}
