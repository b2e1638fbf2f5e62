/* The listings of the code view: source and instructions, side by side where there is room. */
#include "tui/views/code/code_view_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "gpu/protocol/stalls/stall_reasons.h"
#include "tui/shell/screen_draw.h"

/* --- layout --- */
enum {
	COLUMNS_BOTH = 110, /* minimum width for source and instructions side by side */
	ROWS_FACTS = 12,
	ROWS_TALL = 30,
	FACTS_LOW = 8,
	FACTS_HIGH = 11, /* with their frame */
};

static struct rect pane_rect(int x, int y, int w, int h)
{
	return (struct rect){x, y, w, h};
}

struct code_view_layout_rects code_view_layout(int w, int h, enum code_pane pane, int share)
{
	struct code_view_layout_rects l = {0};
	int facts = h < ROWS_FACTS           ? 0
		: h >= ROWS_TALL             ? FACTS_HIGH
		: h < ROWS_FACTS + FACTS_LOW ? h / 3 + 1
					     : FACTS_LOW,
	    body = h - facts;
	int source = w * (share ? share : SOURCE_SHARE) / 100, kernel = w >= COLUMNS_BOTH ? w / 2 : w * 9 / 20;
	if (w >= COLUMNS_BOTH) {
		l.source = pane_rect(0, 0, source, body);
		l.lines = pane_rect(source, 0, w - source, body);
	} else if (pane == CODE_SOURCE) {
		l.source = pane_rect(0, 0, w, body);
	} else {
		l.lines = pane_rect(0, 0, w, body);
	}
	if (facts && w >= 60) {
		l.kernel = pane_rect(0, body, kernel, facts);
		l.instruction = pane_rect(kernel, body, w - kernel, facts);
	} else if (facts) {
		l.instruction = pane_rect(0, body, w, facts);
	}
	return l;
}

int area_draw_wrapped(struct area in, int y, int role, const char *label, const char *text)
{
	int x = *label ? 1 + text_width(label) + 1 : 1, width = in.r.w - x - 1;
	if (y < in.r.h && *label)
		area_draw_text(in, 1, y, ROLE_DIM, label);
	while (*text && y < in.r.h && width > 8) {
		size_t n = text_fit_bytes(text, width);
		if (y + 1 == in.r.h) { /* the last row: ends with an ellipsis if there is more */
			area_draw_fitted(in, x, y, width, role, text);
			return y + 1;
		}
		area_printf(in, x, y++, role, "%.*s", (int)n, text);
		text += n + strspn(text + n, " ");
	}
	return y;
}

/* --- marks in front of a line --- */
static void fill_row(struct area in, int y, int role)
{
	for (int x = 0; x < in.r.w; x++)
		area_draw_text(in, x, y, role, " ");
}

/* The cursor's line, and the lines of the other pane that belong to it. */
static int draw_gutter(const struct app *a, struct area in, int y, bool cursor, bool focused, bool tied)
{
	int role = cursor && focused ? ROLE_SELECTED : ROLE_TEXT;
	if (cursor && focused)
		fill_row(in, y, role);
	if (cursor)
		area_draw_text(in, 0, y, focused ? role : ROLE_FOCUS, glyph_text(a->ascii, GLYPH_SELECT));
	else if (tied)
		area_draw_text(in, 0, y, ROLE_FOCUS, glyph_text(a->ascii, GLYPH_TIED));
	return role;
}

/* A click moves the cursor to the line; in the other pane it also changes the pane. */
static void row_hit(const struct app *a, struct area in, int y, int by, bool focused)
{
	struct mouse_region hit = {.click = focused ? "code-down" : "code-pane"};
	if (focused)
		snprintf(hit.argument, sizeof hit.argument, "%d", by);
	if (!code_view_of(a)->choosing)
		area_add_hit(in, 0, y, in.r.w, 1, hit);
}

/* --- source --- */
static const double LEAST_SHARE = 0.05; /* per cent that are shown */

/* The share of all cycles that the line's instructions took; -1: unknown or zero. */
static double share_of(const struct code_view *v, int line)
{
	long long cycles = 0;
	for (size_t i = 0; v->profile && i < v->shown.model->count; i++)
		if (v->shown.model->source_line[i] == line)
			cycles += issue_counts_cycles(&v->profile->lines[i]);
	return cycles ? 100.0 * (double)cycles / (double)v->profile->all : -1;
}

static bool has_code(const struct code_view *v, int line)
{
	for (size_t i = 0; i < v->shown.model->count; i++)
		if (v->shown.model->source_line[i] == line)
			return true;
	return false;
}

/* Expands tabs to four columns. */
static void put_source(struct area in, int x, int y, int role, const char *text)
{
	char line[400];
	size_t n = 0;
	for (; *text && n + 5 < sizeof line; text++)
		if (*text == '\t')
			do
				line[n++] = ' ';
			while (n % 4);
		else
			line[n++] = *text;
	line[n] = 0;
	area_draw_fitted(in, x, y, in.r.w - x, role, line);
}

/* The columns of the line numbers with their margins. */
static int line_number_columns(const struct code_model *m)
{
	int digits = 1;
	for (int n = m->source_count; n >= 10; n /= 10)
		digits++;
	return digits + 2;
}

static void draw_source_line(const struct app *a, struct area in, int y, int line, bool focused)
{
	const struct code_view *v = code_view_of(a);
	const struct code_model *m = v->shown.model;
	int tied_to = v->line < m->count ? m->source_line[v->line] : 0;
	int role = draw_gutter(a, in, y, line == v->source, focused, line == tied_to);
	bool any = has_code(v, line);
	int margin = line_number_columns(m);
	double share = share_of(v, line);
	row_hit(a, in, y, line - v->source, focused);
	struct area text = area_sub(in, 0, 0, in.r.w - (share >= LEAST_SHARE ? 6 : 0), in.r.h);
	area_printf(in, 1, y, role == ROLE_TEXT ? ROLE_DIM : role, "%*d", margin - 2, line);
	put_source(text, margin, y, role == ROLE_TEXT && !any ? ROLE_DIM : role, m->source[line - 1]);
	if (share >= LEAST_SHARE)
		area_printf(in, in.r.w - 6, y, role == ROLE_TEXT ? ROLE_LEFT : role, "%4.*f %%", share < 9.95 ? 1 : 0,
			share);
}

static void view_code_source(const struct app *a, struct area at)
{
	const struct code_view *v = code_view_of(a);
	const struct code_model *m = v->shown.model;
	struct area in = area_inner(at);
	bool focused = v->pane == CODE_SOURCE;
	const char *source = m ? code_request_source(&m->request) : NULL, *file = source ? source : "";
	char title[200];
	snprintf(title, sizeof title, "%.150s", path_basename(file));
	area_draw_frame(at, focused, title, !m || m->mapped ? "" : "this code has no line table");
	if (!m)
		return;
	if (!m->source_count)
		area_draw_fitted(in, 1, 0, in.r.w - 1, ROLE_WARN, "the source cannot be read");
	int first = list_first_visible_row(v->source - 1, in.r.h, m->source_count);
	for (int i = first; i < m->source_count && i < first + in.r.h; i++)
		draw_source_line(a, in, i - first, i + 1, focused);
}

/* --- instructions --- */
/* Widths: two figures; one reason, two, three with decimals, all that are shown; bars. */
enum {
	FIGURES_WIDTH = 14,
	CAUSE_ONE = 10,
	CAUSE_TWO = 23,
	CAUSE_THREE = 34,
	CAUSE_MOST = 40,
	SHORT_BAR = 6,
	LONG_BAR = 16
};

/* Columns from the right; a column without room has width 0. */
struct code_columns {
	int text, offset, issue, stall, bar, bar_width, cause, cause_width;
};

/* The longest instruction of the listing, with a blank. */
static int text_columns(const struct code_view *v, const size_t *order, size_t count)
{
	int longest = 0;
	for (size_t i = 0; i < count; i++) {
		int w = text_width(v->shown.model->lines[order[i]].text);
		longest = w > longest ? w : longest;
	}
	return longest + 1;
}

/* Two reasons are more useful than a long bar, and the reasons have the rest of a wide pane. */
static struct code_columns columns_of(const struct app *a, int w, int text)
{
	bool figures = code_view_of(a)->profile != NULL;
	struct code_columns c = {.offset = w >= 84 || (!figures && w >= 64) ? 5 : 0};
	c.text = c.offset ? 12 : 5;
	if (!figures || w < 40)
		return c;
	int left = w - c.text - text - FIGURES_WIDTH,
	    bar = left >= CAUSE_TWO + LONG_BAR + 1                      ? LONG_BAR
		: left >= CAUSE_TWO && left < CAUSE_TWO + SHORT_BAR + 1 ? 0
									: SHORT_BAR;
	if (left >= CAUSE_TWO || w >= 66) {
		c.bar_width = bar;
		c.cause_width = left < CAUSE_TWO ? CAUSE_ONE : left - (bar ? bar + 1 : 0);
		c.cause_width = c.cause_width < CAUSE_MOST ? c.cause_width : CAUSE_MOST;
	}
	c.cause = w - c.cause_width;
	c.bar = c.cause - c.bar_width - (c.bar_width ? 1 : 0);
	c.stall = c.bar - 8; /* column after the issue figures */
	c.issue = c.stall - 6;
	return c;
}

static void put_bar(const struct app *a, struct area in, int x, int y, int width, const struct issue_counts *i)
{
	const struct code_profile *p = code_view_of(a)->profile;
	if (!p->most || !width)
		return;
	int all = (int)((double)issue_counts_cycles(i) / (double)p->most * width + 0.5),
	    issue = (int)((double)i->issue / (double)p->most * width + 0.5);
	for (int k = 0; k < all && k < width; k++)
		area_draw_glyph(in, x + k, y, k < issue ? ROLE_LEFT : ROLE_RIGHT,
			glyph_text(a->ascii, k < issue ? GLYPH_DONE : GLYPH_TODO));
}

/* As many reasons as fit. Of a single one, the name is cut rather than the number. */
static void put_stall_reasons(const struct app *a, struct area in, int y, const struct code_columns *c,
	const struct issue_counts *i, int role)
{
	struct stall_share list[PROFILE_REASONS_MAX];
	char text[128], number[24], label[64];
	if (!c->cause_width)
		return;
	const char *format = c->cause_width >= CAUSE_THREE ? "%.1f" : "%.0f";
	for (int n = 3; n > 0; n--) {
		issue_counts_format_stalls(i, n, format, text, sizeof text);
		if (text_width(text) <= c->cause_width) {
			area_draw_text(in, c->cause, y, role, text);
			return;
		}
	}
	if (!profile_list_stall_shares(i->causes, list))
		return;
	snprintf(number, sizeof number, format, (double)list[0].cycles / (double)i->count);
	text_shorten(stall_reason_label(list[0].cause), c->cause_width - text_width(number) - 1, a->ascii, label,
		sizeof label);
	area_printf(in, c->cause, y, role, "%s %s", label, number);
}

static void append_issue_figures(
	const struct app *a, struct area in, int y, const struct code_columns *c, size_t line, int role)
{
	const struct issue_counts *i = &code_view_of(a)->profile->lines[line];
	char text[128];
	if (!i->count) {
		area_draw_right(in, c->stall, y, role == ROLE_TEXT ? ROLE_DIM : role, "--");
		return;
	}
	snprintf(text, sizeof text, "%.1f", (double)i->issue / (double)i->count);
	area_draw_right(in, c->stall, y, role, text);
	snprintf(text, sizeof text, "%.1f", (double)i->stall / (double)i->count);
	area_draw_right(in, c->stall + 7, y, role, text);
	put_bar(a, in, c->bar, y, c->bar_width, i);
	put_stall_reasons(a, in, y, c, i, role);
}

/* Marks of the loop, the dependence chain and the expected instructions. */
static void put_marks(const struct app *a, struct area in, int y, size_t line, int role)
{
	const struct code_view *v = code_view_of(a);
	const struct code_model *m = v->shown.model;
	const struct code_contract *c = code_find_contract(m, line);
	if (v->all && m->lines[line].in_hot_loop)
		area_draw_text(in, 1, y, role == ROLE_TEXT ? ROLE_DIM : role, glyph_text(a->ascii, GLYPH_V));
	if (m->on_chain[line])
		area_draw_text(in, 2, y, role == ROLE_TEXT ? ROLE_WARN : role, "*");
	bool conflict = m->bank_cycles[line] && (!c || c->holds);
	if (conflict)
		area_draw_text(in, 3, y, role == ROLE_TEXT ? ROLE_WARN : role, "%");
	if (c && !conflict)
		area_draw_text(in, 3, y,
			role != ROLE_TEXT  ? role
				: c->holds ? ROLE_OK
					   : ROLE_BAD,
			glyph_text(a->ascii, c->holds ? GLYPH_HOLDS : GLYPH_FAILED));
}

static void draw_instruction(
	const struct app *a, struct area in, int y, const struct code_columns *c, size_t line, int by, bool focused)
{
	const struct code_view *v = code_view_of(a);
	const struct code_model *m = v->shown.model;
	bool tied = m->source_line[line] && m->source_line[line] == v->source;
	int role = draw_gutter(a, in, y, line == v->line, focused, tied);
	row_hit(a, in, y, by, focused);
	put_marks(a, in, y, line, role);
	if (c->offset)
		area_printf(in, c->offset, y, role == ROLE_TEXT ? ROLE_DIM : role, "%06x",
			(unsigned)(m->lines[line].va - m->info.code_va));
	int hot = role == ROLE_TEXT && code_is_hot(m, v->profile, line) ? ROLE_LEFT : role;
	area_draw_fitted(in, c->text, y, (c->issue ? c->issue : in.r.w) - c->text, hot, m->lines[line].text);
	if (v->search[0] && strcasestr(m->lines[line].text, v->search))
		area_add_attr(in, c->text + (int)(strcasestr(m->lines[line].text, v->search) - m->lines[line].text), y,
			(int)strlen(v->search), ATTR_UNDERLINE);
	if (c->issue)
		append_issue_figures(a, in, y, c, line, role);
}

static void column_titles(struct area in, const struct code_columns *c)
{
	area_draw_text(in, 1, 0, ROLE_DIM, c->offset ? "    offset" : "");
	if (!c->issue)
		return;
	area_draw_right(in, c->stall, 0, ROLE_DIM, "issue");
	area_draw_right(in, c->stall + 7, 0, ROLE_DIM, "stall");
	area_draw_text(in, c->bar, 0, ROLE_DIM, c->bar_width >= 16 ? "share of cycles" : c->bar_width ? "share" : "");
	if (c->cause_width)
		area_draw_text(in, c->cause, 0, ROLE_DIM, c->cause_width > 21 ? "stall cycles by reason" : "stall by");
}

static void draw_lines(const struct app *a, struct area in)
{
	const struct code_view *v = code_view_of(a);
	size_t count, *order = code_view_line_order(v, &count), here = code_view_order_position(order, count, v->line);
	struct code_columns c = columns_of(a, in.r.w, text_columns(v, order, count));
	bool titled = c.issue && in.r.h > 4;
	struct area rows = area_sub(in, 0, titled, in.r.w, in.r.h - titled);
	if (titled)
		column_titles(in, &c);
	int top = list_first_visible_row((int)here, rows.r.h, (int)count);
	for (int i = top; i < (int)count && i < top + rows.r.h; i++)
		draw_instruction(a, rows, i - top, &c, order[i], i - (int)here, v->pane == CODE_LINES);
	free(order);
}

static void view_code_lines(const struct app *a, struct area at)
{
	const struct code_view *v = code_view_of(a);
	const struct code_model *m = v->shown.model;
	struct area in = area_inner(at);
	char title[240], state[100];
	snprintf(title, sizeof title, "%s%s",
		m && m->lines ? (code_has_loop(m) && !v->all ? "hot loop" : "instructions") : "code",
		v->sorted && v->profile              ? ", most cycles first"
			: v->profile && at.r.w >= 60 ? ", cycles per issue"
						     : "");
	code_view_profile_status(a, state, sizeof state);
	if (v->shown.wanted)
		snprintf(state, sizeof state, "compiling the kernel...");
	else if (!*state && v->profile)
		snprintf(state, sizeof state, "%lld cycles in total", v->profile->cycles);
	area_draw_frame(at, v->pane == CODE_LINES, title, state);
	if (v->why[0] || v->shown.error[0])
		area_draw_wrapped(in, 0, ROLE_WARN, "", v->why[0] ? v->why : v->shown.error);
	else if (!m)
		area_draw_fitted(
			in, 1, 0, in.r.w - 1, ROLE_DIM, v->asked ? "compiling the kernel" : "waiting for the device");
	else if (!m->lines)
		area_draw_wrapped(in, 0, ROLE_WARN, "", m->why_no_lines);
	else
		draw_lines(a, in);
}

/* --- the whole view --- */
static struct area format_share(struct area at, struct rect r)
{
	return area_sub(at, r.x, r.y, r.w, r.h);
}

static void draw_comparison(const struct app *a, struct area at, const struct code_view_layout_rects *l)
{
	int body = l->lines.h ? l->lines.h : l->source.h;
	struct area main = area_sub(at, 0, 0, at.r.w, body), under = area_sub(at, 0, body, at.r.w, at.r.h - body);
	code_view_draw_diff(a, main, under);
}

void code_view_draw(const struct app *a, struct area at)
{
	const struct code_view *v = code_view_of(a);
	if (!v)
		return;
	struct code_view_layout_rects l = code_view_layout(at.r.w, at.r.h, v->pane, v->source_share);
	if (v->advising && !v->choosing && !v->comparing) {
		code_view_draw_advice(a, at);
		return;
	}
	if (v->tiling && !v->choosing && !v->comparing) {
		code_view_draw_tile(a, at);
		return;
	}
	if (v->comparing && !v->choosing) {
		draw_comparison(a, at, &l);
		return;
	}
	if (l.source.w)
		view_code_source(a, format_share(at, l.source));
	if (v->choosing)
		code_view_draw_choices(a, format_share(at, l.lines.w ? l.lines : l.source));
	else if (l.lines.w)
		view_code_lines(a, format_share(at, l.lines));
	if (l.kernel.w)
		code_view_draw_kernel(a, format_share(at, l.kernel));
	if (l.instruction.w)
		code_view_draw_instruction(a, format_share(at, l.instruction));
}
