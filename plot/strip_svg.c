#include "plot/strip_svg.h"

#include <stdlib.h>

#include "base/units.h"
#include "plot/reading_span.h"

enum { STRIP_HEIGHT = 30, STEADY_HEIGHT = 18 };

static struct reading_span find_strip_span(const struct chart_strip *s)
{
	struct reading_span span = {0};
	for (size_t i = 0; i < s->count; i++)
		if (s->points[i].valid)
			reading_span_add(&span, s->points[i].y);
	return span;
}

/* A clock that moved during a point is drawn, too. */
static bool strip_moves(const struct chart_strip *s)
{
	struct reading_span span = find_strip_span(s);
	bool moved = false;
	for (size_t i = 0; i < s->count; i++)
		moved |= s->points[i].suspect;
	return span.any && (moved || reading_span_moves(&span, s->unit));
}

/* "core clock 1536 MHz", or "power: not available". */
static void append_strip_text(struct buf *out, const struct chart_strip *s)
{
	char text[80];
	struct reading_span span = find_strip_span(s);
	if (span.any)
		buf_printf(out, "%s %s", s->label, reading_span_format(&span, s->unit, false, text, sizeof text));
	else
		buf_printf(out, "%s: not available", s->label);
}

static double draw_steady_strips(
	struct buf *out, const struct plot_frame *f, const struct chart_strip *strips, size_t count, double y)
{
	struct buf text = {0};
	for (size_t i = 0; i < count; i++)
		if (!strip_moves(&strips[i])) {
			buf_puts(&text, text.len ? ", " : "");
			append_strip_text(&text, &strips[i]);
		}
	bool any = text.len;
	if (any)
		svg_draw_text(out, f->left, y + SVG_TEXT, "start", "tick steady", text.data);
	buf_free(&text);
	return any ? STEADY_HEIGHT : 0;
}

static double strip_point_y(const struct chart_strip *s, const struct reading_span *span, double top, double value)
{
	return top + (STRIP_HEIGHT - SVG_TEXT - 7) * (1 - reading_span_fraction(span, s->unit, value));
}

static void draw_strip_points(struct buf *out, const struct chart *c, const struct plot_frame *f,
	const struct chart_strip *s, const struct reading_span *span, double top)
{
	for (size_t i = 0; i < s->count && s->count <= SVG_MARKS_MAX; i++) {
		const struct chart_point *p = &s->points[i];
		double x = frame_map_x(f, &c->x, p->x), y = strip_point_y(s, span, top, p->y);
		if (!p->valid)
			continue;
		buf_puts(out, "<g class=\"point\"");
		svg_append_number(out, "x", p->x);
		svg_append_number(out, "y", p->y);
		buf_printf(out, "><circle class=\"mark\" cx=\"%.2f\" cy=\"%.2f\" r=\"1.6\" fill=\"#555555\"/>", x, y);
		if (p->suspect)
			buf_printf(out,
				"<path class=\"mark suspect\" stroke=\"#c00000\" stroke-width=\"1.5\" d=\"M%.2f,%.2fv-7m0,9v2\"/>",
				x + 6, y);
		buf_puts(out, "</g>\n");
	}
}

static void draw_moving_strip(
	struct buf *out, const struct chart *c, const struct plot_frame *f, const struct chart_strip *s, double y)
{
	struct reading_span span = find_strip_span(s);
	struct buf text = {0};
	double top = y + SVG_TEXT + 3;
	bool down = false;
	append_strip_text(&text, s);
	svg_draw_text(out, f->left, y + 0.8 * SVG_TEXT, "start", "tick", text.data);
	buf_free(&text);
	buf_puts(out, "<g class=\"strip\" data-label=\"");
	svg_append_escaped(out, s->label);
	buf_puts(out, "\" data-unit=\"");
	svg_append_escaped(out, unit_display(s->unit, false));
	buf_puts(out, "\"><path class=\"curve\" fill=\"none\" stroke=\"#555555\" stroke-width=\"1.2\" d=\"");
	for (size_t i = 0; i < s->count; i++) {
		const struct chart_point *p = &s->points[i];
		down = down && p->x >= s->points[i - 1].x; /* x goes back: the next curve begins */
		if (p->valid)
			buf_printf(out, "%s%.2f,%.2f", down ? "L" : "M", frame_map_x(f, &c->x, p->x),
				strip_point_y(s, &span, top, p->y));
		down = p->valid;
	}
	buf_puts(out, "\"/>\n");
	draw_strip_points(out, c, f, s, &span, top);
	buf_puts(out, "</g>\n");
}

double svg_draw_strips(struct buf *out, const struct chart *c, const struct plot_frame *f,
	const struct chart_strip *strips, size_t count, double y)
{
	double at = y;
	for (size_t i = 0; i < count; i++)
		if (strip_moves(&strips[i])) {
			draw_moving_strip(out, c, f, &strips[i], at);
			at += STRIP_HEIGHT;
		}
	return at - y + draw_steady_strips(out, f, strips, count, at);
}
