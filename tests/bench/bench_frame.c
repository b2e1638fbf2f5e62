/* Time per frame at 200x60: drawing views into the grid, the grid into curses, and curses' changes to a
 * pseudo-terminal. The curve and the cursor move in every frame, which is the worst case in use; then a long curve, to
 * which each frame adds the points that arrive in its time. Prints median and 99th percentile. */
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tests/tui/screen_state.h"
#include "tui/lab/plot/curve_digest.h"
#include "tui/toolkit/terminal.h"
#include "tui/shell/screen_draw.h"

enum { FRAMES = 400, W = 200, H = 60, POINTS = 236, LONG = 100000, ARRIVING = 33 /* at 1000 points/s */ };

static double now_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* so that other load on the machine matters little */
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

static void print_figures(int points, const char *name, double *us)
{
	qsort(us, FRAMES, sizeof *us, compare_doubles);
	printf("frame %dx%d, %d points, %s: median\t%g\tms\tlower\t-\n", W, H, points, name, us[FRAMES / 2] / 1e3);
	printf("frame %dx%d, %d points, %s: p99\t%g\tms\tlower\t%s\n", W, H, points, name, us[FRAMES * 99 / 100] / 1e3,
		points == LONG ? "16" : "-");
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

/* The curve has all of its points but those that the frames add. */
static void make_long_curve(struct lab *b)
{
	struct measured_curve *c = &b->curve;
	measured_curve_free(c);
	made_curve(b, c, LONG, 0);
	c->ended = LONG - FRAMES * ARRIVING;
	for (int i = c->ended; i < LONG; i++)
		c->points[i].status = POINT_WAITING;
	c->digest = curve_digest_new(LONG);
	curve_digest_note_all(c);
}

static void time_long_frames(struct app *a, struct grid *g, double *whole)
{
	struct lab *b = &a->labs[0];
	make_long_curve(b);
	screen_draw(a, g);
	for (int i = 0; i < FRAMES; i++) {
		double start = now_us();
		for (int k = 0; k < ARRIVING; k++) {
			struct point p = b->curve.points[b->curve.ended];
			p.status = POINT_OK;
			measured_curve_set_point(&b->curve, b->curve.ended, &p);
		}
		b->cursor = b->curve.ended - 1;
		screen_draw(a, g);
		term_draw_grid(g);
		whole[i] = now_us() - start;
	}
}

int main(void)
{
	static double build[FRAMES], whole[FRAMES], stacked[FRAMES], stacked_whole[FRAMES], of_long[FRAMES];
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
	a.breakdown = false;
	time_long_frames(&a, &g, of_long);
	term_close();
	print_figures(POINTS, "built", build);
	print_figures(POINTS, "built and sent", whole);
	print_figures(POINTS, "built with cycle breakdown", stacked);
	print_figures(POINTS, "built and sent with cycle breakdown", stacked_whole);
	print_figures(LONG, "built and sent while 1000 arrive in a second", of_long);
	grid_free(&g);
	made_free(&a);
	return 0;
}
