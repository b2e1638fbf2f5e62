#include "cli/batch/batch_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/paths.h"
#include "cli/batch/own_experiment.h"
#include "cli/batch/slurm_client.h"
#include "cli/own/native_question.h"
#include "cli/run/clock_options.h"
#include "cli/run/plan_parts.h"
#include "experiments/sweep/sweep.h"
#include "gpu/backends/backend.h"

enum { TASKS_DEFAULT = 32 /* each task starts a worker, which takes about a second */ };

/* --- arguments --- */

bool batch_request_parse(struct batch_request *q, const struct option *options, int argc, char **argv, struct err *e)
{
	int own = 1;
	while (own < argc && strcmp(argv[own], "--slurm"))
		own++;
	q->slurm = own < argc;
	q->options = json_array();
	for (int i = own + 1; i < argc; i++)
		json_array_append_new(q->options, json_utf8_string(argv[i]));
	return options_parse(options, own, argv, &q->words, e);
}

void batch_request_free(struct batch_request *q)
{
	free(q->words.list);
	json_decref(q->options);
	*q = (struct batch_request){0};
}

/* --- the plan --- */

static bool check_batch_device(const char *device, struct err *e)
{
	return device_name_check(device, e) &&
		(!device_can(device, DEVICE_RECORDING) ||
			err_set(e, ST_REQUEST, "%s is a recording, which one machine replays; use `wavedeck run`",
				device));
}

static bool make_batch_plan(
	struct plan *p, struct experiment *x, const char *device, const struct batch_request *q, struct err *e)
{
	char arch[DEVICE_ARCH];
	device_read_arch(device, arch);
	plan_init_default(p, x, device_can(device, DEVICE_REDUCED_SIZES), arch);
	if (!plan_apply_words(p, &q->words, e))
		return false;
	p->sampling.flush_l2 = q->flush_l2;
	if (!sampling_read_stop(q->stop, &p->sampling, e))
		return false;
	plan_drop_unsupported(p);
	if (*p->remark)
		command_printf_error("%s: %s", x->id, p->remark);
	return true;
}

/* A fleet measures the same points everywhere, so that its sweep is fixed. */
static json_t *describe_plan(const struct plan *p, bool fleet)
{
	json_t *plan = plan_to_json(p);
	json_object_set_new(plan, "soft_defaults", json_boolean(p->soft_defaults));
	json_object_set_new(plan, "device", json_pack("{s:s}", "arch", p->arch));
	json_object_set_new(plan, "open", plan_list_open_params(p, !fleet));
	return plan;
}

static bool parse_chunk(const char *text, int points, int *out, struct err *e)
{
	char *end;
	*out = batch_count_chunks(points, TASKS_DEFAULT);
	if (!text)
		return true;
	long n = strtol(text, &end, 10);
	*out = n < points ? (int)n : points;
	return (end != text && !*end && n > 0) ||
		err_set(e, ST_REQUEST, "--chunk needs a number of points, such as 16, not '%.40s'", text);
}

static json_t *describe_batch(
	const struct batch_request *q, const struct plan *p, const char *device, int chunk, const json_t *fleet)
{
	char when[UTC_TEXT];
	json_t *d = json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:o, s:b, s:i, s:i}", "type", "batch", "schema",
		BATCH_SCHEMA, "program", "wavedeck " WAVEDECK_VERSION, "time", now_utc(when), "experiment", p->x->id,
		"device", device, "plan", describe_plan(p, fleet != NULL), "verify", !q->no_verify, "points",
		plan_point_count(p), "chunk", chunk);
	if (q->counters)
		json_object_set_new(d, "counters", json_utf8_string(q->counters));
	if (q->metric)
		json_object_set_new(d, "metric", json_utf8_string(q->metric));
	if (q->lock_clocks)
		json_object_set_new(d, "lock_clocks", json_utf8_string(q->lock_clocks));
	json_object_set(d, "sbatch", q->options);
	if (fleet)
		json_object_update(d, (json_t *)fleet);
	return d;
}

/* --- the folder --- */

static char *make_folder_name(const char *experiment, bool fleet)
{
	char when[32];
	time_t now = time(NULL);
	struct tm local;
	localtime_r(&now, &local);
	strftime(when, sizeof when, "%Y-%m-%d_%H%M%S", &local);
	return xasprintf("%s-%s.%s", experiment, when, fleet ? "fleet" : "batch");
}

/* The warning before the time limit goes to the process of the script, which becomes wavedeck; until then it is
 * ignored. */
static bool write_script(const struct batch *b, struct err *e)
{
	struct buf text = {0};
	char *self = path_self(), *path = batch_file_path(b, "task.sh");
	buf_puts(&text, "#!/bin/sh\ntrap '' USR1\nexec ");
	buf_put_shell_word(&text, self);
	buf_puts(&text, " batch-task ");
	buf_put_shell_word(&text, b->folder);
	buf_puts(&text, " \"$SLURM_ARRAY_TASK_ID\"\n");
	FILE *f = fopen(path, "we");
	bool ok = f && fwrite(text.data, 1, text.len, f) == text.len;
	ok = f && !fclose(f) && ok;
	if (!ok)
		err_set(e, ST_FAILED, "cannot write %s: %s; free some space", path, strerror(errno));
	free(self);
	free(path);
	buf_free(&text);
	return ok;
}

static bool write_folder(struct batch *b, const struct batch_request *q, const struct experiment *x, struct err *e)
{
	char *name = q->folder ? xstrdup(q->folder) : make_folder_name(x->id, batch_is_fleet(b));
	bool ok = batch_folder_create(name, &b->folder, e) && (batch_is_local(b) || write_script(b, e)) &&
		(!own_experiment_is(q->words.list[0]) || own_experiment_copy(b, x, e)) && batch_write(b, e);
	free(name);
	return ok;
}

bool batch_prepare(struct batch *b, const struct batch_request *q, const json_t *fleet, struct err *e)
{
	struct catalog catalog;
	struct plan plan = {0};
	int chunk;
	const char *device = command_default_device(q->device);
	*b = (struct batch){0};
	if (!check_batch_device(device, e) || !command_check_clocks(q->lock_clocks, &(char *){(char *)device}, 1, e) ||
		!command_open_catalog(&catalog, e))
		return false;
	struct experiment *x = catalog_find(&catalog, q->words.list[0], e);
	bool ok = x && make_batch_plan(&plan, x, device, q, e) &&
		(q->no_verify || command_allow_native(x, q->trust, e)) &&
		parse_chunk(q->chunk, plan_point_count(&plan), &chunk, e);
	if (ok && q->metric && experiment_find_metric(x, q->metric) < 0)
		ok = err_set(e, ST_REQUEST, "%s has no metric '%.40s'; `wavedeck show %s` lists them", x->id, q->metric,
			x->id);
	if (ok) {
		b->description = describe_batch(q, &plan, device, chunk, fleet);
		ok = write_folder(b, q, x, e);
	}
	plan_free(&plan);
	catalog_free(&catalog);
	return ok;
}

/* --- submitting --- */

static void remove_prepared_folder(const struct batch *b)
{
	static const char *const names[] = {"batch.json", "task.sh"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *path = batch_file_path(b, names[i]);
		unlink(path);
		free(path);
	}
	own_experiment_remove(b);
	rmdir(b->folder);
}

bool batch_submit(struct batch *b, struct err *e)
{
	int count = batch_task_count(b);
	bool *all = xcalloc((size_t)count, sizeof *all);
	for (int i = 0; i < count; i++)
		all[i] = true;
	bool ok = slurm_submit_tasks(b, all, NULL, e);
	if (!ok && !json_object_get(b->description, "jobs"))
		remove_prepared_folder(b);
	else
		ok = batch_write(b, ok ? e : NULL) && ok;
	free(all);
	return ok;
}
