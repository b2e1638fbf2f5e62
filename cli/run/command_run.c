/* `run`: measures an experiment's sweep on a worker; prints, records, resumes and interrupts it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "base/units.h"
#include "experiments/analysis/point_cost.h"
#include "experiments/sweep/sweep.h"
#include "gpu/protocol/record.h"
#include "sessions/session.h"
#include "cli/cli_support.h"
#include "experiments/analysis/session_extras.h"
#include "sessions/export/exporters.h"
#include "cli/run/plan_parts.h"
#include "cli/run/resumed_session.h"
#include "cli/run/run_chunk.h"
#include "cli/run/run_each.h"
#include "cli/run/launch_trace.h"
#include "cli/run/run_limit.h"
#include "cli/run/run_places.h"
#include "cli/run/run_report.h"

enum { COUNTERS_MAX = 32 };

struct request {
	const char *experiment, *device, *format_text, *counters_text, *record, *resume, *limit_text, *timeline, *cu,
		*workers_text;
	bool no_verify, plot_and_table, quiet, bare;
	enum export_format format;
	struct run_limit limit;
	struct run_chunk *chunk;               /* NULL: all points */
	const char *named[OPTION_REPEATS + 1]; /* --device; NULL after the last */
	struct device_choice devices;          /* `device` is the first */
	struct worker_places places;
	const char *vias[OPTION_REPEATS + 1]; /* --via; NULL after the last */
	char *counter_names;                  /* counters_text, split */
	const char *counters[COUNTERS_MAX + 1];
};

struct run {
	const struct request *ask;
	struct catalog catalog;
	struct experiment *x;
	struct plan plan;
	int count, elsewhere;     /* points of the plan; those that other sessions contain */
	struct point_list points; /* NULL: not measured yet */
	bool *resumed;            /* the point comes from the session that is resumed */
	struct plan_parts parts;
	struct worker_pool *workers;
	struct sweep *sweep;
	const struct plan_part *part;
	json_t *header;
	struct resumed_session old;
	struct recorder *recorder;
	int printed, rows, done, failed; /* rows: CSV rows written */
	double started;
	size_t log_printed; /* lines of the log that were printed */
	char refusal[512];  /* the worker's error of the last point */
	bool workers_lost, out_of_time, said_how_to_stop;
	bool measured, refused; /* at least one point succeeded; the first two failed with the same error */
	enum status status;
};

/* --- the request --- */

static bool parse_counter_names(struct request *q, struct err *e)
{
	int n = 0;
	if (!q->counters_text)
		return true;
	q->counter_names = xstrdup(q->counters_text);
	for (char *save = NULL, *w = strtok_r(q->counter_names, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		if (n == COUNTERS_MAX)
			return err_set(e, ST_REQUEST, "--counters takes at most %d names", COUNTERS_MAX);
		q->counters[n++] = w;
	}
	return n || err_set(e, ST_REQUEST, "--counters needs names such as SQ_WAVES,TCC_HIT_sum");
}

static bool check_request(struct request *q, struct err *e)
{
	if (!exporter_find(q->format_text, EXPORT_TO_TERMINAL | EXPORT_TO_FILE, &q->format, e) ||
		!parse_counter_names(q, e))
		return false;
	if (q->timeline && !timeline_check_device(q->device, e))
		return false;
	if (!run_limit_parse(q->limit_text, &q->limit, e))
		return false;
	if (!run_places_find(&q->places, &q->devices, q->workers_text, q->vias, e))
		return false;
	return !q->counters[0] || device_check_counters(q->device, q->counters, e);
}

/* The plan was made on another machine. Its target, if that machine did not know it, is this machine's. */
static bool take_chunk_plan(struct run *r, const char *arch, struct err *e)
{
	const json_t *plan = r->ask->chunk->plan;
	plan_from_header(&r->plan, plan);
	snprintf(r->plan.arch, sizeof r->plan.arch, "%s", arch);
	json_t *now = plan_to_json(&r->plan);
	bool same = json_equal(json_object_get(now, "definition"), json_object_get(plan, "definition"));
	json_decref(now);
	return same ||
		err_set(e, ST_REQUEST, "the definition of %s is not the one that was submitted; submit it again",
			r->x->id);
}

static bool make_run_plan(struct run *r, const struct argument_list *words, struct err *e)
{
	char arch[DEVICE_ARCH];
	if (!command_open_catalog(&r->catalog, e))
		return false;
	if (r->old.session && !words->count && !catalog_contains(&r->catalog, r->ask->experiment))
		return err_set(e, ST_REQUEST,
			"%s was measured with a definition that is not in the catalog; name it: wavedeck run PATH/%.60s.lua --resume %s",
			r->old.path, r->ask->experiment, r->old.path);
	r->x = catalog_find(&r->catalog, r->ask->experiment, e);
	if (!r->x)
		return false;
	device_read_arch(r->ask->device, arch);
	plan_init_default(&r->plan, r->x, device_can(r->ask->device, DEVICE_REDUCED_SIZES), arch);
	if (device_can(r->ask->device, DEVICE_RECORDING) &&
		!plan_from_recording(&r->plan, device_rest(r->ask->device), e))
		return false;
	if (!plan_apply_words(&r->plan, words, e))
		return false;
	if (r->ask->chunk && !take_chunk_plan(r, arch, e))
		return false;
	plan_drop_unsupported(&r->plan);
	if (*r->plan.remark)
		command_printf_error("%s: %s", r->x->id, r->plan.remark);
	r->plan.verify = !r->ask->no_verify;
	r->plan.counters = r->ask->counters[0] ? r->ask->counters : r->old.counters[0] ? r->old.counters : NULL;
	if (r->old.session && !resumed_session_plan(&r->old, &r->plan, words->count > 1, e))
		return false;
	if (r->ask->timeline && plan_point_count(&r->plan) != 1)
		return err_set(e, ST_REQUEST,
			"--timeline records one point, not %d; set the swept parameter to one value: %s=VALUE",
			plan_point_count(&r->plan),
			r->plan.axis_count ? r->x->params[r->plan.axes[0].param].id : "NAME");
	r->plan.inside = r->ask->timeline ? timeline_request(r->ask->cu, e) : NULL;
	if (r->ask->timeline && !r->plan.inside)
		return false;
	r->count = plan_point_count(&r->plan);
	for (int i = 0; i < r->count; i++)
		point_list_add_record(&r->points, NULL);
	r->resumed = xcalloc((size_t)r->count, sizeof *r->resumed);
	for (int i = 0; r->ask->chunk && i < r->count; i++)
		r->elsewhere += r->resumed[i] = !r->ask->chunk->wanted[i];
	return true;
}

/* --- sessions --- */

static void load_resumed_points(struct run *r)
{
	double values[PARAMS_MAX];
	size_t at;
	struct measured_points old;
	if (!r->old.session)
		return;
	measured_points_make(&old, r->old.session, r->x);
	for (int i = 0; i < r->count; i++) {
		plan_point_values(&r->plan, i, values);
		r->resumed[i] = measured_points_find(&old, values, &at);
		if (r->resumed[i])
			point_list_copy(&r->points, (size_t)i, &r->old.session->points, at);
		r->done += r->resumed[i];
		r->measured = r->measured || r->resumed[i];
	}
	measured_points_free(&old);
}

static void record_point(struct run *r, const json_t *record)
{
	struct err e = {0};
	if (r->recorder && !recorder_write_record(r->recorder, record, &e)) {
		command_print_error(e.text);
		r->status = ST_FAILED;
	}
}

static bool check_same_device(const struct run *r, struct err *e)
{
	const char *was = record_get_text(json_object_get(r->old.session->header, "device"), "device");
	for (int i = 0; i < r->ask->devices.count; i++)
		if (!strcmp(was, r->ask->devices.names[i]))
			return true;
	return err_set(e, ST_REQUEST, "%s was measured on %s, not on %s; add --device %s or record to another file",
		r->ask->resume, was, r->ask->device, was);
}

/* The devices of a session, for a request that names none. */
static void take_session_devices(struct request *q, const json_t *header)
{
	const json_t *shared = json_object_get(header, "devices");
	q->named[0] = record_get_text(json_object_get(header, "device"), "device");
	for (size_t i = 0; i < json_array_size(shared) && i < OPTION_REPEATS; i++)
		q->named[i] = json_string_value(json_array_get(shared, i));
}

/* The session supplies the experiment and the devices if the request names none. */
static bool open_resumed_session(struct run *r, struct request *q, struct err *e)
{
	if (!q->resume)
		return true;
	if (q->record)
		return err_set(
			e, ST_REQUEST, "--record starts a session and --resume continues one; use only one of them");
	bool ok = resumed_session_open(&r->old, q->resume, e);
	r->recorder = r->old.recorder;
	if (!ok)
		return false;
	const json_t *header = r->old.session->header;
	if (!q->experiment)
		q->experiment = record_get_text(header, "experiment");
	if (!q->named[0])
		take_session_devices(q, header);
	return true;
}

static bool choose_devices(const struct run *r, struct request *q, struct err *e)
{
	if (!device_choice_make(&q->devices, q->named, false, e))
		return false;
	q->device = q->devices.names[0];
	return !r->old.session || check_same_device(r, e);
}

/* The header names the device of the worker that was the first. */
static void note_shared_devices(struct run *r)
{
	const struct device_choice *c = &r->ask->devices;
	if (c->count < 2)
		return;
	json_t *list = json_array();
	for (int i = 0; i < c->count; i++)
		json_array_append_new(list, json_utf8_string(c->names[i]));
	json_object_set_new(r->header, "devices", list);
}

static bool start_recording(struct run *r, struct err *e)
{
	if (r->ask->record)
		r->recorder = recorder_open(r->ask->record, r->header, e);
	if (r->old.session) {
		json_t *note = resumed_session_note();
		recorder_continue_session(r->recorder, r->old.session);
		record_point(r, note);
		json_decref(note);
	}
	return r->recorder || !r->ask->record;
}

/* --- points --- */

/* NULL: not measured yet, or past the last point. */
static const json_t *get_run_point(const struct run *r, int i)
{
	return i < r->count ? point_list_get(&r->points, (size_t)i) : NULL;
}

/* Prints rows in the order of the plan, so that a resumed run prints the same as an uninterrupted one. */
static void print_ready_rows(struct run *r)
{
	if (r->ask->format != FORMAT_CSV || !r->header)
		return;
	progress_clear();
	if (r->recorder)
		recorder_flush(r->recorder); /* a printed row must be in the file, even if the program is killed */
	for (const json_t *point; (point = get_run_point(r, r->printed)); r->printed++)
		csv_print_point(stdout, r->header, (size_t)++r->rows, point, r->ask->bare);
}

/* If the worker rejects the first two points with the same error (a kernel that does not compile, an unknown entry), it
 * would reject all. A point that was not sent, or that crashed the worker, does not count: its record has an empty list
 * of samples. Nor does a recording, which may contain only later points. */
static void note_refusal(struct run *r, const json_t *record)
{
	const char *error = record_get_text(record, "error");
	if (r->measured || json_object_get(record, "seconds") || !*error ||
		device_can(r->ask->device, DEVICE_RECORDING))
		return;
	r->refused = r->refused || !strncmp(r->refusal, error, sizeof r->refusal - 1);
	snprintf(r->refusal, sizeof r->refusal, "%s", error);
}

/* The timeline goes to its own file and not into the session. */
static void write_timeline(struct run *r, json_t *record)
{
	struct err e = {0};
	if (r->ask->timeline && !timeline_write_trace(r->ask->timeline, record, &e))
		r->status = (enum status)command_report_failure(&e);
	json_object_del(record, "inside");
}

static void note_point(void *ctx, const struct sweep *s, int point)
{
	struct run *r = ctx;
	const struct point *p = &sweep_points(s, NULL)[point];
	if (!p->record || p->status == POINT_CANCELLED)
		return;
	if (r->refused) /* the workers had more points in their queues */
		return;
	int at = r->part->point[point];
	point_list_set_record(&r->points, (size_t)at, p->record);
	json_object_set_new(p->record, "point",
		json_integer(at)); /* index in the whole plan: a resumed run measures a part of it */
	r->done++;
	if (p->status == POINT_OK)
		r->measured = true;
	note_refusal(r, p->record);
	write_timeline(r, p->record);
	record_point(r, p->record);
	print_ready_rows(r);
}

/* No worker is left, and no other would help. */
static void note_pool_death(struct run *r)
{
	const char *why = worker_pool_crash_text(r->workers);
	worker_pool_open_failed(r->workers, &r->status);
	command_print_error(why);
	sweep_pool_died(r->sweep, why);
	r->workers_lost = true;
}

/* --- the loop --- */

static double point_seconds(const struct run *r)
{
	return r->sweep ? sweep_point_elapsed(r->sweep) : 0;
}

static void show_progress(const struct run *r)
{
	char text[900];
	char left[48];
	estimate_format_left(sweep_fraction(r->sweep), sweep_elapsed(r->sweep), left, sizeof left);
	snprintf(text, sizeof text, "%s  %d of %d points  %s%s%s%s", r->x->id, r->done, r->count - r->elsewhere, left,
		*left ? "  " : "", point_seconds(r) > 10 ? "Ctrl-C stops  " : "", sweep_status_text(r->sweep));
	progress_show(text);
}

/* Once, also where no progress is shown. */
static void say_how_to_stop(struct run *r)
{
	if (r->said_how_to_stop || point_seconds(r) < LONG_POINT_S)
		return;
	r->said_how_to_stop = true;
	command_printf_error(
		"a point has been running for %d s; Ctrl-C stops and keeps what was measured, --limit SECONDS stops by itself",
		LONG_POINT_S);
}

static bool output_failed(void)
{
	return ferror(stdout) != 0;
}

static bool is_time_over(void *run)
{
	struct run *r = run;
	if (run_limit_is_over(&r->ask->limit, now_seconds() - r->started, point_seconds(r)))
		r->out_of_time = true;
	return r->out_of_time || command_interrupted;
}

static bool must_stop(struct run *r)
{
	is_time_over(r);
	if (output_failed() && !r->recorder) /* a recording continues when the pipe is closed */
		return true;
	return command_interrupted || r->out_of_time || r->refused;
}

static bool was_logged_before(size_t at, const char *text)
{
	enum log_level level;
	for (size_t i = 0; i < at; i++) {
		const char *line = log_get_line(i, &level);
		if (line && level == LOG_WARNING && !strcmp(line, text))
			return true;
	}
	return false;
}

/* Prints new warnings of the log, once: several workers may send the same. Errors are reported by the caller that gets
 * them. */
static void print_log_warnings(struct run *r)
{
	enum log_level level;
	for (; r->log_printed < log_line_count(); r->log_printed++) {
		const char *line = log_get_line(r->log_printed, &level);
		if (line && level == LOG_WARNING && !was_logged_before(r->log_printed, line))
			command_print_error(line);
	}
}

static void pump_sweep(struct run *r)
{
	command_pump_sweep(r->workers, r->sweep);
	print_log_warnings(r);
	if (r->recorder)
		recorder_flush_old(r->recorder);
}

/* Runs a started sweep to its end; false if no later part can be run. */
static bool run_part(struct run *r)
{
	bool cancelled = false;
	double shown = 0;
	while (sweep_state(r->sweep) == SWEEP_RUNNING && !r->workers_lost) {
		pump_sweep(r);
		if (!cancelled && must_stop(r)) {
			cancelled = true;
			sweep_cancel(r->sweep);
		}
		if (sweep_state(r->sweep) == SWEEP_RUNNING && worker_pool_state(r->workers) == WORKER_DEAD)
			note_pool_death(r);
		if (now_seconds() - shown > 0.1) {
			shown = now_seconds();
			show_progress(r);
			say_how_to_stop(r);
		}
	}
	progress_clear();
	if (sweep_state(r->sweep) == SWEEP_FAILED && !r->workers_lost) {
		command_print_error(sweep_status_text(r->sweep));
		r->status = ST_FAILED;
	}
	return sweep_state(r->sweep) == SWEEP_DONE && !r->workers_lost && !must_stop(r);
}

static bool start_part(struct run *r, const struct plan_part *part, struct err *e)
{
	r->part = part;
	r->sweep = sweep_start(&part->plan, r->workers, note_point, r, e);
	if (!r->sweep)
		return false;
	if (r->header)
		return true;
	r->header = r->old.session ? json_incref(r->old.session->header)
				   : plan_build_header(&r->plan, worker_pool_device_record(r->workers));
	if (!r->old.session)
		note_shared_devices(r);
	if (r->ask->chunk)
		json_object_set(r->header, "batch", (json_t *)r->ask->chunk->origin);
	if (!start_recording(r, e))
		return false;
	progress_clear();
	for (int i = 0; i < r->count; i++) /* points that failed while the sweep started */
		if (!r->resumed[i] && get_run_point(r, i))
			record_point(r, get_run_point(r, i));
	if (r->ask->format == FORMAT_CSV)
		csv_print_header(stdout, r->header, r->ask->bare);
	print_ready_rows(r);
	return true;
}

static bool measure_parts(struct run *r, struct err *e)
{
	bool more = true;
	for (int i = 0; more && i < r->parts.count; i++) {
		if (!start_part(r, &r->parts.list[i], e))
			return false;
		more = run_part(r);
		if (i + 1 < r->parts.count && more) {
			sweep_free(r->sweep);
			r->sweep = NULL;
		}
	}
	return true;
}

/* All points are in the resumed session. */
static void report_complete_session(struct run *r)
{
	char text[600];
	r->header = json_incref(r->old.session->header);
	recorder_continue_session(r->recorder, r->old.session);
	snprintf(text, sizeof text, "%s already has all %d points; nothing to measure", r->ask->resume, r->count);
	command_print_error(text);
	if (r->ask->format == FORMAT_CSV)
		csv_print_header(stdout, r->header, r->ask->bare);
	print_ready_rows(r);
}

/* Prints what was not printed while measuring: CSV rows after a missing point, or the whole output. */
static void print_remaining(struct run *r)
{
	struct overlay published;
	struct session_extras extras;
	if (r->ask->quiet || (!r->done && (command_interrupted || r->out_of_time)))
		return; /* a table without rows says nothing */
	if (r->ask->format == FORMAT_CSV) {
		for (; r->printed < r->count; r->printed++)
			if (get_run_point(r, r->printed))
				csv_print_point(stdout, r->header, (size_t)++r->rows, get_run_point(r, r->printed),
					r->ask->bare);
		return;
	}
	overlay_load(&published, r->x);
	struct session_output o = {r->ask->format, stdout, r->header, &r->points,
		session_extras_make(&extras, r->header, &r->points, &published.rows),
		isatty(STDOUT_FILENO) ? terminal_width(80) : 80, terminal_is_ascii(), NULL, r->ask->bare};
	if (r->ask->plot_and_table) {
		o.format = FORMAT_PLOT;
		session_output_print(&o);
		fputc('\n', stdout);
		o.format = FORMAT_TABLE;
	}
	session_output_print(&o);
	session_extras_free(&extras);
	overlay_free(&published);
}

static int report_outcome(struct run *r)
{
	char text[200];
	int count = r->count - r->elsewhere;
	r->failed = report_failures(&r->points, r->refused && r->done < count);
	if (command_interrupted) {
		snprintf(text, sizeof text, "interrupted; kept %d of %d points", r->done, count);
		command_print_error(text);
		return ST_INTERRUPTED;
	}
	if (r->out_of_time && r->done < count) {
		command_print_error(run_limit_format(&r->ask->limit, r->done, count, r->recorder, text, sizeof text));
		return ST_FAILED;
	}
	if (r->status != ST_OK)
		return (int)r->status;
	if (report_all_failed_alike(&r->points))
		return ST_REQUEST;
	return r->failed || r->workers_lost || (!output_failed() && r->done < count) ? ST_FAILED : ST_OK;
}

static int count_missing_points(const struct run *r)
{
	int n = 0;
	for (int i = 0; i < r->count; i++)
		n += !r->resumed[i];
	return n;
}

static int run_plan(struct run *r, struct err *e)
{
	command_catch_interrupts();
	log_to_stderr(LOG_ERROR + 1);
	r->log_printed = log_line_count();
	plan_parts_make(&r->plan, r->resumed, &r->parts);
	if (!r->parts.count) {
		report_complete_session(r);
	} else {
		progress_show("opening the device");
		r->workers =
			command_start_workers_at(r->ask->places.list, r->ask->places.count, count_missing_points(r), e);
		r->started = now_seconds();
		experiment_stop_functions_when(is_time_over, r);
		bool measured = r->workers && measure_parts(r, e);
		experiment_stop_functions_when(NULL, NULL);
		if (!measured)
			return command_report_failure(e);
	}
	print_remaining(r);
	print_log_warnings(r);
	report_missing_counters(&r->points, r->ask->counters);
	return report_outcome(r);
}

static void free_run(struct run *r)
{
	if (r->sweep)
		sweep_free(r->sweep);
	if (r->workers)
		worker_pool_close(r->workers);
	plan_parts_free(&r->parts);
	json_decref((json_t *)r->plan.inside);
	plan_free(&r->plan);
	point_list_free(&r->points);
	free(r->resumed);
	json_decref(r->header);
	resumed_session_free(&r->old);
	catalog_free(&r->catalog);
}

static int run_request(struct request *q, const struct argument_list *words)
{
	struct run r = {.ask = q};
	struct err e = {0};
	int status = ST_REQUEST;
	if (open_resumed_session(&r, q, &e) && choose_devices(&r, q, &e) && check_request(q, &e) &&
		make_run_plan(&r, words, &e)) {
		load_resumed_points(&r);
		status = run_plan(&r, &e);
	} else {
		status = command_report_failure(&e);
	}
	struct err close_error = {0};
	if (q->chunk)
		q->chunk->kept = r.done;
	if (r.recorder && !recorder_close(r.recorder, &close_error))
		status = command_report_failure(&close_error);
	free_run(&r);
	worker_places_free(&q->places);
	device_choice_free(&q->devices);
	free(q->counter_names);
	return status;
}

int command_run_default(const char *experiment, const char *device)
{
	struct request q = {
		.experiment = experiment, .named = {device}, .format_text = "table", .plot_and_table = true};
	return run_request(&q, &(struct argument_list){NULL, 0});
}

int command_run_recorded(const struct argument_list *words, const char *device, const char *record)
{
	struct request q = {.experiment = words->list[0],
		.named = {device},
		.format_text = "table",
		.record = record,
		.quiet = true};
	return run_request(&q, words);
}

int command_run_chunk(struct run_chunk *c)
{
	struct request q = {.experiment = c->experiment,
		.named = {c->device},
		.format_text = "table",
		.counters_text = c->counters,
		.record = c->record,
		.limit_text = "0", /* the batch system has limits */
		.no_verify = c->no_verify,
		.quiet = true,
		.chunk = c};
	return run_request(&q, &(struct argument_list){NULL, 0});
}

/* --- run --- */

static bool check_run_words(struct request *q, const struct argument_list *words, struct err *e)
{
	q->experiment = words->count ? words->list[0] : NULL;
	return words->count || q->resume ||
		err_set(e, ST_REQUEST, "run needs an experiment; `wavedeck list` lists them");
}

/* With --each the sessions are in a folder, and each device has all its workers. */
static bool check_each_options(
	const struct request *q, const struct run_each *each, bool wanted, bool estimate, struct err *e)
{
	const struct {
		const char *name;
		bool used;
	} others[] = {{"--record", q->record}, {"--resume", q->resume}, {"--via", q->vias[0]},
		{"--workers", q->workers_text}, {"--limit", q->limit_text}, {"--timeline", q->timeline},
		{"--cu", q->cu}, {"--no-header-comments", q->bare}, {"--estimate", estimate}};
	if (!wanted)
		return (!each->folder && !each->metric) ||
			err_set(e, ST_REQUEST, "%s is for --each; add it", each->folder ? "--folder" : "--metric");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].used)
			return err_set(e, ST_REQUEST,
				"--each writes a session for each device to --folder DIR; remove %s", others[i].name);
	return !strcmp(q->format_text, "table") || !strcmp(q->format_text, "csv") ||
		err_set(e, ST_REQUEST, "--each prints a table or csv, not '%.40s'", q->format_text);
}

static int run_on_each(const struct request *q, struct run_each *each)
{
	each->counters = q->counters_text;
	each->no_verify = q->no_verify;
	each->format = q->format_text;
	return command_run_each(each);
}

int command_run(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct request q = {.format_text = "table"};
	struct run_each each = {.words = &words, .devices = q.named};
	bool estimate = false, via = false, devices_named = false, wants_each = false;
	const struct option options[] = {
		{"--device", q.named, &devices_named},
		{"--format", &q.format_text, NULL},
		{"--counters", &q.counters_text, NULL},
		{"--record", &q.record, NULL},
		{"--resume", &q.resume, NULL},
		{"--limit", &q.limit_text, NULL},
		{"--workers", &q.workers_text, NULL},
		{"--via", q.vias, &via},
		{"--timeline", &q.timeline, NULL},
		{"--cu", &q.cu, NULL},
		{"--no-verify", NULL, &q.no_verify},
		{"--no-header-comments", NULL, &q.bare},
		{"--estimate", NULL, &estimate},
		{"--each", NULL, &wants_each},
		{"--folder", &each.folder, NULL},
		{"--metric", &each.metric, NULL},
		{NULL, NULL, NULL},
	};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	int status;
	if (!check_run_words(&q, &words, &e) || !check_each_options(&q, &each, wants_each, estimate, &e))
		status = command_report_failure(&e);
	else if (wants_each)
		status = run_on_each(&q, &each);
	else if (estimate && words.count)
		status = command_estimate(&words, command_default_device(q.named[0]), q.workers_text);
	else
		status = run_request(&q, &words);
	free(words.list);
	return status;
}
