/* The tile of the v_mfma instruction at the cursor: which register each element of D is in, and which lanes have the
 * element at the tile's cursor, its row of A and its column of B. */
#include <stdio.h>
#include <string.h>

#include "tui/shell/screen_draw.h"
#include "tui/views/code/code_view_draw.h"

enum {
	LANES = 64,
	LABEL = 6,
	STRIPS = 4 /* A, B, D and the lane numbers */,
	TEXTS = 3,
	ROWS_OF_BOTH = STRIPS + TEXTS + 5
};

bool code_view_find_tile(const struct code_view *v, struct matrix_tile *out)
{
	const struct code_model *m = v->shown.model;
	return m && m->lines && v->line < m->count && matrix_tile_find(&m->lines[v->line].inst, out);
}

static struct tile_cursor cursor_within(const struct code_view *v, const struct matrix_tile *t)
{
	struct tile_cursor c = v->tile;
	c.row = c.row < t->rows ? c.row : t->rows - 1;
	c.column = c.column < t->shape->side ? c.column : t->shape->side - 1u;
	return c;
}

/* --- lanes --- */
static int draw_lane_strip(struct area in, int y, const char *label, int role, uint64_t lanes)
{
	area_draw_text(in, 1, y, ROLE_DIM, label);
	for (int lane = 0; lane < LANES; lane++) {
		const bool lit = lanes >> lane & 1;
		area_draw_text(in, LABEL + lane, y, lit ? role : ROLE_DIM, lit ? "#" : ".");
		if (lit)
			area_add_attr(in, LABEL + lane, y, 1, ATTR_REVERSE);
	}
	return y + 1;
}

static int draw_lanes_of_element(struct area in, int y, const struct matrix_tile *t, struct tile_cursor c)
{
	area_draw_text(in, 1, y, ROLE_DIM, "lane");
	for (int lane = 0; lane < LANES; lane += 8)
		area_printf(in, LABEL + lane, y, ROLE_DIM, "%d", lane);
	y = draw_lane_strip(in, y + 1, "A", ROLE_LEFT, matrix_tile_lanes_of_a(t, c.row));
	y = draw_lane_strip(in, y, "B", ROLE_RIGHT, matrix_tile_lanes_of_b(t, c.row, c.column));
	return draw_lane_strip(in, y, "D", ROLE_TITLE, UINT64_C(1) << matrix_tile_place(t, c.row, c.column).lane);
}

static int draw_tile_texts(struct area in, int y, const struct matrix_tile *t, struct tile_cursor c)
{
	char text[200];
	area_draw_fitted(
		in, 1, y, in.r.w - 2, ROLE_TITLE, matrix_tile_format_result(t, c.row, c.column, text, sizeof text));
	area_draw_fitted(in, 1, y + 1, in.r.w - 2, ROLE_LEFT, matrix_tile_format_row(t, c.row, text, sizeof text));
	area_draw_fitted(
		in, 1, y + 2, in.r.w - 2, ROLE_RIGHT, matrix_tile_format_column(t, c.row, c.column, text, sizeof text));
	return y + TEXTS;
}

/* --- elements --- */
/* 0 to 9, then a to z. */
static void register_digit(unsigned number, char out[2])
{
	out[0] = (char)(number < 10 ? '0' + (int)number : 'a' + (int)number - 10);
	out[1] = 0;
}

static void draw_tile_row(struct area in, int y, const struct matrix_tile *t, unsigned row, struct tile_cursor c)
{
	const unsigned side = t->shape->side, wide = side == 4 ? 3 : 2, first = matrix_tile_place(t, row, 0).lane;
	char digit[2];
	area_printf(in, 1, y, row == c.row ? ROLE_LEFT : ROLE_DIM, "%4u", row % side);
	for (unsigned column = 0; column < side; column++) {
		const int x = LABEL + (int)(column * wide);
		register_digit(matrix_tile_place(t, row, column).number, digit);
		area_draw_text(in, x, y,
			row == c.row                                               ? ROLE_LEFT
				: column == c.column && row / side == c.row / side ? ROLE_RIGHT
				: row % 8 < 4                                      ? ROLE_TEXT
										   : ROLE_DIM,
			digit);
		if (row == c.row && column == c.column)
			area_add_attr(in, x, y, 1, ATTR_REVERSE);
	}
	area_printf(in, LABEL + (int)(side * wide) + 1, y, ROLE_DIM, "%u..%u", first, first + side - 1);
	if (row % side == 0 && t->shape->blocks > 1)
		area_printf(in, LABEL + (int)(side * wide) + 9, y, ROLE_DIM, "block %u", row / side);
}

static void draw_elements(struct area in, int y, const struct matrix_tile *t, struct tile_cursor c)
{
	const unsigned side = t->shape->side, wide = side == 4 ? 3 : 2;
	area_draw_text(in, 1, y, ROLE_DIM, "row");
	for (unsigned column = 0; column < side; column += side == 4 ? 1 : 4)
		area_printf(in, LABEL + (int)(column * wide), y, ROLE_DIM, "%u", column);
	area_draw_text(in, LABEL + (int)(side * wide) + 1, y, ROLE_DIM, "lanes");
	const int rows = in.r.h - y - 1, first = list_first_visible_row((int)c.row, rows, (int)t->rows);
	for (int i = 0; i < rows && first + i < (int)t->rows; i++)
		draw_tile_row(in, y + 1 + i, t, (unsigned)(first + i), c);
}

void code_view_draw_tile(const struct app *a, struct area at)
{
	const struct code_view *v = code_view_of(a);
	struct area in = area_inner(at);
	struct matrix_tile t;
	const bool found = code_view_find_tile(v, &t);
	area_draw_frame(at, true, found ? v->shown.model->lines[v->line].text : "tile", "Esc back");
	if (!found) {
		area_draw_fitted(in, 1, 0, in.r.w - 2, ROLE_DIM, "no v_mfma instruction at the cursor");
		return;
	}
	const struct tile_cursor c = cursor_within(v, &t);
	int y = draw_tile_texts(in, 0, &t, c);
	if (in.r.h < ROWS_OF_BOTH)
		return;
	y = draw_lanes_of_element(in, y, &t, c);
	draw_elements(in, y, &t, c);
}
