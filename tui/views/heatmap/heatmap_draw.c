/* Draws the heat map: a cell for each combination, with its value where it has room and its level 0..9 where not. */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/lab/lab.h"
#include "tui/shell/screen_draw.h"
#include "tui/views/heatmap/heatmap_view.h"

enum {
	HEAT_ROLES = ROLE_HEAT4 - ROLE_HEAT0 + 1,
	DIGITS = 10,
	CELL_MOST = 9,
	NUMBER_LEAST = 6,
	NAME_MOST = 14,
	TALL_MOST = 3,
	FOOT = 4
};

struct heatmap_drawing {
	const struct app *a;
	const struct heatmap_view *v;
	struct heatmap h;
	struct area in;
	int left, cell, tall; /* columns of the y names; columns and rows of a cell */
	int first_x, first_y; /* first visible column and row of the map */
	int columns, rows;    /* visible ones */
};

static int heat_role(const struct heatmap *h, double value)
{
	return ROLE_HEAT0 + heatmap_level(h, value, HEAT_ROLES);
}

static void layout_heatmap(struct heatmap_drawing *d)
{
	d->left = 4;
	for (int i = 0; i < d->h.rows; i++)
		d->left = text_width(d->h.y_names[i]) + 2 > d->left ? text_width(d->h.y_names[i]) + 2 : d->left;
	d->left = d->left > NAME_MOST ? NAME_MOST : d->left;
	int room = d->in.r.w - d->left - 1;
	d->cell = room / d->h.columns;
	d->cell = d->cell > CELL_MOST ? CELL_MOST : d->cell < 1 ? 1 : d->cell;
	d->columns = room / d->cell < d->h.columns ? room / d->cell : d->h.columns;
	int high = d->in.r.h - FOOT - 1 > 0 ? d->in.r.h - FOOT - 1 : 0;
	d->tall = high / d->h.rows > TALL_MOST ? TALL_MOST : high / d->h.rows > 1 ? high / d->h.rows : 1;
	d->rows = high / d->tall < d->h.rows ? high / d->tall : d->h.rows;
	d->columns = d->columns < 0 ? 0 : d->columns;
	d->first_x = list_first_visible_row(d->v->column, d->columns, d->h.columns);
	d->first_y = list_first_visible_row(d->v->row, d->rows, d->h.rows);
}

/* "119!", "7", "x", ".": the value or its level, failed, not measured yet. */
static void format_heat_cell(const struct heatmap_drawing *d, const struct heat_cell *c, char *out, size_t size)
{
	if (!c->valid)
		snprintf(out, size, "%s", c->measured ? glyph_text(d->a->ascii, GLYPH_FAILED) : ".");
	else if (d->cell < NUMBER_LEAST)
		snprintf(out, size, "%d", heatmap_level(&d->h, c->value, DIGITS));
	else
		units_format(out, size, c->value, "", d->cell > NUMBER_LEAST ? 4 : 3);
	if (c->suspect && d->cell > 1)
		strncat(out, "!", size - strlen(out) - 1);
}

/* The upper row of the cells of a row of the map. */
static int heat_row_top(const struct heatmap_drawing *d, int row)
{
	return 1 + (d->rows - 1 - (row - d->first_y)) * d->tall;
}

static void draw_heat_cell(const struct heatmap_drawing *d, int column, int row)
{
	const struct heat_cell *c = heatmap_cell(&d->h, column, row);
	int x = d->left + (column - d->first_x) * d->cell, y = heat_row_top(d, row);
	bool here = column == d->v->column && row == d->v->row;
	int role = c->valid ? heat_role(&d->h, c->value) : c->measured ? ROLE_BAD : ROLE_DIM;
	char text[48];
	format_heat_cell(d, c, text, sizeof text);
	for (int i = 0; i < d->cell * d->tall; i++)
		area_draw_text(d->in, x + i % d->cell, y + i / d->cell, role, " ");
	y += (d->tall - 1) / 2;
	int w = text_width(text), at = d->cell > w ? (d->cell - w + 1) / 2 : 0;
	area_draw_fitted(d->in, x + at, y, d->cell - at, role, text);
	if (here && d->cell >= 3) {
		area_draw_text(d->in, x, y, role, "[");
		area_draw_text(d->in, x + d->cell - 1, y, role, "]");
	} else if (here)
		area_add_attr(d->in, x, y, d->cell, ATTR_REVERSE | ATTR_UNDERLINE);
}

static void draw_heat_names(const struct heatmap_drawing *d)
{
	int longest = 1, step = 1;
	for (int i = 0; i < d->h.columns; i++)
		longest = text_width(d->h.x_names[i]) > longest ? text_width(d->h.x_names[i]) : longest;
	while (step * d->cell <= longest)
		step++;
	for (int i = 0; i < d->rows; i++)
		area_draw_fitted(d->in, 1, heat_row_top(d, d->first_y + i) + (d->tall - 1) / 2, d->left - 2,
			d->first_y + i == d->v->row ? ROLE_TITLE : ROLE_DIM, d->h.y_names[d->first_y + i]);
	for (int i = 0; i < d->columns; i += step) {
		const char *name = d->h.x_names[d->first_x + i];
		int x = d->left + i * d->cell, room = step * d->cell, w = text_width(name);
		if (x + w <= d->in.r.w)
			area_draw_text(d->in, x + (step == 1 && room > w ? (room - w + 1) / 2 : 0),
				d->rows * d->tall + 1, ROLE_DIM, name);
	}
}

static void format_axis_name(const char *label, const char *unit, bool ascii, char *out, size_t size)
{
	bool shown = *unit && strcmp(unit, "B") && strcmp(unit, label);
	snprintf(out, size, "%s%s%s", label, shown ? ", " : "", shown ? unit_display(unit, ascii) : "");
}

/* The levels with their colors, between the lowest and the highest value. Returns the column after them. */
static int draw_heat_key(const struct heatmap_drawing *d, int y)
{
	char low[40], high[40], digit[4];
	if (d->h.least < 0)
		return 0;
	int x = 1 + area_draw_text(d->in, 1, y, ROLE_TEXT, units_format(low, sizeof low, d->h.low, "", 4)) + 1;
	for (int i = 0; i < DIGITS; i++) {
		snprintf(digit, sizeof digit, "%d", i);
		x += area_draw_text(d->in, x, y, ROLE_HEAT0 + i * HEAT_ROLES / DIGITS, digit);
	}
	x += 1 + area_draw_text(d->in, x + 1, y, ROLE_TEXT, units_format(high, sizeof high, d->h.high, d->h.unit, 4));
	return x + (d->h.log ? 1 + area_draw_text(d->in, x + 1, y, ROLE_DIM, "(logarithmic)") : 0);
}

static void describe_heat_cell(const struct heatmap *h, int at, char *out, size_t size)
{
	snprintf(out, size, "%s %s, %s %s", h->x_label, h->x_names[at % h->columns], h->y_label,
		h->y_names[at / h->columns]);
}

static void draw_heat_foot(const struct heatmap_drawing *d)
{
	const struct heatmap *h = &d->h;
	const struct heat_cell *c = heatmap_cell(h, d->v->column, d->v->row);
	char where[100], value[48], least[100], most[100], text[320];
	int y = d->in.r.h - FOOT + 1;
	format_axis_name(h->x_label, h->x_unit, d->a->ascii, where, sizeof where);
	text_shorten(where, d->in.r.w - 3 - draw_heat_key(d, y), d->a->ascii, text, sizeof text);
	area_draw_right(d->in, d->in.r.w - 1, y, ROLE_DIM, text);
	describe_heat_cell(h, d->v->row * h->columns + d->v->column, where, sizeof where);
	snprintf(text, sizeof text, "%s: %s %s%s", where, h->label,
		c->valid              ? units_format(value, sizeof value, c->value, h->unit, 4)
			: c->measured ? "failed"
				      : "not measured",
		c->suspect ? ", not trusted" : "");
	area_draw_fitted(d->in, 1, y + 1, d->in.r.w - 2, ROLE_TITLE, text);
	if (h->least < 0)
		return;
	describe_heat_cell(h, h->least, least, sizeof least);
	describe_heat_cell(h, h->most, most, sizeof most);
	snprintf(text, sizeof text, "lowest at %s; highest at %s", least, most);
	area_draw_fitted(d->in, 1, y + 2, d->in.r.w - 2, ROLE_DIM, text);
}

/* Before anything is measured: what Space does. */
static void draw_heat_offer(const struct app *a, struct area in)
{
	const struct heatmap_view *v = heatmap_view_of(a);
	struct plan p;
	struct err e = {0};
	char text[200], cost[120];
	double seconds;
	if (!heatmap_build_plan(a, &p, &e)) {
		area_draw_fitted(in, 1, 1, in.r.w - 2, ROLE_DIM, e.text);
		return;
	}
	const struct experiment *x = v->lab->x;
	point_costs_estimate(&v->lab->costs, &v->lab->published, &p, &seconds, cost, sizeof cost);
	snprintf(text, sizeof text, "x: %s, %d values    y: %s, %d values", x->params[v->x].id, p.axes[1].count,
		x->params[v->y].id, p.axes[0].count);
	area_draw_fitted(in, 1, 1, in.r.w - 2, ROLE_TITLE, text);
	snprintf(text, sizeof text, "Space measures all combinations: %s.", cost);
	area_draw_fitted(in, 1, 3, in.r.w - 2, ROLE_TEXT, text);
	area_draw_fitted(
		in, 1, 4, in.r.w - 2, ROLE_TEXT, "y and x choose the parameters, r the range of y, n how many values.");
	area_draw_fitted(in, 1, 6, in.r.w - 2, ROLE_DIM, x->params[v->y].help);
	plan_free(&p);
}

void heatmap_view_draw(const struct app *a, struct area at)
{
	struct heatmap_drawing d = {.a = a, .v = heatmap_view_of(a), .in = area_inner(at)};
	char title[200], state[160] = "", axis[80];
	if (!d.v || !d.v->lab)
		return;
	bool known = heatmap_view_make(a, &d.h);
	if (known)
		format_axis_name(d.h.label, d.h.unit, a->ascii, axis, sizeof axis);
	snprintf(title, sizeof title, "%s%s%s", d.v->lab->x->title, known ? ": " : "", known ? axis : "");
	if (heatmap_is_measuring(a))
		snprintf(state, sizeof state, "%d of %d points", d.v->grid.ended, d.v->grid.count);
	else if (known)
		snprintf(state, sizeof state, "%d x %d points", d.h.columns, d.h.rows);
	area_draw_frame(at, true, title, state);
	if (!known) {
		draw_heat_offer(a, d.in);
		return;
	}
	layout_heatmap(&d);
	format_axis_name(d.h.y_label, d.h.y_unit, a->ascii, axis, sizeof axis);
	area_draw_fitted(d.in, 1, 0, d.in.r.w - 2, ROLE_DIM, axis);
	for (int row = 0; row < d.rows; row++)
		for (int column = 0; column < d.columns; column++)
			draw_heat_cell(&d, d.first_x + column, d.first_y + row);
	draw_heat_names(&d);
	if (d.in.r.h > FOOT)
		draw_heat_foot(&d);
	heatmap_free(&d.h);
}
