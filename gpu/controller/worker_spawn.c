#include "gpu/controller/worker_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/environment.h"
#include "base/host/temporary_folder.h"
#include "gpu/protocol/worker_folder.h"
#include "gpu/remote/via_command.h"

/* Requests go through a socket: unlike a pipe, writing to a dead worker need not raise SIGPIPE. */
static bool request_pair(int fd[2])
{
	return !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd);
}
static bool pipe_pair(int fd[2])
{
	return !pipe2(fd, O_CLOEXEC);
}

void worker_spawn_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void set_non_blocking(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* WAVEDECK_WORKER names another program that implements the protocol; tests use it. */
static char *worker_program(void)
{
	const char *other = getenv("WAVEDECK_WORKER");
	return xstrdup(other && *other ? other : "/proc/self/exe"); /* works even while the program is being rebuilt */
}

/* The folder is of this machine. */
static bool keep_variable_elsewhere(const char *variable)
{
	return strncmp(variable, WORKER_FOLDER_VARIABLE, sizeof WORKER_FOLDER_VARIABLE - 1) != 0;
}

/* Either in a process group, or in a session without a terminal: a program that connects must not ask there. */
static int spawn_process(
	pid_t *pid, const char *program, char *const *argv, char **env, bool session, const int ends[3])
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	for (int i = 0; i < 3; i++)
		posix_spawn_file_actions_adddup2(&files, ends[i], i);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how,
		(short)((session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP) | POSIX_SPAWN_SETSIGDEF |
			POSIX_SPAWN_SETSIGMASK));
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setsigdefault(&how, &all);
	posix_spawnattr_setsigmask(&how, &none);
	int failed = posix_spawn(pid, program, &files, &how, argv, env);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

static int spawn_here(struct spawned_worker *w, const char *device, const char *program, const int ends[3])
{
	char *const argv[] = {"wavedeck", "worker", "--device", (char *)device, NULL};
	w->folder = temporary_folder_choose_name(); /* without one, HIP uses TMPDIR */
	char *folder = w->folder ? xasprintf(WORKER_FOLDER_VARIABLE "=%s", w->folder) : NULL;
	char **env = environment_make(NULL, (char *const[]){folder, NULL});
	int failed = spawn_process(&w->pid, program, argv, env, false, ends);
	free(env);
	free(folder);
	return failed;
}

/* SSH_ASKPASS_REQUIRE: ssh(1); a window that asks would be as good as none for most of several workers. */
static int spawn_elsewhere(struct spawned_worker *w, const struct worker_place *place, const int ends[3])
{
	char *script = via_format_script(place->via);
	char *const argv[] = {"sh", "-c", script, "wavedeck", "worker", "--device", (char *)place->device, NULL};
	char **env = environment_make(keep_variable_elsewhere, (char *const[]){"SSH_ASKPASS_REQUIRE=never", NULL});
	int failed = spawn_process(&w->pid, "/bin/sh", argv, env, true, ends);
	free(env);
	free(script);
	return failed;
}

void worker_spawn_remove_folder(struct spawned_worker *w)
{
	if (w->folder)
		temporary_folder_remove(w->folder);
	free(w->folder);
	w->folder = NULL;
}

static void abandon_spawn(struct spawned_worker *w)
{
	worker_spawn_close(&w->in);
	worker_spawn_close(&w->out);
	worker_spawn_close(&w->err);
	worker_spawn_remove_folder(w);
}

bool worker_spawn(const struct worker_place *place, struct spawned_worker *w, struct err *e)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
	char *program = worker_program();
	*w = (struct spawned_worker){.folder = NULL};
	int failed = request_pair(in) && pipe_pair(out) && pipe_pair(err) ? 0 : errno;
	const int ends[3] = {in[0], out[1], err[1]};
	if (!failed)
		failed = place->via ? spawn_elsewhere(w, place, ends) : spawn_here(w, place->device, program, ends);
	worker_spawn_close(&in[0]);
	worker_spawn_close(&out[1]);
	worker_spawn_close(&err[1]);
	w->in = in[1];
	w->out = out[0];
	w->err = err[0];
	if (failed) {
		err_set(e, ST_FAILED, "cannot start the worker %s: %s%s", place->via ? place->via : program,
			strerror(failed), failed == EMFILE ? "; raise the limit: ulimit -n 1024" : "");
		abandon_spawn(w);
	} else {
		set_non_blocking(w->in);
		set_non_blocking(w->out);
		set_non_blocking(w->err);
	}
	free(program);
	return !failed;
}
