#include "cli/validate/validation_points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "cli/cli_support.h"
#include "experiments/analysis/sweep_estimate.h"

/* A point that is in the pool. */
struct pool_point {
	int point;
	struct sweep *sweep; /* of this point alone */
	double began;        /* now_seconds() when a worker began with it; 0: it waits for one */
};

struct measuring {
	struct validation *v;
	struct worker_pool *workers;
	const struct run_limit *limit;
	struct pool_point *sent; /* in the order of the validation */
	int sent_count, next, done;
	double started, shown; /* now_seconds(); shown: the progress, for the last time */
};

/* --- a point's start and end --- */
static void start_next_point(struct measuring *m)
{
	struct plan plan;
	struct err why;
	int point = m->next++;
	validation_make_plan(m->v, point, &plan);
	struct sweep *s = sweep_start(&plan, m->workers, NULL, NULL, &why);
	plan_free(&plan);
	if (s) {
		m->sent[m->sent_count++] = (struct pool_point){.point = point, .sweep = s};
		return;
	}
	validation_skip_point(m->v, point, why.text);
	m->done++;
}

/* As many as the pool wants, so that no worker waits for one. */
static void start_points(struct measuring *m)
{
	while (m->sent_count < worker_pool_wanted_jobs(m->workers) && m->next < m->v->point_count)
		start_next_point(m);
}

static void drop_sent_point(struct measuring *m, int at)
{
	sweep_free(m->sent[at].sweep);
	memmove(&m->sent[at], &m->sent[at + 1], (size_t)(--m->sent_count - at) * sizeof *m->sent);
	m->done++;
}

static void take_ended_points(struct measuring *m)
{
	for (int i = m->sent_count; i-- > 0;) {
		struct pool_point *p = &m->sent[i];
		const struct point *measured = sweep_points(p->sweep, NULL);
		if (!p->began && measured->status == POINT_RUNNING)
			p->began = now_seconds();
		if (sweep_state(p->sweep) == SWEEP_RUNNING)
			continue;
		if (sweep_state(p->sweep) == SWEEP_FAILED)
			validation_skip_point(m->v, p->point, sweep_status_text(p->sweep));
		else
			validation_compare_point(m->v, p->point, measured);
		drop_sent_point(m, i);
	}
}

/* --- limits --- */
static bool is_out_of_time(const struct measuring *m, double began)
{
	double now = now_seconds();
	return run_limit_is_over(m->limit, now - m->started, began ? now - began : 0);
}

static void skip_late_points(struct measuring *m)
{
	static const char late[] = "not done in time; --limit 0 removes the limit",
			  not_started[] = "not started in time; --limit 0 removes the limit";
	for (int i = m->sent_count; i-- > 0;) {
		struct pool_point *p = &m->sent[i];
		if (!is_out_of_time(m, p->began))
			continue;
		sweep_cancel(p->sweep);
		validation_skip_point(m->v, p->point, p->began ? late : not_started);
		drop_sent_point(m, i);
	}
	for (; m->next < m->v->point_count && is_out_of_time(m, 0); m->done++)
		validation_skip_point(m->v, m->next++, not_started);
}

/* --- the loop --- */
static double fraction_done(const struct measuring *m)
{
	double done = m->done;
	for (int i = 0; i < m->sent_count; i++)
		done += sweep_fraction(m->sent[i].sweep);
	return done / m->v->point_count;
}

static void show_validation_progress(struct measuring *m)
{
	enum { SHOWN_EVERY_MS = 100 };
	char text[200], left[48];
	double now = now_seconds();
	int running = 0;
	if (now - m->shown < SHOWN_EVERY_MS / 1000.0)
		return;
	for (int i = 0; i < m->sent_count; i++)
		running += m->sent[i].began > 0;
	estimate_format_left(fraction_done(m), now - m->started, left, sizeof left);
	snprintf(text, sizeof text, "%s  %d of %d points  %s%s%d running", m->v->points[m->sent[0].point].x->id,
		m->done, m->v->point_count, left, *left ? "  " : "", running);
	progress_show(text);
	m->shown = now;
}

static void pump_sent_points(struct measuring *m)
{
	command_pump_workers(m->workers);
	for (json_t *record; (record = command_next_record(m->workers)); json_decref(record))
		for (int i = 0; i < m->sent_count; i++)
			sweep_handle_record(m->sent[i].sweep, record);
}

static bool measure_until_done(struct measuring *m, struct err *e)
{
	for (;;) {
		skip_late_points(m);
		start_points(m);
		if (!m->sent_count)
			return true;
		show_validation_progress(m);
		pump_sent_points(m);
		take_ended_points(m);
		if (m->done < m->v->point_count && command_interrupted)
			return err_set(
				e, ST_INTERRUPTED, "interrupted; measured %d of %d points", m->done, m->v->point_count);
		if (m->done < m->v->point_count && worker_pool_state(m->workers) == WORKER_DEAD)
			return err_set(e, ST_FAILED, "%s", worker_pool_crash_text(m->workers));
	}
}

bool validation_measure_points(
	struct validation *v, struct worker_pool *w, const struct run_limit *limit, struct err *e)
{
	struct measuring m = {.v = v, .workers = w, .limit = limit, .started = now_seconds()};
	m.sent = xcalloc((size_t)v->point_count, sizeof *m.sent);
	bool ok = measure_until_done(&m, e);
	progress_clear();
	for (int i = 0; i < m.sent_count; i++) {
		sweep_cancel(m.sent[i].sweep);
		sweep_free(m.sent[i].sweep);
	}
	free(m.sent);
	return ok;
}
