#include "tui/views/lessons/class_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/shell/screen_draw.h"
#include "tui/toolkit/large_text.h"
#include "tui/toolkit/theme.h"
#include "tui/views/lessons/text_rows.h"

enum {
	COUNT_COLUMNS = 6 /* "999 " and a space, in letters */,
	BAR_COLUMNS = 20,
	WIDE_BAR = 40 /* where there is room */,
	BAR_INDENT = 3,
	BAR_TEXT = 20 /* "999 votes, 100 %" */
};

/* From the largest to the smallest. */
static const struct class_form forms[] = {
	{LETTERS_LARGE, LETTERS_LARGE, LETTERS_MEDIUM, true, false},
	{LETTERS_LARGE, LETTERS_MEDIUM, LETTERS_MEDIUM, true, false},
	{LETTERS_MEDIUM, LETTERS_MEDIUM, LETTERS_MEDIUM, true, false},
	{LETTERS_LARGE, LETTERS_LARGE, LETTERS_SMALL, true, false},
	{LETTERS_LARGE, LETTERS_LARGE, LETTERS_SMALL, false, false},
	{LETTERS_LARGE, LETTERS_MEDIUM, LETTERS_SMALL, true, false},
	{LETTERS_LARGE, LETTERS_MEDIUM, LETTERS_SMALL, false, false},
	{LETTERS_MEDIUM, LETTERS_MEDIUM, LETTERS_SMALL, true, false},
	{LETTERS_MEDIUM, LETTERS_MEDIUM, LETTERS_SMALL, false, false},
	{LETTERS_LARGE, LETTERS_SMALL, LETTERS_SMALL, true, false},
	{LETTERS_MEDIUM, LETTERS_SMALL, LETTERS_SMALL, true, false},
	{LETTERS_SMALL, LETTERS_SMALL, LETTERS_SMALL, true, false},
	{LETTERS_SMALL, LETTERS_SMALL, LETTERS_SMALL, false, false},
	{LETTERS_SMALL, LETTERS_SMALL, LETTERS_SMALL, false, true},
	{LETTERS_CUT, LETTERS_CUT, LETTERS_SMALL, false, true},
};
enum { FORM_COUNT = sizeof forms / sizeof *forms };

struct class_text class_text_make(const struct app *a, const struct lesson *l)
{
	const struct lesson_view *v = lessons_view_of(a);
	struct class_text t = {
		.a = a, .l = l, .s = lessons_view_step(a), .step = v->page, .form = forms[FORM_COUNT - 1]};
	if (!t.s)
		return t;
	bool shown =
		t.s->stage == STAGE_ASKED ? !lessons_view_hides_votes(a) : t.s->stage != STAGE_CLOSED || v->shows_split;
	t.total = lessons_view_count_votes(a, t.counts);
	t.shows_now = shown && t.total > 0;
	t.shows_first = shown && t.s->first.total > 0;
	t.wants_reasons = t.s->stage == STAGE_REVEALED;
	return t;
}

static char *plain_text(const char *text)
{
	char *copy = xstrdup(text), *to = copy;
	for (const char *from = text; *from; from++)
		if (*from != '`')
			*to++ = *from;
	*to = 0;
	return copy;
}

/* --- one text --- */
static enum large_letters large_size(enum class_letters letters)
{
	return letters == LETTERS_LARGE ? LETTERS_WIDE : LETTERS_NARROW;
}

static int letters_height(enum class_letters letters, const char *lead, const char *text, int width)
{
	if (letters >= LETTERS_MEDIUM)
		return large_text_height(large_size(letters), text, width);
	if (letters == LETTERS_CUT)
		return 1;
	struct text_rows r = {0};
	text_rows_add_wrapped(&r, 0, false, lead, text, width);
	int n = r.count;
	text_rows_free(&r);
	return n;
}

/* `lead` only stands in front of small letters. Returns the rows used. */
static int draw_letters(
	enum class_letters letters, struct area at, int y, int role, bool bold, const char *lead, const char *text)
{
	if (letters >= LETTERS_MEDIUM)
		return draw_large_text(large_size(letters), at, y, role, text);
	if (letters == LETTERS_CUT) {
		area_draw_fitted(at, 0, y, at.r.w, role, text);
		area_add_attr(at, 0, y, at.r.w, ATTR_BOLD);
		return 1;
	}
	struct text_rows r = {0};
	text_rows_add_wrapped(&r, role, false, lead, text, at.r.w);
	for (int i = 0; i < r.count; i++) {
		int indent = r.list[i].indent;
		area_draw_fitted(at, indent, y + i, at.r.w - indent, role, r.list[i].text);
		if (bold)
			area_add_attr(at, 0, y + i, at.r.w, ATTR_BOLD);
	}
	int n = r.count;
	text_rows_free(&r);
	return n;
}

/* --- a choice --- */
static char *choice_label(const struct class_text *t, int place)
{
	char *text = plain_text(lesson_find_block(t->l, t->step, LESSON_CHOICE, t->s->order[place])->text),
	     *label = xasprintf("%c) %s", 'a' + place, text);
	free(text);
	return label;
}

static bool is_right_choice(const struct class_text *t, int place)
{
	return t->s->order[place] == lesson_right_choice(t->l, t->step);
}

/* NULL: not shown. The caller frees it. */
static char *choice_reason(const struct class_text *t, int place)
{
	const char *why = lesson_find_reason(t->l, t->step, t->s->order[place]);
	if (!t->reasons || !*why)
		return NULL;
	char *plain = plain_text(why),
	     *reason = is_right_choice(t, place) ? xasprintf("%c is right: %s", 'a' + place, plain)
						 : xasprintf("Not %c: %s", 'a' + place, plain);
	free(plain);
	return reason;
}

static int count_width(const struct class_text *t)
{
	if (!t->shows_now)
		return 0;
	return t->form.choices >= LETTERS_MEDIUM ? large_text_width(large_size(t->form.choices), "999<  ")
						 : COUNT_COLUMNS;
}

static int bar_rows(const struct class_text *t)
{
	int rows = t->shows_now + t->shows_first;
	return t->form.paired && rows ? 1 : rows;
}

static int choice_height(const struct class_text *t, int place, int width)
{
	char *label = choice_label(t, place), *reason = choice_reason(t, place);
	int text_w = width - count_width(t);
	int rows = t->only_reasons ? 0 : letters_height(t->form.choices, "", label, text_w);
	rows += bar_rows(t) + t->form.spaced;
	if (reason)
		rows += letters_height(t->form.reasons, "   ", reason, text_w);
	free(label);
	free(reason);
	return rows;
}

static int choice_role(const struct class_text *t, int place)
{
	if (t->s->stage != STAGE_REVEALED)
		return ROLE_TEXT;
	return is_right_choice(t, place) ? ROLE_OK : ROLE_DIM;
}

struct vote_bar {
	int role, round, count, total;
};

static int bar_share(const struct vote_bar *b, int of)
{
	return b->total ? (int)lround((double)of * b->count / b->total) : 0;
}

/* "2 #######....."; the number only with two rounds. Returns the column behind it. */
static int draw_bar_cells(
	const struct class_text *t, struct area at, int x, int y, const struct vote_bar *b, int columns)
{
	if (t->s->round > 1) {
		area_printf(at, x, y, b->role, "%d", b->round);
		x += 2;
	}
	for (int i = 0; i < columns; i++)
		area_draw_glyph(at, x + i, y, b->role,
			glyph_text(t->a->ascii, i < bar_share(b, columns) ? GLYPH_DONE : GLYPH_TODO));
	return x + columns + 1;
}

/* "#######.....  14 votes, 70 %" */
static void draw_vote_bar(const struct class_text *t, struct area at, int y, const struct vote_bar *b)
{
	int columns = at.r.w >= BAR_INDENT + WIDE_BAR + BAR_TEXT + 2 ? WIDE_BAR : BAR_COLUMNS,
	    x = draw_bar_cells(t, at, BAR_INDENT, y, b, columns);
	area_printf(at, x, y, b->role, "%d vote%s, %d %%", b->count, b->count == 1 ? "" : "s", bar_share(b, 100));
}

/* "1 #######.....  70 %  2 ######......  60 %" */
static void draw_paired_bars(
	const struct class_text *t, struct area at, int y, const struct vote_bar *bars, const bool *shown)
{
	int half = (at.r.w - BAR_INDENT) / 2, columns = half - 2 - (int)sizeof " 100 %  ";
	if (columns > BAR_COLUMNS)
		columns = BAR_COLUMNS;
	for (int i = 0; i < VOTE_ROUNDS; i++)
		if (shown[i])
			area_printf(at, draw_bar_cells(t, at, BAR_INDENT + i * half, y, &bars[i], columns), y,
				bars[i].role, "%d %%", bar_share(&bars[i], 100));
}

/* The rounds, the first one above or on the left. Returns the rows used. */
static int draw_vote_bars(const struct class_text *t, struct area at, int y, int place)
{
	int role = choice_role(t, place), choice = t->s->order[place] - 1, rows = 0;
	const struct vote_bar bars[VOTE_ROUNDS] = {
		{t->s->stage == STAGE_REVEALED ? role : ROLE_DIM, 1, t->s->first.count[choice], t->s->first.total},
		{role, t->s->round, t->counts[choice], t->total}};
	const bool shown[VOTE_ROUNDS] = {t->shows_first, t->shows_now};
	if (t->form.paired && t->s->round > 1)
		draw_paired_bars(t, at, y, bars, shown);
	else
		for (int i = 0; i < VOTE_ROUNDS; i++)
			if (shown[i])
				draw_vote_bar(t, at, y + rows++, &bars[i]);
	return bar_rows(t);
}

/* Left of the choice, as large as its letters. */
static void draw_vote_count(const struct class_text *t, struct area at, int y, int place)
{
	char number[16];
	int role = choice_role(t, place), count = t->counts[t->s->order[place] - 1];
	bool right = t->s->stage == STAGE_REVEALED && role == ROLE_OK;
	if (t->form.choices >= LETTERS_MEDIUM) {
		enum large_letters size = large_size(t->form.choices);
		snprintf(number, sizeof number, "%d", count);
		int x = large_text_width(size, "999") - large_text_width(size, number);
		snprintf(number, sizeof number, "%d%s", count, right ? "<" : "");
		draw_large_text(size, area_sub(at, x, 0, at.r.w - x, at.r.h), y, role, number);
	} else
		area_printf(at, 0, y, role, "%3d%s", count, right ? glyph_text(t->a->ascii, GLYPH_HOLDS) : "");
}

static int draw_class_choice(const struct class_text *t, struct area at, int y, int place)
{
	int side = count_width(t);
	char *label = choice_label(t, place), *reason = choice_reason(t, place);
	struct area text = area_sub(at, side, 0, at.r.w - side, at.r.h);
	int rows = t->only_reasons ? 0 : draw_letters(t->form.choices, text, y, choice_role(t, place), true, "", label);
	if (t->shows_now)
		draw_vote_count(t, area_sub(at, 0, 0, side, at.r.h), y, place);
	rows += draw_vote_bars(t, text, y + rows, place);
	if (reason)
		rows += draw_letters(t->form.reasons, text, y + rows, ROLE_TEXT, false, "   ", reason);
	free(label);
	free(reason);
	return rows + t->form.spaced;
}

/* --- the page --- */
static int count_choices(const struct class_text *t)
{
	return t->l->steps[t->step - 1].choice_count;
}

int class_text_height(const struct class_text *t, int width)
{
	char *question = plain_text(lesson_find_block(t->l, t->step, LESSON_ASK, 0)->text);
	int rows = letters_height(t->form.question, "", question, width) + 1;
	for (int place = 0; place < count_choices(t); place++)
		rows += choice_height(t, place, width);
	free(question);
	return rows;
}

int class_text_least_height(struct class_text t, int width)
{
	t.form = forms[FORM_COUNT - 1];
	return class_text_height(&t, width);
}

/* A terminal that draws Braille also has quarters of a cell. */
static bool can_draw(const struct app *a, enum class_letters letters)
{
	return letters <= LETTERS_SMALL || (!a->ascii && (letters == LETTERS_LARGE || a->canvas == CANVAS_BRAILLE));
}

/* Reasons are more important than large letters. */
void class_text_fit(struct class_text *t, int width, int height)
{
	for (int reasons = t->wants_reasons; reasons >= 0; reasons--)
		for (size_t i = 0; i < FORM_COUNT; i++) {
			bool drawable = can_draw(t->a, forms[i].question) && can_draw(t->a, forms[i].choices) &&
				can_draw(t->a, forms[i].reasons) && (reasons || forms[i].reasons == LETTERS_SMALL);
			t->reasons = reasons;
			t->form = forms[i];
			if (drawable && class_text_height(t, width) <= height)
				return;
		}
}

void class_text_draw(const struct class_text *t, struct area at)
{
	char *question = plain_text(lesson_find_block(t->l, t->step, LESSON_ASK, 0)->text);
	int y = draw_letters(t->form.question, at, 0, ROLE_TITLE, true, "", question) + 1;
	for (int place = 0; place < count_choices(t); place++)
		y += draw_class_choice(t, at, y, place);
	free(question);
}
