#include "plot/plot_frame.h"

#include <math.h>
#include <string.h>

static const double CHARACTER_WIDTH = 0.62; /* of a sans-serif font, relative to the height of a line */
static const double LABEL_MIN = 6;          /* characters per tick label, with room for the ticks of a zoomed chart */

const char *chart_axis_unit(const struct chart *c, enum axis axis)
{
	for (size_t i = 0; i < c->series_count; i++)
		if (c->series[i].axis == axis)
			return c->series[i].unit ? c->series[i].unit : "";
	return "";
}

/* As many ticks as fit, at least two; each takes `room`. */
static void make_axis_ticks(struct axis_ticks *t, const struct scale *s, const char *unit, double length, double room)
{
	double fit = floor(length / room);
	size_t max = fit < 2 ? 2 : fit > AXIS_TICKS ? AXIS_TICKS : (size_t)fit;
	t->count = scale_make_ticks(s, unit, t->list, max);
}

static double widest_tick(const struct axis_ticks *t)
{
	size_t n = 0;
	for (size_t i = 0; i < t->count; i++)
		n = strlen(t->list[i].text) > n ? strlen(t->list[i].text) : n;
	return (double)n;
}

struct plot_frame frame_layout(const struct chart *c, double width, double height, double text)
{
	struct plot_frame f = {.page = width, .top = 2.2 * text, .height = height - 5.6 * text};
	double side[AXIS_COUNT];
	for (int a = 0; a < AXIS_COUNT; a++) {
		if (c->has_axis[a])
			make_axis_ticks(&f.y[a], &c->y[a], chart_axis_unit(c, (enum axis)a), f.height, 3 * text);
		side[a] = c->has_axis[a] ? (fmax(widest_tick(&f.y[a]), LABEL_MIN) * CHARACTER_WIDTH + 1.2) * text
					 : 1.5 * text;
	}
	f.left = side[AXIS_LEFT];
	f.width = width - side[AXIS_LEFT] - side[AXIS_RIGHT];
	if (c->x_name_count)
		f.x.count = chart_make_x_ticks(c, f.x.list, AXIS_TICKS);
	else
		make_axis_ticks(&f.x, &c->x, c->x_unit, f.width, 5.5 * text);
	f.x_rows = c->x_name_count ? chart_count_label_rows(f.x.list, f.x.count, f.width, CHARACTER_WIDTH * text) : 1;
	f.height -= (f.x_rows - 1) * 1.2 * text;
	/* The last tick of x may be at the end of the axis, with half of its label beyond. */
	double beyond = widest_tick(&f.x) * CHARACTER_WIDTH * text / 2;
	f.width -= fmax(beyond - side[AXIS_RIGHT], 0);
	return f;
}

double frame_map_x(const struct plot_frame *f, const struct scale *s, double v)
{
	return f->left + f->width * scale_to_fraction(s, v);
}
double frame_map_y(const struct plot_frame *f, const struct scale *s, double v)
{
	return f->top + f->height * (1 - scale_to_fraction(s, v));
}
