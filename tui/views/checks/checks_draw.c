/* Draws what checks found: a row for each place, and below them the report of the selected one. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "checks/check_words.h"
#include "experiments/analysis/sweep_estimate.h"
#include "tui/shell/screen_draw.h"
#include "tui/views/checks/checks_view.h"

enum { MARK = 2, COUNT_WIDTH = 11, LINE_WIDTH = 22, ROWS_LEAST = 3 };

/* --- the rows --- */
/* "red.hip:9", or the instruction's address without line tables. */
static void format_line(const struct check_place *p, char *out, size_t size)
{
	const struct source_frames *f = &p->at.frames;
	const struct source_frame *own = &f->list[source_frames_find_own(f)];
	const char *name = f->count ? strrchr(own->file, '/') : NULL;
	if (f->count)
		snprintf(out, size, "%s:%d", name ? name + 1 : own->file, own->line);
	else
		snprintf(out, size, "+%06llx", (unsigned long long)p->record->at.offset);
}

static void draw_place(const struct app *a, const struct checks_view *v, struct area in, int y, int row)
{
	const struct check_place *p = &v->places.list[row];
	char line[300];
	struct buf count = {0};
	bool here = p == checks_view_selected(v);
	int role = here         ? ROLE_SELECTED
		: p->suppressed ? ROLE_DIM
				: ROLE_TEXT,
	    right = in.r.w - 1, text = right - COUNT_WIDTH - LINE_WIDTH - MARK - 2;
	for (int x = 0; here && x < in.r.w; x++)
		area_draw_text(in, x, y, ROLE_SELECTED, " ");
	if (here)
		area_draw_text(in, 0, y, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT));
	area_draw_fitted(in, MARK, y, text, role, check_kind_text(p->record->kind));
	format_line(p, line, sizeof line);
	area_draw_fitted(in, MARK + text + 1, y, LINE_WIDTH, role, line);
	count_append(&count, p->count);
	area_draw_right(in, right, y, role, p->suppressed ? "suppressed" : count.data);
	buf_free(&count);
}

static void draw_head(struct area in)
{
	int right = in.r.w - 1;
	area_draw_text(in, MARK, 0, ROLE_DIM, "what");
	area_draw_text(in, right - COUNT_WIDTH - LINE_WIDTH - 1, 0, ROLE_DIM, "where");
	area_draw_right(in, right, 0, ROLE_DIM, "accesses");
}

/* --- the state --- */
static void format_state(const struct checks_view *v, char *out, size_t size)
{
	char time[60] = "";
	if (v->seconds > 0 && estimate_times_are_shown())
		snprintf(time, sizeof time, " in %.1f s", v->seconds);
	if (checks_view_is_running(v))
		snprintf(out, size, "checked %d of %d points", v->ended, v->count);
	else
		snprintf(out, size, "%d point%s checked%s%s", v->ended, v->ended == 1 ? "" : "s", time,
			v->failed ? ", some failed" : "");
}

static void format_title(const struct checks_view *v, char *out, size_t size)
{
	char names[80];
	size_t n = 0;
	for (const char *at = v->checks; *at && n + 2 < sizeof names; at++) {
		names[n++] = *at;
		if (*at == ',')
			names[n++] = ' ';
	}
	names[n] = 0;
	snprintf(out, size, "Checks of %s: %s", v->x->id, names);
}

/* What stands in place of rows. */
static const char *explain_no_places(const struct checks_view *v)
{
	return *v->why                      ? v->why
		: checks_view_is_running(v) ? "Nothing was found so far."
		: v->failed && v->failed == v->count
		? "No point could be measured, so nothing was checked; the workbench shows why."
		: "No faults were found.";
}

static void draw_places(const struct app *a, const struct checks_view *v, struct area at)
{
	char title[200], state[120];
	struct area in = area_inner(at);
	int count = (int)v->places.count, rows = in.r.h - 1, selected = v->selected < count ? v->selected : count - 1,
	    first = list_first_visible_row(selected, rows, count);
	format_title(v, title, sizeof title);
	format_state(v, state, sizeof state);
	area_draw_frame(at, true, title, state);
	if (!count) {
		struct text_page page = {.in = in};
		text_page_add(&page, ROLE_DIM, "", 1, *v->why ? ROLE_WARN : ROLE_DIM, explain_no_places(v));
		return;
	}
	draw_head(in);
	for (int i = 0; i < rows && first + i < count; i++)
		draw_place(a, v, in, 1 + i, first + i);
}

/* --- the report --- */
static void draw_report(const struct checks_view *v, struct area at)
{
	struct buf text = {0};
	struct text_page page = {.in = area_inner(at)};
	struct check_findings f = checks_view_findings(v);
	const struct check_place *p = checks_view_selected(v);
	area_draw_frame(at, false, "Report", "");
	buf_puts(&text, "");
	if (p)
		check_place_append_text(&text, &f, p);
	for (char *rest = text.data, *line; (line = strsep(&rest, "\n"));) {
		size_t indent = strspn(line, " ");
		if (line[indent])
			text_page_add(
				&page, ROLE_TEXT, "", (int)(indent > 0 ? indent - 1 : 0), ROLE_TEXT, line + indent);
	}
	buf_free(&text);
}

static void draw_nothing(const struct checks_view *v, struct area at)
{
	struct text_page page = {.in = area_inner(at)};
	area_draw_frame(at, true, "Checks", "");
	text_page_add(&page, ROLE_DIM, "", 1, *v->why ? ROLE_WARN : ROLE_DIM,
		*v->why ? v->why
			: "Nothing was checked yet. r checks the kernel of the current sweep for races, accesses outside of its memory, uninitialized values and barriers that a part of a wave skips. Checked launches of ten programs took 1.1 to 18 times as long to simulate. The setting `check` says which sweeps are checked by themselves.");
}

void checks_view_draw(const struct app *a, struct area at)
{
	const struct checks_view *v = checks_view_of(a);
	if (!v)
		return;
	if (!v->x) {
		draw_nothing(v, at);
		return;
	}
	int places = (int)v->places.count, top = places + 3;
	top = !places ? at.r.h : top > at.r.h / 2 ? at.r.h / 2 : top < ROWS_LEAST + 2 ? ROWS_LEAST + 2 : top;
	draw_places(a, v, area_sub(at, 0, 0, at.r.w, top));
	if (places)
		draw_report(v, area_sub(at, 0, top, at.r.w, at.r.h - top));
}
