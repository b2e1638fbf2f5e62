/* The clocks, temperature and power of each point, above the same x values as the plot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/curve_buckets.h"
#include "tui/lab/plot/clock_readings.h"
#include "tui/lab/plot/plot_model.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/plot/plot_pane.h"
#include "tui/views/workbench/workbench.h"

/* The first point in each column; -1: none. */
static void find_first_points(
	const struct app *a, const struct lab *b, const struct plot_model *m, int *first, int width)
{
	const struct measured_curve *c = &b->curve;
	const struct curve_buckets *s = curve_buckets_update(c, b->x, m->x_is_log, m->window_low, m->window_high);
	int count = s ? BUCKETS_ALL : c->count;
	for (int x = 0; x < width; x++)
		first[x] = -1;
	for (int k = 0; k < count; k++) {
		double at = s ? 0 : measured_curve_x(c, k);
		int i = s ? curve_bucket_point(s, k, &at) : k;
		int column = i < 0 ? -1 : chart_find_column(&m->chart.x, at, width, app_canvas_kind(a));
		if (column >= 0 && column < width && (first[column] < 0 || i < first[column]))
			first[column] = i;
	}
}

/* For each column the nearest point, of two the one that was measured first; -1: none. */
static void nearest_points(const struct app *a, const struct lab *b, const struct plot_model *m, int *point, int width)
{
	int *first = xmalloc((size_t)width * sizeof *first);
	find_first_points(a, b, m, first, width);
	for (int x = 0; x < width; x++) {
		point[x] = -1;
		for (int by = 0; by < width && point[x] < 0; by++) {
			int left = x - by >= 0 ? first[x - by] : -1, right = x + by < width ? first[x + by] : -1;
			point[x] = left < 0 || (right >= 0 && right < left) ? right : left;
		}
	}
	free(first);
}

static const char *clock_level_glyph(bool ascii, const struct reading_span *s, const char *unit, double v)
{
	return glyph_text(ascii, (enum glyph)(GLYPH_LEVEL0 + (int)lround(reading_span_fraction(s, unit, v) * 7)));
}

static void draw_clock_row(const struct app *a, const struct measured_curve *c, const struct clock_reading *row,
	const int *point, struct area in, int y, struct plot_column_span at)
{
	struct reading_span s = clock_reading_span(c, row), low = {s.low, s.low, s.any}, high = {s.high, s.high, s.any};
	char text[60];
	area_draw_text(in, 0, y, ROLE_DIM, row->name);
	/* The minimum is between the name and the strip, the maximum behind it. */
	area_draw_right(in, at.left - 1, y, ROLE_TEXT, reading_span_format(&low, "", a->ascii, text, sizeof text));
	area_draw_text(in, at.left + at.width + 1, y, ROLE_TEXT,
		reading_span_format(&high, row->unit, a->ascii, text, sizeof text));
	for (int x = 0; x < at.width; x++) {
		const struct point *p = point[x] >= 0 ? &c->points[point[x]] : NULL;
		struct reading r = p && p->status == POINT_OK ? row->of(&p->clocks) : (struct reading){0};
		if (p && row->marks && p->clocks_moved)
			area_draw_glyph(in, at.left + x, y, ROLE_WARN, glyph_text(a->ascii, GLYPH_MOVED));
		else if (r.valid)
			area_draw_glyph(
				in, at.left + x, y, ROLE_STRIP, clock_level_glyph(a->ascii, &s, row->unit, r.value));
	}
}

/* How samples were taken, if not as by default. */
static void add_sampling_text(const struct measured_curve *c, struct buf *out)
{
	char text[60];
	struct sampling s = sampling_from_header(c->header);
	if (c->count && *sampling_format_words(&s, text, sizeof text))
		buf_puts(out, text);
}

/* "L2 emptied  mclk 945 MHz  temp 35 °C": the readings that do not move; in the short form, units say what a reading
 * is. */
static void format_steady_readings(const struct app *a, const struct measured_curve *c, bool brief, struct buf *out)
{
	char text[60];
	add_sampling_text(c, out); /* first, because the end may be cut */
	for (int i = 0; i < CLOCK_READINGS; i++) {
		struct reading_span s = clock_reading_span(c, &clock_readings[i]);
		if (clock_reading_moves(a, c, &clock_readings[i]) || !s.any)
			continue;
		buf_printf(out, "%s%s%s%s", out->len ? "  " : "",
			brief && !clock_readings[i].shared_unit ? "" : clock_readings[i].name,
			brief && !clock_readings[i].shared_unit ? "" : " ",
			reading_span_format(&s, clock_readings[i].unit, a->ascii, text, sizeof text));
	}
}

static void draw_steady_readings(const struct app *a, const struct measured_curve *c, struct area at, int y, int room)
{
	struct buf text = {0};
	format_steady_readings(a, c, false, &text);
	if (text.len && text_width(text.data) > room) {
		buf_clear(&text);
		format_steady_readings(a, c, true, &text);
	}
	if (text.len)
		area_draw_fitted(at, 0, y, room, ROLE_DIM, text.data);
	buf_free(&text);
}

/* The readings of now. */
static void format_idle_readings(const struct app *a, char *out, size_t size)
{
	char text[CLOCK_READINGS][60];
	for (int i = 0; i < CLOCK_READINGS; i++) {
		struct reading r = clock_readings[i].of(&a->idle);
		struct reading_span s = {r.value, r.value, r.valid};
		reading_span_format(&s, clock_readings[i].unit, a->ascii, text[i], sizeof text[i]);
	}
	snprintf(out, size, "now %s %s %s %s", text[0], text[1], text[2], text[3]);
}

/* Whether the readings of now are others than those of the points. */
static bool idle_differs(const struct app *a, const struct measured_curve *c)
{
	char then[60], now[60];
	for (int i = 0; i < CLOCK_READINGS; i++) {
		struct reading r = clock_readings[i].of(&a->idle);
		struct reading_span s = clock_reading_span(c, &clock_readings[i]), t = {r.value, r.value, r.valid};
		reading_span_format(&s, clock_readings[i].unit, a->ascii, then, sizeof then);
		reading_span_format(&t, clock_readings[i].unit, a->ascii, now, sizeof now);
		if (r.valid && strcmp(then, now))
			return true;
	}
	return false;
}

/* While nothing moves: one line, without a frame. */
static void draw_clock_line(const struct app *a, const struct measured_curve *c, struct area at)
{
	char now[260];
	struct area in = area_sub(at, 1, 0, at.r.w - 1, 1);
	format_idle_readings(a, now, sizeof now);
	struct buf text = {0};
	format_steady_readings(a, c, false, &text);
	int used = text.len ? text_width(text.data) : 0;
	if (!used)
		area_draw_fitted(in, 0, 0, in.r.w, ROLE_DIM, now);
	else if (idle_differs(a, c) && used + text_width(now) + 3 <= in.r.w)
		area_draw_right(in, in.r.w, 0, ROLE_DIM, now);
	draw_steady_readings(a, c, in, 0, in.r.w);
	buf_free(&text);
}

void workbench_draw_clocks(const struct app *a, struct area at)
{
	const struct lab *b = app_current_lab(a);
	struct plot_model m;
	char now[260];
	if (!b)
		return;
	if (at.r.h == 1) {
		draw_clock_line(a, &b->curve, at);
		return;
	}
	format_idle_readings(a, now, sizeof now);
	area_draw_frame(at, false,
		clocks_moved_anywhere(&b->curve) ? "clocks of each point, min..max  ! changed > 2 %"
						 : "clocks of each point, min..max",
		now);
	struct area in = area_inner(at);
	struct plot_column_span c = plot_split_columns(in.r.w);
	int *point = xmalloc((size_t)(c.width > 0 ? c.width : 1) * sizeof *point), y = 0;
	plot_model_build(a, b, &m);
	if (c.left)
		nearest_points(a, b, &m, point, c.width);
	for (int i = 0; c.left && i < CLOCK_READINGS && y < in.r.h; i++)
		if (clock_reading_moves(a, &b->curve, &clock_readings[i]))
			draw_clock_row(a, &b->curve, &clock_readings[i], point, in, y++, c);
	if (y < in.r.h)
		draw_steady_readings(a, &b->curve, in, y, in.r.w);
	plot_model_free(&m);
	free(point);
}
