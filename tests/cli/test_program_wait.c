/* Signals around a program that runs as a child: those that come right after its end are for this process, and
 * those that come right after its start for the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli_support.h"
#include "cli/program_wait.h"

static int signal_after_end, signal_after_start; /* 0: none */

/* Instead of the C library's: a signal comes when the program has begun, before anything else happens. The program
 * waits for the signal, which this process has to pass to it. */
pid_t fork(void)
{
	pid_t (*real)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
	pid_t got = real();
	sigset_t set;
	int number;
	if (got && signal_after_start)
		raise(signal_after_start);
	if (got || !signal_after_start)
		return got;
	sigemptyset(&set);
	sigaddset(&set, signal_after_start);
	sigwait(&set, &number);
	raise(number);
	return 0;
}

/* Instead of the C library's: a signal comes when the program is gone, before anything else happens. */
pid_t waitpid(pid_t pid, int *status, int options)
{
	pid_t got = (pid_t)syscall(SYS_wait4, pid, status, options, NULL);
	if (got > 0 && signal_after_end)
		raise(signal_after_end);
	return got;
}

/* No software GPU is in the folder of this test, so the child ends before it becomes the program. Its end is the same.
 */
static void run_program(void)
{
	char *argv[] = {"/bin/true", NULL};
	const struct exec_watch watch = {0};
	struct err e = {0};
	assert_int_equal(program_run_and_wait(NULL, &watch, argv, &e), -1);
	assert_non_null(strstr(e.text, "software GPU not found"));
}

static void test_signals_after_the_end(void **state)
{
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
	(void)state;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
			signal(signals[k], SIG_DFL);
		command_interrupted = 0;
		signal_after_end = signals[i];
		run_program();
		assert_int_equal(command_interrupted, 1);
	}
	signal_after_end = 0;
}

static void test_signal_after_the_start(void **state)
{
	char *argv[] = {"/bin/true", NULL};
	const struct exec_watch watch = {0};
	struct err e = {0};
	(void)state;
	signal(SIGTERM, SIG_DFL);
	command_interrupted = 0;
	signal_after_start = SIGTERM;
	assert_int_equal(program_run_and_wait(NULL, &watch, argv, &e), 128 + SIGTERM);
	assert_int_equal(command_interrupted, 0);
	signal_after_start = 0;
}

static void test_nothing_stays_blocked(void **state)
{
	sigset_t now;
	(void)state;
	run_program();
	sigprocmask(SIG_SETMASK, NULL, &now);
	for (int number = 1; number < SIGRTMIN; number++)
		assert_int_equal(sigismember(&now, number), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signals_after_the_end),
		cmocka_unit_test(test_signal_after_the_start),
		cmocka_unit_test(test_nothing_stays_blocked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
