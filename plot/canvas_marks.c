/* Marks of the canvas. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "plot/chart_canvas.h"
#include "plot/curve_extremes.h"
#include "plot/series_mark.h"

enum { MARK_GAP = 4 /* columns between two marks of a curve, those of its extremes aside */ };

/* A curve while its marks are placed. */
struct marked_curve {
	const struct canvas *v;
	const struct series *s;
	unsigned index;
	bool *first;   /* points with a mark whatever the room: extremes, labeled and suspect points */
	bool *columns; /* of the canvas, with a mark of this curve */
};

static bool series_has_canvas_marks(const struct series *s)
{
	return s->style != STYLE_LINE && !series_is_area(s);
}

static bool point_may_have_mark(const struct series *s, size_t i)
{
	return (s->style != STYLE_TOP && s->style != STYLE_COLUMN) || s->points[i].suspect;
}

static struct canvas_cell *find_mark_cell(const struct canvas *v, const struct series *s, size_t i, int *column)
{
	const struct chart_point *p = &s->points[i];
	if (!chart_point_is_drawn(p) || !point_may_have_mark(s, i))
		return NULL;
	int x = (int)lround(canvas_dot_x(v, p->x)), y = (int)lround(canvas_dot_y(v, s->axis, p->y));
	*column = x < 0 ? -1 : x / v->dots_x;
	return canvas_cell_at(v, *column, y < 0 ? -1 : y / v->dots_y);
}

static bool cell_has_mark(const struct canvas *v, const struct canvas_cell *c)
{
	return !canvas_cell_is_background(v, c) && text_is_mark(c->utf8);
}

static void put_mark(const struct canvas *v, struct canvas_cell *cell, const struct series *s, size_t i, unsigned index)
{
	canvas_set_cell(cell, s->points[i].suspect ? "!" : mark_text(s->mark, v->kind == CANVAS_ASCII), index);
}

void canvas_draw_fixed_marks(const struct canvas *v, unsigned index)
{
	const struct series *s = &v->chart->series[index];
	int gap = v->kind == CANVAS_ASCII || !series_is_joined(s) ? 0 : MARK_GAP, last = -1000, column;
	if (!series_has_canvas_marks(s) || s->role == SERIES_CURRENT || s->role == SERIES_PINNED)
		return;
	for (size_t i = 0; i < s->count; i++) {
		struct canvas_cell *cell = find_mark_cell(v, s, i, &column);
		if (!cell || (!s->points[i].suspect && column - last < gap && i + 1 < s->count))
			continue;
		put_mark(v, cell, s, i, index);
		last = column;
	}
}

/* --- extremes --- */

/* Of the extremes in one column, only the highest and the lowest can be distinguished. */
static void keep_outer_extremes(const struct marked_curve *m, const double *y, bool *extreme)
{
	double *least = xcalloc((size_t)m->v->width, sizeof *least), *most = xcalloc((size_t)m->v->width, sizeof *most);
	int column;
	for (int x = 0; x < m->v->width; x++) {
		least[x] = INFINITY;
		most[x] = -INFINITY;
	}
	for (int keep = 0; keep < 2; keep++)
		for (size_t i = 0; i < m->s->count; i++) {
			if (!extreme[i] || !find_mark_cell(m->v, m->s, i, &column))
				continue;
			if (keep)
				extreme[i] = y[i] <= least[column] || y[i] >= most[column];
			least[column] = fmin(least[column], y[i]);
			most[column] = fmax(most[column], y[i]);
		}
	free(least);
	free(most);
}

/* Turns smaller than a row are hardly seen, and make no extreme. */
static void choose_first_marks(struct marked_curve *m)
{
	const struct series *s = m->s;
	double *y = xcalloc(s->count + 1, sizeof *y);
	for (size_t i = 0; i < s->count; i++)
		y[i] = chart_point_is_drawn(&s->points[i]) ? round(canvas_dot_y(m->v, s->axis, s->points[i].y)) : NAN;
	extremes_find(y, (int)s->count, m->v->dots_y, m->first);
	keep_outer_extremes(m, y, m->first);
	for (size_t i = 0; i < s->count; i++)
		m->first[i] = m->first[i] || !series_is_joined(s) || s->points[i].suspect || s->points[i].label;
	free(y);
}

/* A published value that the curve meets stays visible on it, as does the mark of another curve. */
static void draw_first_marks(struct marked_curve *m)
{
	int column;
	choose_first_marks(m);
	for (size_t i = 0; i < m->s->count; i++) {
		struct canvas_cell *cell = m->first[i] ? find_mark_cell(m->v, m->s, i, &column) : NULL;
		if (!cell)
			continue;
		m->columns[column] = true;
		if (m->s->points[i].suspect || !cell_has_mark(m->v, cell))
			put_mark(m->v, cell, m->s, i, m->index);
	}
}

/* --- marks between them --- */

static bool has_own_mark_near(const struct marked_curve *m, int column, int gap)
{
	for (int x = column - gap + 1; x < column + gap; x++)
		if (x >= 0 && x < m->v->width && m->columns[x])
			return true;
	return false;
}

/* Whether the cell, or one next to it, has a mark. */
static bool cell_is_crowded(const struct canvas *v, const struct canvas_cell *cell, int column)
{
	return cell_has_mark(v, cell) || (column > 0 && cell_has_mark(v, cell - 1)) ||
		(column + 1 < v->width && cell_has_mark(v, cell + 1));
}

static void draw_other_marks(struct marked_curve *m, int gap)
{
	int column;
	for (size_t i = 0; i < m->s->count; i++) {
		struct canvas_cell *cell = m->first[i] ? NULL : find_mark_cell(m->v, m->s, i, &column);
		if (!cell || has_own_mark_near(m, column, gap))
			continue;
		if (m->v->kind == CANVAS_ASCII ? cell_has_mark(m->v, cell) : cell_is_crowded(m->v, cell, column))
			continue;
		put_mark(m->v, cell, m->s, i, m->index);
		m->columns[column] = true;
	}
}

static struct marked_curve start_marked_curve(const struct canvas *v, unsigned index)
{
	const struct series *s = &v->chart->series[index];
	return (struct marked_curve){
		v, s, index, xcalloc(s->count + 1, sizeof(bool)), xcalloc((size_t)v->width, sizeof(bool))};
}

/* Pinned curves come first where there is room left: the line of the current curve is on top of theirs. */
void canvas_draw_curve_marks(const struct canvas *v)
{
	static const enum series_role order[] = {SERIES_CURRENT, SERIES_PINNED, SERIES_PINNED, SERIES_CURRENT};
	const struct chart *c = v->chart;
	size_t n = c->series_count < CANVAS_RULER ? c->series_count : CANVAS_RULER;
	struct marked_curve *list = xcalloc(n + 1, sizeof *list);
	int pinned = 0;
	for (unsigned i = 0; i < n; i++) {
		list[i] = start_marked_curve(v, i);
		pinned += c->series[i].role == SERIES_PINNED && c->series[i].axis == AXIS_LEFT;
	}
	int gap = (v->kind == CANVAS_ASCII ? !!pinned : MARK_GAP) + pinned * (v->kind == CANVAS_ASCII ? 1 : 2);
	for (size_t pass = 0; pass < sizeof order / sizeof *order; pass++)
		for (size_t i = 0; i < n; i++) {
			if (c->series[i].role != order[pass] || !series_has_canvas_marks(&c->series[i]))
				continue;
			if (pass < 2)
				draw_first_marks(&list[i]);
			else
				draw_other_marks(&list[i], gap);
		}
	for (size_t i = 0; i < n; i++) {
		free(list[i].first);
		free(list[i].columns);
	}
	free(list);
}
