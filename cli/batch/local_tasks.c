#include "cli/batch/local_tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/batch/batch_results.h"
#include "cli/cli_support.h"
#include "gpu/backends/backend.h"

enum { POLL_MS = 100 };

struct local_task {
	bool waiting;
	pid_t pid; /* 0: not running */
	bool uses_all_cores;
};

extern char **environ;

/* In a process group of its own: Ctrl-C reaches only this process, which passes it on once. */
static bool start_local_task(const struct batch *b, int task, struct local_task *t, struct err *e)
{
	char number[24], *log = batch_log_path(b, task);
	char *const argv[] = {"wavedeck", "batch-task", b->folder, number, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	snprintf(number, sizeof number, "%d", task);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0644);
	posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setpgroup(&how, 0);
	int failed = posix_spawn(&t->pid, "/proc/self/exe", &files, &how, argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	if (failed) {
		t->pid = 0;
		err_set(e, ST_FAILED, "cannot start a process that logs to %s: %s", log, strerror(failed));
	}
	t->waiting = false;
	free(log);
	return !failed;
}

static void note_ended_tasks(struct local_task *list, int count)
{
	for (int i = 0; i < count; i++)
		if (list[i].pid && waitpid(list[i].pid, NULL, WNOHANG) != 0)
			list[i].pid = 0;
}

static int count_running(const struct local_task *list, int count)
{
	int n = 0;
	for (int i = 0; i < count; i++)
		n += list[i].pid != 0;
	return n;
}

static int count_waiting(const struct local_task *list, int count)
{
	int n = 0;
	for (int i = 0; i < count; i++)
		n += list[i].waiting;
	return n;
}

static bool are_cores_taken(const struct local_task *list, int count)
{
	for (int i = 0; i < count; i++)
		if (list[i].pid && list[i].uses_all_cores)
			return true;
	return false;
}

static bool start_waiting_tasks(const struct batch *b, struct local_task *list, int count, struct err *e)
{
	for (int i = 0; i < count; i++)
		if (list[i].waiting && !(list[i].uses_all_cores && are_cores_taken(list, count)) &&
			!start_local_task(b, i, &list[i], e))
			return false;
	return true;
}

static void interrupt_tasks(struct local_task *list, int count)
{
	for (int i = 0; i < count; i++) {
		list[i].waiting = false;
		if (list[i].pid)
			kill(list[i].pid, SIGINT);
	}
}

static void show_local_progress(
	const struct batch *b, struct batch_progress *progress, const struct local_task *list, int count)
{
	char text[300];
	snprintf(text, sizeof text, "%s  %d of %d points  %d running  %d waiting  Ctrl-C stops and keeps the points",
		batch_get_text(b, "experiment"), batch_progress_count(progress, b), count * batch_point_count(b),
		count_running(list, count), count_waiting(list, count));
	progress_show(text);
}

static bool run_until_ended(const struct batch *b, struct local_task *list, int count, struct err *e)
{
	struct batch_progress progress = {0};
	bool interrupted = false, ok = true;
	do {
		note_ended_tasks(list, count);
		if ((command_interrupted || !ok) && !interrupted) {
			interrupted = true;
			interrupt_tasks(list, count);
		}
		ok = ok && start_waiting_tasks(b, list, count, e);
		show_local_progress(b, &progress, list, count);
		nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000L}, NULL);
	} while (count_running(list, count) || (ok && count_waiting(list, count)));
	progress_clear();
	batch_progress_free(&progress);
	if (ok && command_interrupted)
		err_set(e, ST_INTERRUPTED, "interrupted; the points are kept: wavedeck gather %s --resubmit goes on",
			b->folder);
	return ok && !command_interrupted;
}

bool local_tasks_run(const struct batch *b, const bool *tasks, struct err *e)
{
	int count = batch_task_count(b);
	struct local_task *list = xcalloc((size_t)count, sizeof *list);
	for (int i = 0; i < count; i++)
		list[i] = (struct local_task){
			.waiting = tasks[i], .uses_all_cores = !device_can(batch_task_device(b, i), DEVICE_HARDWARE)};
	command_catch_interrupts();
	bool ok = run_until_ended(b, list, count, e);
	free(list);
	return ok;
}
