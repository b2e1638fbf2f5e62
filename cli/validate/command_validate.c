/* `validate`: compares a device with published measurements. */
#include <stdlib.h>
#include <string.h>

#include "gpu/protocol/stalls/ideal_causes.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/worker_count.h"
#include "gpu/protocol/header_record.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/paths.h"
#include "cli/validate/kind_summary.h"
#include "experiments/analysis/validation.h"
#include "cli/cli_support.h"
#include "cli/run/run_limit.h"
#include "cli/validate/fitted_program.h"
#include "cli/validate/kind_table.h"
#include "cli/validate/validation_points.h"
#include "cli/validate/validation_table.h"

struct check {
	const char *device, *limit_text, *workers_text, *without;
	bool json, summary;
	struct run_limit limit;
	int workers;
	struct catalog catalog;
	struct published set;
	struct validation v;
	struct worker_pool *pool;
	char *device_name, *arch; /* the device's own name, set once the rows are known; its target */
	char *changed;            /* with --without: the name of the device with values before the fit */
};

/* --- the device --- */
static bool make_device_rows(
	struct check *c, const struct argument_list *words, const char *arch, struct validation *out, struct err *e)
{
	return validation_make(&c->set, &c->catalog, words->list, words->count, arch,
		device_can(c->device, DEVICE_REDUCED_SIZES), out, e);
}

/* 0: not known before the device is open. If there are many, all workers start at once. */
static int count_expected_points(struct check *c, const struct argument_list *words)
{
	struct err e;
	struct validation v;
	char arch[DEVICE_ARCH];
	device_read_arch(c->device, arch);
	if (!*arch || !make_device_rows(c, words, arch, &v, &e))
		return 0;
	int count = v.point_count;
	validation_free(&v);
	return count;
}

static struct worker_pool *start_validation_workers(struct check *c, const struct argument_list *words, struct err *e)
{
	struct worker_place places[WORKERS_MAX];
	for (int i = 0; i < c->workers; i++)
		places[i] = (struct worker_place){c->device, NULL};
	return command_start_workers_at(places, c->workers, count_expected_points(c, words), e);
}

/* The rows to measure depend on the device's target. */
static bool open_validated_device(struct check *c, const struct argument_list *words, struct err *e)
{
	progress_show("opening the device");
	c->pool = start_validation_workers(c, words, e);
	progress_clear();
	if (!c->pool)
		return false;
	const json_t *device = worker_pool_device_record(c->pool);
	c->arch = xstrdup(device_get_arch(device));
	if (!make_device_rows(c, words, c->arch, &c->v, e))
		return false;
	c->device_name = xstrdup(device_get_name(device));
	return true;
}

/* --- the command --- */
/* With --without: another device, and only the program's rows. */
static bool leave_program_out(struct check *c, struct err *e)
{
	char arch[DEVICE_ARCH];
	c->changed = fitted_program_take_back(c->without, c->device, e);
	if (!c->changed)
		return false;
	device_read_arch(c->device, arch);
	c->device = c->changed;
	return fitted_program_keep_rows(c->without, arch, &c->set, e);
}

static bool load_published_rows(struct check *c, const struct argument_list *words, struct err *e)
{
	char *folder = path_published();
	bool ok = device_name_check(c->device, e) && worker_count_choose(c->workers_text, c->device, &c->workers, e) &&
		command_load_catalog(&c->catalog, false, e) && published_load(folder, &c->set, e);
	for (int i = 0; ok && i < words->count; i++)
		ok = catalog_find(&c->catalog, words->list[i], e) != NULL;
	free(folder);
	return ok && (!c->without || leave_program_out(c, e));
}

/* What --without changed. */
static void print_replaced_constants(const struct check *c)
{
	const struct fitted_constant *f;
	printf("without %s: constants that were fitted on it have their values before\n", c->without);
	for (int i = 0; (f = fitted_program_constant(c->without, c->device, i)); i++)
		printf("  %-20s %8lld  %s\n", f->name, f->before, f->why);
	putchar('\n');
}

static json_t *summary_json(const struct check *c)
{
	struct kind_summary list[KIND_SUMMARIES_MAX];
	int count = validation_summarize_kinds(&c->v, list);
	return json_pack("{s:o}", "kinds", kind_summaries_json(list, count));
}

static void print_validation(const struct check *c)
{
	if (!c->json) {
		if (c->without)
			print_replaced_constants(c);
		(c->summary ? kind_table_print : validation_print)(&c->v, c->device, c->device_name);
		return;
	}
	json_t *o = c->summary ? summary_json(c) : validation_json(&c->v);
	json_object_set_new(o, "measured_on", json_string(c->device));
	json_object_set_new(o, "without", c->without ? json_string(c->without) : json_null());
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
	if (device_has_ideal_parts(c->device)) {
		err_set(&e, ST_REQUEST,
			"%s has ideal parts, and no GPU was measured without limits; remove ideal=", c->device);
		return command_report_failure(&e);
	}
	if (device_is_noisy(c->device)) {
		err_set(&e, ST_REQUEST,
			"%s has noise or faults, and the differences from published values would be partly theirs; remove noise= and fault=",
			c->device);
		return command_report_failure(&e);
	}
	if (!load_published_rows(c, words, &e))
		return command_report_failure(&e);
	command_catch_interrupts();
	log_to_stderr(LOG_ERROR + 1);
	bool ok = open_validated_device(c, words, &e) && validation_measure_points(&c->v, c->pool, &c->limit, &e);
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
		{"--workers", &c.workers_text, NULL}, {"--without", &c.without, NULL}, {"--json", NULL, &c.json},
		{"--summary", NULL, &c.summary}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e) || !run_limit_parse(c.limit_text, &c.limit, &e))
		return command_report_failure(&e);
	if (!c.device)
		c.device = command_default_device(NULL);
	int status = validate_device(&c, &words);
	worker_pool_close(c.pool);
	validation_free(&c.v);
	published_free(&c.set);
	catalog_free(&c.catalog);
	free(c.device_name);
	free(c.arch);
	free(c.changed);
	free(words.list);
	return status;
}
