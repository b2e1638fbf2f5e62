#include "cli/program_wait.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli_support.h"

/* Of this process, before the program ran. */
static void (*interrupt_before)(int), (*quit_before)(int);
static pid_t program;

/* Who ends the command ends its program; what was found until then is written. */
static void pass_signal(int number)
{
	kill(program, number);
}

/* The terminal's Ctrl-C is for the program. */
static void leave_signals_to_program(void)
{
	interrupt_before = signal(SIGINT, SIG_IGN);
	quit_before = signal(SIGQUIT, SIG_IGN);
}

static void take_signals_back(void)
{
	signal(SIGINT, interrupt_before);
	signal(SIGQUIT, quit_before);
	command_catch_interrupts();
}

/* `failed` closes when the program starts. */
static void start_program(const char *model, const struct exec_watch *w, char **argv, int failed)
{
	struct err e = {0};
	signal(SIGINT, interrupt_before);
	signal(SIGQUIT, quit_before);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	softgpu_exec(model, w, argv, &e);
	(void)!write(failed, &e, sizeof e);
	_exit(ST_FAILED);
}

/* Whether it started; otherwise the error is why not. */
static bool wait_for_start(int failed, struct err *e)
{
	struct err why;
	ssize_t n;
	while ((n = read(failed, &why, sizeof why)) < 0 && errno == EINTR)
		;
	close(failed);
	return n != sizeof why || err_set(e, why.status, "%s", why.text);
}

static int wait_for_program(int failed, struct err *e)
{
	bool started = wait_for_start(failed, e);
	int status;
	while (waitpid(program, &status, 0) < 0)
		if (errno != EINTR) {
			err_set(e, ST_FAILED, "cannot wait for the program: %s", strerror(errno));
			return -1;
		}
	if (!started)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int program_run_and_wait(const char *model, const struct exec_watch *w, char **argv, struct err *e)
{
	int failed[2];
	fflush(NULL);
	leave_signals_to_program();
	program = pipe2(failed, O_CLOEXEC) ? -1 : fork();
	if (!program)
		start_program(model, w, argv, failed[1]);
	if (program < 0)
		return err_set(e, ST_FAILED, "cannot start the program: %s", strerror(errno)), -1;
	close(failed[1]);
	signal(SIGTERM, pass_signal);
	if (signal(SIGHUP, pass_signal) == SIG_IGN) /* nohup */
		signal(SIGHUP, SIG_IGN);
	int status = wait_for_program(failed[0], e);
	take_signals_back();
	return status;
}
