/* Draws the roofline view: the chart with its roofs, and the list of its points. */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/shell/screen_draw.h"
#include "tui/views/roofline/roofline_view.h"

enum {
	LIST_MOST = 8,
	CHART_LEAST = 8,
	HEADS = 1,
	NAME = 40,
	NUMBER = 12,
	NAME_WIDE = 110,
	DEVICE_WIDE = 150,
	DEVICE = 30,
	LIMIT_LEAST = 12
};

static char letter_of(int point)
{
	return (char)('A' + point);
}

/* Each point has its letter, in the list and in the chart; in lower case at its bytes of L2. */
static void draw_point_letters(const struct roofline_view *v, const struct chart_look *look,
	const struct roofline_chart *c, struct area canvas)
{
	int x, y;
	for (int i = 0; i < v->count; i++) {
		const struct roofline_point *p = &v->list[i].at;
		double l2 = roofline_l2_intensity(p, v->unit), done = roofline_achieved(p, v->unit) / 1e9;
		if (l2 > 0 && chart_find_cell(look, &c->chart, canvas, AXIS_LEFT, l2, done, &x, &y))
			area_printf(canvas, x, y, i == v->selected ? ROLE_SELECTED : pinned_curve_role(2), "%c",
				letter_of(i) - 'A' + 'a');
		if (roofline_intensity(p, v->unit) > 0 &&
			chart_find_cell(look, &c->chart, canvas, AXIS_LEFT, roofline_intensity(p, v->unit),
				roofline_achieved(p, v->unit) / 1e9, &x, &y))
			area_printf(canvas, x, y, i == v->selected ? ROLE_SELECTED : ROLE_PINNED, "%c", letter_of(i));
	}
}

/* The name of each other roof, at its right end. */
static void draw_roof_names(const struct chart_look *look, const struct roofline_chart *c, struct area canvas)
{
	int x, y;
	for (size_t i = 3; i < c->chart.series_count; i++) {
		const struct series *s = &c->series[i];
		if (chart_find_cell(
			    look, &c->chart, canvas, AXIS_LEFT, c->chart.x.high, s->points[s->count - 1].y, &x, &y))
			area_draw_right(canvas, canvas.r.w, y, ROLE_DIM, s->label);
	}
}

static void format_roof_text(const struct roofline_view *v, char *out, size_t size)
{
	const struct roofline_point *p = &v->list[v->selected].at;
	char peak[48];
	const bool named = v->unit == ROOFLINE_FLOPS;
	int used = snprintf(out, size, "peak %s %s%s%s, memory %.0f GB/s",
		number_format_digits(peak, sizeof peak, p->peak[v->unit] / 1e9), roofline_unit_name(v->unit),
		named ? " " : "", named ? float_kind_name(p->kind) : "", p->bandwidth / 1e9);
	if (p->l2_bandwidth > 0)
		snprintf(out + used, size - (size_t)used, ", L2 %.0f GB/s", p->l2_bandwidth / 1e9);
}

static void draw_roofline_chart(const struct app *a, struct area at)
{
	const struct roofline_view *v = roofline_view_of(a);
	struct roofline_chart c;
	char right[120] = "", below[80];
	bool any = roofline_chart_make(v, &c);
	if (any)
		format_roof_text(v, right, sizeof right);
	area_draw_frame(at, false, "Roofline", right);
	struct area in = area_inner(at);
	if (!any) {
		area_draw_fitted(in, 1, 1, in.r.w - 2, ROLE_DIM,
			roofline_is_measuring(a)
				? "measuring the point at the cursor with counters ..."
				: "no points yet; Space places the one at the cursor, i those of a file");
		return;
	}
	struct chart_look look = app_chart_look(a);
	c.series[1].count = 0; /* the points are letters */
	struct area canvas = chart_draw(&look, &c.chart, in);
	draw_roof_names(&look, &c, canvas);
	draw_point_letters(v, &look, &c, canvas);
	snprintf(below, sizeof below, " x: %s ", c.chart.x_label);
	if (text_width(below) + 4 < at.r.w)
		area_draw_right(at, at.r.w - 2, at.r.h - 1, ROLE_DIM, below);
}

static void draw_list_row(const struct app *a, struct area in, int y, int i)
{
	const struct roofline_view *v = roofline_view_of(a);
	const struct placed_point *p = &v->list[i];
	int role = i == v->selected ? ROLE_SELECTED : ROLE_TEXT, name = in.r.w >= NAME_WIDE ? NAME : NAME - 10;
	char text[160], value[40];
	for (int x = 0; i == v->selected && x < in.r.w; x++)
		area_draw_text(in, x, y, role, " ");
	area_printf(in, 1, y, i == v->selected ? role : ROLE_PINNED, "%c", letter_of(i));
	snprintf(text, sizeof text, "%s%s%s", p->name, in.r.w >= DEVICE_WIDE ? "  " : "",
		in.r.w >= DEVICE_WIDE ? p->device : "");
	name = in.r.w >= DEVICE_WIDE ? name + DEVICE : name;
	area_draw_fitted(in, 3, y, name, role, text);
	int x = 3 + name + NUMBER;
	number_format_digits(value, sizeof value, roofline_intensity(&p->at, v->unit));
	area_draw_right(in, x, y, role, value);
	number_format_digits(value, sizeof value, roofline_achieved(&p->at, v->unit) / 1e9);
	area_draw_right(in, x += NUMBER, y, role, value);
	if (in.r.w > x + LIMIT_LEAST)
		area_draw_fitted(in, x + 2, y, in.r.w - x - 2, role,
			roofline_format_verdict(&p->at, v->unit, text, sizeof text));
}

static void draw_point_list(const struct app *a, struct area at)
{
	const struct roofline_view *v = roofline_view_of(a);
	char right[80];
	snprintf(right, sizeof right, "%s%d point%s", roofline_is_measuring(a) ? "measuring, " : "", v->count,
		plural_s((unsigned)v->count));
	area_draw_frame(at, true, "Points", right);
	struct area in = area_inner(at);
	int rows = in.r.h - HEADS, first = list_first_visible_row(v->selected, rows, v->count),
	    name = in.r.w >= DEVICE_WIDE ? NAME + DEVICE
		: in.r.w >= NAME_WIDE    ? NAME
					 : NAME - 10,
	    x = 3 + name + NUMBER;
	area_draw_text(in, 3, 0, ROLE_DIM, "point");
	area_draw_right(in, x, 0, ROLE_DIM, v->unit == ROOFLINE_FLOPS ? "FLOP/B" : "inst/B");
	area_draw_right(in, x + NUMBER, 0, ROLE_DIM, roofline_unit_name(v->unit));
	if (in.r.w > x + NUMBER + LIMIT_LEAST)
		area_draw_text(in, x + NUMBER + 2, 0, ROLE_DIM, "limit");
	for (int i = 0; i < rows && first + i < v->count; i++)
		draw_list_row(a, in, HEADS + i, first + i);
	if (v->count && in.r.w < NAME_WIDE) { /* where the rows have no room for it */
		char verdict[120], text[120];
		roofline_format_verdict(&v->list[v->selected].at, v->unit, verdict, sizeof verdict);
		text_shorten(verdict, at.r.w - 6, a->ascii, text, sizeof text);
		area_printf(at, 2, at.r.h - 1, ROLE_TITLE, " %s ", text);
	}
}

void roofline_view_draw(const struct app *a, struct area at)
{
	const struct roofline_view *v = roofline_view_of(a);
	if (!v)
		return;
	int lower = (v->count < LIST_MOST ? v->count : LIST_MOST) + 2 + HEADS;
	if (at.r.h - lower < CHART_LEAST)
		lower = at.r.h - CHART_LEAST < 2 + HEADS + 1 ? 0 : at.r.h - CHART_LEAST;
	draw_roofline_chart(a, area_sub(at, 0, 0, at.r.w, at.r.h - lower));
	if (lower)
		draw_point_list(a, area_sub(at, 0, at.r.h - lower, at.r.w, lower));
}
