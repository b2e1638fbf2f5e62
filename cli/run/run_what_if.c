/* `run --what-if`: measures the points on the device with each of its parts ideal, several devices at a time, and
 * prints what each cause costs. */
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/host/usable_cores.h"
#include "cli/run/run_state.h"
#include "experiments/analysis/what_if.h"
#include "experiments/sweep/sweep.h"
#include "gpu/protocol/point_record.h"

enum { WHAT_IF_POINTS_MAX = 64, AT_ONCE_MAX = 16, BAR = 30 };

bool run_check_what_if(const struct request *q, struct err *e)
{
	char name[DEVICE_NAME_MAX];
	if (!q->what_if)
		return true;
	if (q->format_text && strcmp(q->format_text, "table"))
		return err_set(e, ST_REQUEST, "--what-if prints a table; remove --format %s", q->format_text);
	if (q->devices.count > 1 || q->vias[0])
		return err_set(e, ST_REQUEST, "--what-if studies one device of this machine; name only one --device");
	return what_if_device(q->device, WHAT_IF_ALL, name, sizeof name, e);
}

/* --- measuring --- */
/* A device that is measured now. */
struct study_device {
	int number;
	struct worker_pool *workers; /* NULL: the place is free */
	struct sweep *sweep;
};

struct study {
	struct run *run;
	struct plan plan;
	struct what_if *points;
	int at_once, started, ended;
	struct study_device open[AT_ONCE_MAX];
	char why[300]; /* a device could not be measured; "" */
};

static void take_point(void *ctx, const struct sweep *s, int point)
{
	struct study *t = ctx;
	const json_t *record = sweep_points(s, NULL)[point].record;
	for (int k = 0; k < t->at_once; k++)
		if (t->open[k].sweep == s && record)
			what_if_take(&t->points[point], t->open[k].number, record);
}

static void close_device(struct study *t, struct study_device *d)
{
	if (sweep_state(d->sweep) == SWEEP_FAILED && !*t->why)
		snprintf(t->why, sizeof t->why, "%s", sweep_status_text(d->sweep));
	sweep_free(d->sweep);
	worker_pool_close_async(d->workers);
	*d = (struct study_device){0};
	t->ended++;
}

static bool start_device(struct study *t, struct study_device *d, struct err *e)
{
	char name[DEVICE_NAME_MAX];
	const int number = t->started++;
	d->number = number;
	if (!what_if_device(t->run->ask->device, number, name, sizeof name, e))
		return false;
	d->workers = worker_pool_start_local(name, 1, e);
	if (!d->workers)
		return false;
	d->sweep = sweep_start(&t->plan, d->workers, take_point, t, e);
	if (d->sweep)
		return true;
	worker_pool_close_async(d->workers);
	d->workers = NULL;
	return false;
}

static void wait_for_records(const struct study *t)
{
	enum { WAIT_MS = 100 };
	struct pollfd list[AT_ONCE_MAX * WORKER_POOL_FDS];
	int fds[WORKER_POOL_FDS], count = 0;
	for (int k = 0; k < t->at_once; k++)
		for (int i = t->open[k].workers ? worker_pool_poll_fds(t->open[k].workers, fds) : 0; i-- > 0;)
			list[count++] = (struct pollfd){.fd = fds[i], .events = POLLIN};
	poll(list, (nfds_t)count, WAIT_MS);
}

static void pump_device(struct study *t, struct study_device *d)
{
	worker_pool_pump(d->workers);
	for (json_t *record; (record = worker_pool_next_record(d->workers)); json_decref(record))
		sweep_handle_record(d->sweep, record);
	if (sweep_state(d->sweep) == SWEEP_RUNNING && worker_pool_state(d->workers) == WORKER_DEAD)
		sweep_pool_died(d->sweep, worker_pool_crash_text(d->workers));
	if (sweep_state(d->sweep) == SWEEP_RUNNING && command_interrupted)
		sweep_cancel(d->sweep);
	if (sweep_state(d->sweep) != SWEEP_RUNNING)
		close_device(t, d);
}

static void show_study_progress(const struct study *t)
{
	char text[80];
	snprintf(text, sizeof text, "what if: %d of %d devices", t->ended, (int)WHAT_IF_DEVICES);
	progress_show(text);
}

static bool measure_study(struct study *t, struct err *e)
{
	bool ok = true;
	while (ok && t->ended < WHAT_IF_DEVICES && !command_interrupted) {
		show_study_progress(t);
		for (int k = 0; ok && k < t->at_once && t->started < WHAT_IF_DEVICES; k++)
			if (!t->open[k].workers)
				ok = start_device(t, &t->open[k], e);
		wait_for_records(t);
		for (int k = 0; k < t->at_once; k++)
			if (t->open[k].workers)
				pump_device(t, &t->open[k]);
	}
	for (int k = 0; k < t->at_once; k++)
		if (t->open[k].workers) {
			sweep_cancel(t->open[k].sweep);
			close_device(t, &t->open[k]);
		}
	progress_clear();
	return ok;
}

/* --- printing --- */
static void print_bar(double share, bool ascii)
{
	const int full = (int)lround(fmin(fmax(share, 0), 1) * BAR);
	for (int k = 0; k < BAR; k++)
		fputs(k >= full ? " " : ascii ? "#" : "█", stdout);
}

static void print_cost(const struct what_if *w, int number)
{
	char cycles[40];
	const double saved = what_if_saved(w, number);
	const char *note = what_if_changes_results(w, number) ? "  changes results" : "";
	if (isnan(saved)) {
		printf("  %-23s not measured: %s\n", what_if_cause(number), w->result[number].why);
		return;
	}
	number_format_digits(cycles, sizeof cycles, saved * w->result[WHAT_IF_AS_IT_IS].cycles);
	printf("  %-23s %5.1f %%  ", what_if_cause(number), 100 * saved);
	print_bar(saved, terminal_is_ascii());
	printf("  %s cycles%s\n", cycles, note);
}

/* In one line, because there are many. */
static void print_cheap_causes(const struct what_if *w)
{
	char text[600] = "";
	size_t n = 0;
	for (int number = WHAT_IF_FIRST; number < WHAT_IF_ALL; number++)
		if (what_if_saved(w, number) < WHAT_IF_LEAST && n < sizeof text)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", what_if_cause(number));
	if (n)
		command_print_wrapped("  below 0.5 %: ", "    ", text, terminal_width(TEXT_WIDTH_MAX));
}

static void print_point(const struct study *t, int point)
{
	char name[200], cycles[40];
	int order[IDEAL_PARTS];
	const struct what_if *w = &t->points[point];
	plan_format_point(&t->plan, point, name, sizeof name);
	number_format_digits(cycles, sizeof cycles, w->result[WHAT_IF_AS_IT_IS].cycles);
	printf("\nwhat if%s%s: of %s cycles, without\n", *name ? ", " : "", name, cycles);
	const int count = what_if_order(w, WHAT_IF_LEAST, order);
	for (int k = 0; k < count; k++)
		print_cost(w, order[k]);
	print_cost(w, WHAT_IF_ALL);
	for (int number = WHAT_IF_FIRST; number < WHAT_IF_ALL; number++)
		if (isnan(what_if_saved(w, number)))
			print_cost(w, number);
	print_cheap_causes(w);
}

/* In the session that the run records, if it does. */
static void record_costs(const struct study *t, int point)
{
	const json_t *record = point_list_get(&t->run->points, (size_t)point);
	json_t *costs = what_if_make_record(&t->points[point], record_get_params(record));
	run_record_point(t->run, costs);
	json_decref(costs);
}

static void print_study(const struct study *t)
{
	const int count = plan_point_count(&t->plan);
	for (int i = 0; i < count; i++)
		if (t->points[i].result[WHAT_IF_AS_IT_IS].measured) {
			print_point(t, i);
			record_costs(t, i);
		} else
			command_printf_error("what if: %s", t->points[i].result[WHAT_IF_AS_IT_IS].why);
	command_print_wrapped("\n", "",
		"Each line is the same launch on this GPU with one part ideal. The lines do not add up: a wave that no longer "
		"waits for one thing may wait for another.",
		terminal_width(TEXT_WIDTH_MAX));
}

int run_report_what_if(struct run *r, int status)
{
	struct err e = {0};
	const int cores = (int)usable_cores();
	struct study t = {.run = r, .plan = r->plan, .at_once = cores < AT_ONCE_MAX ? cores : AT_ONCE_MAX};
	if (!r->ask->what_if || (status != ST_OK && status != ST_FAILED))
		return status;
	if (r->count > WHAT_IF_POINTS_MAX) {
		err_set(&e, ST_REQUEST, "--what-if measures at most %d points, not %d; give the parameters values",
			WHAT_IF_POINTS_MAX, r->count);
		return command_report_failure(&e);
	}
	what_if_prepare_plan(&t.plan);
	t.points = xcalloc((size_t)r->count, sizeof *t.points);
	if (!measure_study(&t, &e))
		status = command_report_failure(&e);
	else if (command_interrupted)
		status = ST_INTERRUPTED;
	else
		print_study(&t);
	if (*t.why)
		command_printf_error("what if: %s", t.why);
	free(t.points);
	return status;
}
