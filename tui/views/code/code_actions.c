/* Actions of the code view: move by line, to hot instructions, to a text, along the curve's points. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/lab/lab.h"
#include "tui/views/code/code_view.h"
#include "tui/shell/input_line.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/shell/shell.h"

static bool has_lines(const struct app *a)
{
	return code_view_of(a) && code_view_of(a)->shown.model && code_view_of(a)->shown.model->lines &&
		!code_view_of(a)->shown.wanted;
}

/* --- cursor --- */
static long clamp_long(long v, long low, long high)
{
	return v < low ? low : v > high ? high : v;
}

static void move_lines(struct code_view *v, long by)
{
	size_t count, *order = code_view_line_order(v, &count);
	long to = (long)code_view_order_position(order, count, v->line) + by;
	if (count)
		code_view_place_cursors(v, order[clamp_long(to, 0, (long)count - 1)]);
	free(order);
}

/* Moves the instruction cursor too, to the first instruction of the line. */
static void place_source(struct code_view *v, int line)
{
	size_t first, end;
	code_view_line_range(v, &first, &end);
	v->source = line;
	for (size_t i = first; i < end; i++)
		if (v->shown.model->source_line[i] == line) {
			v->line = i;
			return;
		}
}

static void move_source(struct code_view *v, long by)
{
	if (v->shown.model->source_count)
		place_source(v, (int)clamp_long(v->source + by, 1, v->shown.model->source_count));
}

/* Below a width that shows both listings, only the focused one is drawn. */
void act_code_split(struct app *a, int by)
{
	struct code_view *v = code_view_of(a);
	if (v)
		v->source_share = (int)clamp_long(
			(v->source_share ? v->source_share : SOURCE_SHARE) + by, SOURCE_SHARE_LEAST, SOURCE_SHARE_MOST);
}

/* --- the tile of a v_mfma instruction --- */
static bool is_tiling(const struct code_view *v)
{
	return v->tiling && !v->choosing && !v->comparing;
}

static void move_tile(struct code_view *v, long down, long right)
{
	struct matrix_tile t;
	if (!code_view_find_tile(v, &t))
		return;
	v->tile.row = (unsigned)clamp_long((long)v->tile.row + down, 0, (long)t.rows - 1);
	v->tile.column = (unsigned)clamp_long((long)v->tile.column + right, 0, t.shape->side - 1);
}

void act_code_tile(struct app *a)
{
	struct code_view *v = code_view_of(a);
	struct matrix_tile t;
	if (!has_lines(a) || v->choosing || v->comparing)
		return;
	if (!v->tiling && !code_view_find_tile(v, &t)) {
		app_show_message(a, ROLE_DIM, "no v_mfma instruction at the cursor");
		return;
	}
	v->tiling = !v->tiling;
	v->advising = false;
}

enum { ADVICE_ROWS_MAX = 200 };

void act_code_move(struct app *a, int by)
{
	struct code_view *v = code_view_of(a);
	if (!v)
		return;
	if (is_tiling(v))
		move_tile(v, by, 0);
	else if (v->advising && !v->choosing && !v->comparing)
		v->advice_scroll = (int)clamp_long(v->advice_scroll + by, 0, ADVICE_ROWS_MAX);
	else if (v->choosing)
		v->chosen = (int)clamp_long(v->chosen + by, 0, v->choice_count - 1);
	else if (code_view_is_comparing(v))
		v->row = (size_t)clamp_long((long)v->row + by, 0, (long)v->diff.rows.count - 1);
	else if (v->pane == CODE_SOURCE && v->shown.model) /* also without a disassembler for the target */
		move_source(v, by);
	else if (has_lines(a))
		move_lines(v, by);
}

static int page_rows(const struct app *a)
{
	struct layout l = layout_single_pane(a->width, a->height);
	return l.pane[PANE_PLOT].h > 12 ? l.pane[PANE_PLOT].h - 12 : 1;
}

void act_code_page_down(struct app *a)
{
	act_code_move(a, page_rows(a));
}
void act_code_page_up(struct app *a)
{
	act_code_move(a, -page_rows(a));
}

void act_code_pane(struct app *a)
{
	if (!code_view_of(a) || code_view_of(a)->comparing)
		return;
	code_view_of(a)->pane = code_view_of(a)->pane == CODE_LINES ? CODE_SOURCE : CODE_LINES;
}

void act_code_all(struct app *a)
{
	if (!has_lines(a))
		return;
	struct code_view *v = code_view_of(a);
	v->all = !v->all;
	code_diff_free(&v->diff);
	code_view_update_diff(v);
	if (!code_has_loop(v->shown.model))
		app_show_message(a, ROLE_DIM, "this kernel has no loop; the whole kernel is shown");
	else if (!v->all)
		code_view_go_to_loop(v);
}

void act_code_advice(struct app *a)
{
	struct code_view *v = code_view_of(a);
	if (!has_lines(a))
		return;
	v->advising = !v->advising || v->comparing;
	v->comparing = v->choosing = v->tiling = false;
	v->advice_scroll = 0;
}

void act_code_sort(struct app *a)
{
	struct code_view *v = code_view_of(a);
	if (!v || !has_lines(a))
		return;
	v->sorted = !v->sorted;
	v->pane = CODE_LINES;
	v->advising = v->tiling = false;
	if (v->sorted && !v->profile)
		app_show_message(a, ROLE_DIM, "sorted when the cycles are measured");
	if (v->sorted)
		move_lines(v, -(long)v->shown.model->count);
}

/* --- hot instructions --- */
static bool is_wanted_row(const struct code_view *v, size_t i)
{
	return v->diff.rows.rows[i].kind != LISTING_ROW_SAME;
}

/* In a comparison: the next difference. */
static void select_difference(struct app *a, int by)
{
	struct code_view *v = code_view_of(a);
	size_t n = v->diff.rows.count, at = v->row;
	for (size_t i = 0; i < n; i++) {
		at = (at + n + (size_t)by) % n;
		if (is_wanted_row(v, at)) {
			v->row = at;
			return;
		}
	}
	app_show_message(a, ROLE_DIM, "no differences");
}

void act_code_select_hot(struct app *a, int by)
{
	struct code_view *v = code_view_of(a);
	size_t first, end;
	if (v && code_view_is_comparing(v)) {
		select_difference(a, by > 0 ? 1 : -1);
		return;
	}
	if (!has_lines(a))
		return;
	code_view_line_range(v, &first, &end);
	size_t n = end - first, at = v->line < first || v->line >= end ? 0 : v->line - first;
	for (size_t i = 0; i < n; i++) {
		at = (at + n + (size_t)by) % n;
		if (code_is_hot(v->shown.model, v->profile, first + at)) {
			code_view_place_cursors(v, first + at);
			v->pane = CODE_LINES;
			return;
		}
	}
	app_show_message(a, ROLE_DIM,
		v->profile ? "no instruction takes 5 %% of the cycles or more" : "the loop has no dependence chain");
}

/* --- search --- */
static bool find_in_source(struct code_view *v, const char *text, bool next)
{
	const struct code_model *m = v->shown.model;
	for (int i = 0; i < m->source_count; i++) {
		int at = (v->source - 1 + i + (next ? 1 : 0)) % m->source_count;
		if (strcasestr(m->source[at], text)) {
			place_source(v, at + 1);
			return true;
		}
	}
	return false;
}

/* Searches what is shown first, then the whole kernel. */
static bool find_in_instructions(struct code_view *v, const char *text, bool next)
{
	const struct code_model *m = v->shown.model;
	size_t first, end, start = v->line + (next ? 1 : 0);
	code_view_line_range(v, &first, &end);
	for (int pass = 0; pass < 2; pass++) {
		size_t n = pass ? m->count : end - first, base = pass ? 0 : first;
		for (size_t i = 0; i < n; i++) {
			size_t at = base + (start >= base ? start - base + i : i) % n;
			if (!strcasestr(m->lines[at].text, text))
				continue;
			v->all |= pass > 0;
			code_view_place_cursors(v, at);
			return true;
		}
	}
	return false;
}

/* `next`: begins after the cursor. */
static void code_found(struct app *a, const char *text, bool next)
{
	struct code_view *v = code_view_of(a);
	if (!has_lines(a) || !*text)
		return;
	snprintf(v->search, sizeof v->search, "%s", text);
	if (!(v->pane == CODE_SOURCE ? find_in_source(v, text, next) : find_in_instructions(v, text, next)))
		app_show_message(a, ROLE_DIM, "'%s' not found", text);
}

/* Searches while typing. Enter on an unchanged text goes to the next match. */
static void search_typed(struct app *a)
{
	code_found(a, a->input.text, false);
}

static bool search_taken(struct app *a, const char *text)
{
	if (!a->input.changed)
		code_found(a, text, true);
	return true;
}

void act_code_search(struct app *a, const char *argument)
{
	if (!has_lines(a) || code_view_of(a)->comparing)
		return;
	if (argument) {
		code_found(a, argument, true);
		return;
	}
	input_line_open(a, search_taken, code_view_of(a)->search, "/");
	a->input.typed = search_typed;
}

/* --- points --- */
void act_code_select_point(struct app *a, int by)
{
	struct lab *b = app_current_lab(a);
	if (!b || !code_view_of(a) || code_view_of(a)->choosing)
		return;
	if (is_tiling(code_view_of(a))) {
		move_tile(code_view_of(a), 0, by);
		return;
	}
	lab_move_cursor(b, by);
	code_view_pump(a);
}

void act_code(struct app *a)
{
	app_show_view(a, &view_code);
}
