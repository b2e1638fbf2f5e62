/* From a key that turns a parameter to the frame with the first new point, on the software GPU: the workbench's loop
 * without a terminal. Prints median and 90th percentile of 48 keys. */
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "tui/lab/app.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"

enum { KEYS = 48, W = 120, H = 36, FRAME_MS = 33, PAUSE_MS = 200 /* more than keys that belong together */ };

static struct app a;
static struct grid grid;
static long long drawn_at;

/* The points on the screen of the sweep that the last key has started. */
static int shown;

static void draw_frame(void)
{
	screen_draw(&a, &grid);
	a.dirty = a.urgent = false;
	shown = a.sweeping && !a.measure_at ? a.sweeping->curve.ended : 0;
	drawn_at = now_ms();
}

/* As the main loop does: keys are answered at once, data is drawn thirty times a second. */
static void run_turn(void)
{
	struct pollfd fds[MEASURE_FDS];
	int worker[MEASURE_FDS], n = measure_poll_fds(&a, worker), timeout = app_poll_timeout(&a);
	long long left = drawn_at + FRAME_MS - now_ms();
	if (a.urgent || (a.dirty && left <= 0))
		draw_frame();
	for (int i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = worker[i], .events = POLLIN};
	if (a.dirty && left < timeout)
		timeout = left < 0 ? 0 : (int)left;
	poll(fds, (nfds_t)n, timeout);
	app_pump(&a);
	app_load_slice(&a, 5);
}

static void wait_for_sweep_end(void)
{
	while (!a.sweep || a.measure_at || measure_is_running(&a)) {
		if (a.fatal[0]) {
			fprintf(stderr, "%s\n", a.fatal);
			exit(1);
		}
		run_turn();
	}
	for (long long end = now_ms() + PAUSE_MS; now_ms() < end;)
		run_turn();
}

static double time_key(const char *action)
{
	struct err e = {0};
	struct timespec from, to;
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (!app_run_action(&a, action, NULL, &e)) {
		fprintf(stderr, "%s: %s\n", action, e.text);
		exit(1);
	}
	app_request_redraw(&a);
	draw_frame();
	do {
		run_turn();
	} while (!shown);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
}

static int compare_doubles(const void *x, const void *y)
{
	double p = *(const double *)x, q = *(const double *)y;
	return (p > q) - (p < q);
}

static void measure_keys(const char *experiment, const char *param)
{
	double ms[KEYS];
	struct err e = {0};
	if (!app_open(&a, "soft:mi25", experiment, &e)) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	grid_resize(&grid, W, H);
	app_resize(&a, W, H);
	app_run_action(&a, "param-down", param, &e);
	struct lab *b = app_current_lab(&a);
	measure_start(&a);
	wait_for_sweep_end();
	for (int i = 0; i < KEYS; i++) {
		lab_forget_earlier_curves(b); /* a known curve is shown without a measurement */
		ms[i] = time_key(i % 2 ? "param-less" : "param-more");
		if (measure_is_running(&a))
			measure_abort(&a);
		wait_for_sweep_end();
	}
	qsort(ms, KEYS, sizeof *ms, compare_doubles);
	printf("key to first new point, %s %s: median\t%g\tms\tlower\t80\n", experiment, param, ms[KEYS / 2]);
	printf("key to first new point, %s %s: 90 %%\t%g\tms\tlower\t80\n", experiment, param, ms[KEYS * 9 / 10]);
	app_close(&a);
}

int main(void)
{
	const char *build = getenv("BUILD");
	char *worker = xasprintf("%s/wavedeck", build ? build : "build");
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("WAVEDECK_WORKER", worker, 1);
	free(worker);
	measure_keys("lds-latency", "outer");
	measure_keys("range-latency", "reads");
	grid_free(&grid);
	return 0;
}
