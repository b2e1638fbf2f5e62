/* `batch-task FOLDER N`: what a task of a batch runs on its node. It measures the points of the task that no earlier
 * start has measured, into a session of its own. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/batch/batch_results.h"
#include "cli/batch/own_experiment.h"
#include "cli/batch/slurm_client.h"
#include "cli/cli_support.h"
#include "cli/run/run_chunk.h"

/* --- the time limit --- */

static volatile sig_atomic_t limit_is_near;

static void note_limit(int number)
{
	(void)number;
	limit_is_near = 1;
	command_interrupted = 1;
}

static void catch_limit(void)
{
	struct sigaction action = {.sa_handler = note_limit};
	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
}

/* Slurm starts the task again, as long as each start gets further. */
static int continue_after_limit(int task, int kept)
{
	struct err e = {0};
	if (!kept) {
		command_printf_error(
			"task %d: the time limit is near, and no point has ended; submit it again with more --time",
			task);
		return ST_FAILED;
	}
	if (!slurm_requeue_this(&e)) {
		command_printf_error(
			"task %d: the time limit is near; kept %d points; cannot requeue: %s", task, kept, e.text);
		return ST_FAILED;
	}
	command_printf_error(
		"task %d: the time limit is near; kept %d points; Slurm starts the task again", task, kept);
	return ST_OK;
}

/* --- the points --- */

/* Flags the points to measure and returns their number; -1 with one line. */
static int find_wanted_points(const struct batch *b, int task, bool *wanted, struct err *e)
{
	struct point_range range = batch_task_range(b, task);
	struct session_join done;
	int count = 0;
	session_join_init(&done, (size_t)batch_point_count(b), json_object_get(b->description, "plan"));
	bool ok = batch_add_task_sessions(&done, b, task, batch_count_starts(b, task), e);
	for (int i = range.first; ok && i < range.first + range.count; i++) {
		wanted[i] = !session_join_has(&done, (size_t)i) || session_join_failed(&done, (size_t)i);
		count += wanted[i];
	}
	session_join_free(&done);
	return ok ? count : -1;
}

static const char *read_node_name(char *out, size_t size)
{
	const char *node = getenv("SLURMD_NODENAME");
	if (node)
		return node;
	if (gethostname(out, size))
		*out = 0;
	out[size - 1] = 0;
	return out;
}

static json_t *describe_origin(int task, int start)
{
	char host[256];
	const char *job = getenv("SLURM_JOB_ID");
	return json_pack("{s:i, s:i, s:o, s:s}", "task", task, "start", start, "node",
		json_utf8_string(read_node_name(host, sizeof host)), "job", job ? job : "");
}

static int measure_wanted(const struct batch *b, int task, const bool *wanted, int count)
{
	struct err e = {0};
	int start = batch_claim_start(b, task, &e);
	if (start < 0)
		return command_report_failure(&e);
	char *experiment = own_experiment_name(b), *path = batch_session_path(b, task, start);
	json_t *origin = describe_origin(task, start);
	const char *counters = batch_get_text(b, "counters"), *clock = batch_get_text(b, "lock_clocks");
	struct run_chunk chunk = {.experiment = experiment,
		.device = batch_task_device(b, task),
		.counters = *counters ? counters : NULL,
		.plan = json_object_get(b->description, "plan"),
		.wanted = wanted,
		.origin = origin,
		.record = path,
		.lock_clocks = *clock ? clock : NULL,
		.no_verify = json_is_false(json_object_get(b->description, "verify"))};
	int status = command_run_chunk(&chunk);
	if (status == ST_OK) /* otherwise the last line of the log is the error */
		command_printf_error("task %d: %d of %d points in %s", task, chunk.kept, count, path);
	if (limit_is_near && chunk.kept < count)
		status = continue_after_limit(task, chunk.kept);
	json_decref(origin);
	free(experiment);
	free(path);
	return status;
}

/* A task of a local fleet ends with the command that started it. */
static void end_with_parent(void)
{
	pid_t parent = getppid();
	prctl(PR_SET_PDEATHSIG, SIGINT);
	if (getppid() != parent)
		command_interrupted = 1;
}

static int run_task(const struct batch *b, int task)
{
	struct err e = {0};
	bool *wanted = xcalloc((size_t)batch_point_count(b), sizeof *wanted);
	int count = find_wanted_points(b, task, wanted, &e), status = ST_OK;
	if (count < 0)
		status = command_report_failure(&e);
	else if (!count)
		command_printf_error("task %d: all points are measured", task);
	else
		status = measure_wanted(b, task, wanted, count);
	free(wanted);
	return status;
}

static bool parse_task_number(const struct batch *b, const char *text, int *out, struct err *e)
{
	char *end;
	long n = strtol(text, &end, 10);
	*out = (int)n;
	return (end != text && !*end && n >= 0 && n < batch_task_count(b)) ||
		err_set(e, ST_REQUEST, "'%.40s' is not a task of %s; they are 0 to %d", text, b->folder,
			batch_task_count(b) - 1);
}

int command_batch_task(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct batch b = {0};
	int task = 0, status;
	const struct option options[] = {{NULL, NULL, NULL}};
	catch_limit();
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	if (words.count != 2)
		err_set(&e, ST_REQUEST, "batch-task needs a folder and a task: wavedeck batch-task FOLDER 0");
	else if (batch_read(&b, words.list[0], &e))
		parse_task_number(&b, words.list[1], &task, &e);
	if (!e.text[0] && batch_is_local(&b))
		end_with_parent();
	status = e.text[0] ? command_report_failure(&e) : run_task(&b, task);
	free(words.list);
	batch_free(&b);
	return status;
}
