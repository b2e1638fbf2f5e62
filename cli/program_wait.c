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

/* Those that would end this process wait while it changes what they do. */
static void hold_signals(sigset_t *before)
{
	static const int held[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof held / sizeof *held; i++)
		sigaddset(&set, held[i]);
	sigprocmask(SIG_BLOCK, &set, before);
}

/* `failed` closes when the program starts. */
static void start_program(
	const char *model, const struct exec_watch *w, char **argv, const sigset_t *before, int failed)
{
	struct err e = {0};
	signal(SIGINT, interrupt_before);
	signal(SIGQUIT, quit_before);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, before, NULL);
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

/* Until it has ended: it keeps its number, and still takes signals. */
static bool wait_for_end(struct err *e)
{
	siginfo_t ended;
	while (waitid(P_PID, (id_t)program, &ended, WEXITED | WNOWAIT) < 0)
		if (errno != EINTR)
			return err_set(e, ST_FAILED, "cannot wait for the program: %s", strerror(errno));
	return true;
}

/* No signal is passed to the number of a program that is gone, which may be another one's, and none is lost. */
static int reap_program(void)
{
	sigset_t before;
	int status;
	hold_signals(&before);
	waitpid(program, &status, 0);
	take_signals_back();
	sigprocmask(SIG_SETMASK, &before, NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int wait_for_program(int failed, struct err *e)
{
	bool started = wait_for_start(failed, e);
	if (!wait_for_end(e)) {
		take_signals_back();
		return -1;
	}
	int status = reap_program();
	return started ? status : -1;
}

static void pass_signals_on(void)
{
	signal(SIGTERM, pass_signal);
	if (signal(SIGHUP, pass_signal) == SIG_IGN) /* nohup */
		signal(SIGHUP, SIG_IGN);
}

int program_run_and_wait(const char *model, const struct exec_watch *w, char **argv, struct err *e)
{
	int failed[2];
	sigset_t before;
	fflush(NULL);
	leave_signals_to_program();
	hold_signals(&before);
	program = pipe2(failed, O_CLOEXEC) ? -1 : fork();
	int why = errno;
	if (!program)
		start_program(model, w, argv, &before, failed[1]);
	if (program > 0)
		pass_signals_on();
	else
		take_signals_back();
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (program < 0)
		return err_set(e, ST_FAILED, "cannot start the program: %s", strerror(why)), -1;
	close(failed[1]);
	return wait_for_program(failed[0], e);
}
