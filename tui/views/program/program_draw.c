/* Draws the user's program: a row for each kernel, and below them what the program prints. */
#include <stdio.h>
#include <string.h>

#include "base/host_clock.h"
#include "base/paths.h"
#include "base/units.h"
#include "experiments/analysis/sweep_estimate.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/stalls/stall_reasons.h"
#include "tui/shell/screen_draw.h"
#include "tui/views/program/program_view.h"

enum { MARK = 2, NAME_LEAST = 20, OUTPUT_ROWS_LEAST = 4 };

/* The columns behind the name, from the right; a narrow screen leaves out the last ones of this list. */
enum program_column { COLUMN_TIME, COLUMN_SHARE, COLUMN_LAUNCHES, COLUMN_STALL, COLUMN_SLOWEST, COLUMNS };
static const struct {
	const char *head;
	int width;
	bool left;
} columns[COLUMNS] = {
	[COLUMN_TIME] = {"GPU", 9, false},
	[COLUMN_SHARE] = {"share", 6, false},
	[COLUMN_LAUNCHES] = {"launches", 9, false},
	[COLUMN_STALL] = {"main stall", 20, true},
	[COLUMN_SLOWEST] = {"slowest", 9, false},
};
static const enum program_column order[COLUMNS] = {
	COLUMN_LAUNCHES, COLUMN_TIME, COLUMN_SHARE, COLUMN_SLOWEST, COLUMN_STALL}; /* from left to right */

struct program_drawing {
	const struct app *a;
	const struct program_view *v;
	const struct program_run *run;
	double sum; /* seconds */
	bool shown[COLUMNS];
	int x[COLUMNS], name_width;
};

static void place_columns(struct program_drawing *d, int width)
{
	int room = width - MARK - NAME_LEAST;
	for (int c = 0; c < COLUMNS && room > columns[c].width; c++) {
		d->shown[c] = true;
		room -= columns[c].width + 1;
	}
	d->name_width = NAME_LEAST + (room > 0 ? room : 0);
	for (int i = 0, x = MARK + d->name_width + 1; i < COLUMNS; i++) {
		d->x[order[i]] = x;
		x += d->shown[order[i]] ? columns[order[i]].width + 1 : 0;
	}
}

/* --- cells --- */
static void format_stall(const struct program_drawing *d, const struct program_kernel *k, char *out, size_t size)
{
	const struct captured_kernel *captured = program_run_captured(d->run, k);
	const json_t *stall = captured ? json_object_get(captured->launch, "stall") : NULL;
	const char *name = record_get_text(stall, "stall_reason");
	if (*name)
		snprintf(out, size, "%s %.0f %%", stall_reason_label(name),
			100 * json_number_value(json_object_get(stall, "share")));
	else
		snprintf(out, size, "--");
}

static void format_cell(
	const struct program_drawing *d, const struct program_kernel *k, int column, char *out, size_t size)
{
	switch (column) {
	case COLUMN_TIME: seconds_format(k->seconds, d->a->ascii, out, size); break;
	case COLUMN_SHARE: snprintf(out, size, "%.0f %%", d->sum > 0 ? 100 * k->seconds / d->sum : 0); break;
	case COLUMN_LAUNCHES: snprintf(out, size, "%u%s", k->launches, k->running ? "+" : ""); break;
	case COLUMN_SLOWEST: seconds_format(k->slowest, d->a->ascii, out, size); break;
	default: format_stall(d, k, out, size); break;
	}
}

static void draw_cell(const struct program_drawing *d, struct area in, int y, int column, int role, const char *text)
{
	if (!d->shown[column])
		return;
	if (columns[column].left)
		area_draw_fitted(in, d->x[column], y, columns[column].width, role, text);
	else
		area_draw_right(in, d->x[column] + columns[column].width, y, role, text);
}

static void draw_kernel(const struct program_drawing *d, struct area in, int y, int row)
{
	const struct program_kernel *k = &d->run->kernels.list[row];
	int selected = program_view_selected(d->v);
	bool here = row == selected;
	int role = here ? ROLE_SELECTED : k->failed ? ROLE_BAD : ROLE_TEXT;
	char text[80];
	for (int x = 0; here && x < in.r.w; x++)
		area_draw_text(in, x, y, ROLE_SELECTED, " ");
	if (here)
		area_draw_text(in, 0, y, ROLE_SELECTED, glyph_text(d->a->ascii, GLYPH_SELECT));
	area_draw_fitted(in, MARK, y, d->name_width, role, k->name);
	for (int c = 0; c < COLUMNS; c++) {
		format_cell(d, k, c, text, sizeof text);
		draw_cell(d, in, y, c, role, text);
	}
	struct mouse_region hit = {.click = here ? "program-open" : "program-down"};
	if (!here)
		snprintf(hit.argument, sizeof hit.argument, "%d", row - selected);
	area_add_hit(in, 0, y, in.r.w, 1, hit);
}

/* "12 copies, 3.2 MiB in 250 us" */
static void draw_copies(const struct program_drawing *d, struct area in, int y)
{
	const struct program_kernels *k = &d->run->kernels;
	char bytes[40], time[40];
	if (k->copies)
		area_printf(in, MARK, y, ROLE_DIM, "%u cop%s between host and GPU, %s in %s", k->copies,
			k->copies == 1 ? "y" : "ies", units_format(bytes, sizeof bytes, k->copy_bytes, "B", 3),
			seconds_format(k->copy_seconds, d->a->ascii, time, sizeof time));
}

/* --- panes --- */
/* Times of the host depend on it, so scripts switch them off with the estimates. */
static void format_state(const struct program_run *r, char *out, size_t size)
{
	double seconds = r->state == PROGRAM_RUNNING ? (double)(now_ms() - r->started_ms) / 1000 : r->seconds;
	char time[40] = "";
	if (estimate_times_are_shown())
		snprintf(time, sizeof time, "%s %.0f s", r->state == PROGRAM_RUNNING ? " since" : " after", seconds);
	if (r->state == PROGRAM_RUNNING)
		snprintf(out, size, "runs%s", time);
	else if (r->status > 128)
		snprintf(out, size, "ended by signal %d%s", r->status - 128, time);
	else
		snprintf(out, size, "ended with status %d%s", r->status, time);
}

static void draw_kernels(struct program_drawing *d, struct area at)
{
	char title[300], state[80];
	size_t n = 0;
	for (int i = 0; d->run->command[i] && n < sizeof title; i++)
		n += (size_t)snprintf(title + n, sizeof title - n, "%s%s", i ? " " : "",
			i ? d->run->command[i] : path_basename(d->run->command[i]));
	format_state(d->run, state, sizeof state);
	area_draw_frame(at, d->v->place == PROGRAM_KERNELS, title, state);
	struct area in = area_inner(at);
	int rows = in.r.h - 2, count = d->run->kernels.count,
	    first = list_first_visible_row(program_view_selected(d->v), rows, count);
	place_columns(d, in.r.w);
	area_draw_text(in, MARK, 0, ROLE_DIM, "kernel");
	for (int c = 0; c < COLUMNS; c++)
		draw_cell(d, in, 0, c, ROLE_DIM, columns[c].head);
	for (int i = 0; i < rows && first + i < count; i++)
		draw_kernel(d, in, 1 + i, first + i);
	if (!count)
		area_draw_text(in, MARK, 1, ROLE_DIM,
			d->run->state == PROGRAM_RUNNING ? "It has launched no kernel yet."
							 : "It has launched no kernel on the software GPU.");
	draw_copies(d, in, in.r.h - 1);
}

static void draw_output(const struct program_drawing *d, struct area at)
{
	struct area in = area_inner(at);
	int lines = program_process_line_count(d->run->process), back = d->v->back;
	char right[40];
	snprintf(right, sizeof right, back ? "%d lines below" : "", back);
	area_draw_frame(at, d->v->place == PROGRAM_OUTPUT, "Output", right);
	for (int y = in.r.h - 1; y >= 0; y--) {
		int shown = lines - back < in.r.h ? lines - back : in.r.h; /* from the top while they are few */
		const char *line = y < shown ? program_process_line(d->run->process, back + shown - 1 - y) : NULL;
		if (line)
			area_draw_fitted(in, 1, y, in.r.w - 1, ROLE_TEXT, line);
	}
}

static void draw_nothing(const struct program_view *v, struct area at)
{
	area_draw_frame(at, true, "Your program", "");
	struct text_page page = {.in = area_inner(at)};
	text_page_add(&page, ROLE_DIM, "", 1, *v->why ? ROLE_BAD : ROLE_DIM,
		*v->why ? v->why : "No program was started. Leave wavedeck, and start it with one: wavedeck ./app");
}

void program_view_draw(const struct app *a, struct area at)
{
	struct program_drawing d = {.a = a, .v = program_view_of(a)};
	if (!d.v)
		return;
	d.run = d.v->run;
	if (!d.run) {
		draw_nothing(d.v, at);
		return;
	}
	d.sum = program_kernels_sum(&d.run->kernels);
	int output = at.r.h / 3 > OUTPUT_ROWS_LEAST ? at.r.h / 3 : 0;
	if (output)
		draw_output(&d, area_sub(at, 0, at.r.h - output, at.r.w, output));
	struct area upper = area_sub(at, 0, 0, at.r.w, at.r.h - output);
	if (d.v->launches.symbol)
		launch_list_draw(a, d.v, upper);
	else
		draw_kernels(&d, upper);
}
