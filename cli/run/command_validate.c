/* `validate`: the published rows beside what a device measures. */
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/paths.h"
#include "experiments/analysis/validation.h"
#include "cli/cli_support.h"
#include "cli/run/validation_table.h"

enum { DEATHS_MAX = 3 /* in a row: the machine is ill, not the point */ };

struct check {
	const char *device;
	bool json;
	struct catalog catalog;
	struct published set;
	struct validation v;
	struct worker_controller *worker;
	char *device_name, *arch; /* as the device calls itself, once its rows are known; its target */
	int point, deaths;
};

/* --- measuring --- */
/* The point under way is lost with its worker; the next one gets another. */
static bool replace_worker(struct check *c, struct sweep *s, struct err *e)
{
	enum status fatal;
	sweep_worker_died(s, worker_controller_crash_text(c->worker));
	if (worker_controller_open_failed(c->worker, &fatal) || ++c->deaths >= DEATHS_MAX)
		return err_set(e, ST_FAILED, "%s; `wavedeck doctor` says what may be missing",
			worker_controller_crash_text(c->worker));
	worker_controller_close(c->worker);
	c->worker = command_start_worker(c->device, e);
	return c->worker != NULL;
}

static bool drive(struct check *c, struct sweep *s, struct err *e)
{
	while (sweep_state(s) == SWEEP_RUNNING) {
		command_pump_sweep(c->worker, s);
		if (command_interrupted) {
			sweep_cancel(s);
			return err_set(e, ST_INTERRUPTED, "interrupted; what was measured until then is above");
		}
		if (sweep_state(s) == SWEEP_RUNNING && worker_controller_state(c->worker) == WORKER_DEAD)
			return replace_worker(c, s, e);
	}
	return true;
}

static bool measure_point(struct check *c, struct err *e)
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
	bool ok = drive(c, s, e);
	const struct point *p = sweep_points(s, NULL);
	if (p->status == POINT_OK)
		c->deaths = 0;
	validation_compare_point(&c->v, c->point, p);
	sweep_free(s);
	return ok;
}

static bool measure(struct check *c, struct err *e)
{
	char text[160];
	for (c->point = 0; c->point < c->v.point_count; c->point++) {
		snprintf(text, sizeof text, "%s  point %d of %d", c->v.points[c->point].x->id, c->point + 1,
			c->v.point_count);
		progress_show(text);
		if (!measure_point(c, e))
			return false;
	}
	progress_clear();
	return true;
}

/* Which rows there are to measure depends on the device. */
static bool open_device(struct check *c, const struct argument_list *words, struct err *e)
{
	progress_show("opening the device");
	c->worker = command_start_worker(c->device, e);
	progress_clear();
	if (!c->worker)
		return false;
	const json_t *device = worker_controller_device_record(c->worker);
	c->arch = xstrdup(record_get_text(device, "arch"));
	if (!validation_make(&c->set, &c->catalog, words->list, words->count, c->arch,
		    device_can(c->device, DEVICE_REDUCED_SIZES), &c->v, e))
		return false;
	c->device_name = xstrdup(record_get_text(device, "name"));
	return true;
}

/* --- the command --- */
static bool prepare(struct check *c, const struct argument_list *words, struct err *e)
{
	char *folder = path_published();
	bool ok = device_name_check(c->device, e) && command_load_catalog(&c->catalog, false, e) &&
		published_load(folder, &c->set, e);
	for (int i = 0; ok && i < words->count; i++)
		ok = catalog_find(&c->catalog, words->list[i], e) != NULL;
	free(folder);
	return ok;
}

static void print(const struct check *c)
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

static int outcome(const struct check *c)
{
	struct err e;
	struct validation_summary s = validation_summarize(&c->v);
	if (s.count == s.rows)
		return ST_OK;
	err_set(&e, ST_FAILED, "%d of %d rows were not measured, the reason is beside them", s.rows - s.count, s.rows);
	return command_report_failure(&e);
}

static int validate(struct check *c, const struct argument_list *words)
{
	struct err e = {0};
	if (!prepare(c, words, &e))
		return command_report_failure(&e);
	command_catch_interrupts();
	log_to_stderr(LOG_ERROR + 1);
	bool ok = open_device(c, words, &e) && measure(c, &e);
	if (c->device_name)
		print(c);
	return ok ? outcome(c) : command_report_failure(&e);
}

int command_validate(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct check c = {0};
	const struct option options[] = {{"--device", &c.device, NULL}, {"--json", NULL, &c.json}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	if (!c.device)
		c.device = command_default_device(NULL);
	int status = validate(&c, &words);
	if (c.worker)
		worker_controller_close(c.worker);
	validation_free(&c.v);
	published_free(&c.set);
	catalog_free(&c.catalog);
	free(c.device_name);
	free(c.arch);
	free(words.list);
	return status;
}
