#include "tui/lab/x_window.h"

#include <math.h>

#include "tui/lab/lab.h"
#include "tui/lab/plot/plot_model.h"

/* Positions 0..1 on the whole axis as drawn, linear or logarithmic. */
struct span {
	struct scale all;
	double from, to, cursor;
};

static const double NARROWEST = 1.0 / 128, MARGIN = 0.05;

static bool find_visible_span(const struct app *a, const struct lab *b, struct span *v)
{
	struct lab whole = *b;
	struct plot_model m;
	x_window_reset(&whole);
	plot_model_build(a, &whole, &m);
	v->all = m.chart.x;
	plot_model_free(&m);
	if (!b->curve.count)
		return false;
	bool shown = b->window_high > b->window_low;
	v->from = shown ? fmax(0, scale_to_fraction(&v->all, b->window_low)) : 0;
	v->to = shown ? fmin(1, scale_to_fraction(&v->all, b->window_high)) : 1;
	v->cursor = scale_to_fraction(&v->all, measured_curve_x(&b->curve, b->cursor));
	if (!(v->to > v->from)) { /* left over from another axis */
		v->from = 0;
		v->to = 1;
	}
	return isfinite(v->cursor);
}

static void set_window(struct lab *b, const struct span *v, double from, double width)
{
	width = fmin(width, 1);
	from = fmin(fmax(from, 0), 1 - width);
	b->window_low = width >= 1 ? 0 : scale_from_fraction(&v->all, from);
	b->window_high = width >= 1 ? 0 : scale_from_fraction(&v->all, from + width);
}

bool x_window_zoom(const struct app *a, struct lab *b, int by)
{
	struct span v;
	if (!find_visible_span(a, b, &v))
		return false;
	double width = v.to - v.from, next = by > 0 ? width / 2 : width * 2;
	if (next < NARROWEST || (by < 0 && width >= 1))
		return false;
	double on_screen = fmin(1, fmax(0, (v.cursor - v.from) / width));
	set_window(b, &v, v.cursor - on_screen * next, next);
	return true;
}

static int find_nearest_point(const struct lab *b, const struct span *v, double position)
{
	int best = b->cursor;
	double least = INFINITY;
	for (int i = 0; i < b->curve.count; i++) {
		double at = fabs(scale_to_fraction(&v->all, measured_curve_x(&b->curve, i)) - position);
		if (at < least) {
			least = at;
			best = i;
		}
	}
	return best;
}

bool x_window_pan(const struct app *a, struct lab *b, int by)
{
	struct span v;
	if (!find_visible_span(a, b, &v) || v.to - v.from >= 1)
		return false;
	double width = v.to - v.from, from = fmin(fmax(v.from + by * width / 3, 0), 1 - width);
	if (fabs(from - v.from) < 1e-9)
		return false;
	set_window(b, &v, from, width);
	if (v.cursor < from || v.cursor > from + width) {
		int to = find_nearest_point(b, &v, v.cursor < from ? from : from + width);
		lab_move_cursor(b, to != b->cursor ? to - b->cursor : by); /* no point is visible: go on to the next */
	}
	x_window_follow_cursor(a, b);
	return true;
}

void x_window_reset(struct lab *b)
{
	b->window_low = b->window_high = 0;
}

void x_window_follow_cursor(const struct app *a, struct lab *b)
{
	struct span v;
	if (b->window_high <= b->window_low || !find_visible_span(a, b, &v))
		return;
	double width = v.to - v.from;
	if (v.cursor >= v.from - 1e-9 && v.cursor <= v.to + 1e-9)
		return;
	set_window(b, &v, v.cursor < v.from ? v.cursor - MARGIN * width : v.cursor - (1 - MARGIN) * width, width);
}
