#include "tui/views/workers/worker_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */
static const struct {
	const char *name;
	enum worker_column column;
} sorts[WORKER_SORTS] = {
	[BY_WORKER] = {"worker", WORKER_NUMBER},
	[BY_WORKER_TIME] = {"time", WORKER_TIME},
	[BY_WORKER_DONE] = {"done", WORKER_DONE},
	[BY_WORKER_DEATHS] = {"deaths", WORKER_DEATHS},
};

const char *worker_sort_name(enum worker_sort sort)
{
	return sorts[sort].name;
}

const char *worker_state_name(enum worker_row_state state)
{
	static const char *const names[WORKER_ROW_STATES] = {
		[WORKER_ROW_NOT_STARTED] = "not started",
		[WORKER_ROW_STARTING] = "starting",
		[WORKER_ROW_READY] = "ready",
		[WORKER_ROW_COMPILING] = "compiling",
		[WORKER_ROW_RUNNING] = "running",
		[WORKER_ROW_ENDED] = "ended",
	};
	return names[state];
}

const char *worker_column_head(const struct worker_rows *r, enum worker_column c)
{
	static const char *const heads[WORKER_COLUMNS] = {
		[WORKER_NUMBER] = "worker",
		[WORKER_HOST] = "host",
		[WORKER_DEVICE] = "device",
		[WORKER_STATE] = "state",
		[WORKER_POINT] = "point",
		[WORKER_VALUE] = "value",
		[WORKER_TIME] = "time",
		[WORKER_DONE] = "done",
		[WORKER_DEATHS] = "deaths",
		[WORKER_PID] = "pid",
	};
	return c == WORKER_VALUE && r->swept ? r->swept->id : heads[c];
}

/* --- reading --- */
/* The pool also serves other views; their points are not of this sweep. A canceled point runs until its dispatch ends.
 */
static const struct point *find_worker_point(const struct app *a, const struct worker_status *s)
{
	int count = 0;
	const struct point *points = a->sweep ? sweep_points(a->sweep, &count) : NULL;
	if (!s->job || s->point < 0 || s->point >= count)
		return NULL;
	const struct point *p = &points[s->point];
	return p->status <= POINT_RUNNING || p->status == POINT_CANCELLED ? p : NULL;
}

static enum worker_row_state find_row_state(const struct worker_status *s, const struct job_progress *known)
{
	if (s->job)
		return known->job == s->job && known->compiling ? WORKER_ROW_COMPILING : WORKER_ROW_RUNNING;
	if (s->state == WORKER_DEAD)
		return s->started ? WORKER_ROW_ENDED : WORKER_ROW_NOT_STARTED;
	return s->state == WORKER_STARTING ? WORKER_ROW_STARTING : WORKER_ROW_READY;
}

static void read_row(const struct app *a, const struct job_progress *known, int i, struct worker_rows *out)
{
	struct worker_row *r = &out->list[i];
	worker_pool_get_status(a->workers, i, &r->at);
	const struct job_progress *job = &known[r->at.job % JOB_PROGRESS_SLOTS];
	r->state = find_row_state(&r->at, job);
	r->part = r->at.job && job->job == r->at.job ? job->part : 0;
	r->point = find_worker_point(a, &r->at);
	out->running += r->at.job != 0;
	out->done += r->at.done;
	out->deaths += r->at.deaths;
}

static double sort_value(const struct worker_row *r, enum worker_sort sort)
{
	switch (sort) {
	case BY_WORKER_TIME: return r->at.job ? r->at.job_seconds : -1;
	case BY_WORKER_DONE: return r->at.done;
	case BY_WORKER_DEATHS: return r->at.deaths;
	default: return 0;
	}
}

struct worker_order {
	const struct worker_rows *rows;
	enum worker_sort sort;
};

/* The largest value first; equal ones by worker. */
static int compare_worker_rows(const void *a, const void *b, void *ctx)
{
	const struct worker_order *o = ctx;
	int i = *(const int *)a, k = *(const int *)b;
	double x = sort_value(&o->rows->list[i], o->sort), y = sort_value(&o->rows->list[k], o->sort);
	return x != y ? (x < y) - (x > y) : i - k;
}

void worker_rows_read(
	const struct app *a, const struct job_progress *known, enum worker_sort sort, struct worker_rows *out)
{
	*out = (struct worker_rows){.axis = -1};
	const struct plan *p = a->sweep ? sweep_plan(a->sweep) : NULL;
	if (p && p->axis_count) {
		out->axis = p->axes[p->axis_count - 1].param;
		out->swept = &p->x->params[out->axis];
	}
	out->count = a->workers ? worker_pool_size(a->workers) : 0;
	for (int i = 0; i < out->count; i++) {
		read_row(a, known, i, out);
		out->order[i] = i;
	}
	struct worker_order o = {out, sort};
	qsort_r(out->order, (size_t)out->count, sizeof *out->order, compare_worker_rows, &o);
}

int worker_rows_find(const struct worker_rows *r, int worker)
{
	for (int i = 0; i < r->count; i++)
		if (r->order[i] == worker)
			return i;
	return -1;
}

/* --- cells --- */
/* Minutes and hours from 10 up are whole. */
char *worker_time_format(double seconds, char *out, size_t size)
{
	double minutes = seconds / 60, hours = seconds / 3600;
	if (seconds < 99.95)
		snprintf(out, size, "%.1f s", seconds);
	else if (minutes < 99.5)
		snprintf(out, size, "%.*f min", minutes < 9.95, minutes);
	else
		snprintf(out, size, "%.*f h", hours < 9.95, hours);
	return out;
}

/* A part is shown from one second on: shorter jobs would make the text flicker. A job whose record has not arrived has
 * not ended. */
static void format_row_state(const struct worker_row *r, char *out, size_t size)
{
	if (r->state == WORKER_ROW_RUNNING && r->part > 0 && r->at.job_seconds >= 1)
		snprintf(out, size, "running %d %%", r->part < 1 ? (int)(100 * r->part) : 99);
	else
		snprintf(out, size, "%s", worker_state_name(r->state));
}

static void format_row_value(const struct worker_rows *r, const struct worker_row *row, char *out, size_t size)
{
	if (r->swept && row->point)
		param_format(r->swept, row->point->values[r->axis], out, size);
}

char *worker_cell_format(const struct worker_rows *r, int worker, enum worker_column c, char *out, size_t size)
{
	const struct worker_row *row = &r->list[worker];
	snprintf(out, size, "--");
	if (c == WORKER_NUMBER)
		snprintf(out, size, "%d", worker + 1);
	else if (c == WORKER_HOST)
		snprintf(out, size, "%s", *row->at.host ? row->at.host : "local");
	else if (c == WORKER_DEVICE)
		snprintf(out, size, "%s", row->at.device);
	else if (c == WORKER_STATE)
		format_row_state(row, out, size);
	else if (c == WORKER_POINT && row->point)
		snprintf(out, size, "%lld", (long long)row->at.point + 1);
	else if (c == WORKER_VALUE)
		format_row_value(r, row, out, size);
	else if (c == WORKER_TIME && row->at.job)
		worker_time_format(row->at.job_seconds, out, size);
	else if (c == WORKER_DONE)
		snprintf(out, size, "%d", row->at.done);
	else if (c == WORKER_DEATHS)
		snprintf(out, size, "%d", row->at.deaths);
	else if (c == WORKER_PID && row->at.pid)
		snprintf(out, size, "%d", row->at.pid);
	return out;
}
