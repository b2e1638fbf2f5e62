/* The plot: two y axes, the curve with its ghost and pinned ones, the cursor. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "plot/mark.h"
#include "tui/bench.h"
#include "tui/plot_model.h"
#include "tui/view.h"

enum { TICKS_MAX = 40, HEADED_ROWS = 7 /* inside the frame, from which on a row tells the axes' units */ };

struct columns plot_columns(int w)
{
	/* Left "sclk  1536 " or a tick's text, right a clock with its unit. */
	if (w >= 40)
		return (struct columns){ 10, w - 19 };
	return w >= 24 ? (struct columns){ 8, w - 8 } : (struct columns){ 0, w };
}

int plot_column(const struct scale *x, double value, int width, enum canvas_kind kind)
{
	int dots = kind == CANVAS_BRAILLE ? 2 : 1; /* as chart_draw rounds */
	double at = scale_at(x, value);
	if (!(at >= -1e-9 && at <= 1 + 1e-9))
		return -1;
	int column = (int)lround(at * (width * dots - 1)) / dots;
	return column < 0 || column >= width ? -1 : column;
}

enum canvas_kind canvas_of(const struct app *a)
{
	return a->ascii ? CANVAS_ASCII : a->canvas;
}

static int series_role(const struct series *s)
{
	switch (s->role) {
	case SERIES_GHOST: return ROLE_GHOST;
	case SERIES_PINNED: return ROLE_PINNED;
	case SERIES_PUBLISHED: return ROLE_PUBLISHED;
	default: return s->axis == AXIS_LEFT ? ROLE_LEFT : ROLE_RIGHT;
	}
}

/* --- canvas ------------------------------------------------------------------------------------------------------------- */
static void draw_canvas(const struct app *a, const struct plot_model *m, struct area at)
{
	struct canvas_cell *cells = xcalloc((size_t)at.r.w * (size_t)at.r.h, sizeof *cells);
	chart_draw(&m->chart, canvas_of(a), at.r.w, at.r.h, cells);
	for (int y = 0; y < at.r.h; y++)
		for (int x = 0; x < at.r.w; x++) {
			const struct canvas_cell *c = &cells[y * at.r.w + x];
			if (!c->set)
				continue;
			int role = c->series < m->chart.series_count ? series_role(&m->series[c->series]) : ROLE_RULER;
			area_glyph(at, x, y, c->utf8[0] == '!' ? ROLE_WARN : role, c->utf8);
		}
	free(cells);
}

/* The cursor's column: a line where nothing is drawn, and the curve's own cells in reverse. */
static void draw_cursor(const struct app *a, const struct bench *b, const struct plot_model *m, struct area canvas, int axis_row, struct area in)
{
	const struct point *p = bench_point(b);
	if (!p)
		return;
	int x = plot_column(&m->chart.x, curve_x(&b->curve, b->cursor), canvas.r.w, canvas_of(a));
	for (int y = 0; x >= 0 && y < canvas.r.h; y++) {
		const struct cell *c = &canvas.g->cells[(canvas.r.y + y) * canvas.g->w + canvas.r.x + x];
		if (c->utf8[0] == ' ')
			area_glyph(canvas, x, y, ROLE_RULER, glyph(a->ascii, GLYPH_CURSOR));
		else
			area_attr(canvas, x, y, 1, ATTR_REVERSE);
	}
	if (x >= 0 && axis_row >= 0)
		area_glyph(in, canvas.r.x - in.r.x + x, axis_row, ROLE_CURSOR, glyph(a->ascii, GLYPH_CURSOR_X));
}

/* --- axes --------------------------------------------------------------------------------------------------------------- */
static void y_axis(const struct plot_model *m, enum axis axis, struct area in, struct area canvas, bool ascii)
{
	struct tick ticks[TICKS_MAX];
	bool left = axis == AXIS_LEFT;
	int top = canvas.r.y - in.r.y, x = left ? canvas.r.x - in.r.x - 1 : canvas.r.x - in.r.x + canvas.r.w;
	int role = left ? ROLE_LEFT : ROLE_RIGHT, rows = canvas.r.h;
	for (int y = 0; y < rows; y++)
		area_glyph(in, x, top + y, ROLE_FRAME, glyph(ascii, GLYPH_V));
	if (!m->chart.has_axis[axis])
		return;
	size_t most = rows / 3 < 2 ? 2 : (size_t)(rows / 3), n = scale_ticks(&m->chart.y[axis], "", ticks, most < TICKS_MAX ? most : TICKS_MAX);
	for (size_t i = 0; i < n; i++) {
		int y = top + (int)lround((1 - scale_at(&m->chart.y[axis], ticks[i].value)) * (rows - 1));
		if (y < top || y >= top + rows)
			continue;
		area_glyph(in, x, y, ROLE_FRAME, glyph(ascii, left ? GLYPH_TICK_LEFT : GLYPH_TICK_RIGHT));
		if (left)
			area_right(in, x, y, role, ticks[i].text);
		else
			area_text(in, x + 1, y, role, ticks[i].text);
	}
}

/* A choice's ticks are its names. */
static size_t x_ticks(const struct bench *b, const struct plot_model *m, struct tick *ticks, size_t most)
{
	int axis = b->curve.count ? b->curve.axis : b->axis;
	if (axis < 0 || b->curve.x_metric || b->x->params[axis].kind != STEP_CHOICE)
		return scale_ticks(&m->chart.x, m->chart.x_unit, ticks, most);
	const struct param *p = &b->x->params[axis];
	size_t n = 0;
	for (int i = 0; i < p->choice_count && n < most; i++, n++) {
		ticks[n].value = i;
		snprintf(ticks[n].text, sizeof ticks[n].text, "%.23s", p->choices[i]);
	}
	return n;
}

static void x_axis(const struct app *a, const struct bench *b, const struct plot_model *m, struct area in, struct area canvas, int row)
{
	struct tick ticks[TICKS_MAX];
	int left = canvas.r.x - in.r.x, right = left + canvas.r.w, free_from = 0;
	for (int x = left; x < right; x++)
		area_glyph(in, x, row, ROLE_FRAME, glyph(a->ascii, GLYPH_H));
	area_glyph(in, left - 1, row, ROLE_FRAME, glyph(a->ascii, GLYPH_CORNER_LEFT));
	area_glyph(in, right, row, ROLE_FRAME, glyph(a->ascii, GLYPH_CORNER_RIGHT));
	size_t most = (size_t)canvas.r.w / 9 + 1, n = x_ticks(b, m, ticks, most < TICKS_MAX ? most : TICKS_MAX);
	for (size_t i = 0; i < n; i++) {
		int column = plot_column(&m->chart.x, ticks[i].value, canvas.r.w, canvas_of(a));
		if (column < 0)
			continue;
		area_glyph(in, left + column, row, ROLE_FRAME, glyph(a->ascii, GLYPH_TICK_X));
		int w = text_columns(ticks[i].text), at = left + column - w / 2;
		if (at + w > in.r.w)
			at = in.r.w - w;
		if (at < free_from)
			continue;
		area_text(in, at, row + 1, ROLE_DIM, ticks[i].text);
		free_from = at + w + 1;
	}
}

/* Points without a value stand on the x axis, so that a gap in the curve says why. */
static void failed_points(const struct app *a, const struct bench *b, const struct plot_model *m, struct area in, struct area canvas, int row)
{
	for (int i = 0; i < b->curve.count; i++) {
		int column = plot_column(&m->chart.x, curve_x(&b->curve, i), canvas.r.w, canvas_of(a));
		if (column >= 0 && b->curve.points[i].status == POINT_FAILED)
			area_glyph(in, canvas.r.x - in.r.x + column, row, ROLE_BAD, glyph(a->ascii, GLYPH_FAILED));
	}
}

/* --- titles ------------------------------------------------------------------------------------------------------------- */
enum names { NAMES, NAMES_AND_UNITS, UNITS };

/* "1 variant published  2 MI210"; brief in as few letters as they can be told by. */
static void legend_pins(const struct bench *b, const struct plot_model *m, bool brief, struct buf *text)
{
	enum { BRIEF = 8 };
	char label[64];
	int axis = b->curve.count ? b->curve.axis : b->axis;
	for (int i = 0; i < b->pin_count; i++)
		if (b->pins[i].curve.axis == axis && m->chart.series_count) {
			bench_pin_text(b, i, label, sizeof label);
			buf_printf(text, "  %d %.*s", i + 1, (int)text_fitting(label, brief ? BRIEF : (int)sizeof label), label);
		}
}

/* `brief`: the curves beside the current one in as few letters as they can be told by. */
static void legend(const struct app *a, const struct bench *b, const struct plot_model *m, enum names what, bool brief, char *out, size_t size)
{
	struct buf text = {0};
	bool ghost = false;
	const char *published = NULL;
	for (size_t i = 0; i < m->chart.series_count; i++) {
		const struct series *s = &m->series[i];
		ghost |= s->role == SERIES_GHOST;
		published = !published && s->role == SERIES_PUBLISHED ? mark_text(s->mark, a->ascii) : published;
		if (s->role == SERIES_CURRENT)
			buf_printf(&text, "%s%s %s%s%s", text.len ? "  " : "", mark_text(s->mark, a->ascii), what == UNITS && *s->unit ? "" : s->label,
			           what == NAMES_AND_UNITS && *s->unit ? ", " : "", what == NAMES ? "" : s->unit);
	}
	if (ghost)
		buf_puts(&text, brief ? "  ." : "  . last");
	legend_pins(b, m, brief, &text);
	if (published)
		buf_printf(&text, "  %s %s", published, brief ? "publ." : "published");
	snprintf(out, size, "%s", text.data ? text.data : "");
	buf_free(&text);
}

static const char *axis_unit(const struct plot_model *m, enum axis axis)
{
	for (size_t i = 0; i < m->chart.series_count; i++)
		if (m->series[i].axis == axis && m->series[i].role == SERIES_CURRENT)
			return m->series[i].unit;
	return "";
}

static void headings(const struct bench *b, const struct plot_model *m, struct area in)
{
	const char *left = axis_unit(m, AXIS_LEFT), *right = axis_unit(m, AXIS_RIGHT);
	char note[80] = "";
	area_text(in, 0, 0, ROLE_LEFT, left);
	area_right(in, in.r.w, 0, ROLE_RIGHT, right);
	if (b->curve.count && b->curve.ended < b->curve.count)
		snprintf(note, sizeof note, "%d of %d points", b->curve.ended, b->curve.count);
	int room = in.r.w - text_columns(left) - text_columns(right) - 2;
	if (text_columns(note) <= room)
		area_text(in, text_columns(left) + 1 + (room - text_columns(note)) / 2, 0, ROLE_DIM, note);
}

static struct area framed(const struct app *a, const struct bench *b, const struct plot_model *m, struct area at)
{
	char text[160], title[200];
	if (at.r.w < 20 || at.r.h < 6)
		return at;
	bool heads = at.r.h - 2 >= HEADED_ROWS; /* there the units stand at the axes */
	legend(a, b, m, heads ? NAMES : NAMES_AND_UNITS, false, text, sizeof text);
	if (text_columns(text) + 6 > at.r.w)
		legend(a, b, m, heads ? NAMES : UNITS, true, text, sizeof text);
	const char *edited = b->original && b->x != b->original ? ", edited" : "";
	snprintf(title, sizeof title, "%s%s", b->x->title, edited);
	if (text_columns(title) + text_columns(text) + 8 > at.r.w) /* the legend is needed, the id is enough of a title */
		snprintf(title, sizeof title, "%s%s", b->x->id, edited);
	if (text_columns(title) + text_columns(text) + 8 > at.r.w)
		title[0] = 0;
	area_frame(at, app_focus(a) == FOCUS_PLOT, title, text);
	/* What is on the x axis; bytes have their unit at the ticks, and "lanes, lanes" says no more than "lanes". */
	const char *unit = strcmp(m->chart.x_unit, "B") && strcmp(m->chart.x_unit, m->chart.x_label) ? m->chart.x_unit : "";
	snprintf(text, sizeof text, " x: %s%s%s ", m->chart.x_label, *unit ? ", " : "", unit);
	if (*m->chart.x_label && text_columns(text) + 4 < at.r.w)
		area_right(at, at.r.w - 2, at.r.h - 1, ROLE_DIM, text);
	return area_inside(at);
}

void view_plot(const struct app *a, struct area at)
{
	const struct bench *b = app_bench(a);
	struct plot_model m;
	if (!b)
		return;
	plot_model(a, b, &m);
	struct area in = framed(a, b, &m, at);
	struct columns c = plot_columns(in.r.w);
	int top = in.r.h >= HEADED_ROWS, axis_row = in.r.h >= 4 ? in.r.h - 2 : -1;
	struct area canvas = area_part(in, c.left, top, c.width, (axis_row < 0 ? in.r.h : axis_row) - top);
	if (top)
		headings(b, &m, in);
	if (c.left) {
		y_axis(&m, AXIS_LEFT, in, canvas, a->ascii);
		if (c.left + c.width < in.r.w)
			y_axis(&m, AXIS_RIGHT, in, canvas, a->ascii);
	}
	if (canvas.r.w > 0 && canvas.r.h > 0)
		draw_canvas(a, &m, canvas);
	if (axis_row >= 0) {
		x_axis(a, b, &m, in, canvas, axis_row);
		failed_points(a, b, &m, in, canvas, axis_row);
	}
	draw_cursor(a, b, &m, canvas, axis_row, in);
	plot_model_free(&m);
}
