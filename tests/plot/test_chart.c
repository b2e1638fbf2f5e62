/* Charts as properties at many sizes: nothing outside the cells, labels whole, apart from each other and inside the
 * width. */
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
#include "plot/chart.h"

enum { POINTS = 19 };
static struct chart_point latency[POINTS], rate[POINTS], wild[4];

static struct series both[] = {
	{"latency", "cycles", AXIS_LEFT, SERIES_CURRENT, '*', latency, POINTS, STYLE_CURVE},
	{"bandwidth", "GB/s", AXIS_RIGHT, SERIES_CURRENT, 'o', rate, POINTS, STYLE_CURVE},
};

/* 1 KiB to 256 MiB, three plateaus; the fifth point has no reading. */
static int fill(void **state)
{
	(void)state;
	for (int i = 0; i < POINTS; i++) {
		double x = 1024 * exp2(i), y = i < 5 ? 239 : i < 13 ? 376 : 647.5;
		latency[i] = (struct chart_point){x, y, i != 4, i == 7, y - 5, y + 20, NULL, false, 0, 0};
		rate[i] = (struct chart_point){x, 64 / y * 1.536, true, false, 0, 0, NULL, false, 0, 0};
	}
	wild[0] = (struct chart_point){1, NAN, true, false, 0, 0, NULL, false, 0, 0};
	wild[1] = (struct chart_point){INFINITY, 5, true, false, 0, 0, NULL, false, 0, 0};
	wild[2] = (struct chart_point){-3, 1e308, true, true, -1e308, 1e308, NULL, false, 0, 0};
	wild[3] = (struct chart_point){0, -2, true, false, 0, 0, NULL, false, 0, 0};
	return 0;
}

static struct chart chart_of(struct series *s, size_t n, bool x_log)
{
	struct chart c = {.title = "Range (pointer chase)",
		.x_label = "rangesize",
		.x_unit = "B",
		.series = s,
		.series_count = n};
	chart_fit_scales(&c, x_log, false);
	return c;
}

static void scales_have_round_ends(void **state)
{
	(void)state;
	struct chart c = chart_of(both, 2, true);
	assert_true(c.x.log2 && c.x.low == 1024 && c.x.high == 0x1p28);
	assert_true(c.y[AXIS_LEFT].low == 0 && c.y[AXIS_LEFT].high == 800);
	assert_true(c.has_axis[AXIS_LEFT] && c.has_axis[AXIS_RIGHT]);
	assert_true(fabs(scale_to_fraction(&c.x, 0x1p19) - 0.5) < 1e-12);
	for (double at = -0.5; at <= 1.5; at += 0.125)
		for (int a = 0; a < 3; a++) {
			const struct scale *s = a ? &c.y[a - 1] : &c.x;
			assert_true(fabs(scale_to_fraction(s, scale_from_fraction(s, at)) - at) < 1e-9);
		}
}

static void a_scale_is_never_empty(void **state)
{
	(void)state;
	static const double values[] = {0, 1, -1, 1e-9, 1e12, 5};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		for (int log = 0; log < 4; log++) {
			struct chart_point p = {
				values[i], values[i], true, false, values[i], values[i], NULL, false, 0, 0};
			struct series one = {"m", "", AXIS_LEFT, SERIES_CURRENT, '*', &p, 1, STYLE_CURVE};
			struct chart c = {.series = &one, .series_count = 1};
			chart_fit_scales(&c, log & 1, log & 2);
			assert_true(c.x.low < c.x.high && c.y[0].low < c.y[0].high && c.y[1].low < c.y[1].high);
			assert_true(!c.x.log2 || c.x.low > 0);
			assert_true(!c.y[0].log2 || c.y[0].low > 0);
			assert_true(scale_to_fraction(&c.y[0], values[i]) >= -1e-9 &&
				scale_to_fraction(&c.y[0], values[i]) <= 1 + 1e-9);
		}
}

static void check_ticks(const struct scale *s, const char *unit, size_t max)
{
	struct axis_tick t[32];
	size_t n = scale_make_ticks(s, unit, t, max);
	double slack = (s->high - s->low) * 1e-6;
	assert_true(n <= max);
	for (size_t i = 0; i < n; i++) {
		assert_true(t[i].value >= s->low - slack && t[i].value <= s->high + slack);
		assert_true(strlen(t[i].text) > 0);
		assert_null(strchr(t[i].text, ','));
		for (size_t k = 0; k < i; k++) {
			assert_true(t[k].value < t[i].value);
			assert_string_not_equal(t[k].text, t[i].text);
		}
	}
}

static void ticks_are_few_ordered_distinct_and_inside_the_scale(void **state)
{
	(void)state;
	static const char *const units[] = {"B", "cycles", ""};
	for (double low = -5; low < 70000; low = low < 1 ? low + 1.7 : low * 5.3)
		for (double range = 0.003; range < 1e10; range *= 3.7)
			for (size_t max = 1; max <= 32; max += 3)
				for (int u = 0; u < 3; u++) {
					struct scale s = {low, low + range, false};
					check_ticks(&s, units[u], max);
					if (low > 0) {
						s.log2 = true;
						check_ticks(&s, units[u], max);
					}
				}
}

static void tick_labels_fit_the_unit(void **state)
{
	(void)state;
	struct axis_tick t[32];
	struct scale bytes = {1024, 0x1p28, true}, count = {0, 64000, false}, part = {0, 0.6, false};
	size_t n = scale_make_ticks(&bytes, "B", t, 32);
	assert_int_equal(n, 19);
	assert_string_equal(t[0].text, "1 KiB");
	assert_string_equal(t[18].text, "256 MiB");
	n = scale_make_ticks(&count, "threads", t, 8);
	assert_string_equal(t[0].text, "0");
	assert_string_equal(t[1].text, "10k");
	n = scale_make_ticks(&part, "", t, 4);
	assert_string_equal(t[1].text, "0.2");
	assert_true(n >= 3);
}

static void powers_below_one_are_fractions(void **state)
{
	(void)state;
	struct axis_tick t[32];
	struct scale small = {0x1p-13, 0x1p11, true};
	static const char *const texts[] = {"1/8k", "1/1k", "1/128", "1/16", "1/2", "4", "32", "256", "2k"};
	assert_int_equal(scale_make_ticks(&small, "FLOP/B", t, 9), 9);
	for (int i = 0; i < 9; i++)
		assert_string_equal(t[i].text, texts[i]);
}

/* --- the canvas --- */

static void no_cell_outside_the_canvas_is_drawn(void **state)
{
	(void)state;
	enum { MOST = 60, GUARD = 64 };
	static struct canvas_cell cells[MOST * MOST + 2 * GUARD], guard;
	memset(&guard, 0xa5, sizeof guard);
	struct chart c = chart_of(both, 2, true);
	struct chart_ruler rulers[] = {{16384, "L1"}, {-1, "bad"}, {1e30, "far"}};
	c.rulers = rulers;
	c.ruler_count = 3;
	for (int zoom = 0; zoom < 2;
		zoom++, c.x = (struct scale){9000, 300000, true}, c.y[0] = (struct scale){300, 301, false})
		for (int kind = 0; kind < 3; kind++)
			for (int w = 0; w <= MOST; w += 1 + w / 8)
				for (int h = 0; h <= MOST; h += 1 + h / 8) {
					memset(cells, 0xa5, sizeof cells);
					chart_render_cells(&c, (enum canvas_kind)kind, w, h, cells + GUARD);
					for (int i = 0; i < GUARD; i++) {
						assert_memory_equal(&cells[i], &guard, sizeof guard);
						assert_memory_equal(&cells[GUARD + w * h + i], &guard, sizeof guard);
					}
					for (int i = 0; i < w * h; i++)
						assert_true(!cells[GUARD + i].set ||
							(cells[GUARD + i].utf8[0] &&
								strlen(cells[GUARD + i].utf8) <= 4));
				}
}

static void every_series_is_visible_without_color(void **state)
{
	(void)state;
	struct chart c = chart_of(both, 2, true);
	struct canvas_cell cells[60 * 20];
	for (int kind = 0; kind < 3; kind++) {
		int marks[2] = {0}, suspects = 0;
		const char *const want[2] = {
			kind == CANVAS_ASCII ? "*" : "\u25cf", kind == CANVAS_ASCII ? "o" : "\u25cb"};
		chart_render_cells(&c, (enum canvas_kind)kind, 60, 20, cells);
		for (int i = 0; i < 60 * 20; i++) {
			for (int s = 0; s < 2; s++)
				marks[s] += cells[i].set && cells[i].series == s && !strcmp(cells[i].utf8, want[s]);
			suspects += cells[i].set && !strcmp(cells[i].utf8, "!");
		}
		assert_true(marks[0] >= 4 && marks[1] >= 4);
		assert_int_equal(suspects, 1);
	}
}

static void a_missing_reading_interrupts_the_curve(void **state)
{
	(void)state;
	struct chart_point p[] = {{0, 1, true, false, 0, 0, NULL, false, 0, 0},
		{1, 1, false, false, 0, 0, NULL, false, 0, 0}, {2, 1, true, false, 0, 0, NULL, false, 0, 0}};
	struct series s = {"m", "", AXIS_LEFT, SERIES_CURRENT, '*', p, 3, STYLE_CURVE};
	struct chart c = chart_of(&s, 1, false);
	struct canvas_cell cells[21 * 5];
	chart_render_cells(&c, CANVAS_ASCII, 21, 5, cells);
	int set = 0;
	for (int i = 0; i < 21 * 5; i++)
		set += cells[i].set;
	assert_int_equal(set, 2);
}

static void extreme_values_are_drawn_safely(void **state)
{
	(void)state;
	struct series s[] = {{"m", "B", AXIS_LEFT, SERIES_CURRENT, '*', wild, 4, STYLE_CURVE},
		{"n", "", AXIS_RIGHT, SERIES_PREVIOUS, '\n', wild, 4, STYLE_CURVE},
		{"none", "", AXIS_RIGHT, SERIES_PUBLISHED, '+', NULL, 0, STYLE_CURVE}};
	struct canvas_cell cells[30 * 10];
	for (int log = 0; log < 2; log++) {
		struct chart c = chart_of(s, 3, log);
		assert_true(isfinite(c.x.low) && isfinite(c.x.high) && c.x.low < c.x.high && c.y[0].low < c.y[0].high);
		for (int kind = 0; kind < 3; kind++)
			chart_render_cells(&c, (enum canvas_kind)kind, 30, 10, cells);
		free(chart_render_text(&c, 50, 20, true));
	}
}

/* --- the text --- */

static int cells_of(const char *text, size_t n)
{
	int cells = 0;
	for (size_t i = 0; i < n; i++)
		cells += (text[i] & 0xc0) != 0x80;
	return cells;
}

static void a_text_chart_keeps_its_size(void **state)
{
	(void)state;
	struct chart c = chart_of(both, 2, true);
	for (int ascii = 0; ascii < 2; ascii++)
		for (int w = 1; w <= 200; w += w < 100 ? 1 : 7)
			for (int h = 1; h <= 50; h++) {
				char *text = chart_render_text(&c, w, h, ascii);
				int lines = 0;
				for (char *line = text; *line; lines++) {
					size_t n = strcspn(line, "\n");
					assert_true(cells_of(line, n) <= w);
					for (size_t i = 0; ascii && i < n; i++)
						assert_true(line[i] >= ' ' && line[i] < 127);
					line += n + (line[n] == '\n');
				}
				assert_int_equal(lines, h);
				free(text);
			}
}

/* The line below the x axis, cut at two or more blanks, must consist of whole tick labels and nothing else. */
static void x_labels_are_complete_and_do_not_touch(void **state)
{
	(void)state;
	struct chart c = chart_of(both, 2, true);
	struct axis_tick all[32];
	size_t n = scale_make_ticks(&c.x, "B", all, 32);
	for (int w = 30; w <= 200; w++) {
		char *text = chart_render_text(&c, w, 24, true), *save = NULL;
		char *axis = strstr(text, "+-");
		axis = axis ? strchr(axis, '\n') + 1 : NULL;
		assert_non_null(axis);
		axis[strcspn(axis, "\n")] = 0;
		int labels = 0;
		for (char *word = strtok_r(axis, " ", &save); word; word = strtok_r(NULL, " ", &save), labels++) {
			char *unit = strtok_r(NULL, " ", &save), label[32];
			assert_non_null(unit);
			snprintf(label, sizeof label, "%s %s", word, unit);
			bool known = false;
			for (size_t i = 0; i < n; i++)
				known = known || !strcmp(label, all[i].text);
			assert_true(known);
		}
		assert_true(labels >= 2);
		free(text);
	}
}

static void a_text_chart_names_its_series(void **state)
{
	(void)state;
	struct chart c = chart_of(both, 2, true);
	char *text = chart_render_text(&c, 80, 24, true);
	static const char *const want[] = {"Range (pointer chase)", "* latency, cycles", "o bandwidth, GB/s", "800 +",
		"rangesize, B", "256 MiB", "left axis", "right axis"};
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		if (!strstr(text, want[i]))
			fail_msg("'%s' is missing in\n%s", want[i], text);
	free(text);
}

/* A roofline: x from 1/64 to 64, the slope 8 x, the flat roof 16, two points below them. */
static void bounds_are_lines_without_marks(void **state)
{
	(void)state;
	static struct chart_point slope[] = {
		{.x = 0.015625, .y = 0.125, .valid = true}, {.x = 64, .y = 512, .valid = true}};
	static struct chart_point flat[] = {{.x = 0.015625, .y = 16, .valid = true}, {.x = 64, .y = 16, .valid = true}};
	static struct chart_point points[] = {{.x = 0.015625, .y = 0.0625, .valid = true, .label = "low"},
		{.x = 64, .y = 12, .valid = true, .label = "high"}, {.x = NAN, .y = 1, .valid = true, .label = "none"}};
	struct series s[] = {
		{"slope", "GIPS", AXIS_LEFT, SERIES_CURRENT, '-', slope, 2, STYLE_LINE},
		{"flat", "GIPS", AXIS_LEFT, SERIES_CURRENT, '-', flat, 2, STYLE_LINE},
		{"achieved", "GIPS", AXIS_LEFT, SERIES_CURRENT, '*', points, 3, STYLE_POINTS},
	};
	struct chart c = {
		.title = "Roofline", .x_label = "intensity", .x_unit = "inst/B", .series = s, .series_count = 3};
	chart_fit_scales(&c, true, true);
	assert_true(c.y[AXIS_LEFT].low == 0.0625 && c.y[AXIS_LEFT].high == 16); /* the slope leaves at the top */
	struct canvas_cell cells[40 * 12];
	int lines[3] = {0}, marks[3] = {0};
	chart_render_cells(&c, CANVAS_ASCII, 40, 12, cells);
	for (int i = 0; i < 40 * 12; i++)
		if (cells[i].set)
			(cells[i].utf8[0] == '.' ? lines : marks)[cells[i].series]++;
	assert_true(lines[0] > 20 && lines[1] > 20 && !marks[0] && !marks[1]);
	assert_true(!lines[2] && marks[2] == 2);
	assert_true(cells[11 * 40].series == 2 && !strcmp(cells[11 * 40].utf8, "*"));
	char *text = chart_render_text(&c, 60, 20, true);
	assert_non_null(strstr(text, "* low"));
	assert_non_null(strstr(text, "high"));
	assert_null(strstr(text, "none"));
	free(text);
}

static void rulers_are_labeled(void **state)
{
	(void)state;
	struct chart c = chart_of(both, 2, true);
	struct chart_ruler r = {16384, "L1"};
	c.rulers = &r;
	c.ruler_count = 1;
	char *text = chart_render_text(&c, 100, 30, true);
	assert_non_null(strstr(text, ":L1"));
	free(text);
}

static const char *cell(const struct canvas_cell *cells, int w, int x, int y)
{
	return cells[y * w + x].set ? cells[y * w + x].utf8 : " ";
}

/* Two areas of half the height each fill every cell of their halves, whatever the canvas, and a curve on top keeps its
 * marks. */
static void areas_are_filled_between_their_edges(void **state)
{
	(void)state;
	enum { W = 11, H = 8 };
	struct chart_point low[2], high[2], top[2];
	for (int i = 0; i < 2; i++) {
		low[i] = (struct chart_point){.x = i, .y = 4, .valid = true, .low = 0, .high = 4};
		high[i] = (struct chart_point){.x = i, .y = 8, .valid = true, .low = 4, .high = 8};
		top[i] = (struct chart_point){.x = i, .y = 8, .valid = true, .low = 8, .high = 8};
	}
	struct series series[] = {
		{"below", "cycles", AXIS_LEFT, SERIES_CURRENT, 'v', low, 2, STYLE_BAND},
		{"above", "cycles", AXIS_LEFT, SERIES_CURRENT, 'D', high, 2, STYLE_BAND},
		{"curve", "cycles", AXIS_LEFT, SERIES_CURRENT, '*', top, 2, STYLE_CURVE},
	};
	struct chart c = {.series = series, .series_count = 3};
	struct canvas_cell cells[W * H];
	chart_fit_scales(&c, false, false);
	assert_true(c.y[AXIS_LEFT].low == 0 && c.y[AXIS_LEFT].high == 8);
	static const enum canvas_kind kinds[] = {CANVAS_ASCII, CANVAS_BLOCK, CANVAS_BRAILLE};
	for (int k = 0; k < 3; k++) {
		chart_render_cells(&c, kinds[k], W, H, cells);
		for (int x = 0; x < W; x++)
			for (int y = 1; y < H; y++)
				assert_string_equal(cell(cells, W, x, y),
					band_pattern_text(y < H / 2 ? 'D' : 'v', kinds[k] == CANVAS_ASCII));
		assert_int_equal(cells[0].series, 2);
	}
	low[1].valid = high[1].valid = false; /* nothing at a point without a value */
	chart_render_cells(&c, CANVAS_ASCII, W, H, cells);
	for (int x = W / 2 + 1; x < W; x++)
		assert_string_equal(cell(cells, W, x, H - 1), " ");
	assert_string_equal(cell(cells, W, 0, H - 1), "v");
}

/* Conflicts at every eighth stride: each bar reaches its own height, also where two points share a column. */
static void each_bar_reaches_its_point(void **state)
{
	(void)state;
	enum { STRIDES = 64, H = 31 };
	struct chart_point access[STRIDES], conflict[STRIDES];
	for (int i = 0; i < STRIDES; i++) {
		double y = (i + 1) % 8 ? 80 : 150;
		access[i] = (struct chart_point){.x = i + 1, .y = 80, .valid = true, .low = 0, .high = 80};
		conflict[i] = (struct chart_point){.x = i + 1, .y = y, .valid = true, .low = 80, .high = y};
	}
	struct series series[] = {
		{"LDS", "cycles", AXIS_LEFT, SERIES_CURRENT, 'l', access, STRIDES, STYLE_BAND},
		{"LDS conflict", "cycles", AXIS_LEFT, SERIES_CURRENT, 'X', conflict, STRIDES, STYLE_BAND},
	};
	struct chart c = {.series = series, .series_count = 2};
	chart_fit_scales(&c, false, false);
	assert_true(c.y[AXIS_LEFT].high == 150);
	static struct canvas_cell cells[200 * H];
	for (int kind = 0; kind < 3; kind++)
		for (int w = 40; w <= 200; w += 32) {
			int peaks = 0;
			chart_render_cells(&c, (enum canvas_kind)kind, w, H, cells);
			const char *pattern = band_pattern_text('X', kind == CANVAS_ASCII);
			for (int x = 0; x < w; x++) {
				bool top = !strcmp(cell(cells, w, x, 1), pattern);
				peaks += top && (!x || strcmp(cell(cells, w, x - 1, 1), pattern) != 0);
				assert_string_not_equal(cell(cells, w, x, H - 1), " "); /* no column is empty */
				if (top)
					for (int y = 1; y < 12; y++)
						assert_string_equal(cell(cells, w, x, y), pattern);
			}
			assert_int_equal(peaks, 8);
		}
}

/* A ruler on a bar replaces the pattern, not the color. */
static void a_ruler_does_not_erase_a_bar(void **state)
{
	(void)state;
	struct chart_point p[2] = {{.x = 0, .y = 8, .valid = true, .low = 0, .high = 8},
		{.x = 10, .y = 8, .valid = true, .low = 0, .high = 8}};
	struct series s = {"DRAM", "cycles", AXIS_LEFT, SERIES_CURRENT, 'D', p, 2, STYLE_BAND};
	struct chart_ruler r = {5, "L1"};
	struct chart c = {.series = &s, .series_count = 1, .rulers = &r, .ruler_count = 1};
	struct canvas_cell cells[21 * 8];
	chart_fit_scales(&c, false, false);
	chart_render_cells(&c, CANVAS_ASCII, 21, 8, cells);
	assert_string_equal(cell(cells, 21, 10, 5), ":");
	assert_int_equal(cells[5 * 21 + 10].series, 0);
}

/* A peak at every eighth point has its mark, whatever the width. */
static void every_extreme_has_its_mark(void **state)
{
	(void)state;
	enum { STRIDES = 64, H = 30 };
	struct chart_point p[STRIDES];
	for (int i = 0; i < STRIDES; i++)
		p[i] = (struct chart_point){.x = i + 1, .y = (i + 1) % 8 ? 80 : 150, .valid = true};
	for (int i = 0; i < STRIDES; i++)
		p[i].low = p[i].high = p[i].y;
	struct series s = {"latency", "cycles", AXIS_LEFT, SERIES_CURRENT, '*', p, STRIDES, STYLE_CURVE};
	struct chart c = {.series = &s, .series_count = 1};
	chart_fit_scales(&c, false, false);
	static struct canvas_cell cells[200 * H];
	for (int kind = 0; kind < 3; kind++)
		for (int w = 30; w <= 200; w += 17) {
			int peaks = 0, all = 0;
			chart_render_cells(&c, (enum canvas_kind)kind, w, H, cells);
			for (int i = 0; i < w * H; i++) {
				bool mark = !strcmp(cells[i].utf8, kind == CANVAS_ASCII ? "*" : "\u25cf");
				peaks += mark && i / w == 0;
				all += mark;
			}
			assert_int_equal(peaks, 8);
			assert_true(all >= 8 + 8 && all <= STRIDES);
		}
}

static void an_axis_is_fitted_around_a_value(void **state)
{
	(void)state;
	struct chart_point p[2] = {{.x = 0, .y = 1.001, .valid = true, .low = 1.001, .high = 1.001},
		{.x = 1, .y = 1.003, .valid = true, .low = 1.003, .high = 1.003}};
	struct series s = {"ratio", "", AXIS_LEFT, SERIES_CURRENT, '*', p, 2, STYLE_CURVE};
	struct chart c = {.series = &s, .series_count = 1};
	chart_fit_scales(&c, false, false);
	chart_fit_around(&c, AXIS_LEFT, 1, 0.1);
	assert_true(c.y[AXIS_LEFT].low <= 0.96 && c.y[AXIS_LEFT].low > 0.9 && c.y[AXIS_LEFT].high >= 1.04);
	p[1].y = p[1].low = p[1].high = 2.5;
	chart_fit_around(&c, AXIS_LEFT, 1, 0.1);
	assert_true(c.y[AXIS_LEFT].low <= 1 && c.y[AXIS_LEFT].high >= 2.5 && c.y[AXIS_LEFT].high < 3.5);
}

static void an_x_window_fits_the_y_axis(void **state)
{
	(void)state;
	struct chart c = {.series = both, .series_count = 2};
	chart_fit_scales(&c, true, false);
	double all = c.y[AXIS_LEFT].high;
	chart_set_x_window(&c, 1024, 4096);
	assert_true(c.x.low == 1024 && c.x.high == 4096 && c.x.log2);
	assert_true(c.y[AXIS_LEFT].high < all && c.y[AXIS_LEFT].high >= 259); /* the quartile is seen too */
	chart_fit_scales(&c, true, false);
	chart_set_x_window(&c, 1, 1e12); /* beyond the ends: all of it */
	assert_true(c.x.low == 1024 && c.y[AXIS_LEFT].high == all);
	chart_set_x_window(&c, 1 << 20, 1 << 20); /* empty: all of it */
	assert_true(c.x.low == 1024);
	/* Between two points the line that crosses the window counts. */
	struct chart_point line[2] = {{.x = 0, .y = 100, .valid = true, .low = 100, .high = 100},
		{.x = 10, .y = 1100, .valid = true, .low = 1100, .high = 1100}};
	struct series one = {"line", "ns", AXIS_LEFT, SERIES_CURRENT, '*', line, 2, STYLE_CURVE};
	c = (struct chart){.series = &one, .series_count = 1};
	chart_fit_scales(&c, false, false);
	chart_set_x_window(&c, 2, 4);
	assert_true(c.y[AXIS_LEFT].high >= 500 && c.y[AXIS_LEFT].high < 1100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scales_have_round_ends),
		cmocka_unit_test(a_scale_is_never_empty),
		cmocka_unit_test(powers_below_one_are_fractions),
		cmocka_unit_test(ticks_are_few_ordered_distinct_and_inside_the_scale),
		cmocka_unit_test(tick_labels_fit_the_unit),
		cmocka_unit_test(no_cell_outside_the_canvas_is_drawn),
		cmocka_unit_test(every_series_is_visible_without_color),
		cmocka_unit_test(a_missing_reading_interrupts_the_curve),
		cmocka_unit_test(extreme_values_are_drawn_safely),
		cmocka_unit_test(a_text_chart_keeps_its_size),
		cmocka_unit_test(x_labels_are_complete_and_do_not_touch),
		cmocka_unit_test(a_text_chart_names_its_series),
		cmocka_unit_test(rulers_are_labeled),
		cmocka_unit_test(bounds_are_lines_without_marks),
		cmocka_unit_test(areas_are_filled_between_their_edges),
		cmocka_unit_test(each_bar_reaches_its_point),
		cmocka_unit_test(a_ruler_does_not_erase_a_bar),
		cmocka_unit_test(every_extreme_has_its_mark),
		cmocka_unit_test(an_axis_is_fitted_around_a_value),
		cmocka_unit_test(an_x_window_fits_the_y_axis),
	};
	return cmocka_run_group_tests(tests, fill, NULL);
}
