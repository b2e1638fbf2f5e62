/* A long curve: a frame looks at the points that have ended since the frame before, not at all of them, and shows what
 * a frame that looks at all of them shows. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tui/screen_state.h"
#include "tui/lab/plot/curve_digest.h"
#include "tui/lab/plot/clock_readings.h"
#include "tui/lab/plot/plot_model.h"

enum { POINTS = 100000, W = 200, H = 60, ARRIVING = 40 /* points in a frame at 1000 a second */ };

static struct app a;
static struct experiment x;

/* --- counting the pages of points that are touched --- */
static char *pages;
static size_t page_bytes, page_count;
static volatile sig_atomic_t touched;

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)context;
	char *at = info->si_addr;
	if (at < pages || at >= pages + page_count * page_bytes)
		signal(number, SIG_DFL); /* not one of them: the next fault ends the program */
	else if (mprotect(pages + (size_t)(at - pages) / page_bytes * page_bytes, page_bytes, PROT_READ | PROT_WRITE))
		_exit(9);
	touched++;
}

static void watch_points(const struct measured_curve *c)
{
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t first = ((size_t)c->points + page_bytes - 1) / page_bytes,
	       end = (size_t)(c->points + c->count) / page_bytes;
	pages = (char *)(first * page_bytes);
	page_count = end - first;
	struct sigaction act = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &act, NULL);
	touched = 0;
	assert_int_equal(mprotect(pages, page_count * page_bytes, PROT_NONE), 0);
}

static int end_watch(void)
{
	assert_int_equal(mprotect(pages, page_count * page_bytes, PROT_READ | PROT_WRITE), 0);
	signal(SIGSEGV, SIG_DFL);
	return (int)touched;
}

/* --- the curve --- */
static void set_x(struct measured_curve *c)
{
	c->count = POINTS;
	c->axis = 0;
	c->points = xcalloc(POINTS, sizeof *c->points);
	for (int i = 0; i < POINTS; i++) {
		memcpy(c->points[i].values, a.labs[0].values, sizeof c->points[i].values);
		c->points[i].values[0] = 1024 + 64.0 * i;
	}
	c->digest = curve_digest_new(POINTS);
}

static double noise(int i)
{
	return (double)(i * 7919 % 101) / 20;
}

static void end_points(struct measured_curve *c, int from, int to)
{
	for (int i = from; i < to; i++) {
		struct point p = c->points[i];
		made_point(&p, noise(i));
		p.metrics[0].value += i == 70001 ? 1500 : 0;
		p.metrics[1].value += i == 30001 ? -10 : 0;
		p.clocks_moved = i == 50000;
		p.clocks.temp_c.value = 41 + (i == 60000);
		if (i == 20000)
			p.status = POINT_FAILED;
		measured_curve_set_point(c, i, &p);
	}
}

static int open_app(void **state)
{
	(void)state;
	made_app(&a, &x, 1, W, H);
	x.params[0].kind = PARAM_STEP_ADD;
	x.params[0].step = 64;
	measured_curve_free(&a.labs[0].curve);
	measured_curve_free(&a.labs[0].previous);
	set_x(&a.labs[0].curve);
	return 0;
}

static int close_app(void **state)
{
	(void)state;
	made_free(&a);
	return 0;
}

static int count_pages_of_frame(void)
{
	watch_points(&a.labs[0].curve);
	free(made_screen(&a, W, H));
	return end_watch();
}

/* --- the tests --- */
static void test_frame_touches_new_points_only(void **state)
{
	(void)state;
	struct measured_curve *c = &a.labs[0].curve;
	end_points(c, 0, POINTS / 2);
	assert_true(count_pages_of_frame() > POINTS / 4); /* the first frame: the way of counting works */
	for (int at = POINTS / 2; at < POINTS / 2 + 10 * ARRIVING; at += ARRIVING) {
		end_points(c, at, at + ARRIVING);
		assert_in_range(count_pages_of_frame(), 1, W + 2 * ARRIVING);
	}
	end_points(c, POINTS / 2 + 10 * ARRIVING, POINTS);
	free(made_screen(&a, W, H));
	assert_in_range(count_pages_of_frame(), 0, W); /* nothing arrives */
	a.labs[0].cursor = POINTS / 3;
	assert_in_range(count_pages_of_frame(), 0, W);
}

static int utf8_length(const char *s)
{
	int n = 1;
	while ((s[n] & 0xc0) == 0x80)
		n++;
	return n;
}

static bool begins_mark(const char *s)
{
	return !strncmp(s, "\u25cf", 3) || !strncmp(s, "\u25cb", 3);
}

/* Of a run of points in one row, another one may have the mark. */
static void assert_same_but_marks(const char *shown, const char *all)
{
	while (*shown && *all) {
		int n = utf8_length(shown), m = utf8_length(all);
		if (!begins_mark(shown) && !begins_mark(all)) {
			assert_int_equal(n, m);
			assert_memory_equal(shown, all, (size_t)n);
		}
		shown += n;
		all += m;
	}
	assert_int_equal(*shown, *all);
}

/* Its screens with and without the digest. */
static void compare_screens(void)
{
	struct measured_curve *c = &a.labs[0].curve;
	struct curve_digest *digest = c->digest;
	struct plot_model with, without;
	char *shown = made_screen(&a, W, H);
	plot_model_build(&a, &a.labs[0], &with);
	c->digest = NULL;
	char *all = made_screen(&a, W, H);
	plot_model_build(&a, &a.labs[0], &without);
	c->digest = digest;
	assert_memory_equal(&with.chart.x, &without.chart.x, sizeof with.chart.x);
	for (int axis = 0; axis < AXIS_COUNT; axis++) {
		assert_true(with.chart.y[axis].low == without.chart.y[axis].low);
		assert_true(with.chart.y[axis].high == without.chart.y[axis].high);
	}
	assert_int_equal(with.knee_count, without.knee_count);
	assert_true(with.series[0].count < without.series[0].count / 10);
	assert_same_but_marks(shown, all);
	plot_model_free(&with);
	plot_model_free(&without);
	free(shown);
	free(all);
}

static void test_frame_shows_the_same(void **state)
{
	(void)state;
	end_points(&a.labs[0].curve, 0, POINTS);
	compare_screens();
	a.labs[0].window_low = 1024 + 64.0 * 65000;
	a.labs[0].window_high = 1024 + 64.0 * 75000;
	compare_screens();
}

static void test_changed_points_are_seen(void **state)
{
	(void)state;
	struct measured_curve *c = &a.labs[0].curve;
	end_points(c, 0, POINTS);
	free(made_screen(&a, W, H));
	struct point p = c->points[777];
	p.metrics[0].value = p.metrics_low[0].value = p.metrics_high[0].value = 9000;
	p.clocks.temp_c.value = 90;
	measured_curve_set_point(c, 777, &p);
	assert_int_equal(curve_count_points(c).ok, POINTS - 1);
	assert_true(clock_reading_span(c, &clock_readings[2]).high == 90);
	compare_screens();
}

static void test_tally_counts_each_kind(void **state)
{
	(void)state;
	struct measured_curve *c = &a.labs[0].curve, copy = {0};
	struct curve_digest *digest = c->digest;
	end_points(c, 0, POINTS);
	measured_curve_copy(&copy, c);
	struct curve_tally kept = curve_count_points(c), copied = curve_count_points(&copy);
	c->digest = NULL;
	struct curve_tally counted = curve_count_points(c);
	c->digest = digest;
	assert_int_equal(counted.failed, 1);
	assert_int_equal(counted.moved, 1);
	assert_memory_equal(&kept, &counted, sizeof kept);
	assert_memory_equal(&copied, &counted, sizeof kept);
	measured_curve_free(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_frame_touches_new_points_only, open_app, close_app),
		cmocka_unit_test_setup_teardown(test_frame_shows_the_same, open_app, close_app),
		cmocka_unit_test_setup_teardown(test_changed_points_are_seen, open_app, close_app),
		cmocka_unit_test_setup_teardown(test_tally_counts_each_kind, open_app, close_app),
	};
	setenv("XDG_CONFIG_HOME", "/proc/none", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
