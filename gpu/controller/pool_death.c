/* What follows when a worker of a pool dies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/controller/pool_members.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/header_record.h"

enum {
	DEATHS_IN_A_ROW = 3, /* without a result: the place or the installation is at fault, not the job */
	REOPENINGS = 20,     /* as above, before the device is open, where it has been open */
	WHERE_MAX = 200,
};

void pool_deliver_record(struct worker_pool *p, json_t *record)
{
	json_array_append_new(p->records, record);
}

/* "node7: ", for people; "" if the pool has one place. */
static void format_place(const struct worker_pool *p, const struct member *m, char out[WHERE_MAX])
{
	const struct place *at = &p->places[m->place];
	*out = 0;
	if (p->place_count > 1)
		snprintf(out, WHERE_MAX, "%.150s: ", *at->via ? at->via : at->device);
}

void pool_report_death(struct worker_pool *p, const struct member *m, const char *why, const char *then)
{
	char where[WHERE_MAX];
	format_place(p, m, where);
	char *text = xasprintf("%s%s; %s", where, why, then);
	pool_deliver_record(p, json_pack("{s:s, s:o}", "type", "death", "text", json_utf8_string(text)));
	free(text);
}

void pool_die(struct worker_pool *p, const char *why)
{
	snprintf(p->crash_text, sizeof p->crash_text, "%s", why);
	p->dead = true;
}

void pool_leave_out_other_device(struct worker_pool *p, struct member *m, const json_t *record)
{
	char *why = xasprintf("this is another device, %s (%s), not %s (%s)", device_get_name(record),
		device_get_arch(record), device_get_name(p->device_record), device_get_arch(p->device_record));
	p->places[m->place].out = true;
	worker_controller_close_async(m->worker);
	m->worker = NULL;
	if (pool_has_workers_left(p))
		pool_report_death(p, m, why, "going on without it");
	else
		pool_die(p, why);
	free(why);
}

/* --- death --- */
/* The job that a dead worker was measuring is queued again, until it has ended too many workers. */
static void retry_job(struct worker_pool *p, const struct member *m, struct pool_job *job, const char *why)
{
	char then[80];
	job->avoid = m->place;
	if (++job->deaths < JOB_TRIES) {
		snprintf(then, sizeof then, "trying the point again (%d of %d)", job->deaths + 1, JOB_TRIES);
		pool_report_death(p, m, why, then);
		return;
	}
	snprintf(then, sizeof then, "giving the point up after %d tries", JOB_TRIES);
	pool_report_death(p, m, why, then);
	struct err death = {.status = ST_FAILED};
	snprintf(death.text, sizeof death.text, "%s", why);
	pool_deliver_record(p, record_build_failed_point(job->id, job->point, &death));
	pool_jobs_remove(&p->jobs, job);
	if (++p->failed_in_a_row >= DEATHS_IN_A_ROW)
		pool_die(p,
			"giving up after three points in a row that ended their workers; `wavedeck doctor` checks the installation");
}

/* A place is left out if it cannot open the device, or if worker after worker dies while other places work. */
static bool is_place_hopeless(struct worker_pool *p, const struct member *m, enum status *status)
{
	const struct place *at = &p->places[m->place];
	if (worker_controller_open_failed(m->worker, status))
		return true;
	return at->unopened >= (at->was_open ? REOPENINGS : DEATHS_IN_A_ROW) ||
		(at->deaths >= DEATHS_IN_A_ROW && pool_has_other_place(p, m->place));
}

/* The other workers that are opening a device in a place that is left out would report the same. */
static void close_starting_workers(struct worker_pool *p, int place)
{
	for (struct member *m = p->members; m < p->members + p->size; m++)
		if (m->place == place && m->worker && !m->open) {
			worker_controller_close_async(m->worker);
			m->worker = NULL;
		}
}

bool pool_goes_on_without(const struct worker_pool *p, const struct member *m)
{
	for (int i = 0; i < p->size; i++)
		if (p->members[i].open && i != m->index)
			return true;
	return pool_has_other_place(p, m->place);
}

static void choose_speaker(struct worker_pool *p)
{
	p->speaker = NULL;
	for (int i = 0; i < p->size && !p->speaker; i++)
		if (p->members[i].open)
			p->speaker = &p->members[i];
}

void pool_bury_worker(struct worker_pool *p, struct member *m)
{
	enum status status = ST_FAILED;
	bool was_open = m->open;
	char *why = xstrdup(worker_controller_crash_text(m->worker));
	bool expected = worker_controller_is_ending(m->worker); /* its jobs are not the cause: it began none of them */
	p->places[m->place].deaths++;
	p->places[m->place].unopened += !was_open;
	bool hopeless = is_place_hopeless(p, m, &status);
	p->places[m->place].out |= hopeless;
	p->open_failed = hopeless && !was_open && !p->device_record;
	p->open_status = status;
	worker_controller_close(m->worker); /* already dead: this only frees it */
	m->worker = NULL;
	m->open = false;
	m->jobs = 0;
	m->deaths++;
	if (hopeless)
		close_starting_workers(p, m->place);
	choose_speaker(p);
	struct pool_job *job = pool_jobs_take_back(&p->jobs, m->index);
	if (!pool_has_workers_left(p))
		pool_die(p, why);
	else if (hopeless)
		pool_report_death(p, m, why, "going on without it");
	if (job && !p->dead && !expected)
		retry_job(p, m, job, why);
	else if (was_open && !hopeless)
		pool_report_death(p, m, why, "continuing with a new worker");
	free(why);
}
