/* Which workers of a pool start, and when. */
#include <string.h>

#include "base/host_clock.h"
#include "gpu/controller/pool_members.h"

enum {
	/* To open a software GPU takes a worker as much time of a core, a part of it for kernels of its own that HIP
	 * compiles: another one starts only if jobs wait this long. */
	START_AFTER_MS = 500,
	/* A place elsewhere may wait for a machine: while no device is open, the next place starts after this time. */
	OTHER_PLACE_AFTER_MS = 2000,
};

bool pool_start_member(struct worker_pool *p, struct member *m, struct err *e)
{
	const struct place *at = &p->places[m->place];
	const struct worker_place place = {at->device, *at->via ? at->via : NULL};
	m->worker = worker_controller_start(&place, e);
	m->open = false;
	m->jobs = 0;
	m->last_ms = -1;
	return m->worker != NULL;
}

void pool_start_local_members(struct worker_pool *p)
{
	struct err e = {0}; /* a worker that does not start now is started later, where an error is reported */
	for (int i = 1; i < p->size; i++)
		if (!*p->places[p->members[i].place].via && !pool_start_member(p, &p->members[i], &e))
			return;
}

bool pool_has_workers_left(const struct worker_pool *p)
{
	for (int i = 0; i < p->size; i++)
		if (p->members[i].worker || !p->places[p->members[i].place].out)
			return true;
	return false;
}

bool pool_has_other_place(const struct worker_pool *p, int place)
{
	for (int i = 0; i < p->place_count; i++)
		if (i != place && !p->places[i].out)
			return true;
	return false;
}

/* --- more workers --- */
static int count_workers(const struct worker_pool *p)
{
	int n = 0;
	for (int i = 0; i < p->size; i++)
		n += p->members[i].worker != NULL;
	return n;
}

static size_t count_starting_workers(const struct worker_pool *p)
{
	size_t n = 0;
	for (int i = 0; i < p->size; i++)
		n += p->members[i].worker && !p->members[i].open;
	return n;
}

/* Where the fewest workers have died. */
static struct member *find_stopped_member(struct worker_pool *p)
{
	struct member *best = NULL;
	for (struct member *m = p->members; m < p->members + p->size; m++)
		if (!m->worker && !p->places[m->place].out &&
			(!best || p->places[m->place].deaths < p->places[best->place].deaths))
			best = m;
	return best;
}

/* False if there is none to start. */
static bool start_another_worker(struct worker_pool *p)
{
	struct err e = {0};
	struct member *m = find_stopped_member(p);
	if (!m)
		return false;
	if (pool_start_member(p, m, &e))
		return true;
	p->places[m->place].out = true;
	if (pool_has_workers_left(p))
		pool_report_death(p, m, e.text, "going on with fewer workers");
	else
		pool_die(p, e.text);
	return pool_has_workers_left(p);
}

static bool is_place_used(const struct worker_pool *p, int place)
{
	for (int i = 0; i < p->size; i++)
		if (p->members[i].worker && p->members[i].place == place)
			return true;
	return false;
}

/* While no device is open. */
static void start_in_another_place(struct worker_pool *p)
{
	if (!p->place_started_at)
		p->place_started_at = now_ms();
	if (p->device_record || now_ms() - p->place_started_at < OTHER_PLACE_AFTER_MS)
		return;
	for (struct member *m = p->members; m < p->members + p->size; m++) {
		struct err e = {0};
		if (m->worker || p->places[m->place].out || is_place_used(p, m->place))
			continue;
		p->places[m->place].out = !pool_start_member(p, m, &e);
		p->place_started_at = now_ms();
		return;
	}
}

void pool_start_wanted_workers(struct worker_pool *p)
{
	if (!p->jobs.queued || !p->device_record)
		p->waiting_since = 0;
	else if (!p->waiting_since)
		p->waiting_since = now_ms();
	while (!p->dead && !count_workers(p) && start_another_worker(p))
		;
	start_in_another_place(p);
	if (!p->waiting_since || now_ms() - p->waiting_since < START_AFTER_MS)
		return;
	for (size_t n = count_starting_workers(p); n < p->jobs.queued && start_another_worker(p);)
		n++;
}
