#include "base/host/fatal_signals.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { CLEANUPS_MAX = 8, SIGNALS_MAX = 65 /* NSIG: Linux has signals 1 to 64 */ };

static fatal_cleanup *volatile cleanups[CLEANUPS_MAX];
static struct sigaction previous[SIGNALS_MAX];
static volatile sig_atomic_t caught;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for add and remove */

static bool is_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL;
}

/* Signals whose default action does not end the process, or that cannot be caught. */
static bool ends_process(int number)
{
	static const int others[] = {
		SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH, SIGKILL, SIGPIPE};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i] == number)
			return false;
	return true;
}

void fatal_signals_run_cleanups(void)
{
	for (int i = CLEANUPS_MAX - 1; i >= 0; i--) {
		fatal_cleanup *f = cleanups[i];
		cleanups[i] = NULL;
		if (f)
			f();
	}
}

static void on_fatal_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	fatal_signals_run_cleanups();
	sigaction(number, &previous[number], NULL);
	/* A fault happens again on return, with its own address; any other signal has to be raised again. */
	if (info->si_code <= 0 || !is_fault(number))
		raise(number);
}

void fatal_signals_catch(void)
{
	static char stack[1 << 16]; /* for the handler: a stack overflow leaves no room on the normal stack */
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction act = {.sa_sigaction = on_fatal_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaltstack(&alternate, NULL);
	sigemptyset(&act.sa_mask);
	for (int number = 1; number < SIGNALS_MAX; number++) {
		if (!ends_process(number) ||
			sigaction(number, NULL, &previous[number])) /* two belong to the C library */
			continue;
		if (previous[number].sa_handler != SIG_IGN)
			sigaction(number, &act, NULL);
	}
	caught = 1;
}

/* From the end of the last cleanup on, so that a later one is called before an earlier one. */
static int free_place(void)
{
	int at = CLEANUPS_MAX;
	while (at > 0 && !cleanups[at - 1])
		at--;
	return at;
}

static bool is_added(fatal_cleanup *f)
{
	for (int i = 0; i < CLEANUPS_MAX; i++)
		if (cleanups[i] == f)
			return true;
	return false;
}

void fatal_signals_add(fatal_cleanup *f)
{
	pthread_mutex_lock(&lock);
	int at = free_place();
	if (caught && at < CLEANUPS_MAX && !is_added(f))
		cleanups[at] = f;
	pthread_mutex_unlock(&lock);
}

void fatal_signals_remove(fatal_cleanup *f)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < CLEANUPS_MAX; i++)
		if (cleanups[i] == f)
			cleanups[i] = NULL;
	pthread_mutex_unlock(&lock);
}
