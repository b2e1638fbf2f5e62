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
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/probe/launch_progress.h"
#include "softgpu/driver/probe/program_report.h"
#include "softgpu/driver/queues/launch_slots.h"
#include "softgpu/driver/time/host_monotonic.h"

#define NS_PER_S    UINT64_C(1000000000)
#define SHOW_AFTER  (2 * NS_PER_S)
#define SHOW_EVERY  (NS_PER_S / 2)
#define LONG_LAUNCH (60 * NS_PER_S) /* one that is left to run this long gets advice */
#define LINE_MAX    512

static bool started, has_thread, has_progress;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int caught; /* a signal; the thread waits for it */

static struct { /* under the lock */
	struct gpu *gpu;
	char kernel[128];
	ns_t since, asked_at;
	bool shown, advised;
} watched;

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
	if (watched.shown)
		write_terminal("\r\033[K");
	watched.shown = false;
}

void program_watch_begin_launch(const struct active_launch *r, struct gpu *gpu)
{
	if (!has_thread)
		return;
	pthread_mutex_lock(&lock);
	watched.gpu = gpu;
	snprintf(watched.kernel, sizeof watched.kernel, "%s", r->kernel);
	watched.since = watched.asked_at = host_monotonic_ns();
	pthread_mutex_unlock(&lock);
}

void program_watch_end_launch(const struct gpu *gpu)
{
	if (!has_thread)
		return;
	pthread_mutex_lock(&lock);
	if (watched.gpu == gpu)
		watched.gpu = NULL;
	erase_line();
	pthread_mutex_unlock(&lock);
}

/* Since the launch began: the simulation executes some waves far ahead, so a short interval says little. It gives the
 * instructions as of the call before. */
static uint64_t instruction_rate(uint64_t instructions, ns_t now)
{
	ns_t passed = watched.asked_at - watched.since;

	watched.asked_at = now;
	return passed ? (uint64_t)((unsigned __int128)instructions * NS_PER_S / passed) : 0;
}

/* Once for a program: what to do if only its results matter. */
static void advise_on_timing(const struct launch_progress *p)
{
	const struct softgpu_device *d = device_get();
	const char *model = getenv("SOFTGPU");
	char text[32];
	ns_t left;

	if (watched.advised || !d || !d->model.timing || !launch_progress_left(p, &left) || left < LONG_LAUNCH)
		return;
	watched.advised = true;
	erase_line();
	driver_warn("this launch takes %s more; results without times are faster: wavedeck exec --model %s,timing=0",
		progress_duration_text(text, sizeof text, left), model && *model ? model : "mi25");
}

static void show_progress(void)
{
	ns_t now = host_monotonic_ns();
	char text[LINE_MAX], line[LINE_MAX + 16];
	struct gpu_progress g;

	pthread_mutex_lock(&lock);
	if (watched.gpu && now - watched.since >= SHOW_AFTER) {
		gpu_read_progress(watched.gpu, &g);
		struct launch_progress p = {
			watched.kernel, g.done, g.total, instruction_rate(g.instructions, now), now - watched.since};
		advise_on_timing(&p);
		launch_progress_text(text, sizeof text, &p, terminal_width());
		snprintf(line, sizeof line, "\r%s\033[K", text);
		write_terminal(line);
		watched.shown = true;
	}
	pthread_mutex_unlock(&lock);
}

/* --- signals --- */
/* Only wakes the thread: the report is not for a signal handler. */
static void catch_signal(int number)
{
	caught = number;
	syscall(SYS_futex, &caught, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Where the program has no handler of its own. */
static void catch_default(int number)
{
	struct sigaction act = {.sa_handler = catch_signal, .sa_flags = SA_RESTART}, old;

	if (!REAL_FUNCTION(sigaction)(number, NULL, &old) && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
		REAL_FUNCTION(sigaction)(number, &act, NULL);
}

static bool read_running_launch(struct gpu_progress *g)
{
	bool runs;

	pthread_mutex_lock(&lock);
	erase_line();
	runs = watched.gpu != NULL;
	if (runs)
		gpu_read_progress(watched.gpu, g);
	pthread_mutex_unlock(&lock);
	return runs;
}

/* The table has only launches that have ended. The first reading asks for the instructions of the second. */
static void report_running_launch(void)
{
	struct timespec moment = {.tv_nsec = 200000000};
	struct gpu_progress g;
	char instructions[32], seconds[32];

	read_running_launch(&g);
	REAL_FUNCTION(nanosleep)(&moment, NULL);
	if (read_running_launch(&g))
		driver_warn("interrupted in %s, after %s: %lu of %lu workgroups, %s wave instructions", watched.kernel,
			progress_duration_text(seconds, sizeof seconds, host_monotonic_ns() - watched.since),
			(unsigned long)g.done, (unsigned long)g.total,
			progress_count_text(instructions, sizeof instructions, g.instructions));
}

static void end_by_signal(int number)
{
	struct sigaction act = {.sa_handler = SIG_DFL};
	sigset_t set;

	report_running_launch();
	program_report_print();
	REAL_FUNCTION(sigaction)(number, &act, NULL);
	sigemptyset(&set);
	sigaddset(&set, number);
	REAL_FUNCTION(pthread_sigmask)(SIG_UNBLOCK, &set, NULL);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

/* --- the thread --- */
static void *run_watch_thread(void *unused)
{
	struct timespec step = {.tv_nsec = (long)SHOW_EVERY};

	(void)unused;
	pthread_setname_np(pthread_self(), "softgpu-watch");
	while (!caught) {
		syscall(SYS_futex, &caught, FUTEX_WAIT_PRIVATE, 0, has_progress ? &step : NULL, NULL, 0);
		if (!caught && has_progress)
			show_progress();
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

void program_watch_start(void)
{
	static bool at_exit;
	const char *text = getenv("SOFTGPU_PROGRESS");

	if (started)
		return;
	started = true;
	has_progress = text && atoi(text) > 0 && isatty(STDERR_FILENO);
	if (program_report_is_on()) {
		if (!at_exit)
			at_exit = atexit(program_report_print) == 0;
		catch_default(SIGINT);
		catch_default(SIGTERM);
	}
	has_thread = has_progress || program_report_is_on();
	if (has_thread)
		start_watch_thread();
}

void program_watch_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	started = has_thread = has_progress = false;
	caught = 0;
	memset(&watched, 0, sizeof watched);
	program_report_reset_in_child();
}
