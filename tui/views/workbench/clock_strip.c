/* The clocks, temperature and power of each point, above the same x values as the plot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/units.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/plot_model.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/plot/plot_pane.h"
#include "tui/views/workbench/workbench.h"

static struct reading sclk_reading(const struct clocks *c)
{
	return c->sclk_mhz;
}
static struct reading mclk_reading(const struct clocks *c)
{
	return c->mclk_mhz;
}
static struct reading temperature_reading(const struct clocks *c)
{
	return c->temp_c;
}
static struct reading power_reading(const struct clocks *c)
{
	return c->power_w;
}

static const struct clock_row {
	const char *name, *unit;
	struct reading (*of)(const struct clocks *);
	bool marks;
} rows[] = {
	{"sclk", "MHz", sclk_reading, true},
	{"mclk", "MHz", mclk_reading, false},
	{"temp", "C", temperature_reading, false},
	{"power", "W", power_reading, false},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct span {
	double low, high;
	bool any;
};

static struct span span_of(const struct measured_curve *c, const struct clock_row *row)
{
	struct span s = {0};
	for (int i = 0; i < c->count; i++) {
		struct reading r = row->of(&c->points[i].clocks);
		if (c->points[i].status != POINT_OK || !r.valid)
			continue;
		s.low = s.any ? fmin(s.low, r.value) : r.value;
		s.high = s.any ? fmax(s.high, r.value) : r.value;
		s.any = true;
	}
	return s;
}

/* For each column the nearest point; -1: none. */
static void nearest_points(
	const struct app *a, const struct measured_curve *c, const struct scale *x, int *point, int width)
{
	int *distance = xmalloc((size_t)width * sizeof *distance);
	for (int i = 0; i < width; i++)
		point[i] = -1;
	for (int i = 0; i < c->count; i++) {
		int column = chart_find_column(x, measured_curve_x(c, i), width, app_canvas_kind(a));
		for (int k = 0; column >= 0 && k < width; k++)
			if (point[k] < 0 || abs(k - column) < distance[k]) {
				point[k] = i;
				distance[k] = abs(k - column);
			}
	}
	free(distance);
}

/* A difference that the rounded labels do not show is not drawn, either: it is at half height, like a constant. */
static const char *clock_level_glyph(bool ascii, struct span s, double v)
{
	int n = round(s.high) > round(s.low) ? (int)lround((v - s.low) / (s.high - s.low) * 7) : 3;
	return glyph_text(ascii, (enum glyph)(GLYPH_LEVEL0 + n));
}

/* "35 °C", or "-- °C" where there is no reading. */
static char *format_clock_reading(struct reading r, const char *unit, char *out, size_t size)
{
	char value[32] = "--";
	if (r.valid)
		units_format_rounded(value, sizeof value, r.value);
	snprintf(out, size, "%s%s%s", value, *unit ? " " : "", unit);
	return out;
}

static void draw_clock_row(const struct app *a, const struct measured_curve *c, const struct clock_row *row,
	const int *point, struct area in, int y, struct plot_column_span at)
{
	struct span s = span_of(c, row);
	char text[40];
	area_draw_text(in, 0, y, ROLE_DIM, row->name);
	/* The minimum is between the name and the strip, the maximum behind it. */
	area_draw_right(in, at.left - 1, y, ROLE_TEXT,
		format_clock_reading((struct reading){s.any, s.low}, "", text, sizeof text));
	area_draw_text(in, at.left + at.width + 1, y, ROLE_TEXT,
		format_clock_reading(
			(struct reading){s.any, s.high}, unit_display(row->unit, a->ascii), text, sizeof text));
	for (int x = 0; x < at.width; x++) {
		const struct point *p = point[x] >= 0 ? &c->points[point[x]] : NULL;
		struct reading r = p && p->status == POINT_OK ? row->of(&p->clocks) : (struct reading){0};
		if (p && row->marks && p->clocks_moved)
			area_draw_glyph(in, at.left + x, y, ROLE_WARN, glyph_text(a->ascii, GLYPH_MOVED));
		else if (r.valid)
			area_draw_glyph(in, at.left + x, y, ROLE_STRIP, clock_level_glyph(a->ascii, s, r.value));
	}
}

static bool any_moved(const struct measured_curve *c)
{
	for (int i = 0; i < c->count; i++)
		if (c->points[i].clocks_moved)
			return true;
	return false;
}

/* The current readings, in the upper edge of the frame where there is room. */
static void idle_text(const struct app *a, char *out, size_t size)
{
	char text[ROWS][40];
	for (int i = 0; i < ROWS; i++)
		format_clock_reading(
			rows[i].of(&a->idle), unit_display(rows[i].unit, a->ascii), text[i], sizeof text[i]);
	snprintf(out, size, "now %s %s %s %s", text[0], text[1], text[2], text[3]);
}

void workbench_draw_clocks(const struct app *a, struct area at)
{
	const struct lab *b = app_current_lab(a);
	struct plot_model m;
	char now[200];
	if (!b)
		return;
	idle_text(a, now, sizeof now);
	area_draw_frame(at, false,
		any_moved(&b->curve) ? "clocks of each point, min..max  ! changed > 2 %"
				     : "clocks of each point, min..max",
		now);
	struct area in = area_inner(at);
	struct plot_column_span c = plot_split_columns(in.r.w);
	int *point = xmalloc((size_t)(c.width > 0 ? c.width : 1) * sizeof *point);
	plot_model_build(a, b, &m);
	if (c.left)
		nearest_points(a, &b->curve, &m.chart.x, point, c.width);
	for (int i = 0; c.left && i < ROWS && i < in.r.h; i++)
		draw_clock_row(a, &b->curve, &rows[i], point, in, i, c);
	plot_model_free(&m);
	free(point);
}
