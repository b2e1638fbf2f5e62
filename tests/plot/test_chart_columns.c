/* Bars of categories: where they stand, how high they are on every canvas and in SVG, and which points are not joined.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/chart_columns.h"
#include "plot/chart_svg.h"

enum { W = 60, H = 20 };
static const char *const forms[] = {"plain", "divergent", "merged"};
static const struct chart_point times[] = {{.x = 0, .y = 4, .valid = true, .low = 4, .high = 4},
	{.x = 1, .y = 8, .valid = true, .low = 8, .high = 8}, {.x = 2, .valid = false}};
static const struct chart_point halves[] = {{.x = 0, .y = 2, .valid = true, .low = 2, .high = 2},
	{.x = 1, .y = 4, .valid = true, .low = 4, .high = 4}, {.x = 2, .y = 1, .valid = true, .low = 1, .high = 1}};
static const struct series both[] = {
	{"time", "ms", AXIS_LEFT, SERIES_CURRENT, '*', times, 3, STYLE_COLUMN},
	{"half", "ms", AXIS_LEFT, SERIES_CURRENT, '+', halves, 3, STYLE_COLUMN},
};

static struct chart make_forms(size_t series)
{
	struct chart c = {.title = "forms",
		.x_label = "form",
		.x_unit = "",
		.x_names = forms,
		.x_name_count = 3,
		.series = both,
		.series_count = series};
	chart_fit_scales(&c, true, false);
	return c;
}

static enum series_style style_of(const double *x, size_t count)
{
	struct chart_point p[8] = {0};
	for (size_t i = 0; i < count; i++)
		p[i].x = x[i];
	return measured_series_style(p, count, false);
}

static void few_points_far_apart_are_not_joined(void **state)
{
	(void)state;
	static const double picked[] = {16384, 4194304, 268435456}, doubled[] = {1, 2, 4, 8}, near[] = {24, 31, 39},
			    zero[] = {0, 1}, falling[] = {64, 16, 4}, many[] = {1, 100, 1e4, 1e6, 1e8};
	assert_int_equal(style_of(picked, 3), STYLE_POINTS);
	assert_int_equal(style_of(zero, 2), STYLE_POINTS);
	assert_int_equal(style_of(falling, 3), STYLE_POINTS);
	assert_int_equal(style_of(doubled, 4), STYLE_CURVE);
	assert_int_equal(style_of(near, 3), STYLE_CURVE);
	assert_int_equal(style_of(many, 5), STYLE_CURVE);
	assert_int_equal(style_of(picked, 1), STYLE_CURVE);
	assert_int_equal(measured_series_style(times, 3, true), STYLE_COLUMN);
}

static void categories_have_whole_places_and_names(void **state)
{
	(void)state;
	struct chart c = make_forms(1);
	struct axis_tick ticks[8];
	assert_true(c.x.low == -0.5 && c.x.high == 2.5 && !c.x.log2);
	assert_true(c.y[AXIS_LEFT].low == 0);
	assert_int_equal(chart_make_x_ticks(&c, ticks, 8), 3);
	for (int i = 0; i < 3; i++)
		assert_true(ticks[i].value == i && !strcmp(ticks[i].text, forms[i]));
	assert_int_equal(chart_count_label_rows(ticks, 3, 40, 1), 1);
	assert_int_equal(chart_count_label_rows(ticks, 3, 28, 1), 2);
}

static void bars_of_several_series_stand_side_by_side(void **state)
{
	(void)state;
	struct chart c = make_forms(2);
	double left[2], right[2];
	for (int x = 0; x < 3; x++) {
		for (int i = 0; i < 2; i++)
			column_find_span(&c, &both[i], x, &left[i], &right[i]);
		assert_true(left[0] > x - 0.5 && fabs(right[0] - left[1]) < 1e-9 && right[1] < x + 0.5);
		assert_true(fabs((left[0] + right[1]) / 2 - x) < 1e-9);
	}
}

/* How many cells a series fills in the column of an x value. */
static int column_height(const struct chart *c, const struct canvas_cell *cells, int series, double x)
{
	int column = (int)(scale_to_fraction(&c->x, x) * W), n = 0;
	for (int y = 0; y < H; y++)
		n += cells[y * W + column].set && cells[y * W + column].series == series;
	return n;
}

static void bars_are_as_high_as_their_values(void **state)
{
	(void)state;
	static struct canvas_cell cells[W * H];
	struct chart one = make_forms(1), two = make_forms(2);
	for (int kind = 0; kind < 3; kind++) {
		chart_render_cells(&one, (enum canvas_kind)kind, W, H, cells);
		assert_int_equal(column_height(&one, cells, 0, 0), H / 2);
		assert_int_equal(column_height(&one, cells, 0, 1), H);
		assert_int_equal(column_height(&one, cells, 0, 2), 0);   /* not measured */
		assert_int_equal(column_height(&one, cells, 0, 0.5), 0); /* space between bars, and no line */
		chart_render_cells(&two, (enum canvas_kind)kind, W, H, cells);
		assert_int_equal(column_height(&two, cells, 0, 0.8), H);
		assert_int_equal(column_height(&two, cells, 1, 1.2), H / 2);
	}
}

static void bars_and_legends_agree_and_differ(void **state)
{
	(void)state;
	static struct canvas_cell cells[W * H];
	struct chart c = make_forms(2);
	for (int ascii = 0; ascii < 2; ascii++) {
		chart_render_cells(&c, ascii ? CANVAS_ASCII : CANVAS_BRAILLE, W, H, cells);
		const struct canvas_cell *foot = &cells[(H - 1) * W];
		int first = (int)(scale_to_fraction(&c.x, 0.8) * W), second = (int)(scale_to_fraction(&c.x, 1.2) * W);
		assert_string_equal(foot[first].utf8, series_key_text(&both[0], ascii));
		assert_string_equal(foot[second].utf8, series_key_text(&both[1], ascii));
		assert_string_not_equal(foot[first].utf8, foot[second].utf8);
	}
	char *text = chart_render_text(&c, W, H, false);
	for (int i = 0; i < 3; i++)
		assert_non_null(strstr(text, forms[i]));
	free(text);
}

/* Names that one row cannot hold stand in two. */
static void long_names_are_all_shown(void **state)
{
	(void)state;
	static const char *const names[] = {"k1-naive", "k2-lds-tile", "k3-register-tile", "k4-prefetch", "k5-lds"};
	struct chart_point p[5];
	for (int i = 0; i < 5; i++)
		p[i] = (struct chart_point){.x = i, .y = i, .valid = true, .low = i, .high = i};
	struct series s = {"rate", "GFLOP/s", AXIS_LEFT, SERIES_CURRENT, '*', p, 5, STYLE_COLUMN};
	struct chart c = {.title = "",
		.x_label = "kernel",
		.x_unit = "",
		.x_names = names,
		.x_name_count = 5,
		.series = &s,
		.series_count = 1};
	chart_fit_scales(&c, false, false);
	char *text = chart_render_text(&c, W, H, true);
	struct plot_frame wide = frame_layout(&c, 1400, 400, SVG_TEXT), narrow = frame_layout(&c, 400, 400, SVG_TEXT);
	for (int i = 0; i < 5; i++)
		assert_non_null(strstr(text, names[i]));
	assert_true(wide.x_rows == 1 && narrow.x_rows == 2 && narrow.height < wide.height);
	free(text);
}

static void a_picture_has_a_bar_for_each_value(void **state)
{
	(void)state;
	struct chart c = make_forms(1);
	struct plot_frame f = frame_layout(&c, 900, 400, SVG_TEXT);
	struct buf b = {0};
	char top[80];
	svg_draw_chart(&b, &c, &f, 0);
	const char *first = strstr(b.data, "class=\"column\"");
	assert_non_null(first);
	snprintf(top, sizeof top, ",%.2fH", frame_map_y(&f, &c.y[AXIS_LEFT], 4));
	assert_non_null(strstr(first, top));
	assert_non_null(strstr(first, "data-left=\"-0.4\" data-right=\"0.4\""));
	assert_non_null(strstr(first + 1, "class=\"column\"")); /* divergent; merged was not measured */
	assert_null(strstr(strstr(first + 1, "class=\"column\"") + 1, "class=\"column\""));
	assert_null(strstr(b.data, "class=\"curve\""));
	assert_non_null(strstr(b.data, "time at divergent: 8 ms"));
	assert_non_null(strstr(b.data, "data-x=\"1\""));
	assert_non_null(strstr(b.data, ">divergent</text>"));
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_points_far_apart_are_not_joined),
		cmocka_unit_test(categories_have_whole_places_and_names),
		cmocka_unit_test(bars_of_several_series_stand_side_by_side),
		cmocka_unit_test(bars_are_as_high_as_their_values),
		cmocka_unit_test(bars_and_legends_agree_and_differ),
		cmocka_unit_test(long_names_are_all_shown),
		cmocka_unit_test(a_picture_has_a_bar_for_each_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
