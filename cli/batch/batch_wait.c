#include "cli/batch/batch_wait.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/host_clock.h"
#include "base/input_file.h"
#include "cli/batch/local_tasks.h"
#include "cli/cli_support.h"

enum { POLL_MS = 2000, SLEEP_MS = 100, QUIET_MAX = 5 /* failed questions in a row, while slurmctld restarts */ };

bool task_is_active(const struct task_state *t)
{
	return t->phase == TASK_PENDING || t->phase == TASK_RUNNING;
}

/* --- waiting --- */

static int count_phase(const struct batch *b, const struct task_state *states, enum task_phase phase)
{
	int n = 0;
	for (int i = 0; i < batch_task_count(b); i++)
		n += states[i].phase == phase;
	return n;
}

static void show_batch_progress(const struct batch *b, const struct task_state *states, int points)
{
	char text[300];
	int each = batch_is_fleet(b) ? batch_task_count(b) : 1;
	snprintf(text, sizeof text, "%s  %d of %d points  %d running  %d waiting  Ctrl-C stops waiting",
		batch_get_text(b, "experiment"), points, each * batch_point_count(b),
		count_phase(b, states, TASK_RUNNING), count_phase(b, states, TASK_PENDING));
	progress_show(text);
}

static void sleep_until(long long end)
{
	while (!command_interrupted && now_ms() < end)
		nanosleep(&(struct timespec){.tv_nsec = SLEEP_MS * 1000000L}, NULL);
}

bool batch_wait(const struct batch *b, struct err *e)
{
	struct batch_progress progress = {0};
	struct task_state *states = xcalloc((size_t)batch_task_count(b), sizeof *states);
	bool active = true, ok = true;
	command_catch_interrupts();
	if (batch_is_local(b)) /* its tasks run as long as the command that started them */
		active = false;
	for (int quiet = 0; active && ok && !command_interrupted;) {
		if (slurm_read_states(b, states, e))
			quiet = 0;
		else
			ok = ++quiet < QUIET_MAX && e->status != ST_REQUEST;
		active = quiet || count_phase(b, states, TASK_PENDING) || count_phase(b, states, TASK_RUNNING);
		show_batch_progress(b, states, batch_progress_count(&progress, b));
		if (active && ok)
			sleep_until(now_ms() + POLL_MS);
	}
	progress_clear();
	if (command_interrupted)
		ok = err_set(
			e, ST_INTERRUPTED, "stopped waiting; the jobs go on: wavedeck gather %s --wait", b->folder);
	batch_progress_free(&progress);
	free(states);
	return ok;
}

/* --- causes --- */

/* The last message of wavedeck in the log: why the program ended. "" without any. */
static char *read_last_message(const struct batch *b, int task)
{
	static const char mark[] = "wavedeck: ";
	char *path = batch_log_path(b, task), *found = xstrdup("");
	const char *why;
	int fd = input_file_open(path, &why);
	struct line_reader *lines = fd < 0 ? NULL : line_reader_new(fd, 1 << 16);
	struct text_line line;
	while (lines && line_reader_next(lines, &line))
		if (!line.too_long && line.length > sizeof mark && !memcmp(line.text, mark, sizeof mark - 1)) {
			free(found);
			found = xasprintf("%.*s", (int)(line.length - sizeof mark + 1), line.text + sizeof mark - 1);
		}
	if (lines)
		line_reader_free(lines);
	free(path);
	return found;
}

char *batch_format_cause(const struct batch *b, int task, const struct task_state *s)
{
	char *message = task_is_active(s) ? xstrdup("") : read_last_message(b, task);
	struct buf out = {0};
	buf_puts(&out,
		batch_is_local(b) && !batch_count_starts(b, task) && !*message ? "not started"
			: s->phase == TASK_UNKNOWN                             ? "ended"
									       : slurm_state_words(s->state));
	if (*s->node)
		buf_printf(&out, " on %s", s->node);
	if (s->phase == TASK_PENDING && *s->reason)
		buf_printf(&out, " (%s)", s->reason);
	if (*message)
		buf_printf(&out, ": %s", message);
	free(message);
	return out.data;
}

/* --- again --- */

static bool run_tasks_again(struct batch *b, const bool *tasks, const json_t *options, struct err *e)
{
	if (batch_is_local(b))
		return local_tasks_run(b, tasks, e);
	bool ok = slurm_submit_tasks(b, tasks, options, e);
	return batch_write(b, ok ? e : NULL) && ok;
}

bool batch_resubmit(struct batch *b, const struct batch_results *r, const struct task_state *states,
	const json_t *options, int *count, struct err *e)
{
	int tasks = batch_task_count(b);
	bool *again = xcalloc((size_t)tasks, sizeof *again), ok = true;
	*count = 0;
	for (int i = 0; i < tasks; i++) {
		again[i] = !task_is_complete(&r->tasks[i]) && !task_is_active(&states[i]);
		*count += again[i];
	}
	if (*count)
		ok = run_tasks_again(b, again, options, e);
	free(again);
	return ok;
}
