/* Starts a program with a clean environment, reads what it prints and waits for it. */
#include "base/host/child_program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host/environment.h"

enum { LOG_MAX = 1 << 20 };

static bool is_kept_variable(const char *variable)
{
	static const char *const dropped[] = {"LD_PRELOAD=", "LD_LIBRARY_PATH=", "SOFTGPU="};
	for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
		if (!strncmp(variable, dropped[i], strlen(dropped[i])))
			return false;
	return true;
}

static int spawn_child(pid_t *pid, char *const *argv, const char *temporary, int output)
{
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output, 1);
	posix_spawn_file_actions_adddup2(&actions, output, 2);
	if (temporary)
		posix_spawn_file_actions_addchdir_np(&actions, temporary);
	char *variable = temporary ? xasprintf("TMPDIR=%s", temporary) : NULL;
	char **env = environment_make(is_kept_variable, (char *const[]){variable, NULL});
	int failed = posix_spawnp(pid, argv[0], &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	free(env);
	free(variable);
	return failed;
}

static void read_log(int fd, struct buf *log)
{
	char chunk[4096];
	ssize_t n;
	while ((n = read(fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR))
		if (n > 0 && log->len < LOG_MAX)
			buf_add(log, chunk, (size_t)n);
}

static int wait_for_child(pid_t pid, void (*report)(pid_t))
{
	int status = 0;
	siginfo_t ended;
	while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	if (report)
		report(0);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : CHILD_KILLED;
}

int child_run(char *const *argv, const char *temporary, void (*report)(pid_t), struct buf *log)
{
	int ends[2];
	pid_t pid;
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	int failed = spawn_child(&pid, argv, temporary, ends[1]);
	close(ends[1]);
	if (!failed && report)
		report(pid);
	if (!failed)
		read_log(ends[0], log);
	close(ends[0]);
	errno = failed;
	return failed ? -1 : wait_for_child(pid, report);
}

bool child_succeeds(char *const *argv, struct buf *log)
{
	struct buf unused = {0};
	int status = child_run(argv, NULL, NULL, log ? log : &unused);
	buf_free(&unused);
	return status == 0;
}
