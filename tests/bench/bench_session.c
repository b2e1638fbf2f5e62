/* Recorded sessions of a million samples, as many points with few samples and as few points with many: time until the
 * points are listed, until the session is open in the workbench, and per frame while scrolling through the points.
 * session.sh makes the files. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "tui/lab/app.h"
#include "tui/views/sessions/sessions_view.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
#include "tests/scratch.h"

enum { FRAMES = 300, W = 200, H = 60 };

/* CPU time, so that other load on the machine matters little. */
static double now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static char *make_file(const char *folder, int points, int samples)
{
	char *path = xasprintf("%s/wavedeck/sessions/m%d.wbs", folder, points),
	     *command = xasprintf("tests/bench/session.sh %d %d >%s", points, samples, path);
	if (system(command)) {
		fprintf(stderr, "cannot make a session; run this program from the source tree\n");
		exit(1);
	}
	free(command);
	return path;
}

/* Runs all work slices, and draws a frame when one is due, like the main loop. */
static double run_slices(struct app *a, struct grid *g, double *longest)
{
	double start = now_s(), drawn = start;
	while (sessions_view_is_busy(a)) {
		double slice = now_s();
		app_pump(a);
		if (now_s() - drawn > 1.0 / 30) {
			screen_draw(a, g);
			drawn = now_s();
		}
		if (now_s() - slice > *longest)
			*longest = now_s() - slice;
	}
	screen_draw(a, g);
	return now_s() - start;
}

static void run_action_or_exit(struct app *a, const char *name, const char *argument)
{
	struct err e = {0};
	if (app_run_action(a, name, argument, &e))
		return;
	fprintf(stderr, "%s: %s\n", name, e.text);
	exit(1);
}

static void measure_session(const char *folder, int points, int samples)
{
	static struct app a;
	static double frames[FRAMES];
	struct grid g = {0};
	struct err e = {0};
	char *path = make_file(folder, points, samples), name[40];
	double longest = 0;
	snprintf(name, sizeof name, "m%d", points);
	if (!app_open(&a, "soft:mi25", "range-latency", &e)) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	grid_resize(&g, W, H);
	app_resize(&a, W, H);
	run_action_or_exit(&a, "sessions", NULL);
	double listed = run_slices(&a, &g, &longest);
	run_action_or_exit(&a, "session-down", name);
	run_action_or_exit(&a, "session-points", NULL);
	double points_listed = run_slices(&a, &g, &longest);
	for (int i = 0; i < FRAMES; i++) {
		double start = now_s();
		run_action_or_exit(&a, i % 3 ? "session-down" : "session-page-down", NULL);
		screen_draw(&a, &g);
		frames[i] = now_s() - start;
	}
	qsort(frames, FRAMES, sizeof *frames, compare_doubles);
	run_action_or_exit(&a, "back", NULL);
	run_action_or_exit(&a, "session-open", NULL);
	double open = run_slices(&a, &g, &longest);
	printf("session %d x %d, session listed\t%g\ts\tlower\t2\n", points, samples, listed);
	printf("session %d x %d, points listed\t%g\ts\tlower\t2\n", points, samples, points_listed);
	printf("session %d x %d, open in the workbench\t%g\ts\tlower\t2\n", points, samples, open);
	printf("session %d x %d, longest time without reading keys\t%g\tms\tlower\t-\n", points, samples,
		longest * 1e3);
	printf("session %d x %d, frame scrolled: median\t%g\tms\tlower\t16\n", points, samples,
		frames[FRAMES / 2] * 1e3);
	printf("session %d x %d, frame scrolled: p99\t%g\tms\tlower\t16\n", points, samples,
		frames[FRAMES * 99 / 100] * 1e3);
	app_close(&a);
	grid_free(&g);
	unlink(path);
	free(path);
}

int main(void)
{
	char folder[SCRATCH_PATH], *sessions;
	setlocale(LC_CTYPE, "C.UTF-8");
	if (!mkdtemp(scratch_path(folder, "bench-XXXXXX")))
		return perror("temporary folder"), 1;
	sessions = xasprintf("mkdir -p %s/wavedeck/sessions", folder);
	setenv("XDG_DATA_HOME", folder, 1);
	setenv("WAVEDECK_WORKER", "/bin/true", 1); /* no device needed */
	if (system(sessions))
		return 1;
	free(sessions);
	measure_session(folder, 33334, 30);
	measure_session(folder, 1000, 1000);
	char *clean = xasprintf("rm -rf %s", folder);
	int status = system(clean);
	free(clean);
	return status != 0;
}
