/* A chart as SVG: positions agree with the scales, points carry their numbers, marks show points that are not trusted,
 * and text cannot break the markup. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/band_pattern.h"
#include "plot/chart_svg.h"
#include "plot/chart_svg_mark.h"
#include "plot/strip_svg.h"

static const struct chart_point latency[] = {
	{.x = 1024, .y = 240, .valid = true, .low = 236, .high = 251},
	{.x = 4096, .y = 250, .valid = true, .low = 250, .high = 250, .suspect = true},
	{.x = 16384, .valid = false},
	{.x = 65536, .y = 400, .valid = true, .low = 400, .high = 400},
};
static const struct chart_point rate[] = {{.x = 1024, .y = 10, .valid = true, .low = 10, .high = 10},
	{.x = 65536, .y = 5, .valid = true, .low = 5, .high = 5}};
static const struct chart_point printed[] = {{.x = 4096, .y = 239, .valid = true, .low = 239, .high = 239}};
static const struct series series[] = {
	{"latency", "cycles", AXIS_LEFT, SERIES_CURRENT, '*', latency, 4, STYLE_CURVE},
	{"rate", "GB/s", AXIS_RIGHT, SERIES_CURRENT, 'o', rate, 2, STYLE_CURVE},
	{"latency", "cycles", AXIS_LEFT, SERIES_PUBLISHED, '#', printed, 1, STYLE_POINTS},
};

static struct chart made(void)
{
	struct chart c = {.title = "made", .x_label = "rangesize", .x_unit = "B", .series = series, .series_count = 3};
	chart_fit_scales(&c, true, false);
	return c;
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;
	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static void the_frame_leaves_room_for_labels_and_maps_by_the_scales(void **state)
{
	(void)state;
	struct chart c = made();
	for (double w = 400; w < 2000; w += 170)
		for (double h = 200; h < 900; h += 110) {
			struct plot_frame f = frame_layout(&c, w, h, 12);
			assert_true(f.left > 0 && f.width > 0 && f.height > 0 && f.left + f.width < w &&
				f.top + f.height < h);
			assert_true(f.x.count >= 2 && f.y[AXIS_LEFT].count >= 2 && f.y[AXIS_RIGHT].count >= 2);
			assert_true(fabs(frame_map_x(&f, &c.x, c.x.low) - f.left) < 1e-9 &&
				fabs(frame_map_x(&f, &c.x, c.x.high) - f.left - f.width) < 1e-9);
			assert_true(fabs(frame_map_y(&f, &c.y[AXIS_LEFT], c.y[AXIS_LEFT].high) - f.top) < 1e-9);
			assert_true(fabs(frame_map_x(&f, &c.x, 4096) - frame_map_x(&f, &c.x, 1024) -
					    (frame_map_x(&f, &c.x, 65536) - frame_map_x(&f, &c.x, 16384))) <
				1e-9); /* doubling is a step */
		}
}

/* "128 KiB" at the right end of the axis, in a chart without a right axis. */
static void the_last_label_is_inside_of_the_picture(void **state)
{
	(void)state;
	struct chart c = {.x_label = "window", .x_unit = "B", .series = series, .series_count = 1};
	chart_fit_scales(&c, true, false);
	c.x.high = 128 * 1024;
	struct plot_frame f = frame_layout(&c, 900, 400, 12);
	const struct axis_tick *last = &f.x.list[f.x.count - 1];
	assert_string_equal(last->text, "128 KiB");
	assert_true(frame_map_x(&f, &c.x, last->value) + 0.5 * 12 * 0.6 * (double)strlen(last->text) <= 900);
}

static void a_unit_that_is_the_label_is_not_repeated(void **state)
{
	static const char *const cases[][3] = {{"stride", "words", "stride, words"}, {"lanes", "lanes", "lanes"},
		{"window", "B", "window"}, {"d", "", "d"}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *text = svg_format_axis_label(cases[i][0], cases[i][1]);
		assert_string_equal(text, cases[i][2]);
		free(text);
	}
}

static void the_legend_stands_in_columns(void **state)
{
	(void)state;
	struct chart c = made();
	struct buf b = {0};
	assert_true(svg_draw_legend(&b, &c, 0, 0, 10) > 2 * 1.6 * SVG_TEXT); /* too narrow: a column */
	assert_int_equal(count(b.data, "<text class=\"legend\" x=\"30.0\""), 3);
	buf_free(&b);
	assert_true(svg_draw_legend(&b, &c, 0, 0, 450) < 2.1 * 1.6 * SVG_TEXT); /* two columns */
	assert_int_equal(count(b.data, "<text class=\"legend\" x=\"30.0\""), 2);
	buf_free(&b);
}

static void points_have_their_values_as_data_attributes(void **state)
{
	(void)state;
	struct chart c = made();
	struct plot_frame f = frame_layout(&c, 900, 400, SVG_TEXT);
	struct buf b = {0};
	char place[80];
	svg_draw_chart(&b, &c, &f, 0);
	assert_int_equal(count(b.data, "class=\"point\""), 7);
	assert_non_null(strstr(b.data, "data-x=\"1024\" data-y=\"240\" data-low=\"236\" data-high=\"251\""));
	assert_non_null(strstr(b.data, "data-x=\"16384\">")); /* not measured: no y */
	snprintf(place, sizeof place, "d=\"M%.2f,%.2fm-3.5,0", frame_map_x(&f, &c.x, 65536),
		frame_map_y(&f, &c.y[AXIS_LEFT], 400));
	assert_non_null(strstr(b.data, place));
	assert_non_null(strstr(b.data, "data-x=\"1024 65536 log\""));
	assert_int_equal(count(b.data, "class=\"bar\""), 1);
	assert_int_equal(count(b.data, "mark suspect"), 1);
	assert_int_equal(count(b.data, "mark failed"), 1);
	assert_int_equal(count(b.data, " published\""), 1);
	buf_free(&b);
}

/* A gap is a gap: the curve is lifted over what was not measured. */
static void a_missing_point_interrupts_the_curve(void **state)
{
	(void)state;
	struct chart c = made();
	struct plot_frame f = frame_layout(&c, 900, 400, SVG_TEXT);
	struct buf b = {0};
	svg_draw_chart(&b, &c, &f, 0);
	const char *curve = strstr(b.data, "class=\"curve\""), *d = strstr(curve, " d=\"") + 4;
	char path[400];
	snprintf(path, sizeof path, "%.*s", (int)strcspn(d, "\""), d);
	assert_int_equal(count(path, "M"), 2);
	assert_int_equal(count(path, "L"), 1);
	buf_free(&b);
}

static void ticks_are_the_same_as_on_the_screen(void **state)
{
	(void)state;
	struct chart c = made();
	struct plot_frame f = frame_layout(&c, 900, 400, SVG_TEXT);
	struct buf b = {0};
	char text[80];
	svg_draw_chart(&b, &c, &f, 0);
	for (size_t i = 0; i < f.x.count; i++) {
		snprintf(text, sizeof text, ">%s</text>", f.x.list[i].text);
		assert_non_null(strstr(b.data, text));
	}
	assert_non_null(strstr(b.data, ">4 KiB</text>"));
	assert_non_null(strstr(b.data, ">cycles (solid, left)</text>"));
	assert_non_null(strstr(b.data, ">GB/s (dashed, right)</text>"));
	buf_free(&b);
}

static void text_is_escaped_in_the_markup(void **state)
{
	(void)state;
	struct buf b = {0};
	svg_append_escaped(&b, "a<b & \"c\" > d\x01\n\xef\xbf\xbe\xef\xbf\xbf \xc3\xa4");
	assert_string_equal(b.data, "a&lt;b &amp; &quot;c&quot; &gt; d  ?? \xc3\xa4");
	buf_free(&b);
}

static void marks_differ_without_color(void **state)
{
	(void)state;
	static const char marks[] = "*o+x#@%&";
	struct buf seen[sizeof marks] = {0};
	for (size_t i = 0; marks[i]; i++) {
		svg_draw_mark(&seen[i], marks[i], 0, 0, "#000000", false);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(seen[i].data, seen[k].data);
	}
	for (size_t i = 0; marks[i]; i++)
		buf_free(&seen[i]);
}

static void a_strip_shows_its_range_or_that_it_is_not_available(void **state)
{
	(void)state;
	struct chart c = made();
	struct plot_frame f = frame_layout(&c, 900, 400, SVG_TEXT);
	static const struct chart_point clock[] = {{.x = 1024, .y = 1400, .valid = true, .suspect = true},
		{.x = 4096, .y = 1536, .valid = true}, {.x = 16384}};
	struct buf b = {0};
	struct chart_strip strips[] = {{"core clock", "MHz", clock, 3}, {"power", "W", clock + 2, 1}};
	double height = svg_draw_strips(&b, &c, &f, strips, 2, 400);
	assert_true(height > 30);
	assert_non_null(strstr(b.data, "core clock 1400..1536 MHz"));
	assert_int_equal(count(b.data, "<circle"), 2);
	assert_int_equal(count(b.data, "suspect"), 1);
	assert_non_null(strstr(b.data, "power: not available"));
	buf_free(&b);
}

/* Readings that do not move share one line of text, and no curve is drawn of their noise. */
static void steady_readings_share_a_line(void **state)
{
	(void)state;
	struct chart c = made();
	struct plot_frame f = frame_layout(&c, 900, 400, SVG_TEXT);
	static const struct chart_point clock[] = {{.x = 1024, .y = 1539, .valid = true},
		{.x = 4096, .y = 1539, .valid = true}},
					temperature[] = {{.x = 1024, .y = 35, .valid = true},
						{.x = 4096, .y = 35.034, .valid = true}},
					power[] = {{.x = 1024, .y = 25, .valid = true},
						{.x = 4096, .y = 25.275, .valid = true}};
	struct chart_strip strips[] = {
		{"core clock", "MHz", clock, 2}, {"temperature", "C", temperature, 2}, {"power", "W", power, 2}};
	struct buf b = {0};
	assert_true(svg_draw_strips(&b, &c, &f, strips, 3, 400) < 30);
	assert_non_null(strstr(b.data, "core clock 1539 MHz, temperature 35 \u00b0C, power 25 W<"));
	assert_int_equal(count(b.data, "class=\"strip\""), 0);
	buf_free(&b);
}

/* Of a series with more points than a page can show, the extremes have marks; the curve carries the numbers. */
static void a_long_series_has_marks_at_its_extremes(void **state)
{
	(void)state;
	enum { MANY = 5000 };
	struct chart_point *list = xcalloc(MANY, sizeof *list);
	for (int i = 0; i < MANY; i++)
		list[i] = (struct chart_point){.x = i, .y = i == 1234 ? 90 : i % 7, .valid = true};
	struct series s = {"many", "", AXIS_LEFT, SERIES_CURRENT, '*', list, MANY, STYLE_CURVE};
	struct chart c = {.x_label = "x", .x_unit = "", .series = &s, .series_count = 1};
	chart_fit_scales(&c, false, false);
	struct plot_frame f = frame_layout(&c, 900, 400, SVG_TEXT);
	struct buf b = {0};
	svg_draw_chart(&b, &c, &f, 0);
	assert_non_null(strstr(b.data, "class=\"point\" data-x=\"1234\" data-y=\"90\""));
	assert_true(count(b.data, "class=\"point\"") < 2100);
	assert_non_null(strstr(b.data, "data-points=\"0,0 1,1 2,2"));
	buf_free(&b);
	free(list);
}

/* Bars end at the frame, have different colors and patterns, and say their values. */
static void areas_are_bars_that_differ(void **state)
{
	(void)state;
	struct chart_point access[3], conflict[3];
	for (int i = 0; i < 3; i++) {
		access[i] = (struct chart_point){.x = i, .y = 80, .valid = i < 2, .low = 0, .high = 80};
		conflict[i] =
			(struct chart_point){.x = i, .y = 80 + 30 * i, .valid = i < 2, .low = 80, .high = 80 + 30 * i};
	}
	struct series both[] = {{"LDS", "cycles", AXIS_LEFT, SERIES_CURRENT, 'l', access, 3, STYLE_BAND},
		{"LDS conflict", "cycles", AXIS_LEFT, SERIES_CURRENT, 'X', conflict, 3, STYLE_BAND}};
	struct chart c = {.x_label = "stride", .x_unit = "words", .series = both, .series_count = 2};
	chart_fit_scales(&c, false, false);
	struct plot_frame f = frame_layout(&c, 900, 400, SVG_TEXT);
	struct buf b = {0};
	char left[40];
	svg_draw_chart(&b, &c, &f, 0);
	svg_draw_legend(&b, &c, 0, 400, 800);
	assert_int_equal(count(b.data, "class=\"stack\""), 3); /* no bar without a height, none without a value */
	assert_non_null(strstr(b.data, "LDS conflict at 1 word: 30 cycles"));
	assert_true(strcmp(band_color('l'), band_color('X')) && strstr(b.data, band_color('l')) &&
		strstr(b.data, band_color('X')) && strstr(b.data, "url(#hatch1)"));
	snprintf(left, sizeof left, "d=\"M%.2f,", f.left);
	assert_non_null(strstr(b.data, left));
	assert_int_equal(count(b.data, "class=\"key"), 2);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_frame_leaves_room_for_labels_and_maps_by_the_scales),
		cmocka_unit_test(the_last_label_is_inside_of_the_picture),
		cmocka_unit_test(a_unit_that_is_the_label_is_not_repeated),
		cmocka_unit_test(the_legend_stands_in_columns),
		cmocka_unit_test(points_have_their_values_as_data_attributes),
		cmocka_unit_test(a_missing_point_interrupts_the_curve),
		cmocka_unit_test(ticks_are_the_same_as_on_the_screen),
		cmocka_unit_test(text_is_escaped_in_the_markup),
		cmocka_unit_test(marks_differ_without_color),
		cmocka_unit_test(a_strip_shows_its_range_or_that_it_is_not_available),
		cmocka_unit_test(steady_readings_share_a_line),
		cmocka_unit_test(a_long_series_has_marks_at_its_extremes),
		cmocka_unit_test(areas_are_bars_that_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
