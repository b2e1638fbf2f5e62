#include "tui/classroom/open_connections.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/buf.h"
#include "base/host_clock.h"

enum { SPARE = 100 /* places that stay for those who come next */ };

struct open_connection {
	int fd;
	in_addr_t address;
	long long deadline; /* now_ms */
	bool is_shut;       /* its owner has not removed it yet */
};

struct open_connections {
	int limit_ms;
	pthread_t watcher;
	pthread_mutex_t lock; /* protects the rest */
	pthread_cond_t changed;
	bool ending;
	struct open_connection list[OPEN_CONNECTIONS_MAX]; /* oldest first */
	int count;
};

/* NULL if all are shut. */
static struct open_connection *find_oldest(struct open_connections *o)
{
	for (int i = 0; i < o->count; i++)
		if (!o->list[i].is_shut)
			return &o->list[i];
	return NULL;
}

static int count_unshut(const struct open_connections *o)
{
	int n = 0;
	for (int i = 0; i < o->count; i++)
		n += !o->list[i].is_shut;
	return n;
}

/* Of this address, if there are `most` of them; else NULL. */
static struct open_connection *find_surplus(struct open_connections *o, in_addr_t address, int most)
{
	struct open_connection *oldest = NULL;
	int n = 0;
	for (int i = o->count - 1; i >= 0; i--)
		if (!o->list[i].is_shut && o->list[i].address == address) {
			oldest = &o->list[i];
			n++;
		}
	return n >= most ? oldest : NULL;
}

/* The server finds the end of the stream, and closes the socket. */
static void shut_connection(struct open_connection *c)
{
	shutdown(c->fd, SHUT_RDWR);
	c->is_shut = true;
}

static void *watch_connections(void *ctx)
{
	struct open_connections *o = ctx;
	pthread_mutex_lock(&o->lock);
	while (!o->ending) {
		struct open_connection *c = find_oldest(o);
		if (!c)
			pthread_cond_wait(&o->changed, &o->lock);
		else if (c->deadline <= now_ms())
			shut_connection(c);
		else {
			struct timespec at = {.tv_sec = c->deadline / 1000, .tv_nsec = c->deadline % 1000 * 1000000};
			pthread_cond_timedwait(&o->changed, &o->lock, &at);
		}
	}
	pthread_mutex_unlock(&o->lock);
	return NULL;
}

static void init_condition(pthread_cond_t *c)
{
	pthread_condattr_t monotonic; /* as now_ms */
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(c, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

static void free_open_connections(struct open_connections *o)
{
	pthread_cond_destroy(&o->changed);
	pthread_mutex_destroy(&o->lock);
	free(o);
}

struct open_connections *open_connections_start(int limit_ms)
{
	struct open_connections *o = xcalloc(1, sizeof *o);
	o->limit_ms = limit_ms;
	pthread_mutex_init(&o->lock, NULL);
	init_condition(&o->changed);
	if (!pthread_create(&o->watcher, NULL, watch_connections, o))
		return o;
	free_open_connections(o);
	return NULL;
}

void open_connections_stop(struct open_connections *o)
{
	if (!o)
		return;
	pthread_mutex_lock(&o->lock);
	o->ending = true;
	pthread_cond_signal(&o->changed);
	pthread_mutex_unlock(&o->lock);
	pthread_join(o->watcher, NULL);
	free_open_connections(o);
}

void open_connections_add(struct open_connections *o, int fd, in_addr_t address, int most)
{
	pthread_mutex_lock(&o->lock);
	struct open_connection *surplus = find_surplus(o, address, most);
	if (surplus)
		shut_connection(surplus);
	if (count_unshut(o) >= OPEN_CONNECTIONS_MAX - SPARE)
		shut_connection(find_oldest(o));
	if (o->count < OPEN_CONNECTIONS_MAX)
		o->list[o->count++] =
			(struct open_connection){.fd = fd, .address = address, .deadline = now_ms() + o->limit_ms};
	else
		shutdown(fd, SHUT_RDWR); /* it could not be watched */
	pthread_cond_signal(&o->changed);
	pthread_mutex_unlock(&o->lock);
}

void open_connections_remove(struct open_connections *o, int fd)
{
	pthread_mutex_lock(&o->lock);
	int i = 0;
	while (i < o->count && o->list[i].fd != fd)
		i++;
	if (i < o->count) {
		memmove(&o->list[i], &o->list[i + 1], (size_t)(o->count - i - 1) * sizeof *o->list);
		o->count--;
	}
	pthread_mutex_unlock(&o->lock);
}
