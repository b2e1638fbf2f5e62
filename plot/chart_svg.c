#include "plot/chart_svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "plot/band_pattern.h"
#include "plot/chart_columns.h"
#include "plot/chart_svg_mark.h"
#include "plot/curve_extremes.h"
#include "base/buf.h"

/* --- text --- */

void svg_append_escaped(struct buf *out, const char *text)
{
	for (; text && *text; text++) {
		unsigned char c = (unsigned char)*text;
		const char *entity = c == '&' ? "&amp;"
			: c == '<'            ? "&lt;"
			: c == '>'            ? "&gt;"
			: c == '"'            ? "&quot;"
					      : NULL;
		if (entity)
			buf_puts(out, entity);
		else if (c == 0xef && (unsigned char)text[1] == 0xbf &&
			(unsigned char)text[2] >= 0xbe) { /* U+FFFE and U+FFFF */
			buf_puts(out, "?");
			text += 2;
		} else
			buf_add(out, c < ' ' || c == 127 ? " " : text, 1);
	}
}

void svg_draw_text(struct buf *out, double x, double y, const char *anchor, const char *class, const char *text)
{
	buf_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", class, x, y, anchor);
	svg_append_escaped(out, text);
	buf_puts(out, "</text>\n");
}

void svg_append_number(struct buf *out, const char *name, double v)
{
	char number[40];
	buf_printf(out, " data-%s=\"%s\"", name, number_format_exact(number, sizeof number, v));
}

static void append_scale_attribute(struct buf *out, const char *name, const struct scale *s)
{
	char low[40], high[40];
	buf_printf(out, " data-%s=\"%s %s %s\"", name, number_format_exact(low, sizeof low, s->low),
		number_format_exact(high, sizeof high, s->high), s->log2 ? "log" : "linear");
}

/* --- axes --- */

/* Names tell scripts their x. */
static void draw_x_tick_text(struct buf *out, const struct chart *c, double x, double y, const struct axis_tick *tick)
{
	if (!c->x_name_count) {
		svg_draw_text(out, x, y, "middle", "tick", tick->text);
		return;
	}
	buf_printf(out, "<text class=\"tick name\" data-x=\"%.0f\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
		tick->value, x, y);
	svg_append_escaped(out, tick->text);
	buf_puts(out, "</text>\n");
}

static void draw_x_ticks(struct buf *out, const struct chart *c, const struct plot_frame *f)
{
	double bottom = f->top + f->height;
	for (size_t i = 0; i < f->x.count; i++) {
		double x = frame_map_x(f, &c->x, f->x.list[i].value);
		buf_printf(out, "<path class=\"grid\" d=\"M%.2f,%.2fV%.2f\" stroke=\"#dddddd\" fill=\"none\"/>\n", x,
			f->top, bottom);
		double row = f->x_rows > 1 ? (double)(i % 2) : 0;
		draw_x_tick_text(out, c, x, bottom + (1.4 + 1.2 * row) * SVG_TEXT, &f->x.list[i]);
	}
}

static void draw_y_ticks(struct buf *out, const struct chart *c, const struct plot_frame *f, enum axis axis)
{
	double right = f->left + f->width;
	for (size_t i = 0; c->has_axis[axis] && i < f->y[axis].count; i++) {
		double y = frame_map_y(f, &c->y[axis], f->y[axis].list[i].value);
		if (axis == AXIS_LEFT || !c->has_axis[AXIS_LEFT])
			buf_printf(out,
				"<path class=\"grid\" d=\"M%.2f,%.2fH%.2f\" stroke=\"#dddddd\" fill=\"none\"/>\n",
				f->left, y, right);
		svg_draw_text(out, axis == AXIS_LEFT ? f->left - 6 : right + 6, y + 0.35 * SVG_TEXT,
			axis == AXIS_LEFT ? "end" : "start", axis == AXIS_LEFT ? "tick" : "tick right",
			f->y[axis].list[i].text);
	}
}

/* "cycles (solid, left)": the unit of an axis, and how its curves are drawn. */
static void draw_y_caption(struct buf *out, const struct chart *c, const struct plot_frame *f, enum axis axis)
{
	if (!c->has_axis[axis])
		return;
	const char *unit = chart_axis_unit(c, axis);
	bool bars = c->x_name_count > 0;
	char *text = xasprintf("%s%s", *unit ? unit_display(unit, false) : "no unit",
		axis == AXIS_LEFT && c->has_axis[AXIS_RIGHT] ? bars ? " (bars, left)" : " (solid, left)"
			: axis == AXIS_RIGHT                 ? bars ? " (marks, right)" : " (dashed, right)"
							     : "");
	svg_draw_text(out, axis == AXIS_LEFT ? 4 : f->page - 4, 1.1 * SVG_TEXT, axis == AXIS_LEFT ? "start" : "end",
		"caption", text);
	free(text);
}

char *svg_format_axis_label(const char *label, const char *unit)
{
	bool known = !*unit || !strcmp(unit, "B") || !strcmp(unit, label);
	return known ? xstrdup(label) : xasprintf("%s, %s", label, unit_display(unit, false));
}

static void draw_x_caption(struct buf *out, const struct chart *c, const struct plot_frame *f)
{
	char *text = svg_format_axis_label(c->x_label ? c->x_label : "", c->x_unit ? c->x_unit : "");
	svg_draw_text(out, f->left + f->width / 2, f->top + f->height + (2.8 + 1.2 * (f->x_rows - 1)) * SVG_TEXT,
		"middle", "caption", text);
	free(text);
}

static void draw_rulers(struct buf *out, const struct chart *c, const struct plot_frame *f)
{
	for (size_t i = 0; i < c->ruler_count; i++) {
		double x = frame_map_x(f, &c->x, c->rulers[i].x);
		if (x < f->left || x > f->left + f->width)
			continue;
		buf_printf(out,
			"<path class=\"ruler\" d=\"M%.2f,%.2fV%.2f\" stroke=\"#999999\" stroke-dasharray=\"2 3\" fill=\"none\"/>\n",
			x, f->top, f->top + f->height);
		svg_draw_text(out, x + 3, f->top + SVG_TEXT, "start", "tick", c->rulers[i].label);
	}
}

/* --- series --- */

static const double LEAST_TURN = 12; /* pixels: smaller turns are no extremes */

static bool series_has_marks(const struct series *s)
{
	return s->style != STYLE_LINE && !series_is_area(s);
}

/* The points with a mark: all, or of a long series its extremes, as far as they are few enough. The caller frees the
 * result. */
static bool *choose_svg_marks(const struct chart *c, const struct plot_frame *f, const struct series *s)
{
	bool *chosen = xcalloc(s->count + 1, sizeof *chosen);
	size_t n = 0;
	for (size_t i = 0; i < s->count && s->count <= SVG_MARKS_MAX; i++)
		chosen[i] = s->style != STYLE_TOP || s->points[i].suspect || !s->points[i].valid;
	if (s->count <= SVG_MARKS_MAX || s->style != STYLE_CURVE)
		return chosen;
	double *y = xcalloc(s->count, sizeof *y);
	for (size_t i = 0; i < s->count; i++)
		y[i] = s->points[i].valid ? frame_map_y(f, &c->y[s->axis], s->points[i].y) : NAN;
	extremes_find(y, (int)s->count, LEAST_TURN, chosen);
	free(y);
	for (size_t i = 0; i < s->count; i++)
		n += chosen[i];
	for (size_t i = 0; i < s->count && n > SVG_MARKS_MAX; i++)
		chosen[i] = false;
	return chosen;
}

/* The points of a curve that have no marks, for scripts; other curves have them in their marks. */
static void append_curve_points(struct buf *out, const struct series *s)
{
	char x[40], y[40];
	buf_puts(out, " data-points=\"");
	for (size_t i = 0; i < s->count; i++)
		buf_printf(out, "%s%s,%s", i ? " " : "", number_format_exact(x, sizeof x, s->points[i].x),
			s->points[i].valid ? number_format_exact(y, sizeof y, s->points[i].y) : "");
	buf_puts(out, "\"");
}

/* Half of the way to the nearer neighbor. */
static double bar_half_width(const struct chart *c, const struct plot_frame *f, const struct series *s, size_t i)
{
	double at = frame_map_x(f, &c->x, s->points[i].x), half = f->width / 2;
	if (c->x_name_count)
		return 0.4 * fabs(frame_map_x(f, &c->x, s->points[i].x + 1) - at);
	for (size_t k = i > 0 ? i - 1 : 0; k <= i + 1 && k < s->count; k++)
		if (k != i)
			half = fmin(half, fabs(frame_map_x(f, &c->x, s->points[k].x) - at) / 2);
	return s->style == STYLE_BAR ? 0.8 * half : half;
}

static void append_curve_shape(
	struct buf *out, const struct chart *c, const struct plot_frame *f, const struct series *s)
{
	bool down = false;
	for (size_t i = 0; i < s->count; i++) {
		const struct chart_point *p = &s->points[i];
		double x = frame_map_x(f, &c->x, p->x), y = p->valid ? frame_map_y(f, &c->y[s->axis], p->y) : 0,
		       half = s->style == STYLE_LEVEL ? bar_half_width(c, f, s, i) : 0;
		if (p->valid && s->style == STYLE_LEVEL)
			buf_printf(
				out, "M%.2f,%.2fH%.2f", fmax(x - half, f->left), y, fmin(x + half, f->left + f->width));
		else if (p->valid)
			buf_printf(out, "%s%.2f,%.2f", down && !p->wrong ? "L" : "M", x, y);
		down = p->valid && !p->wrong; /* a missing point interrupts the curve */
	}
}

static void draw_curve(
	struct buf *out, const struct chart *c, const struct plot_frame *f, const struct series *s, size_t index)
{
	if (s->style == STYLE_POINTS || s->style == STYLE_TOP || s->style == STYLE_COLUMN ||
		(s->count < 2 && s->style != STYLE_LEVEL))
		return;
	buf_printf(out, "<path class=\"curve\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"%s d=\"",
		svg_series_color(index), s->axis == AXIS_RIGHT ? " stroke-dasharray=\"6 3\"" : "");
	append_curve_shape(out, c, f, s);
	buf_puts(out, "\"");
	if (!series_has_marks(s) || s->count > SVG_MARKS_MAX)
		append_curve_points(out, s);
	buf_puts(out, "/>\n");
}

static const char *format_point_x(const struct chart *c, double x, char *out, size_t size)
{
	if (c->x_name_count && x >= 0 && x < (double)c->x_name_count)
		return c->x_names[(size_t)x];
	return units_format_short(out, size, x, c->x_unit ? c->x_unit : "");
}

static void append_point_title(
	struct buf *out, const struct chart *c, const struct series *s, const struct chart_point *p)
{
	char x[64], y[64], low[64], high[64];
	units_format(y, sizeof y, p->y, unit_display(s->unit, false), 5);
	buf_puts(out, "<title>");
	svg_append_escaped(out, s->label);
	buf_printf(out, " at ");
	svg_append_escaped(out, p->label ? p->label : format_point_x(c, p->x, x, sizeof x));
	buf_printf(out, ": ");
	svg_append_escaped(out, p->valid ? y : "not measured");
	if (p->valid && p->low < p->high)
		buf_printf(out, " (quartiles %s to %s)", units_format(low, sizeof low, p->low, "", 5),
			units_format(high, sizeof high, p->high, "", 5));
	if (p->suspect)
		buf_puts(out, ", not trusted");
	buf_puts(out, "</title>");
}

static void draw_quartile_bar(struct buf *out, const struct chart *c, const struct plot_frame *f,
	const struct series *s, const struct chart_point *p, double x, size_t index)
{
	double low = frame_map_y(f, &c->y[s->axis], p->low), high = frame_map_y(f, &c->y[s->axis], p->high);
	if (p->valid && p->low < p->high)
		buf_printf(out,
			"<path class=\"bar\" stroke=\"%s\" fill=\"none\" d=\"M%.2f,%.2fV%.2fM%.2f,%.2fh6m-6,%.2fh6\"/>",
			s->style == STYLE_COLUMN ? "#333333" : svg_series_color(index), x, low, high, x - 3, low,
			high - low);
}

/* The bar of a point; returns its middle. */
static double draw_svg_column(struct buf *out, const struct chart *c, const struct plot_frame *f,
	const struct series *s, const struct chart_point *p, size_t index)
{
	double left, right;
	column_find_span(c, s, p->x, &left, &right);
	double from = frame_map_x(f, &c->x, left), to = frame_map_x(f, &c->x, right), bottom = f->top + f->height,
	       top = p->valid ? fmin(frame_map_y(f, &c->y[s->axis], p->y), bottom) : bottom;
	if (!p->valid)
		return (from + to) / 2;
	buf_printf(out, "<path class=\"column\" fill=\"%s\"", svg_series_color(index));
	svg_append_number(out, "left", left);
	svg_append_number(out, "right", right);
	buf_printf(out, " d=\"M%.2f,%.2fH%.2fV%.2fH%.2fz\"/>", from, top, to, bottom, from);
	return (from + to) / 2;
}

/* A mark; for a point that was not measured, a cross on the x axis; around an untrusted point, a ring with an
 * exclamation mark. */
static void draw_point(struct buf *out, const struct chart *c, const struct plot_frame *f, const struct series *s,
	const struct chart_point *p, size_t index)
{
	double x = frame_map_x(f, &c->x, p->x),
	       y = p->valid ? frame_map_y(f, &c->y[s->axis], p->y) : f->top + f->height;
	buf_puts(out, "<g class=\"point\"");
	svg_append_number(out, "x", p->x);
	if (p->valid)
		svg_append_number(out, "y", p->y);
	if (p->valid && p->low < p->high) {
		svg_append_number(out, "low", p->low);
		svg_append_number(out, "high", p->high);
	}
	buf_puts(out, ">");
	append_point_title(out, c, s, p);
	if (s->style == STYLE_COLUMN)
		x = draw_svg_column(out, c, f, s, p, index);
	draw_quartile_bar(out, c, f, s, p, x, index);
	if (!p->valid)
		buf_printf(out,
			"<path class=\"mark failed\" stroke=\"#c00000\" stroke-width=\"1.5\" d=\"M%.2f,%.2fl8,8m0,-8l-8,8\"/>",
			x - 4, y - 4);
	else if (s->style != STYLE_COLUMN)
		svg_draw_mark(out, s->mark, x, y, svg_series_color(index), s->role == SERIES_PUBLISHED);
	if (p->valid && p->suspect)
		buf_printf(out,
			"<path class=\"mark suspect\" stroke=\"#c00000\" stroke-width=\"1.5\" fill=\"none\" d=\"M%.2f,%.2fa7,7 0 1,0 14,0a7,7 0 1,0 -14,0m7,-17v6m0,2v2\"/>",
			x - 7, y);
	buf_puts(out, "</g>\n");
}

/* --- areas --- */

/* Lines over the color, so that areas differ in black and white; the first area has none. */
static const char *const hatches[] = {
	"", "M0,6L6,0", "M0,0L6,6", "M0,3H6", "M3,0V6", "M0,3H6M3,0V6", "M0,6L6,0M0,0L6,6"};
enum { HATCHES = sizeof hatches / sizeof *hatches, TITLED_BARS_MAX = 200 };

static void define_hatches(struct buf *out, const struct chart *c)
{
	bool any = false;
	for (size_t i = 0; i < c->series_count; i++)
		any |= series_is_area(&c->series[i]);
	for (size_t i = 1; any && i < HATCHES; i++)
		buf_printf(out,
			"<pattern id=\"hatch%zu\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path d=\"%s\" stroke=\"#ffffff\" stroke-width=\"1.2\" fill=\"none\"/></pattern>\n",
			i, hatches[i]);
}

static void append_filled(struct buf *out, char letter, size_t index, const char *shape)
{
	buf_printf(out, "<path class=\"area\" fill=\"%s\" d=\"%s\"/>", band_color(letter), shape);
	if (index % HATCHES)
		buf_printf(out, "<path fill=\"url(#hatch%zu)\" d=\"%s\"/>", index % HATCHES, shape);
}

static void append_bar_shape(struct buf *out, const struct chart *c, const struct plot_frame *f, const struct series *s,
	const struct chart_point *p, double half)
{
	double x = frame_map_x(f, &c->x, p->x), left = fmax(x - half, f->left),
	       right = fmin(x + half, f->left + f->width), top = frame_map_y(f, &c->y[s->axis], p->high),
	       bottom = frame_map_y(f, &c->y[s->axis], p->low);
	if (right > left)
		buf_printf(out, "M%.2f,%.2fH%.2fV%.2fH%.2fz", left, top, right, bottom, left);
}

static void append_bar_title(
	struct buf *out, const struct chart *c, const struct series *s, const struct chart_point *p)
{
	char x[64], y[64];
	units_format(y, sizeof y, p->high - p->low, unit_display(s->unit, false), 3);
	buf_puts(out, "<title>");
	svg_append_escaped(out, s->label);
	buf_puts(out, " at ");
	svg_append_escaped(out, format_point_x(c, p->x, x, sizeof x));
	buf_printf(out, ": %s</title>", y);
}

/* A bar for each point, with its value as a tooltip; of a long series, all bars in one path. */
static void draw_area(
	struct buf *out, const struct chart *c, const struct plot_frame *f, const struct series *s, size_t index)
{
	struct buf shape = {0};
	bool titled = s->count <= TITLED_BARS_MAX;
	for (size_t i = 0; i < s->count; i++) {
		const struct chart_point *p = &s->points[i];
		if (!p->valid || !(p->high > p->low))
			continue;
		append_bar_shape(&shape, c, f, s, p, bar_half_width(c, f, s, i));
		if (!titled)
			continue;
		buf_puts(out, "<g class=\"stack\">");
		append_bar_title(out, c, s, p);
		append_filled(out, s->mark, index, shape.data);
		buf_puts(out, "</g>\n");
		buf_clear(&shape);
	}
	if (!titled && shape.len)
		append_filled(out, s->mark, index, shape.data);
	buf_free(&shape);
}

static void draw_svg_series(struct buf *out, const struct chart *c, const struct plot_frame *f, size_t index)
{
	const struct series *s = &c->series[index];
	buf_printf(out, "<g class=\"series s%zu%s\" data-axis=\"%d\" data-series=\"%zu\" data-label=\"",
		index % SVG_COLORS, s->role == SERIES_PUBLISHED ? " published" : "", s->axis, index);
	svg_append_escaped(out, s->label);
	buf_puts(out, "\" data-unit=\"");
	svg_append_escaped(out, unit_display(s->unit, false));
	buf_puts(out, "\">\n");
	if (series_is_area(s))
		draw_area(out, c, f, s, index);
	else
		draw_curve(out, c, f, s, index);
	bool *chosen = series_has_marks(s) ? choose_svg_marks(c, f, s) : NULL;
	for (size_t i = 0; chosen && i < s->count; i++)
		if (chosen[i])
			draw_point(out, c, f, s, &s->points[i], index);
	free(chosen);
	buf_puts(out, "</g>\n");
}

/* Charts of one document with the same id have the same area. */
static void append_clip_id(struct buf *out, const struct plot_frame *f)
{
	buf_printf(out, "inside-%.2f-%.2f-%.2f-%.2f", f->left, f->top, f->width, f->height);
}

static void append_clip_path(struct buf *out, const struct plot_frame *f)
{
	buf_puts(out, "<clipPath id=\"");
	append_clip_id(out, f);
	buf_printf(out, "\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/></clipPath>\n", f->left - 8,
		f->top - 8, f->width + 16, f->height + 16);
}

void svg_draw_chart(struct buf *out, const struct chart *c, const struct plot_frame *f, double y)
{
	buf_printf(out, "<g class=\"chart\" transform=\"translate(0,%.1f)\" data-frame=\"%.2f %.2f %.2f %.2f\"", y,
		f->left, f->top, f->width, f->height);
	append_scale_attribute(out, "x", &c->x);
	for (int a = 0; a < AXIS_COUNT; a++)
		if (c->has_axis[a])
			append_scale_attribute(out, a == AXIS_LEFT ? "left" : "right", &c->y[a]);
	buf_puts(out, " data-x-unit=\"");
	svg_append_escaped(out, c->x_unit);
	buf_puts(out, "\">\n");
	append_clip_path(out, f);
	buf_puts(out, "<g class=\"axes\">\n");
	define_hatches(out, c);
	draw_x_ticks(out, c, f);
	draw_y_ticks(out, c, f, AXIS_LEFT);
	draw_y_ticks(out, c, f, AXIS_RIGHT);
	buf_puts(out, "</g>\n");
	buf_printf(out,
		"<rect class=\"frame\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" stroke=\"#333333\"/>\n",
		f->left, f->top, f->width, f->height);
	draw_y_caption(out, c, f, AXIS_LEFT);
	draw_y_caption(out, c, f, AXIS_RIGHT);
	draw_x_caption(out, c, f);
	draw_rulers(out, c, f);
	buf_puts(out, "<g clip-path=\"url(#");
	append_clip_id(out, f);
	buf_puts(out, ")\">\n");
	for (size_t i = 0; i < c->series_count; i++)
		draw_svg_series(out, c, f, i);
	buf_puts(out, "</g>\n</g>\n");
}

/* --- legend --- */

static bool series_has_key(const struct series *s)
{
	return s->style != STYLE_TOP && s->count;
}

static char *format_key_text(const struct series *s)
{
	bool has_unit = *s->unit && !series_is_area(s);
	return xasprintf("%s%s%s%s", s->role == SERIES_PUBLISHED ? "published " : "", s->label, has_unit ? ", " : "",
		has_unit ? unit_display(s->unit, false) : "");
}

/* All entries have the width of the widest one, so that they stand in columns. */
static double measure_legend_column(const struct chart *c)
{
	size_t longest = 0;
	for (size_t i = 0; i < c->series_count; i++) {
		char *text = format_key_text(&c->series[i]);
		if (series_has_key(&c->series[i]) && strlen(text) > longest)
			longest = strlen(text);
		free(text);
	}
	return 40 + 0.58 * SVG_TEXT * (double)longest;
}

static void draw_legend_key(struct buf *out, const struct series *s, size_t i, double left, double middle)
{
	char *text = format_key_text(s);
	buf_printf(out, "<g class=\"key s%zu\" data-series=\"%zu\">", i % SVG_COLORS, i);
	if (series_is_area(s)) {
		char box[60];
		snprintf(box, sizeof box, "M%.1f,%.1fh24v10h-24z", left, middle - 5);
		append_filled(out, s->mark, i, box);
	} else if (s->style == STYLE_COLUMN)
		buf_printf(out, "<path class=\"column\" fill=\"%s\" d=\"M%.1f,%.1fh24v10h-24z\"/>", svg_series_color(i),
			left, middle - 5);
	else if (s->style != STYLE_POINTS)
		buf_printf(out,
			"<path class=\"curve\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"%s d=\"M%.1f,%.1fh24\"/>",
			svg_series_color(i), s->axis == AXIS_RIGHT ? " stroke-dasharray=\"6 3\"" : "", left, middle);
	if (series_has_marks(s) && s->style != STYLE_COLUMN)
		svg_draw_mark(out, s->mark, left + 12, middle, svg_series_color(i), s->role == SERIES_PUBLISHED);
	svg_draw_text(out, left + 30, middle + 0.35 * SVG_TEXT, "start", "legend", text);
	buf_puts(out, "</g>\n");
	free(text);
}

double svg_draw_legend(struct buf *out, const struct chart *c, double x, double y, double width)
{
	double column = measure_legend_column(c);
	int columns = fmax(floor(width / column), 1), n = 0;
	for (size_t i = 0; i < c->series_count; i++)
		if (series_has_key(&c->series[i])) {
			draw_legend_key(out, &c->series[i], i, x + n % columns * column,
				y + n / columns * 1.6 * SVG_TEXT + 0.8 * SVG_TEXT);
			n++;
		}
	return (n + columns - 1) / columns * 1.6 * SVG_TEXT;
}
