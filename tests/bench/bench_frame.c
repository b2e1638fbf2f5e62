/* Time per frame at 200x60: drawing views into the grid, the grid into curses, and curses' changes to a
 * pseudo-terminal. The curve and the cursor move in every frame, which is the worst case in use. Prints median and 99th
 * percentile. */
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tests/tui/screen_state.h"
#include "tui/toolkit/terminal.h"
#include "tui/shell/screen_draw.h"

enum { FRAMES = 400, W = 200, H = 60, POINTS = 236 };

static double now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void *discard_output(void *master)
{
	char bytes[65536];
	while (read(*(int *)master, bytes, sizeof bytes) > 0)
		;
	return NULL;
}

static int open_terminal(int *master)
{
	struct winsize size = {.ws_col = W, .ws_row = H};
	*master = posix_openpt(O_RDWR | O_NOCTTY);
	if (*master < 0 || grantpt(*master) || unlockpt(*master))
		return -1;
	int slave = open(ptsname(*master), O_RDWR | O_NOCTTY);
	ioctl(slave, TIOCSWINSZ, &size);
	return slave;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void print_figures(const char *name, double *us)
{
	qsort(us, FRAMES, sizeof *us, compare_doubles);
	printf("frame %dx%d, %d points, %s: median\t%g\tms\tlower\t-\n", W, H, POINTS, name, us[FRAMES / 2] / 1e3);
	printf("frame %dx%d, %d points, %s: p99\t%g\tms\tlower\t-\n", W, H, POINTS, name, us[FRAMES * 99 / 100] / 1e3);
}

/* Gives each point a cycle breakdown with nine stall reasons, as for the pointer chase. */
static void add_cycle_breakdown(struct lab *b)
{
	for (int i = 0; i < POINTS; i++)
		b->curve.points[i].record = json_pack("{s:{s:i, s:{s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i}}}", "profile",
			"cycles", 1000000, "account", "VALU", 200000, "SALU", 50000, "MEMORY", 20000, "BRANCH", 100000,
			"L1", 1000 * i, "L2", 300000, "DRAM", 330000 - 1000 * i, "SYSTEM", 100, "STORE", 10);
}

static void time_frames(struct app *a, struct grid *g, double *build, double *whole)
{
	for (int i = 0; i < FRAMES; i++) {
		struct lab *b = &a->labs[0];
		for (int k = 0; k < POINTS; k++)
			b->curve.points[k].metrics[0].value += k % 2 ? 1.5 : -1.2;
		b->cursor = i % POINTS;
		double start = now_us();
		screen_draw(a, g);
		build[i] = now_us() - start;
		term_draw_grid(g);
		whole[i] = now_us() - start;
	}
}

int main(void)
{
	static double build[FRAMES], whole[FRAMES], stacked[FRAMES], stacked_whole[FRAMES];
	struct app a;
	struct experiment x;
	struct grid g = {0};
	struct err e;
	pthread_t reader;
	int master, slave = open_terminal(&master);
	if (slave < 0)
		return perror("pseudo-terminal"), 1;
	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TERM", "xterm-256color", 1);
	pthread_create(&reader, NULL, discard_output, &master);
	made_app(&a, &x, POINTS, W, H);
	grid_resize(&g, W, H);
	FILE *in = fdopen(slave, "r"), *out = fdopen(dup(slave), "w");
	if (!term_open(in, out, &e))
		return fprintf(stderr, "%s\n", e.text), 1;
	time_frames(&a, &g, build, whole);
	add_cycle_breakdown(&a.labs[0]);
	a.breakdown = true;
	time_frames(&a, &g, stacked, stacked_whole);
	term_close();
	print_figures("built", build);
	print_figures("built and sent", whole);
	print_figures("built with cycle breakdown", stacked);
	print_figures("built and sent with cycle breakdown", stacked_whole);
	grid_free(&g);
	made_free(&a);
	return 0;
}
