/* Measures the points of a run, part by part, until they are done or the run must stop. */
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "experiments/sweep/sweep.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "sessions/session.h"
#include "cli/run/launch_trace.h"
#include "cli/run/run_state.h"

/* --- points --- */

/* If the worker rejects the first two points with the same error (a kernel that does not compile, an unknown entry), it
 * would reject all. A point that was not sent, or that crashed the worker, does not count: its record has an empty list
 * of samples. Nor does a recording, which may contain only later points. */
static void note_refusal(struct run *r, const json_t *record)
{
	const char *error = point_get_error(record);
	if (r->measured || point_get_samples(record) || !*error || device_can(r->ask->device, DEVICE_RECORDING))
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
	/* In the whole plan: a resumed run measures a part of it. */
	json_object_set_new(p->record, "point", json_integer(at));
	json_object_set_new(p->record, "job", json_integer(at + 1));
	r->done++;
	if (p->status == POINT_OK)
		r->measured = true;
	note_refusal(r, p->record);
	write_timeline(r, p->record);
	run_record_point(r, p->record);
	point_list_set_packed(&r->points, (size_t)at, p->record);
	sweep_forget_record(s, point);
	run_print_ready_rows(r);
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

double run_point_seconds(const struct run *r)
{
	return r->sweep ? sweep_point_elapsed(r->sweep) : 0;
}

static bool is_time_over(void *run)
{
	struct run *r = run;
	if (run_limit_is_over(&r->ask->limit, now_seconds() - r->started, run_point_seconds(r)))
		r->out_of_time = true;
	return r->out_of_time || command_interrupted;
}

static bool must_stop(struct run *r)
{
	is_time_over(r);
	if (run_output_failed() && !r->recorder) /* a recording continues when the pipe is closed */
		return true;
	return command_interrupted || r->out_of_time || r->refused;
}

static void pump_sweep(struct run *r)
{
	command_pump_sweep(r->workers, r->sweep);
	run_print_log_warnings(r);
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
			run_show_progress(r);
			run_say_how_to_stop(r);
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
	sweep_share_kernels(r->sweep, &r->kernels);
	if (r->header)
		return true;
	if (!run_start_recording(r, e))
		return false;
	progress_clear();
	for (int i = 0; i < r->count; i++) /* points that failed while the sweep started */
		if (!r->resumed[i] && run_get_point(r, i))
			run_record_point(r, run_get_point(r, i));
	if (r->ask->format == FORMAT_CSV)
		csv_print_header(stdout, r->header, r->ask->bare);
	run_print_ready_rows(r);
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

static int count_missing_points(const struct run *r)
{
	int n = 0;
	for (int i = 0; i < r->count; i++)
		n += !r->resumed[i];
	return n;
}

/* The limit of the run holds while a connection opens, too. */
static struct worker_pool *start_run_workers(struct run *r, struct err *e)
{
	const struct worker_places *places = &r->ask->places;
	const struct stop_condition stop = {is_time_over, r};
	progress_show("opening the device");
	return command_start_workers_unless(&stop, places->list, places->count, count_missing_points(r), e);
}

static void take_device(struct run *r)
{
	plan_take_device(&r->plan, worker_pool_device_record(r->workers));
	plan_parts_free(&r->parts);
	plan_parts_make(&r->plan, r->resumed, &r->parts);
}

bool run_measure_points(struct run *r, struct err *e)
{
	r->started = now_seconds();
	r->workers = start_run_workers(r, e);
	if (r->workers)
		take_device(r);
	experiment_stop_functions_when(is_time_over, r);
	bool measured = r->workers && measure_parts(r, e);
	experiment_stop_functions_when(NULL, NULL);
	return measured;
}
