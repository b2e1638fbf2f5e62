/* `run`: its options, and how a request becomes a measured run. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/captured_names.h"
#include "cli/own/program_sweep.h"
#include "cli/run/clock_options.h"
#include "cli/run/run_each.h"
#include "cli/run/run_report.h"
#include "cli/run/run_state.h"

static int run_plan(struct run *r, struct err *e)
{
	command_catch_interrupts();
	log_to_stderr(LOG_ERROR + 1);
	r->log_printed = log_line_count();
	plan_parts_make(&r->plan, r->resumed, &r->parts);
	if (!r->parts.count) {
		run_report_complete_session(r);
	} else if (!run_measure_points(r, e)) {
		run_print_kept_points(r);
		return !r->workers && r->out_of_time ? run_report_outcome(r) : command_report_failure(e);
	}
	run_print_remaining(r);
	run_print_log_warnings(r);
	report_missing_counters(&r->points, r->plan.counters ? r->plan.counters : r->ask->counters);
	return run_report_outcome(r);
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
	check_plan_free(&r->checks);
	point_list_free(&r->points);
	free(r->resumed);
	json_decref(r->header);
	resumed_session_free(&r->old);
	kernel_agreement_free(&r->kernels);
	catalog_free(&r->catalog);
}

static int run_request(struct request *q, const struct argument_list *words)
{
	struct run r = {.ask = q};
	struct err e = {0};
	int status = ST_REQUEST;
	if (run_open_resumed_session(&r, q, &e) && run_choose_devices(&r, q, &e) && run_check_request(q, &e) &&
		run_check_what_if(q, &e) && run_make_checks(&r, &e) && run_make_plan(&r, words, &e) &&
		command_lock_clocks(q->lock_clocks, q->devices.names, q->devices.count, &e)) {
		run_load_resumed_points(&r);
		status = run_report_what_if(&r, run_report_checks(&r, run_plan(&r, &e)));
	} else {
		status = command_report_failure(&e);
	}
	struct err close_error = {0};
	if (q->chunk)
		q->chunk->kept = r.done;
	if (r.recorder && !recorder_close(r.recorder, &close_error))
		status = command_report_failure(&close_error);
	free_run(&r);
	status = command_give_back_clocks(status);
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
		.lock_clocks = c->lock_clocks,
		.quiet = true,
		.chunk = c};
	return run_request(&q, &(struct argument_list){NULL, 0});
}

/* --- the command --- */

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
		{"--cu", q->cu}, {"--no-header-comments", q->bare}, {"--estimate", estimate}, {"--profile", q->profile},
		{"--check", q->check.wanted}, {"--what-if", q->what_if}};
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

/* A program is measured here, by one worker: several would run it several times at once. */
static bool check_program_options(
	struct request *q, const struct argument_list *words, bool each, bool estimate, struct err *e)
{
	const struct {
		const char *name, *instead;
		bool used;
	} others[] = {{"--via", "other machines do not have the program", q->vias[0]},
		{"--check", "wavedeck exec --check checks a program", q->check.wanted},
		{"--timeline", "wavedeck exec --timeline writes that of a program", q->timeline},
		{"--what-if", "wavedeck capture keeps launches, which it can be used on", q->what_if},
		{"--each", "record each device with --device and --record, then wavedeck compare", each},
		{"--estimate", "how long a program takes is not known", estimate}};
	if (!words->count || !command_is_program(words->list[0]))
		return true;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].used)
			return err_set(e, ST_REQUEST, "%s is for experiments: %s; remove it", others[i].name,
				others[i].instead);
	q->workers_text = q->workers_text ? q->workers_text : "1";
	return true;
}

static int run_on_each(const struct request *q, struct run_each *each)
{
	each->counters = q->counters_text;
	each->no_verify = q->no_verify;
	each->trust = q->trust;
	each->format = q->format_text;
	each->lock_clocks = q->lock_clocks;
	each->stop = q->stop;
	each->flush_l2 = q->sampling.flush_l2;
	return command_run_each(each);
}

int command_run(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct request q = {.format_text = "table"};
	struct run_each each = {.words = &words, .devices = q.named};
	struct program_options program = {0};
	bool estimate = false, via = false, devices_named = false, wants_each = false;
	const struct option options[] = {
		{"--device", q.named, &devices_named},
		{"--format", &q.format_text, NULL},
		{"--counters", &q.counters_text, NULL},
		{"--record", &q.record, NULL},
		{"--resume", &q.resume, NULL},
		{"--limit", &q.limit_text, NULL},
		{"--workers", &q.workers_text, NULL},
		{"--lock-clocks", &q.lock_clocks, NULL},
		{"--stop", &q.stop, NULL},
		{"--flush-l2", NULL, &q.sampling.flush_l2},
		{"--via", q.vias, &via},
		{"--timeline", &q.timeline, NULL},
		{"--cu", &q.cu, NULL},
		{"--no-verify", NULL, &q.no_verify},
		{"--trust", NULL, &q.trust},
		{"--no-header-comments", NULL, &q.bare},
		{"--estimate", NULL, &estimate},
		{"--profile", NULL, &q.profile},
		{"--what-if", NULL, &q.what_if},
		{"--each", NULL, &wants_each},
		{"--folder", &each.folder, NULL},
		{"--metric", &each.metric, NULL},
		{"--args", &program.args, NULL},
		{"--kernel", &program.kernel, NULL},
		CHECK_OPTIONS(q.check),
		{NULL, NULL, NULL},
	};
	check_request_take_list(&q.check, argc, argv);
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	int status;
	if (!command_resolve_capture(&words, &q.named[0], &e) ||
		!check_program_options(&q, &words, wants_each, estimate, &e) ||
		!command_resolve_program(&words, &program, &q.named[0], &e) || !check_run_words(&q, &words, &e) ||
		!check_each_options(&q, &each, wants_each, estimate, &e))
		status = command_report_failure(&e);
	else if (wants_each)
		status = run_on_each(&q, &each);
	else if (estimate && q.lock_clocks)
		status = (err_set(&e, ST_REQUEST, "--estimate measures nothing; remove --lock-clocks"),
			command_report_failure(&e));
	else if (estimate && words.count)
		status = command_estimate(&words, command_default_device(q.named[0]), q.workers_text);
	else
		status = run_request(&q, &words);
	free(words.list);
	return status;
}
