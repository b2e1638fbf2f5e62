#include "tui/views/workers/workers_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "tui/lab/files/curve_files.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/general_actions.h"
#include "tui/shell/shell.h"

/* --- state --- */
static struct workers_view *make_workers_view(struct app *a)
{
	if (!workers_view_of(a))
		app_set_view_state(a, &view_workers, xcalloc(1, sizeof(struct workers_view)));
	return workers_view_of(a);
}

static void open_workers(struct app *a)
{
	make_workers_view(a);
}

static void close_workers_view(struct app *a)
{
	free(workers_view_of(a));
	app_set_view_state(a, &view_workers, NULL);
}

void workers_view_read_rows(const struct app *a, struct worker_rows *out)
{
	const struct workers_view *v = workers_view_of(a);
	worker_rows_read(a, v->known, v->sort, out);
}

int workers_view_selected(const struct workers_view *v, const struct worker_rows *rows)
{
	return v->worker < rows->count ? v->worker : rows->count - 1;
}

/* --- records --- */
static void add_worker_death(struct app *a, const char *text)
{
	struct workers_view *v = make_workers_view(a); /* deaths are kept before the view is first shown, too */
	struct worker_death *d = &v->deaths[v->death_count++ % WORKER_DEATHS_KEPT];
	d->at = (long long)time(NULL);
	snprintf(d->text, sizeof d->text, "%s", text);
}

const struct worker_death *workers_view_death(const struct workers_view *v, int i)
{
	int at = v->death_count - 1 - i;
	return i >= WORKER_DEATHS_KEPT || at < 0 ? NULL : &v->deaths[at % WORKER_DEATHS_KEPT];
}

static void note_job_progress(struct workers_view *v, const json_t *r, bool state)
{
	json_int_t job = record_get_job(r);
	struct reading done = record_get_reading(r, "done"), total = record_get_reading(r, "total");
	if (job <= 0)
		return;
	v->known[job % JOB_PROGRESS_SLOTS] = (struct job_progress){.job = job,
		.compiling = state && !strcmp(record_get_text(r, "state"), "compiling"),
		.part = done.valid && total.valid && total.value > 0 ? done.value / total.value : 0};
}

static void take_worker_record(struct app *a, const json_t *r)
{
	const char *type = record_get_type(r);
	bool state = !strcmp(type, "state");
	if (!strcmp(type, "death"))
		add_worker_death(a, record_get_text(r, "text"));
	else if (workers_view_of(a) && (state || !strcmp(type, "progress")))
		note_job_progress(workers_view_of(a), r, state);
}

/* The end of all workers. That a device cannot be opened is said elsewhere; at the end of the program no pool is dead.
 */
static void take_pool_death(struct app *a, const char *why)
{
	if (a->workers && worker_pool_state(a->workers) == WORKER_DEAD && !worker_pool_open_failed(a->workers, NULL))
		add_worker_death(a, why);
}

/* --- redrawing --- */
static unsigned long long add_to_digest(unsigned long long digest, long long value)
{
	return (digest ^ (unsigned long long)value) * 1099511628211ULL; /* the prime of FNV-1a, 64 bit */
}

/* Changes as the text of a time does. */
static long long time_step(double seconds)
{
	return (long long)(seconds < 100 ? seconds * 10 : 1000 + seconds / 6);
}

/* Of what the rows show. */
static unsigned long long digest_rows(const struct worker_rows *r)
{
	unsigned long long d = 14695981039346656037ULL; /* the offset of FNV-1a, 64 bit */
	for (int i = 0; i < r->count; i++) {
		const struct worker_row *w = &r->list[i];
		const long long values[] = {w->state, w->at.job, w->at.done, w->at.deaths, w->at.pid,
			time_step(w->at.job_seconds), (long long)(w->part * 100)};
		for (size_t k = 0; k < sizeof values / sizeof *values; k++)
			d = add_to_digest(d, values[k]);
	}
	return d;
}

/* Times and workers that start have no record. While nothing works, the digest stays and nothing is drawn. */
static void pump_workers_view(struct app *a)
{
	struct workers_view *v = workers_view_of(a);
	struct worker_rows rows;
	if (a->view != &view_workers)
		return;
	workers_view_read_rows(a, &rows);
	unsigned long long digest = digest_rows(&rows);
	a->dirty |= digest != v->shown;
	v->shown = digest;
}

/* --- actions --- */
void act_workers(struct app *a)
{
	app_show_view(a, &view_workers);
}

void act_worker_select(struct app *a, int by)
{
	struct workers_view *v = workers_view_of(a);
	struct worker_rows rows;
	workers_view_read_rows(a, &rows);
	int row = worker_rows_find(&rows, workers_view_selected(v, &rows)) + by;
	row = row >= rows.count ? rows.count - 1 : row;
	if (rows.count)
		v->worker = rows.order[row < 0 ? 0 : row];
}

void act_worker_page_down(struct app *a)
{
	act_worker_select(a, a->height / 2);
}

void act_worker_page_up(struct app *a)
{
	act_worker_select(a, -a->height / 2);
}

void act_worker_point(struct app *a)
{
	struct worker_rows rows;
	workers_view_read_rows(a, &rows);
	int selected = workers_view_selected(workers_view_of(a), &rows);
	const struct worker_row *r = selected >= 0 ? &rows.list[selected] : NULL;
	if (!r || !r->point || !a->sweeping) {
		app_show_message(a, ROLE_DIM, "this worker measures no point of the sweep now");
		return;
	}
	a->current = (int)(a->sweeping - a->labs);
	a->sweeping->cursor = (int)r->at.point;
	app_show_view(a, views[0]);
}

void act_worker_sort(struct app *a, const char *argument)
{
	struct workers_view *v = workers_view_of(a);
	if (!argument) {
		v->sort = (enum worker_sort)((v->sort + 1) % WORKER_SORTS);
		return;
	}
	for (int i = 0; i < WORKER_SORTS; i++)
		if (!strcmp(argument, worker_sort_name((enum worker_sort)i))) {
			v->sort = (enum worker_sort)i;
			return;
		}
	app_show_message(a, ROLE_BAD, "cannot sort workers by '%s'; use worker, time, done or deaths", argument);
}

/* --- files --- */
static char *copy_workers(const struct app *a)
{
	struct worker_rows rows;
	workers_view_read_rows(a, &rows);
	return worker_rows_copy_text(&rows);
}

static void export_workers(struct app *a, const char *path)
{
	const char *dot = strrchr(path, '.');
	struct worker_rows rows;
	struct err e = {0};
	workers_view_read_rows(a, &rows);
	bool ok = dot && !strcmp(dot, ".csv")
		? worker_rows_write_csv(&rows, path, &e)
		: err_set(&e, ST_REQUEST, "the workers are exported as .csv; use a name that ends with it");
	export_report(a, path, ok, &e);
}

static char *suggest_workers_name(const struct app *a)
{
	(void)a;
	return xstrdup("workers.csv");
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/workers/workers_keys.def"
#undef ACTION
};

const struct view view_workers = {
	.name = "workers",
	.title = "Workers",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.is_detail = true,
	.draw = workers_view_draw,
	.open = open_workers,
	.close = close_workers_view,
	.pump = pump_workers_view,
	.record = take_worker_record,
	.worker_died = take_pool_death,
	.export = export_workers,
	.export_name = suggest_workers_name,
	.copy = copy_workers,
	.legend = workers_view_add_legend,
};
