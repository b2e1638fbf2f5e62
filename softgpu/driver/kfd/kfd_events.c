#include "softgpu/driver/kfd/kfd_events.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "softgpu/driver/kfd/kfd_abi.h"
#include "softgpu/driver/time/host_monotonic.h"

/* Any nonzero offset: with 0 the runtime's waiters never sleep in WAIT_EVENTS. */
#define EVENT_PAGE UINT64_C(0xc000000000000000)
#define NS_PER_MS  UINT64_C(1000000)

struct event {
	bool allocated, raised, auto_reset;
	uint64_t last_set; /* value of set_count when it was last set */
	uint32_t type;
	struct kfd_memory_fault fault;
};

static struct event events[KFD_EVENT_LIMIT];
static uint64_t set_count;  /* how often any event was set */
static uint32_t first_free; /* all events below it are in use; the runtime creates thousands at startup */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;

bool kfd_events_init(void)
{
	pthread_condattr_t attr;

	memset(events, 0, sizeof events);
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

/* Changes an event and wakes all waiting threads. */
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
static bool is_signaled(const struct event *e)
{
	return e->raised || e->last_set > thread_set_count;
}

/* Number of signaled events; -1 if one does not exist (anymore). */
static int count_signaled(const struct kfd_event_data *data, uint32_t count)
{
	int raised = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct event *e = find_event(data[i].event_id);

		if (!e)
			return -1;
		raised += is_signaled(e);
	}
	return raised;
}

static void consume_signaled(struct kfd_event_data *data, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct event *e = find_event(data[i].event_id);

		if (!is_signaled(e))
			continue;
		if (e->type == KFD_EVENT_MEMORY)
			data[i].fault = e->fault;
		if (e->auto_reset)
			e->raised = false;
	}
}

static bool wait_for_change(uint32_t timeout, const struct timespec *until)
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
	struct timespec until = host_monotonic_after(a->timeout_ms == KFD_WAIT_FOREVER ? 0 : a->timeout_ms * NS_PER_MS);
	bool waiting = true;
	int raised;

	pthread_mutex_lock(&lock);
	for (;;) {
		raised = count_signaled(data, a->count);
		if (raised < 0 || raised >= (a->all ? (int)a->count : 1) || !waiting)
			break;
		waiting = wait_for_change(a->timeout_ms, &until);
	}
	if (raised >= (a->all ? (int)a->count : 1)) {
		consume_signaled(data, a->count);
		a->result = KFD_WAIT_COMPLETE;
	} else {
		a->result = KFD_WAIT_TIMEOUT;
	}
	thread_set_count = set_count;
	pthread_mutex_unlock(&lock);
	return raised < 0 ? EINVAL : 0;
}
