/* The roofline view without a device: the chart, choosing, removing and importing points, drawing at every size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "base/buf.h"
#include "tests/scratch.h"
#include "tests/tui/screen_state.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
#include "tui/toolkit/key_codes.h"
#include "tui/views/roofline/roofline_view.h"

/* The view as it is after some points were measured; opening it would start a worker. */
static void give_places(struct app *a, struct experiment *x, int count)
{
	made_app(a, x, 5, 80, 24);
	struct roofline_view *v = xcalloc(1, sizeof *v);
	app_set_view_state(a, &view_roofline, v);
	for (int i = 0; i < count; i++) {
		struct placed_point *p = &v->list[v->count++];
		snprintf(p->name, sizeof p->name, "made-range, rangesize %d KiB", 1 << i);
		p->x = x;
		p->at = (struct roofline_point){.seconds = 1e-3,
			.bytes = 1e6,
			.operations = {i ? 1e7 * (1 << i) : 0, 1e5 * (1 << i)},
			.peak = {12e12, 96e9},
			.bandwidth = 480e9};
	}
	a->view = &view_roofline;
}

static void close_places(struct app *a)
{
	view_roofline.close(a);
	made_free(a);
}

static void the_chart_has_points_and_roofs(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct roofline_chart c;
	give_places(&a, &x, 0);
	assert_false(roofline_chart_make(roofline_view_of(&a), &c));
	close_places(&a);
	give_places(&a, &x, 4);
	assert_true(roofline_chart_make(roofline_view_of(&a), &c));
	assert_int_equal(c.series[1].count, 3);                 /* the first one has no FLOPs */
	assert_true(c.roof[1].x == 25 && c.roof[1].y == 12000); /* the ridge */
	assert_true(c.roof[2].y == 12000 && c.roof[0].y == 480 * c.chart.x.low);
	for (size_t i = 0; i < c.series[1].count; i++)
		assert_true(c.points[i].x > c.chart.x.low && c.points[i].x < c.chart.x.high &&
			c.points[i].y > c.chart.y[AXIS_LEFT].low && c.points[i].y < c.chart.y[AXIS_LEFT].high);
	app_handle_key(&a, 'u');
	assert_true(roofline_chart_make(roofline_view_of(&a), &c));
	assert_int_equal(c.series[1].count, 4);
	close_places(&a);
}

/* A line without gaps: each column between its first and last cell has a dot of the roof. */
static void the_roof_is_a_line(void **state)
{
	(void)state;
	enum { W = 60, H = 20 };
	static struct canvas_cell cells[W * H];
	struct app a;
	struct experiment x;
	struct roofline_chart c;
	give_places(&a, &x, 4);
	assert_true(roofline_chart_make(roofline_view_of(&a), &c));
	chart_render_cells(&c.chart, CANVAS_BRAILLE, W, H, cells);
	int from = W, columns = 0;
	for (int i = 0; i < W; i++) {
		bool any = false;
		for (int y = 0; y < H; y++)
			any |= cells[y * W + i].set && cells[y * W + i].series == 0;
		from = any && from == W ? i : from;
		columns += any;
	}
	assert_true(from < W && columns >= W - from - 1); /* a mark may stand on it */
	close_places(&a);
}

static void points_are_chosen_and_removed(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	give_places(&a, &x, 3);
	const struct roofline_view *v = roofline_view_of(&a);
	app_handle_key(&a, TK_DOWN);
	app_handle_key(&a, TK_DOWN);
	app_handle_key(&a, TK_DOWN);
	assert_int_equal(v->selected, 2);
	app_handle_key(&a, TK_DELETE);
	assert_true(v->count == 2 && v->selected == 1);
	app_handle_key(&a, TK_UP);
	app_handle_key(&a, 'x');
	assert_string_equal(v->list[0].name, "made-range, rangesize 2 KiB");
	app_handle_key(&a, TK_DELETE);
	app_handle_key(&a, TK_DELETE);
	assert_int_equal(v->count, 0);
	close_places(&a);
}

static void kernels_of_a_file_are_placed(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	give_places(&a, &x, 2);
	const struct roofline_view *v = roofline_view_of(&a);
	act_roofline_import(&a, "tests/experiments/profiles/ncu-h200.csv");
	assert_true(v->count == 4 && v->selected == 3 && !v->list[3].x);
	assert_string_equal(v->list[2].name, "ncu-h200: axpy(float *, float *, int)");
	assert_string_equal(v->list[3].device, "NVIDIA H200");
	app_handle_key(&a, TK_ENTER);
	assert_ptr_equal(a.view, &view_roofline);
	act_roofline_import(&a, "tests/experiments/profiles/ncu-h200.csv"); /* replaces them */
	assert_int_equal(v->count, 4);
	act_roofline_import(&a, "tests/experiments/profiles/none.csv");
	assert_int_equal(v->count, 4);
	assert_non_null(strstr(a.message, "cannot read tests/experiments/profiles/none.csv"));
	close_places(&a);
	give_places(&a, &x, ROOF_POINTS_MAX);
	act_roofline_import(&a, "tests/experiments/profiles/ncu-h200.csv"); /* the first two leave */
	assert_int_equal(roofline_view_of(&a)->count, ROOF_POINTS_MAX);
	assert_string_equal(roofline_view_of(&a)->list[0].name, "made-range, rangesize 4 KiB");
	close_places(&a);
}

#define NCU_FILE "tests/experiments/profiles/ncu-h200.csv"

static void expect_refused(struct app *a, const char *text, const char *why)
{
	act_roofline_import(a, text);
	if (!strstr(a->message, why))
		fail_msg("%s: %s", text, a->message);
	assert_int_equal(roofline_view_of(a)->count, 4);
}

static void several_files_are_placed_or_none(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	char copy[SCRATCH_PATH];
	give_places(&a, &x, 0);
	const struct roofline_view *v = roofline_view_of(&a);
	char *command = xasprintf("cp " NCU_FILE " '%s'", scratch_path(copy, "a copy.csv")),
	     *both = xasprintf(NCU_FILE " '%s'", copy),
	     *pattern = xasprintf("%.*s*copy.csv", (int)strlen(copy) - 10, copy);
	assert_int_equal(system(command), 0);
	act_roofline_import(&a, both);
	assert_int_equal(v->count, 4);
	assert_string_equal(a.message, "4 kernels of 2 files");
	act_roofline_import(&a, copy); /* with its blank, because it is a file */
	assert_string_equal(a.message, "2 kernels of NVIDIA H200, from ncu");
	act_roofline_import(&a, pattern);
	assert_string_equal(a.message, "2 kernels of NVIDIA H200, from ncu");
	assert_int_equal(v->count, 4);
	expect_refused(&a, NCU_FILE " none.csv", "cannot read none.csv");
	expect_refused(&a, "none*.csv", "cannot read none*.csv");
	expect_refused(&a, "--join", "file missing; write: results.csv, or pass1.csv pass2.csv --join");
	expect_refused(&a, NCU_FILE " --device soft:mi210", "unknown option --device; write names of files");
	expect_refused(&a, "'a", "quote");
	act_roofline_import(&a, NCU_FILE " " NCU_FILE " --join");
	assert_string_equal(a.message, "2 kernels of NVIDIA H200, from ncu, joined");
	assert_int_equal(v->count, 4);
	assert_int_equal(unlink(copy), 0);
	free(command);
	free(both);
	free(pattern);
	close_places(&a);
}

static void a_roofline_draws_at_every_size(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	for (int count = 0; count <= ROOF_POINTS_MAX; count += ROOF_POINTS_MAX / 2) {
		give_places(&a, &x, count);
		for (int w = 1; w <= 210; w += w < 90 ? 1 : 11)
			for (int h = 1; h <= 62; h += h < 30 ? 1 : 7) {
				a.ascii = w % 2;
				app_resize(&a, w, h);
				grid_resize(&g, w, h);
				screen_draw(&a, &g);
				for (int i = 0; i < w * h; i++)
					assert_true(!a.ascii || (g.cells[i].utf8[0] > 0 && !g.cells[i].utf8[1]));
			}
		close_places(&a);
	}
	grid_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_chart_has_points_and_roofs),
		cmocka_unit_test(the_roof_is_a_line),
		cmocka_unit_test(points_are_chosen_and_removed),
		cmocka_unit_test(kernels_of_a_file_are_placed),
		cmocka_unit_test(several_files_are_placed_or_none),
		cmocka_unit_test(a_roofline_draws_at_every_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
