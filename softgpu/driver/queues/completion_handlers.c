#include "softgpu/driver/queues/completion_handlers.h"

#include <pthread.h>
#include <stdlib.h>

#include "softgpu/driver/queues/driver_thread.h"
#include "softgpu/driver/queues/hsa_signals.h"
#include "softgpu/driver/queues/submission_hold.h"
#include "softgpu/driver/time/host_monotonic.h"

struct entry {
	struct completion_handler h;
	struct entry *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t added = PTHREAD_COND_INITIALIZER, returned = PTHREAD_COND_INITIALIZER;
static struct entry *first, **end = &first; /* in the order in which they were registered */
static struct entry *running;               /* taken off the list while its function runs */
static bool running_dropped;
static bool started;
static pthread_t thread;

/* --- the list; with the lock --- */
static void append(struct entry *e)
{
	e->next = NULL;
	*end = e;
	end = &e->next;
}

/* Takes *at off the list. */
static struct entry *take_off(struct entry **at)
{
	struct entry *e = *at;

	*at = e->next;
	if (end == &e->next)
		end = at;
	return e;
}

static bool is_due(const struct completion_handler *h, int64_t *value)
{
	const struct amd_signal *s = (const struct amd_signal *)(uintptr_t)h->signal;

	*value = __atomic_load_n(&s->value, __ATOMIC_ACQUIRE);
	return hsa_condition_is_met(*value, h->condition, h->compare);
}

static struct entry *take_due(int64_t *value)
{
	for (struct entry **at = &first; *at; at = &(*at)->next)
		if (is_due(&(*at)->h, value))
			return take_off(at);
	return NULL;
}

/* --- the thread --- */
/* Calls the handlers that are due, without the lock: they register others. */
static bool call_due(void)
{
	int64_t value;
	bool any = false, again;

	while ((running = take_due(&value))) {
		running_dropped = false;
		pthread_mutex_unlock(&lock);
		again = running->h.function(value, running->h.argument);
		pthread_mutex_lock(&lock);
		if (again && !running_dropped)
			append(running);
		else
			free(running);
		any = true;
	}
	pthread_cond_broadcast(&returned);
	return any;
}

/* A handler is due, so the thread will go on. For the device thread, which does not wait for the list. */
static bool is_any_due(const void *unused)
{
	bool due = false;
	int64_t value;

	(void)unused;
	if (pthread_mutex_trylock(&lock))
		return true;
	for (const struct entry *e = first; e && !due; e = e->next)
		due = is_due(&e->h, &value);
	pthread_mutex_unlock(&lock);
	return due;
}

/* What handlers do belongs to the program: they may submit work. */
static void *run_completion_thread(void *unused)
{
	const struct submission_wait wait = {is_any_due, NULL};
	ns_t since = 0; /* the last handler that was called, or the first that was added */

	(void)unused;
	pthread_setname_np(pthread_self(), "softgpu-signals");
	submission_hold_begin();
	pthread_mutex_lock(&lock);
	for (;;) {
		uint32_t seen;

		while (!first) {
			submission_hold_begin_wait(&wait);
			pthread_cond_wait(&added, &lock);
			since = host_monotonic_ns();
		}
		submission_hold_end_wait();
		seen = hsa_signals_generation();
		if (call_due()) {
			since = host_monotonic_ns();
			continue;
		}
		pthread_mutex_unlock(&lock);
		submission_hold_begin_wait(&wait);
		hsa_signals_wait_change(seen, hsa_signals_poll_delay(host_monotonic_ns() - since));
		pthread_mutex_lock(&lock);
	}
	return NULL;
}

static bool start_thread(void)
{
	started = started || driver_thread_start(run_completion_thread, &thread);
	return started;
}

/* --- for the hooks --- */
bool completion_handlers_add(const struct completion_handler *h)
{
	struct entry *e = malloc(sizeof *e);
	bool was_empty, ok = false;
	int64_t value;

	if (!e)
		return false;
	e->h = *h;
	pthread_mutex_lock(&lock);
	if (start_thread()) {
		was_empty = !first;
		append(e);
		ok = true;
		if (was_empty)
			pthread_cond_signal(&added);
		else if (is_due(h, &value))
			hsa_signals_notify();
	}
	pthread_mutex_unlock(&lock);
	if (!ok)
		free(e);
	return ok;
}

void completion_handlers_drop(uint64_t signal)
{
	pthread_mutex_lock(&lock);
	for (struct entry **at = &first; *at;)
		if (!signal || (*at)->h.signal == signal)
			free(take_off(at));
		else
			at = &(*at)->next;
	if (running && (!signal || running->h.signal == signal))
		running_dropped = true;
	while (!signal && running && !pthread_equal(pthread_self(), thread))
		pthread_cond_wait(&returned, &lock);
	pthread_mutex_unlock(&lock);
}

void completion_handlers_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	pthread_cond_init(&added, NULL);
	pthread_cond_init(&returned, NULL);
	first = running = NULL; /* leaked: the list may have been half changed */
	end = &first;
	started = false;
}
