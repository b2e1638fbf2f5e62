#include "cli/batch/batch_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/batch/batch_wait.h"
#include "cli/batch/fleet_table.h"
#include "cli/cli_support.h"

struct report {
	struct batch *b;
	const struct gather_request *q;
	struct batch_results results;
	struct task_state *states;
	bool states_known;
};

/* --- what is missing --- */

static void print_task_name(const struct report *r, int task)
{
	if (batch_is_fleet(r->b))
		printf("%-8s", batch_task_member(r->b, task));
	else
		printf("task %-4d", task);
}

static bool wants_csv(const struct report *r)
{
	return r->q->format && !strcmp(r->q->format, "csv");
}

static void print_missing(const struct report *r)
{
	bool csv = wants_csv(r);
	for (int i = 0; i < batch_task_count(r->b); i++) {
		const struct task_result *t = &r->results.tasks[i];
		if (task_is_complete(t))
			continue;
		char *cause =
			r->states_known ? batch_format_cause(r->b, i, &r->states[i]) : xstrdup("Slurm does not answer");
		printf(csv ? "# missing: " : "");
		print_task_name(r, i);
		printf("  %d of %d points", t->have - t->failed, t->points);
		if (t->failed)
			printf(", %d failed", t->failed);
		printf("  %s\n", cause);
		free(cause);
	}
}

/* Nodes that Slurm could not use when the fleet was submitted. */
static void print_left_out(const struct report *r)
{
	bool csv = wants_csv(r);
	const json_t *list = json_object_get(r->b->description, "left_out");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *node = json_array_get(list, i);
		printf("%s%-8s  not measured  %s\n", csv ? "# missing: " : "", record_get_text(node, "node"),
			record_get_text(node, "reason"));
	}
}

static int count_ended_incomplete(const struct report *r)
{
	int n = 0;
	for (int i = 0; i < batch_task_count(r->b); i++)
		n += !task_is_complete(&r->results.tasks[i]) && !task_is_active(&r->states[i]);
	return n;
}

/* --- a batch --- */

static bool write_joined(const struct report *r, struct err *e)
{
	const struct session_join *j = &r->results.joins[0];
	char *name = xasprintf("%s.wbs", batch_get_text(r->b, "experiment"));
	char *path = r->q->output ? xstrdup(r->q->output) : batch_file_path(r->b, name);
	bool ok = true;
	if (j->header) {
		ok = session_join_write(j, path, e);
		if (ok)
			printf("session: %s\n", path);
		if (j->remark)
			command_print_error(j->remark);
	}
	free(name);
	free(path);
	return ok;
}

static bool print_batch(const struct report *r, struct err *e)
{
	printf("%d of %d points of %s on %s\n", r->results.have - r->results.failed, r->results.points,
		batch_get_text(r->b, "experiment"), batch_get_text(r->b, "device"));
	if (!write_joined(r, e))
		return false;
	print_missing(r);
	return true;
}

/* --- a fleet --- */

static bool print_fleet(const struct report *r, struct err *e)
{
	int count = batch_task_count(r->b);
	const char *what = batch_is_local(r->b) ? "device" : "node";
	const char **nodes = xcalloc((size_t)count, sizeof *nodes);
	for (int i = 0; i < count; i++)
		nodes[i] = batch_task_member(r->b, i);
	struct fleet_table t;
	struct err none = {0};
	const char *metric = r->q->metric ? r->q->metric : batch_get_text(r->b, "metric");
	bool ok = fleet_table_make(&t, r->results.joins, nodes, count, metric, &none);
	bool wrong = !ok && r->results.have > r->results.failed; /* a metric that the experiment does not have */
	if (ok && wants_csv(r))
		fleet_table_print_csv(&t, what, stdout);
	else if (ok)
		fleet_table_print(&t, what, stdout);
	fleet_table_free(&t);
	free(nodes);
	print_missing(r);
	print_left_out(r);
	if (wrong)
		*e = none;
	return !wrong;
}

/* --- both --- */

static bool resubmit_missing(struct report *r, struct err *e)
{
	int count;
	if (!r->states_known)
		return err_set(e, ST_FAILED, "cannot submit again: the states of the jobs are not known");
	if (!batch_resubmit(r->b, &r->results, r->states, r->q->options, &count, e))
		return false;
	if (count)
		printf("submitted again: %d task%s\n", count, count == 1 ? "" : "s");
	else
		printf("nothing to submit again: all missing points are waiting or running\n");
	return true;
}

static void print_next_step(const struct report *r)
{
	int ended = r->states_known ? count_ended_incomplete(r) : 0;
	if (ended)
		printf("next: wavedeck gather %s --resubmit\n", r->b->folder);
	else
		printf("next: wavedeck gather %s --wait\n", r->b->folder);
}

static bool report_results(struct report *r, struct err *e)
{
	struct err silent = {0};
	if (!batch_results_load(&r->results, r->b, e))
		return false;
	r->states_known = batch_is_local(r->b) || r->results.have - r->results.failed == r->results.points ||
		slurm_read_states(r->b, r->states, &silent);
	if (!r->states_known)
		command_print_error(silent.text);
	return batch_is_fleet(r->b) ? print_fleet(r, e) : print_batch(r, e);
}

/* Before the report, because it runs here to its end. */
static bool continue_local_fleet(struct report *r, struct err *e)
{
	int count;
	bool ok = batch_results_load(&r->results, r->b, e) &&
		batch_resubmit(r->b, &r->results, r->states, NULL, &count, e);
	batch_results_free(&r->results);
	return ok;
}

/* Submits what is missing before it waits, then reports what is there at the end. */
static bool gather_results(struct report *r, struct err *e)
{
	bool local = batch_is_local(r->b), again = r->q->resubmit && !local;
	if (local && r->q->resubmit && !continue_local_fleet(r, e))
		return false;
	if (r->q->wait && !again && !batch_wait(r->b, e))
		return false;
	if (!report_results(r, e))
		return false;
	bool complete = r->results.have - r->results.failed == r->results.points;
	if (again && !complete && !resubmit_missing(r, e))
		return false;
	if (again && !complete && r->q->wait) {
		batch_results_free(&r->results);
		return batch_wait(r->b, e) && report_results(r, e);
	}
	if (!complete && !again && !wants_csv(r))
		print_next_step(r);
	return true;
}

int batch_report(struct batch *b, const struct gather_request *q)
{
	struct err e = {0};
	struct report r = {.b = b, .q = q, .states = xcalloc((size_t)batch_task_count(b), sizeof *r.states)};
	int status = ST_FAILED;
	if (gather_results(&r, &e))
		status = r.results.have - r.results.failed == r.results.points ? ST_OK : ST_FAILED;
	else
		status = command_report_failure(&e);
	batch_results_free(&r.results);
	free(r.states);
	return status;
}
