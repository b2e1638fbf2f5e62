#include "softgpu/driver/probe/program_watch.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/probe/kernel_name.h"
#include "softgpu/driver/probe/launch_progress.h"
#include "softgpu/driver/probe/program_report.h"
#include "softgpu/driver/queues/launch_slots.h"
#include "softgpu/driver/time/host_monotonic.h"

#define NS_PER_S   UINT64_C(1000000000)
#define SHOW_AFTER (2 * NS_PER_S)
#define SHOW_EVERY (NS_PER_S / 2)
#define LONG_LAUNCH \
	60 /* seconds: a launch that is left to run this long gets advice, one that has run so long a line */
#define LINE_MAX    512
#define NAME_MAX    240
#define ANSWER_STEP (NS_PER_S / 100)
#define ANSWER_WAIT NS_PER_S /* for the simulation's count of instructions; a program that gets SIGTERM has to end */

static bool started, has_thread, has_progress, has_terminal;
static ns_t long_launch;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int caught;                    /* a signal; the thread waits for it */
static _Atomic long process;                  /* that has the thread */
static __typeof__(&sigaction) real_sigaction; /* looked up in advance: dlsym must not be called in a signal handler */

/* Running launches, under the lock. */
struct watched_launch {
	const struct active_launch *launch; /* NULL: none */
	struct gpu *gpu;
	char kernel[KERNEL_NAME_BYTES];
	ns_t since, asked_at;
	bool named; /* in a line */
};
enum { WATCHED_MAX = GPUS_MAX * LAUNCH_SLOTS };
static struct watched_launch watched[WATCHED_MAX];
static bool shown, advised; /* a line of progress is on the terminal; the advice has been printed */

static void write_terminal(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

/* --- progress --- */
static unsigned terminal_width(void)
{
	struct winsize w = {0};

	return syscall(SYS_ioctl, STDERR_FILENO, TIOCGWINSZ, &w) || w.ws_col < 2 ? 79 : w.ws_col - 1u;
}

static void erase_line(void)
{
	if (shown)
		write_terminal("\r\033[K");
	shown = false;
}

static struct watched_launch *find_watched(const struct active_launch *launch)
{
	for (unsigned i = 0; i < WATCHED_MAX; i++)
		if (watched[i].launch == launch)
			return &watched[i];
	return NULL;
}

void program_watch_begin_launch(const struct active_launch *r)
{
	struct watched_launch *w;

	if (!has_thread)
		return;
	pthread_mutex_lock(&lock);
	w = find_watched(NULL);
	if (w) {
		snprintf(w->kernel, sizeof w->kernel, "%s", r->kernel);
		w->since = w->asked_at = host_monotonic_ns();
		w->named = false;
		w->gpu = r->gpu;
		w->launch = r;
	}
	pthread_mutex_unlock(&lock);
}

void program_watch_end_launch(const struct active_launch *r)
{
	struct watched_launch *w;

	if (!has_thread)
		return;
	pthread_mutex_lock(&lock);
	w = find_watched(r);
	if (w)
		w->launch = NULL;
	erase_line();
	pthread_mutex_unlock(&lock);
}

/* Since the launch began: the simulation executes some waves far ahead, so a short interval says little. It gives the
 * instructions as of the call before. */
static uint64_t instruction_rate(struct watched_launch *w, uint64_t instructions, ns_t now)
{
	ns_t passed = w->asked_at - w->since;

	w->asked_at = now;
	return passed ? (uint64_t)((unsigned __int128)instructions * NS_PER_S / passed) : 0;
}

/* Once for a program: what to do if only its results matter. */
static void advise_on_timing(const struct launch_progress *p)
{
	const struct softgpu_device *d = device_get();
	const char *model = getenv("SOFTGPU");
	char text[32];
	ns_t left;

	if (advised || !d || !d->model.timing || !launch_progress_left(p, &left) || left < LONG_LAUNCH * NS_PER_S)
		return;
	advised = true;
	erase_line();
	driver_warn("this launch takes %s more; results without times are faster: wavedeck exec --model %s,timing=0",
		progress_duration_text(text, sizeof text, left), model && *model ? model : "mi25");
}

/* The launch that has run longest; NULL if none runs. */
static struct watched_launch *find_longest(void)
{
	struct watched_launch *longest = NULL;

	for (unsigned i = 0; i < WATCHED_MAX; i++)
		if (watched[i].launch && (!longest || watched[i].since < longest->since))
			longest = &watched[i];
	return longest;
}

static void show_launch(struct watched_launch *w, ns_t now)
{
	char text[LINE_MAX], line[LINE_MAX + 16], name[NAME_MAX];
	struct gpu_progress g;

	gpu_read_progress(w->gpu, &g);
	struct launch_progress p = {kernel_name_text(name, sizeof name, w->kernel), g.done, g.total,
		instruction_rate(w, g.instructions, now), now - w->since};
	advise_on_timing(&p);
	launch_progress_text(text, sizeof text, &p, terminal_width());
	snprintf(line, sizeof line, "\r%s\033[K", text);
	write_terminal(line);
	shown = true;
}

static void show_progress(void)
{
	ns_t now = host_monotonic_ns();
	struct watched_launch *w;

	pthread_mutex_lock(&lock);
	w = find_longest();
	if (w && now - w->since >= SHOW_AFTER)
		show_launch(w, now);
	pthread_mutex_unlock(&lock);
}

/* --- lines about a launch --- */
static struct watched_launch copy_watched(unsigned i)
{
	struct watched_launch w;

	pthread_mutex_lock(&lock);
	w = watched[i];
	pthread_mutex_unlock(&lock);
	return w;
}

/* The same launch still runs: reads what it has done. */
static bool read_watched(unsigned i, ns_t since, struct gpu_progress *out)
{
	bool runs;

	pthread_mutex_lock(&lock);
	runs = watched[i].launch && watched[i].since == since;
	if (runs)
		gpu_read_progress(watched[i].gpu, out);
	pthread_mutex_unlock(&lock);
	return runs;
}

/* Waits until the simulation has counted the instructions, which it does between instructions of the kernel. */
static bool wait_for_counts(unsigned i, ns_t since, struct gpu_progress *out)
{
	struct timespec step = {.tv_nsec = (long)ANSWER_STEP};
	bool runs = read_watched(i, since, out);

	for (ns_t waited = 0; runs && waited < ANSWER_WAIT; waited += ANSWER_STEP) {
		REAL_FUNCTION(nanosleep)(&step, NULL);
		runs = read_watched(i, since, out);
		if (out->answered)
			break;
	}
	return runs;
}

/* "interrupted in NAME, after 12 s: 0 of 4 workgroups, 1.5 M wave instructions" */
static void print_launch(unsigned i, const char *what)
{
	struct watched_launch w = copy_watched(i);
	char name[NAME_MAX], seconds[32], count[32], instructions[64] = "";
	struct gpu_progress g = {0};

	if (!w.launch || !wait_for_counts(i, w.since, &g))
		return;
	if (g.answered)
		snprintf(instructions, sizeof instructions, ", %s wave instructions",
			progress_count_text(count, sizeof count, g.instructions));
	driver_warn("%s %s, after %s: %lu of %lu workgroups%s", what, kernel_name_text(name, sizeof name, w.kernel),
		progress_duration_text(seconds, sizeof seconds, host_monotonic_ns() - w.since), (unsigned long)g.done,
		(unsigned long)g.total, instructions);
}

/* Where no terminal shows the progress: once for each launch. */
static void name_long_launches(void)
{
	ns_t now = host_monotonic_ns();

	for (unsigned i = 0; i < WATCHED_MAX; i++) {
		struct watched_launch *w = &watched[i];
		bool is_due;

		pthread_mutex_lock(&lock);
		is_due = w->launch && !w->named && now >= w->since + long_launch;
		w->named |= is_due;
		pthread_mutex_unlock(&lock);
		if (is_due)
			print_launch(i, "still running");
	}
}

/* The table has only launches that have ended. */
static void report_running_launches(void)
{
	pthread_mutex_lock(&lock);
	erase_line();
	pthread_mutex_unlock(&lock);
	for (unsigned i = 0; i < WATCHED_MAX; i++)
		print_launch(i, "interrupted in");
}

/* --- signals --- */
/* Acts as without our handler when it returns. Async-signal-safe. */
static void raise_default(int number)
{
	struct sigaction act = {.sa_handler = SIG_DFL};

	real_sigaction(number, &act, NULL);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

/* Only wakes the thread: the report is not for a signal handler. A forked child has no thread. */
static void catch_signal(int number)
{
	if (getpid() != process) {
		raise_default(number);
		return;
	}
	caught = number;
	syscall(SYS_futex, &caught, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Where the program has no handler of its own. */
static void catch_default(int number)
{
	struct sigaction act = {.sa_handler = catch_signal, .sa_flags = SA_RESTART}, old;

	if (!real_sigaction(number, NULL, &old) && !(old.sa_flags & SA_SIGINFO) &&
		(old.sa_handler == SIG_DFL || old.sa_handler == catch_signal))
		real_sigaction(number, &act, NULL);
}

static void end_by_signal(int number)
{
	sigset_t set;

	report_running_launches();
	program_report_print();
	sigemptyset(&set);
	sigaddset(&set, number);
	REAL_FUNCTION(pthread_sigmask)(SIG_UNBLOCK, &set, NULL);
	raise_default(number);
}

/* --- the thread --- */
static void *run_watch_thread(void *unused)
{
	struct timespec step = {.tv_nsec = (long)SHOW_EVERY};

	(void)unused;
	pthread_setname_np(pthread_self(), "softgpu-watch");
	while (!caught) {
		syscall(SYS_futex, &caught, FUTEX_WAIT_PRIVATE, 0, has_progress ? &step : NULL, NULL, 0);
		if (!caught && has_progress && has_terminal)
			show_progress();
		else if (!caught && has_progress)
			name_long_launches();
	}
	end_by_signal(caught);
	return NULL;
}

static void start_watch_thread(void)
{
	sigset_t all, old;
	pthread_t thread;

	sigfillset(&all);
	REAL_FUNCTION(pthread_sigmask)(SIG_SETMASK, &all, &old);
	if (!pthread_create(&thread, NULL, run_watch_thread, NULL))
		pthread_detach(thread);
	REAL_FUNCTION(pthread_sigmask)(SIG_SETMASK, &old, NULL);
}

static ns_t read_long_launch(void)
{
	const char *text = getenv("SOFTGPU_LONG_LAUNCH");
	long seconds = text ? atol(text) : 0;

	return (ns_t)(seconds > 0 ? seconds : LONG_LAUNCH) * NS_PER_S;
}

/* `exec` sets SOFTGPU_PROGRESS. */
void program_watch_start(void)
{
	static bool at_exit;
	const char *text = getenv("SOFTGPU_PROGRESS");

	if (started)
		return;
	started = true;
	has_progress = text && atoi(text) > 0;
	has_terminal = isatty(STDERR_FILENO);
	has_thread = text || program_report_is_on();
	if (!has_thread)
		return;
	if (program_report_is_on() && !at_exit)
		at_exit = atexit(program_report_print) == 0;
	long_launch = read_long_launch();
	process = getpid();
	real_sigaction = REAL_FUNCTION(sigaction);
	catch_default(SIGINT);
	catch_default(SIGTERM);
	start_watch_thread();
}

void program_watch_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	started = has_thread = has_progress = shown = advised = false;
	caught = 0;
	memset(watched, 0, sizeof watched);
	program_report_reset_in_child();
}
