#include "gpu/softgpu-link/measured_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/environment.h"
#include "base/host/temporary_folder.h"
#include "base/paths.h"

enum { STEP_MS = 20, LINE_BYTES = 300 };

/* --- the last line of its standard error --- */
struct last_line {
	char text[LINE_BYTES]; /* the last complete one that is not empty */
	char part[LINE_BYTES];
	size_t length; /* of `part` */
};

static void end_line(struct last_line *l)
{
	l->part[l->length] = 0;
	if (l->part[strspn(l->part, " \t")])
		memcpy(l->text, l->part, l->length + 1);
	l->length = 0;
}

static void add_text(struct last_line *l, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] == '\n' || text[i] == '\r')
			end_line(l);
		else if (l->length + 1 < LINE_BYTES)
			l->part[l->length++] = text[i];
}

/* --- the process --- */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t running; /* the process group; 0: none. Under the lock, with which its number becomes free */

static void set_running(pid_t group)
{
	pthread_mutex_lock(&lock);
	running = group;
	pthread_mutex_unlock(&lock);
}

bool measured_program_kill(void)
{
	pthread_mutex_lock(&lock);
	bool any = running > 0;
	if (any)
		kill(-running, SIGKILL);
	pthread_mutex_unlock(&lock);
	return any;
}

/* What the worker needs itself, and would change what the program does. */
static bool is_kept_variable(const char *variable)
{
	static const char *const dropped[] = {"LD_PRELOAD=", "SOFTGPU", "ROC_SIGNAL_POOL_SIZE=", "WAVEDECK_"};
	for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
		if (!strncmp(variable, dropped[i], strlen(dropped[i])))
			return false;
	return true;
}

/* WAVEDECK exec --model MODEL --no-progress [--profile] --sums FOLDER -- PROGRAM ARGUMENTS. The caller frees the list
 * and its first word. */
static char **list_words(const struct measured_program *p, const char *sums)
{
	const char *own[] = {path_self(), "exec", "--model", p->model, "--no-progress", "--sums", sums,
		p->profile ? "--profile" : "--", p->profile ? "--" : NULL};
	size_t count = sizeof own / sizeof *own - !p->profile, words = 0;
	while (p->argv[words])
		words++;
	char **argv = xcalloc(count + words + 1, sizeof *argv);
	memcpy(argv, own, count * sizeof *argv);
	memcpy(argv + count, p->argv, words * sizeof *argv);
	return argv;
}

/* A process group of its own, so that it can be ended with what it has started. */
static int spawn_group(pid_t *pid, const struct measured_program *p, const char *sums, int errors)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, usual;
	char **argv = list_words(p, sums), **env = environment_make(is_kept_variable, (char *const[]){NULL});
	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, errors, 2);
	posix_spawn_file_actions_addchdir_np(&actions, p->folder);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	int failed = posix_spawn(pid, argv[0], &actions, &attributes, argv, env);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	free(env);
	free(argv[0]);
	free(argv);
	return failed;
}

/* What its children still hold open is not waited for. */
static void read_errors(int fd, struct last_line *l, int wait_ms)
{
	char part[4096];
	ssize_t n;
	struct pollfd p = {fd, POLLIN, 0};
	if (poll(&p, 1, wait_ms) <= 0)
		return;
	while ((n = read(fd, part, sizeof part)) > 0)
		add_text(l, part, (size_t)n);
	if (!n && wait_ms) /* closed: poll would return at once */
		poll(NULL, 0, wait_ms);
}

/* False if it was canceled. */
static bool wait_for_group(const struct measured_program *p, pid_t pid, int errors, struct last_line *l, int *status)
{
	bool cancelled = false;
	siginfo_t ended = {0};
	while (!ended.si_pid) {
		if (!cancelled && p->cancelled && p->cancelled(p->ctx)) {
			cancelled = true;
			measured_program_kill();
		}
		read_errors(errors, l, STEP_MS);
		if (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) && errno != EINTR)
			break;
	}
	measured_program_kill(); /* what it has left running */
	set_running(0);
	read_errors(errors, l, 0);
	end_line(l);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	return !cancelled;
}

/* --- the result --- */
static bool check_exit(const struct measured_program *p, int status, const struct last_line *l, struct err *e)
{
	const char *name = path_basename(p->argv[0]), *colon = *l->text ? ": " : "";
	if (WIFSIGNALED(status)) {
		const char *signal = sigabbrev_np(WTERMSIG(status));
		return err_set(
			e, ST_FAILED, "%.60s was killed by SIG%s%s%s", name, signal ? signal : "?", colon, l->text);
	}
	return !WEXITSTATUS(status) ||
		err_set(e, ST_FAILED, "%.60s ended with status %d%s%s", name, WEXITSTATUS(status), colon, l->text);
}

static bool run_in_folder(const struct measured_program *p, const char *sums, struct err *e)
{
	int ends[2], status = 0;
	pid_t pid;
	struct last_line l = {.length = 0};
	if (pipe2(ends, O_CLOEXEC))
		return err_set(e, ST_FAILED, "cannot start the program: %s", strerror(errno));
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	int failed = spawn_group(&pid, p, sums, ends[1]);
	close(ends[1]);
	set_running(failed ? 0 : pid);
	bool ok = !failed || err_set(e, ST_FAILED, "cannot start the program: %s", strerror(failed));
	if (ok && !wait_for_group(p, pid, ends[0], &l, &status))
		ok = err_set(e, ST_INTERRUPTED, "cancelled");
	close(ends[0]);
	return ok && check_exit(p, status, &l, e);
}

bool measured_program_run(const struct measured_program *p, struct kernel_totals *out, struct err *e)
{
	*out = (struct kernel_totals){0};
	char *sums = temporary_folder_create(e);
	if (!sums)
		return false;
	bool ok = run_in_folder(p, sums, e);
	kernel_totals_read(out, sums);
	temporary_folder_remove(sums);
	free(sums);
	return ok &&
		(out->count ||
			err_set(e, ST_FAILED, "%.60s launched no kernel on the software GPU",
				path_basename(p->argv[0])));
}
