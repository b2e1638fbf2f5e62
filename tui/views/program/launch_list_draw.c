/* Draws the launches of a kernel, a row each. */
#include <inttypes.h>
#include <stdio.h>

#include "tui/shell/screen_draw.h"
#include "tui/views/program/program_view.h"

enum { MARK = 2, KEPT_LEAST = 10 };

/* In the order from left to right; what the capture has of it takes the rest of the row. */
enum launch_column {
	LAUNCH_PROCESS,
	LAUNCH_NUMBER,
	LAUNCH_GRID,
	LAUNCH_BLOCK,
	LAUNCH_TIME,
	LAUNCH_SHARE,
	LAUNCH_CYCLES,
	LAUNCH_COLUMNS
};
static const struct {
	const char *head;
	int width;
} columns[LAUNCH_COLUMNS] = {
	[LAUNCH_PROCESS] = {"process", 8},
	[LAUNCH_NUMBER] = {"launch", 8},
	[LAUNCH_GRID] = {"grid (workgroups)", 17},
	[LAUNCH_BLOCK] = {"block (work-items)", 18},
	[LAUNCH_TIME] = {"GPU", 9},
	[LAUNCH_SHARE] = {"share", 6},
	[LAUNCH_CYCLES] = {"cycles", 12},
};
/* A narrow screen leaves out the last ones. */
static const enum launch_column importance[LAUNCH_COLUMNS] = {
	LAUNCH_NUMBER, LAUNCH_TIME, LAUNCH_PROCESS, LAUNCH_GRID, LAUNCH_BLOCK, LAUNCH_SHARE, LAUNCH_CYCLES};

struct launch_drawing {
	const struct app *a;
	const struct program_view *v;
	struct launch_rows rows;
	bool shown[LAUNCH_COLUMNS];
	int right[LAUNCH_COLUMNS], kept_x; /* ends of the columns */
};

static void place_columns(struct launch_drawing *d, int width)
{
	int room = width - MARK - KEPT_LEAST, x = MARK;
	for (int i = 0; i < LAUNCH_COLUMNS; i++) {
		enum launch_column c = importance[i];
		if (c == LAUNCH_PROCESS && !d->rows.several_processes)
			continue;
		if (room < columns[c].width + 1)
			break;
		d->shown[c] = true;
		room -= columns[c].width + 1;
	}
	for (int c = 0; c < LAUNCH_COLUMNS; c++)
		if (d->shown[c]) {
			d->right[c] = x + columns[c].width;
			x = d->right[c] + 1;
		}
	d->kept_x = x;
}

/* --- cells --- */
/* "64", "8x8", "8x8x2" */
static void format_shape(const uint32_t shape[3], char *out, size_t size)
{
	if (shape[2] != 1)
		snprintf(out, size, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, shape[0], shape[1], shape[2]);
	else if (shape[1] != 1)
		snprintf(out, size, "%" PRIu32 "x%" PRIu32, shape[0], shape[1]);
	else
		snprintf(out, size, "%" PRIu32, shape[0]);
}

/* The last workgroup may have fewer work-items. */
static void format_grid(const struct kernel_launch *l, char *out, size_t size)
{
	uint32_t groups[3];
	for (int i = 0; i < 3; i++) {
		uint32_t items = l->workgroup[i] ? l->workgroup[i] : 1;
		groups[i] = l->grid[i] / items + (l->grid[i] % items != 0);
	}
	format_shape(groups, out, size);
}

static void format_cell(
	const struct launch_drawing *d, const struct kernel_launch *l, int column, char *out, size_t size)
{
	double seconds = (double)l->ps * 1e-12, sum = d->rows.kernel->seconds;
	switch (column) {
	case LAUNCH_PROCESS: snprintf(out, size, "%d", l->process); break;
	case LAUNCH_NUMBER: snprintf(out, size, "%" PRIu64, l->number); break;
	case LAUNCH_GRID: format_grid(l, out, size); break;
	case LAUNCH_BLOCK: format_shape(l->workgroup, out, size); break;
	case LAUNCH_TIME: seconds_format(seconds, d->a->ascii, out, size); break;
	case LAUNCH_SHARE: snprintf(out, size, "%.0f %%", sum > 0 ? 100 * seconds / sum : 0); break;
	default: snprintf(out, size, "%" PRIu64, l->cycles); break;
	}
}

static void draw_cell(const struct launch_drawing *d, struct area in, int y, int column, int role, const char *text)
{
	char fitted[80];
	if (d->shown[column])
		area_draw_right(in, d->right[column], y, role,
			text_shorten(text, columns[column].width, d->a->ascii, fitted, sizeof fitted));
}

/* --- rows --- */
static void draw_heads(const struct launch_drawing *d, struct area in)
{
	static const enum launch_column sorted[LAUNCH_SORTS] = {
		[BY_LAUNCH_NUMBER] = LAUNCH_NUMBER, [BY_LAUNCH_TIME] = LAUNCH_TIME};
	for (int c = 0; c < LAUNCH_COLUMNS; c++)
		draw_cell(d, in, 0, c, c == (int)sorted[d->v->launches.sort] ? ROLE_KEY : ROLE_DIM, columns[c].head);
	area_draw_fitted(in, d->kept_x, 0, in.r.w - d->kept_x, ROLE_DIM, "captured");
}

/* A click selects; on the selected row it acts as Enter. */
static void draw_launch(const struct launch_drawing *d, struct area in, int y, int row)
{
	const struct kernel_launch *l = d->rows.list[row];
	bool here = row == d->rows.selected;
	int role = here ? ROLE_SELECTED : l->status ? ROLE_BAD : ROLE_TEXT;
	char text[300];
	for (int x = 0; here && x < in.r.w; x++)
		area_draw_text(in, x, y, ROLE_SELECTED, " ");
	if (here)
		area_draw_text(in, 0, y, ROLE_SELECTED, glyph_text(d->a->ascii, GLYPH_SELECT));
	for (int c = 0; c < LAUNCH_COLUMNS; c++) {
		format_cell(d, l, c, text, sizeof text);
		draw_cell(d, in, y, c, role, text);
	}
	launch_format_kept(d->v->run, l, text, sizeof text);
	area_draw_fitted(in, d->kept_x, y, in.r.w - d->kept_x, role, text);
	struct mouse_region hit = {.click = here ? "launch-open" : "launch-down"};
	if (!here)
		snprintf(hit.argument, sizeof hit.argument, "%d", row - d->rows.selected);
	area_add_hit(in, 0, y, in.r.w, 1, hit);
}

/* What is not listed. */
static void draw_count(const struct launch_drawing *d, struct area in, int y)
{
	unsigned all = d->rows.kernel->launches, shown = (unsigned)d->rows.count;
	if (shown < all)
		area_printf(in, MARK, y, ROLE_DIM, "%u of %u launches: the first %d, the slowest%s", shown, all,
			LAUNCHES_FIRST, d->v->run->state == PROGRAM_ENDED ? ", and all that were kept" : "");
	else
		area_printf(in, MARK, y, ROLE_DIM, "%u launch%s%s", all, all == 1 ? "" : "es",
			d->rows.kernel->running ? ", and one runs" : "");
}

void launch_list_draw(const struct app *a, const struct program_view *v, struct area at)
{
	struct launch_drawing d = {.a = a, .v = v};
	char right[60];
	launch_rows_read(v, &d.rows);
	snprintf(right, sizeof right, "by %s, %d of %d", launch_sort_name(v->launches.sort), d.rows.selected + 1,
		d.rows.count);
	area_draw_frame(at, v->place == PROGRAM_LAUNCHES, d.rows.kernel ? d.rows.kernel->name : "", right);
	struct area in = area_inner(at);
	int rows = in.r.h - 2, first = list_first_visible_row(d.rows.selected, rows, d.rows.count);
	place_columns(&d, in.r.w);
	draw_heads(&d, in);
	for (int i = 0; i < rows && first + i < d.rows.count; i++)
		draw_launch(&d, in, 1 + i, first + i);
	if (d.rows.kernel)
		draw_count(&d, in, in.r.h - 1);
	launch_rows_free(&d.rows);
}
