/* `validate`: compares a device with published measurements. */
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "base/paths.h"
#include "experiments/analysis/validation.h"
#include "cli/cli_support.h"
#include "cli/run/run_limit.h"
#include "cli/run/validation_table.h"

struct check {
	const char *device, *limit_text;
	bool json;
	struct run_limit limit;
	double started, point_started; /* seconds, now_seconds() */
	struct catalog catalog;
	struct published set;
	struct validation v;
	struct worker_pool *worker;
	char *device_name, *arch; /* the device's own name, set once the rows are known; its target */
	int point;
};

/* --- measuring --- */
static bool is_limit_over(const struct check *c)
{
	double now = now_seconds();
	return run_limit_is_over(&c->limit, now - c->started, now - c->point_started);
}

static void show_validation_progress(const struct check *c, const struct sweep *s)
{
	char text[160];
	snprintf(text, sizeof text, "%s  point %d of %d  %.0f %%", c->v.points[c->point].x->id, c->point + 1,
		c->v.point_count, 100 * sweep_fraction(s));
	progress_show(text);
}

/* A canceled sweep goes on until its worker has answered. */
static bool run_validation_sweep(struct check *c, struct sweep *s, bool *out_of_time, struct err *e)
{
	while (sweep_state(s) == SWEEP_RUNNING) {
		show_validation_progress(c, s);
		command_pump_sweep(c->worker, s);
		if (command_interrupted) {
			sweep_cancel(s);
			return err_set(e, ST_INTERRUPTED, "interrupted; the rows above were measured");
		}
		if (sweep_state(s) == SWEEP_RUNNING && worker_pool_state(c->worker) == WORKER_DEAD)
			return err_set(e, ST_FAILED, "%s", worker_pool_crash_text(c->worker));
		if (!*out_of_time && is_limit_over(c)) {
			*out_of_time = true;
			sweep_cancel(s);
		}
	}
	return true;
}

static bool measure_validation_point(struct check *c, struct err *e)
{
	struct plan plan;
	struct err why;
	validation_make_plan(&c->v, c->point, &plan);
	struct sweep *s = sweep_start(&plan, c->worker, NULL, NULL, &why);
	plan_free(&plan);
	if (!s) {
		validation_skip_point(&c->v, c->point, why.text);
		return true;
	}
	bool out_of_time = false, ok = run_validation_sweep(c, s, &out_of_time, e);
	const struct point *p = sweep_points(s, NULL);
	if (out_of_time && p->status != POINT_OK)
		validation_skip_point(&c->v, c->point, "not done in time; --limit 0 removes the limit");
	else
		validation_compare_point(&c->v, c->point, p);
	sweep_free(s);
	return ok;
}

static bool measure_all_points(struct check *c, struct err *e)
{
	c->started = now_seconds();
	for (c->point = 0; c->point < c->v.point_count; c->point++) {
		c->point_started = now_seconds();
		if (c->limit.seconds > 0 && is_limit_over(c))
			validation_skip_point(&c->v, c->point, "not started in time; --limit 0 removes the limit");
		else if (!measure_validation_point(c, e))
			return false;
	}
	progress_clear();
	return true;
}

/* The rows to measure depend on the device's target. */
static bool open_validated_device(struct check *c, const struct argument_list *words, struct err *e)
{
	progress_show("opening the device");
	c->worker = command_start_workers(c->device, 1, e);
	progress_clear();
	if (!c->worker)
		return false;
	const json_t *device = worker_pool_device_record(c->worker);
	c->arch = xstrdup(record_get_text(device, "arch"));
	if (!validation_make(&c->set, &c->catalog, words->list, words->count, c->arch,
		    device_can(c->device, DEVICE_REDUCED_SIZES), &c->v, e))
		return false;
	c->device_name = xstrdup(record_get_text(device, "name"));
	return true;
}

/* --- the command --- */
static bool load_published_rows(struct check *c, const struct argument_list *words, struct err *e)
{
	char *folder = path_published();
	bool ok = device_name_check(c->device, e) && command_load_catalog(&c->catalog, false, e) &&
		published_load(folder, &c->set, e);
	for (int i = 0; ok && i < words->count; i++)
		ok = catalog_find(&c->catalog, words->list[i], e) != NULL;
	free(folder);
	return ok;
}

static void print_validation(const struct check *c)
{
	if (!c->json) {
		validation_print(&c->v, c->device, c->device_name);
		return;
	}
	json_t *o = validation_json(&c->v);
	json_dumpf(o, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	putchar('\n');
	json_decref(o);
}

static int report_validation(const struct check *c)
{
	struct err e;
	struct validation_summary s = validation_summarize(&c->v);
	if (s.count == s.rows)
		return ST_OK;
	err_set(&e, ST_FAILED, "%d of %d rows were not measured; the table shows the reasons", s.rows - s.count,
		s.rows);
	return command_report_failure(&e);
}

static int validate_device(struct check *c, const struct argument_list *words)
{
	struct err e = {0};
	if (!load_published_rows(c, words, &e))
		return command_report_failure(&e);
	command_catch_interrupts();
	log_to_stderr(LOG_ERROR + 1);
	bool ok = open_validated_device(c, words, &e) && measure_all_points(c, &e);
	if (c->device_name)
		print_validation(c);
	return ok ? report_validation(c) : command_report_failure(&e);
}

int command_validate(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct check c = {0};
	const struct option options[] = {{"--device", &c.device, NULL}, {"--limit", &c.limit_text, NULL},
		{"--json", NULL, &c.json}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e) || !run_limit_parse(c.limit_text, &c.limit, &e))
		return command_report_failure(&e);
	if (!c.device)
		c.device = command_default_device(NULL);
	int status = validate_device(&c, &words);
	if (c.worker)
		worker_pool_close(c.worker);
	validation_free(&c.v);
	published_free(&c.set);
	catalog_free(&c.catalog);
	free(c.device_name);
	free(c.arch);
	free(words.list);
	return status;
}
