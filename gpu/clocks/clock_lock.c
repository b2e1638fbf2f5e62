#include "gpu/clocks/clock_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"

enum { GUARDS_MAX = 64, MHZ_MAX = 100000, ANSWER_MS = 60000 /* on a busy machine */, ANSWER_MAX = 2048 };

extern char **environ;

static struct guard {
	pid_t pid;
	int keep, answer; /* while `keep` is open, the clock stays locked */
	char device[DEVICE_SHORT_NAME], give_back[CLOCK_COMMAND];
} guards[GUARDS_MAX];
static int guard_count;

bool clock_lock_parse(const char *text, const char *device, unsigned *mhz, struct err *e)
{
	const struct backend *b = backend_find(device, NULL);
	char *end;
	long v = strtol(text, &end, 10);
	*mhz = (unsigned)v;
	if (b && !b->clock)
		return err_set(e, ST_REQUEST, "%.60s: %s", device,
			b->clock_advice ? b->clock_advice : "it has no clock to lock; remove --lock-clocks");
	return (end != text && !*end && v > 0 && v <= MHZ_MAX) ||
		err_set(e, ST_REQUEST, "--lock-clocks needs a clock in MHz, such as 1410, not '%.40s'", text);
}

/* --- the process --- */
/* In a session of its own: what ends the front end must not end it, too. */
static int spawn_guard(struct guard *g, unsigned mhz, int in, int out)
{
	char number[16];
	char *const argv[] = {"wavedeck", "worker", "--device", g->device, "--hold-clock", number, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none;
	snprintf(number, sizeof number, "%u", mhz);
	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&how, &none);
	int failed = posix_spawn(&g->pid, "/proc/self/exe", &files, &how, argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool start_guard(struct guard *g, unsigned mhz, struct err *e)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1};
	int failed = pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) ? errno : spawn_guard(g, mhz, in[0], out[1]);
	close_end(&in[0]);
	close_end(&out[1]);
	if (failed) {
		close_end(&in[1]);
		close_end(&out[0]);
		return err_set(e, ST_FAILED, "cannot start the process that locks the clock of %s: %s", g->device,
			strerror(failed));
	}
	g->keep = in[1];
	g->answer = out[0];
	return true;
}

/* A line of JSON; NULL: it ended, or did not answer in time. */
static json_t *read_answer(const struct guard *g)
{
	char text[ANSWER_MAX];
	size_t n = 0;
	while (n < sizeof text && !memchr(text, '\n', n)) {
		struct pollfd p = {.fd = g->answer, .events = POLLIN};
		int ready = poll(&p, 1, ANSWER_MS);
		if (ready < 0 && errno == EINTR)
			continue;
		ssize_t got = ready > 0 ? read(g->answer, text + n, sizeof text - n) : 0;
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	return json_loadb(text, n, 0, NULL);
}

/* Its exit status; -1 if it was killed. */
static int end_guard(struct guard *g)
{
	int status = 0;
	close_end(&g->keep);
	close_end(&g->answer);
	while (waitpid(g->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool take_answer(struct guard *g, struct err *e)
{
	json_t *o = read_answer(g);
	const char *error = record_get_text(o, "refusal");
	bool locked = json_integer_value(json_object_get(o, "mhz")) > 0;
	snprintf(g->give_back, sizeof g->give_back, "%s", record_get_text(o, "give_back"));
	if (*error)
		err_set(e, json_integer_value(json_object_get(o, "exit")) == ST_REQUEST ? ST_REQUEST : ST_FAILED, "%s",
			error);
	else if (!locked)
		err_set(e, ST_FAILED,
			"the process that locks the clock of %s gave no answer; run `wavedeck doctor` to find the cause",
			g->device);
	json_decref(o);
	return locked;
}

bool clock_lock_take(const char *device, unsigned mhz, struct err *e)
{
	if (guard_count == GUARDS_MAX)
		return err_set(e, ST_REQUEST, "--lock-clocks is for at most %d devices; remove some", GUARDS_MAX);
	struct guard *g = &guards[guard_count];
	*g = (struct guard){.keep = -1, .answer = -1};
	snprintf(g->device, sizeof g->device, "%s", device);
	if (!start_guard(g, mhz, e))
		return false;
	if (take_answer(g, e)) {
		guard_count++;
		return true;
	}
	kill(g->pid, SIGTERM);
	end_guard(g);
	return false;
}

static bool release_guard(struct guard *g, struct err *e)
{
	close_end(&g->keep);
	json_t *o = read_answer(g);
	const char *error = record_get_text(o, "refusal");
	int status = end_guard(g);
	if (status)
		err_set(e, ST_FAILED, "the clock of %s is still locked: %s; give it back as root: %s", g->device,
			*error ? error : "the process that gives it back was killed", g->give_back);
	json_decref(o);
	return !status;
}

bool clock_lock_release(struct err *e)
{
	bool ok = true;
	while (guard_count)
		ok &= release_guard(&guards[--guard_count], ok ? e : NULL);
	return ok;
}
