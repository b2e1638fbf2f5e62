/* The list of experiments, grouped by chapter. With a filter: the matches, best first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/shell/palette/fuzzy_match.h"
#include "tui/views/workbench/experiment_search.h"
#include "tui/views/workbench/workbench.h"
#include "tui/shell/screen_draw.h"
#include "gpu/protocol/header_record.h"

enum {
	CHAPTER_WIDTH = 8,
	TITLE_LEAST = 30 /* columns; titles of a chapter often begin with the same words */,
	HEADING = -1
};

/* Highlights the letters that match the filter. */
static void highlight_letters(const struct app *a, const char *title, struct area in, int x, int y)
{
	bool marks[FUZZY_MARKS_MAX];
	int column = 0;
	if (!a->filter[0] || !fuzzy_match_score(a->filter, title, marks))
		return;
	for (size_t i = 0; title[i] && i < FUZZY_MARKS_MAX; i++) {
		if (marks[i] && x + column < in.r.w)
			area_add_attr(in, x + column, y, 1, ATTR_BOLD | ATTR_UNDERLINE);
		column += (title[i] & 0xc0) != 0x80;
	}
}

static void draw_experiment_row(const struct app *a, const struct lab *b, struct area in, int y, bool selected)
{
	bool chapter = a->filter[0] && in.r.w >= CHAPTER_WIDTH + 2 + TITLE_LEAST;
	int role = selected ? ROLE_SELECTED : ROLE_TEXT, x = chapter ? CHAPTER_WIDTH + 2 : 2;
	if (selected)
		area_draw_text(in, 0, y, role, glyph_text(a->ascii, GLYPH_SELECT));
	for (int i = 1; selected && i < in.r.w; i++)
		area_draw_text(in, i, y, role, " ");
	if (chapter)
		area_draw_fitted(in, 1, y, CHAPTER_WIDTH, selected ? role : ROLE_CHAPTER, b->x->chapter);
	const json_t *device = a->workers ? worker_pool_device_record(a->workers) : NULL;
	bool runs = experiment_supports_arch(b->x, device_get_arch(device));
	char text[240];
	snprintf(text, sizeof text, "%s%s%s", b->x->title, runs ? "" : " - needs ", runs ? "" : b->x->needs);
	area_draw_fitted(in, x, y, in.r.w - x, selected || runs ? role : ROLE_DIM, text);
	highlight_letters(a, b->x->title, in, x, y);
	struct mouse_region hit = {.click = "list-down"};
	snprintf(hit.argument, sizeof hit.argument, "%s", b->x->id);
	area_add_hit(in, 0, y, in.r.w, 1, hit);
}

static void draw_heading(const struct app *a, const char *chapter, struct area in, int y)
{
	int x = 1 + area_draw_text(in, 1, y, ROLE_CHAPTER, chapter) + 1;
	for (; x < in.r.w; x++)
		area_draw_glyph(in, x, y, ROLE_FRAME, glyph_text(a->ascii, GLYPH_H));
}

/* Each row of the list: the index of a lab, or HEADING for the chapter of the next one. */
static int rows_of(const struct app *a, const int *order, int count, int *rows, int *selected)
{
	int n = 0;
	*selected = 0;
	for (int i = 0; i < count; i++) {
		const char *chapter = a->labs[order[i]].x->chapter;
		if (!a->filter[0] && (i == 0 || strcmp(chapter, a->labs[order[i - 1]].x->chapter)))
			rows[n++] = HEADING;
		if (order[i] == a->current)
			*selected = n;
		rows[n++] = order[i];
	}
	return n;
}

void workbench_draw_experiments(const struct app *a, struct area at)
{
	struct area in = area_inner(at);
	int *order = xcalloc((size_t)a->lab_count, sizeof *order),
	    *rows = xcalloc(2 * (size_t)a->lab_count, sizeof *rows), selected;
	int count = experiment_search(a, order), n = rows_of(a, order, count, rows, &selected), place = 0;
	char text[120], filter[64];
	while (place < count && order[place] != a->current)
		place++;
	if (a->filter[0])
		snprintf(text, sizeof text, "/%s %d of %d",
			text_shorten(a->filter, 20, a->ascii, filter, sizeof filter), count, a->lab_count);
	else if (a->catalog.pending)
		snprintf(text, sizeof text, "loading the catalog");
	else
		snprintf(text, sizeof text, "%s %d of %d", a->lab_count ? a->labs[a->current].x->chapter : "",
			place + 1, a->lab_count);
	if (text_width(text) + 20 > at.r.w)
		snprintf(text, sizeof text, "%d of %d", a->filter[0] ? count : place + 1, a->lab_count);
	area_draw_frame(at, workbench_focused_pane(a) == FOCUS_LIST, "Experiments", text);
	int first = list_first_visible_row(selected, in.r.h, n);
	for (int i = first; i < n && i < first + in.r.h; i++)
		if (rows[i] == HEADING)
			draw_heading(a, a->labs[rows[i + 1]].x->chapter, in, i - first);
		else
			draw_experiment_row(a, &a->labs[rows[i]], in, i - first, rows[i] == a->current);
	if (!count)
		area_draw_fitted(in, 1, 0, in.r.w - 1, ROLE_WARN, "no experiment matches");
	free(order);
	free(rows);
}
