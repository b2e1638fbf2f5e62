/* Draws two kernels side by side, and the list of codes to compare with. */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/shell/screen_draw.h"
#include "tui/views/code/code_view_draw.h"

/* --- the list --- */
void code_view_draw_choices(const struct app *a, struct area at)
{
	const struct code_view *v = code_view_of(a);
	struct area in = area_inner(at);
	area_draw_frame(at, true, "compare with", "Enter select, Esc cancel");
	int first = list_first_visible_row(v->chosen, in.r.h, v->choice_count);
	for (int i = first; i < v->choice_count && i < first + in.r.h; i++) {
		bool selected = i == v->chosen;
		int role = selected ? ROLE_SELECTED : ROLE_TEXT;
		for (int x = 0; selected && x < in.r.w; x++)
			area_draw_text(in, x, i - first, role, " ");
		if (selected)
			area_draw_text(in, 0, i - first, role, glyph_text(a->ascii, GLYPH_SELECT));
		area_draw_fitted(in, 2, i - first, in.r.w - 2, role, v->choices[i].label);
	}
}

/* --- rows --- */
static const int roles[] = {[LISTING_ROW_SAME] = ROLE_TEXT,
	[LISTING_ROW_CHANGED] = ROLE_WARN,
	[LISTING_ROW_LEFT] = ROLE_BAD,
	[LISTING_ROW_RIGHT] = ROLE_OK};

static void put_side(struct area in, int x, int y, int w, int role, const struct code_model *m, int line)
{
	if (line < 0)
		return;
	if (m->on_chain[line])
		area_draw_text(in, x, y, role == ROLE_TEXT ? ROLE_WARN : role, "*");
	area_draw_fitted(in, x + 2, y, w - 2, role, m->lines[line].text);
}

static void put_row(const struct app *a, struct area in, int y, const struct listing_row *r, bool selected)
{
	const struct code_diff *d = &code_view_of(a)->diff;
	int half = (in.r.w - 5) / 2, role = selected ? ROLE_SELECTED : roles[r->kind];
	char mark[2] = {diff_row_mark(r->kind), 0};
	for (int x = 0; selected && x < in.r.w; x++)
		area_draw_text(in, x, y, role, " ");
	if (selected)
		area_draw_text(in, 0, y, role, glyph_text(a->ascii, GLYPH_SELECT));
	put_side(in, 1, y, half, role, d->left, r->left);
	area_draw_text(in, half + 2, y, role, mark);
	put_side(in, half + 4, y, half, role, d->right, r->right);
}

static void put_rows(const struct app *a, struct area in)
{
	const struct code_view *v = code_view_of(a);
	int count = (int)v->diff.rows.count, first = list_first_visible_row((int)v->row, in.r.h, count);
	for (int i = first; i < count && i < first + in.r.h; i++)
		put_row(a, in, i - first, &v->diff.rows.rows[i], (size_t)i == v->row);
}

/* --- summary --- */
static void append_diff_figures(struct area in, int y, const struct code_diff *d)
{
	struct diff_figure list[DIFF_FIGURES_MAX];
	int n = code_diff_figures(d, list), x = 1;
	area_draw_text(in, 1, y + 1, ROLE_DIM, "left");
	area_draw_text(in, 1, y + 2, ROLE_DIM, "right");
	x += 7;
	for (int i = 0; i < n; i++) {
		const char *unit = *list[i].unit ? ", cycles" : "";
		int w = text_width(list[i].name) + (int)strlen(unit) + 2;
		if (x + w > in.r.w)
			return;
		area_printf(in, x, y, ROLE_DIM, "%s%s", list[i].name, unit);
		area_printf(in, x, y + 1, list[i].left > list[i].right ? ROLE_WARN : ROLE_TEXT, "%u", list[i].left);
		area_printf(in, x, y + 2, list[i].right > list[i].left ? ROLE_WARN : ROLE_TEXT, "%u", list[i].right);
		x += w;
	}
}

static void put_summary(const struct app *a, struct area at)
{
	const struct code_view *v = code_view_of(a);
	struct area in = area_inner(at);
	char text[400], occupancy[100];
	area_draw_frame(at, false, "difference", v->renamed ? "r: compare registers too" : "r: ignore registers");
	if (!v->diff.rows.rows || in.r.h < 1)
		return;
	area_draw_fitted(in, 1, 0, in.r.w - 1, ROLE_TITLE, code_diff_format_summary(&v->diff, text, sizeof text));
	append_diff_figures(in, 1, &v->diff);
	const struct code_model *const sides[] = {v->diff.left, v->diff.right};
	for (int i = 0; i < 2; i++) {
		snprintf(occupancy, sizeof occupancy, "%u wave%s per SIMD, limited by %s",
			sides[i]->info.waves_per_simd, plural_s(sides[i]->info.waves_per_simd),
			sides[i]->info.limited_by);
		snprintf(text, sizeof text, "%-6s %u VGPRs, %u SGPRs, %s; expected instructions: %s",
			i ? "right" : "left", sides[i]->info.vgprs, sides[i]->info.sgprs, occupancy,
			!sides[i]->contract_count               ? "not defined"
				: code_contract_holds(sides[i]) ? "yes"
								: "no");
		area_draw_fitted(in, 1, 4 + i, in.r.w - 1, ROLE_TEXT, text);
	}
}

/* Where two labels begin to differ, at the start of a parameter. */
static size_t common_part(const char *a, const char *b)
{
	size_t part = 0;
	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == ' ' && i && a[i - 1] == ',')
			part = i + 1;
	return part;
}

/* Only the part in which they differ: the whole label would not fit the frame. */
static void put_titles(const struct app *a, struct area at)
{
	const struct code_view *v = code_view_of(a);
	int half = at.r.w / 2 - 4, room = half < 2 ? 2 : half > 110 ? 110 : half;
	char left[120], right[120];
	size_t skip = common_part(v->shown.label, v->other.label);
	text_shorten(v->shown.label + skip, room, a->ascii, left, sizeof left);
	text_shorten(v->other.label + skip, room, a->ascii, right, sizeof right);
	area_draw_frame(at, true, left, right);
}

void code_view_draw_diff(const struct app *a, struct area at, struct area under)
{
	const struct code_view *v = code_view_of(a);
	struct area in = area_inner(at);
	put_titles(a, at);
	if (v->other.error[0] || v->shown.error[0])
		area_draw_wrapped(in, 0, ROLE_WARN, "", v->other.error[0] ? v->other.error : v->shown.error);
	else if (!v->diff.rows.rows)
		area_draw_fitted(in, 1, 0, in.r.w - 1, ROLE_DIM,
			v->other.wanted || v->shown.wanted ? "compiling the kernel" : "no instructions to compare");
	else
		put_rows(a, in);
	if (under.r.h > 0)
		put_summary(a, under);
}
