/* Draws a study: a bar for each cause, what costs most first, then all together, and what the selected part does. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/shell/screen_draw.h"
#include "tui/views/what_if/what_if_view.h"

enum { MARK = 2, CAUSE_WIDTH = 23, SHARE_WIDTH = 9, CYCLES_WIDTH = 16, HELP_ROWS = 3, NARROW = 60 };

static void draw_bar(const struct app *a, struct area in, int x, int y, int width, int role, double share)
{
	const int full = (int)lround(fmin(fmax(share, 0), 1) * width);
	for (int k = 0; k < full; k++)
		area_draw_glyph(in, x + k, y, role, a->ascii ? "#" : "█");
}

static int role_of_bar(int number)
{
	return number == WHAT_IF_ALL ? ROLE_TITLE
				     : ROLE_STALL_ISSUE + (int)ideal_part_at(number - WHAT_IF_FIRST)->family;
}

static void format_cycles(const struct what_if_study *s, int number, char *out, size_t size)
{
	char number_text[40];
	const struct what_if_result *base = &s->costs.result[WHAT_IF_AS_IT_IS];
	if (what_if_changes_results(&s->costs, number)) {
		snprintf(out, size, "changes results");
		return;
	}
	number_format_digits(number_text, sizeof number_text, what_if_saved(&s->costs, number) * base->cycles);
	snprintf(out, size, "%s cycles", number_text);
}

static void draw_cost(const struct app *a, const struct what_if_study *s, struct area in, int y, int number, int role)
{
	char text[80];
	const double saved = what_if_saved(&s->costs, number);
	const bool wide = in.r.w >= NARROW;
	const int share = MARK + CAUSE_WIDTH + SHARE_WIDTH, bar = share + 2,
		  end = wide ? in.r.w - 1 - CYCLES_WIDTH : in.r.w - 1;
	area_draw_fitted(in, MARK, y, CAUSE_WIDTH, role, what_if_cause(number));
	if (isnan(saved)) {
		const char *why = s->costs.result[number].why;
		area_draw_fitted(in, bar, y, in.r.w - bar, *why ? ROLE_WARN : ROLE_DIM,
			*why                                  ? why
				: what_if_study_is_running(s) ? "..."
							      : "not measured");
		return;
	}
	snprintf(text, sizeof text, "%.1f %%", 100 * saved);
	area_draw_right(in, share, y, role, text);
	draw_bar(a, in, bar, y, end - bar - 1, role == ROLE_SELECTED ? role : role_of_bar(number), saved);
	format_cycles(s, number, text, sizeof text);
	if (wide)
		area_draw_right(in, in.r.w - 1, y, what_if_changes_results(&s->costs, number) ? ROLE_WARN : role, text);
}

static int role_of_cause(const struct what_if_study *s, int number, bool here)
{
	const double saved = what_if_saved(&s->costs, number);
	return here ? ROLE_SELECTED : saved < WHAT_IF_LEAST ? ROLE_DIM : ROLE_TEXT;
}

static void draw_causes(const struct app *a, const struct what_if_study *s, int selected, struct area in, int rows)
{
	int order[IDEAL_PARTS];
	const int count = what_if_rows(s, order), first = list_first_visible_row(selected, rows, count);
	for (int k = 0; k < rows && first + k < count; k++) {
		const bool here = first + k == selected;
		for (int x = 0; here && x < in.r.w; x++)
			area_draw_text(in, x, k, ROLE_SELECTED, " ");
		if (here)
			area_draw_text(in, 0, k, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT));
		draw_cost(a, s, in, k, order[first + k], role_of_cause(s, order[first + k], here));
	}
}

static void draw_help(const struct what_if_study *s, int selected, struct area in, int y)
{
	int order[IDEAL_PARTS];
	char text[400];
	struct text_page page = {.in = area_sub(in, 0, y, in.r.w, in.r.h - y)};
	what_if_rows(s, order);
	snprintf(text, sizeof text, "%s: %s.", ideal_part_at(order[selected] - WHAT_IF_FIRST)->name,
		ideal_part_at(order[selected] - WHAT_IF_FIRST)->help);
	text_page_add(&page, ROLE_TEXT, "", 1, ROLE_TEXT, text);
	text_page_add(&page, ROLE_DIM, "", 1, ROLE_DIM,
		"Each row is the same launch on this GPU with one part ideal. Rows do not add up: a wave that no longer waits "
		"for one thing may wait for another.");
}

static void format_state(const struct app *a, const struct what_if_study *s, char *out, size_t size)
{
	if (what_if_study_is_running(s))
		snprintf(out, size, "%d of %d devices", s->ended, (int)WHAT_IF_DEVICES);
	else if (s->cancelled)
		snprintf(out, size, "stopped; r measures again");
	else
		snprintf(out, size, "%s",
			what_if_study_is_current(a) ? "" : "another point; r measures the one in the plot");
}

static void format_title(const struct what_if_study *s, char *out, size_t size)
{
	char cycles[40] = "";
	const struct what_if_result *base = &s->costs.result[WHAT_IF_AS_IT_IS];
	if (base->measured)
		number_format_digits(cycles, sizeof cycles, base->cycles);
	snprintf(out, size, "What if: %s%s%s%s%s%s", s->x->id, *s->point ? ", " : "", s->point,
		base->measured ? ": of " : "", cycles, base->measured ? " cycles, without" : "");
}

void what_if_view_draw(const struct app *a, struct area at)
{
	const struct what_if_study *s = what_if_study_of(a);
	const int selected = what_if_view_of(a) ? what_if_view_of(a)->selected : 0;
	struct area in = area_inner(at);
	char title[400], state[120];
	if (!s)
		return;
	if (!s->x) {
		struct text_page page = {.in = in};
		area_draw_frame(at, true, "What if", "");
		text_page_add(&page, ROLE_DIM, "", 1, ROLE_WARN, *s->why ? s->why : "r measures the point in the plot");
		return;
	}
	format_title(s, title, sizeof title);
	format_state(a, s, state, sizeof state);
	area_draw_frame(at, true, title, state);
	const int rows = in.r.h - HELP_ROWS - 3, shown = rows < IDEAL_PARTS ? rows : IDEAL_PARTS;
	draw_causes(a, s, selected, in, shown);
	draw_cost(a, s, in, shown, WHAT_IF_ALL, ROLE_TITLE);
	draw_help(s, selected, in, shown + 2);
}
