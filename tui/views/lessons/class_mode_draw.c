#include "tui/views/lessons/class_mode_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "tui/shell/screen_draw.h"
#include "tui/toolkit/large_text.h"
#include "tui/toolkit/theme.h"
#include "tui/views/lessons/lesson_curve.h"
#include "tui/views/lessons/text_rows.h"

enum { COUNT_COLUMNS = 6 /* "999 " and a space, in letters */, WIDE = 110, BAR_COLUMNS = 20, PLOT_LEAST = 8 };

struct class_text {
	const struct app *a;
	const struct lesson *l;
	const struct step_state *s;
	int step;
	bool large, spaced, votes; /* letters of blocks; blank rows between choices; votes are shown */
	int total, counts[LESSON_CHOICES_MAX];
};

static char *plain_text(const char *text)
{
	char *copy = xstrdup(text), *to = copy;
	for (const char *from = text; *from; from++)
		if (*from != '`')
			*to++ = *from;
	*to = 0;
	return copy;
}

/* --- one text, small or large --- */
static int small_text_height(const char *text, int width)
{
	struct text_rows r = {0};
	text_rows_add_wrapped(&r, 0, false, "", text, width);
	int n = r.count;
	text_rows_free(&r);
	return n;
}

static int draw_small_text(struct area at, int y, int role, const char *text)
{
	struct text_rows r = {0};
	text_rows_add_wrapped(&r, role, false, "", text, at.r.w);
	for (int i = 0; i < r.count; i++) {
		area_draw_fitted(at, 0, y + i, at.r.w, role, r.list[i].text);
		area_add_attr(at, 0, y + i, at.r.w, ATTR_BOLD);
	}
	int n = r.count;
	text_rows_free(&r);
	return n;
}

static int class_text_height(const struct class_text *t, const char *text, int width)
{
	return t->large ? large_text_height(text, width) : small_text_height(text, width);
}

static int draw_class_text(const struct class_text *t, struct area at, int y, int role, const char *text)
{
	return t->large ? draw_large_text(at, y, role, text) : draw_small_text(at, y, role, text);
}

/* --- choices --- */
static char *choice_label(const struct class_text *t, int place)
{
	char *text = plain_text(lesson_find_block(t->l, t->step, LESSON_CHOICE, t->s->order[place])->text),
	     *label = xasprintf("%c) %s", 'a' + place, text);
	free(text);
	return label;
}

static int count_width(const struct class_text *t)
{
	return t->votes ? COUNT_COLUMNS * (t->large ? LARGE_TEXT_COLUMNS : 1) : 0;
}

static int choice_height(const struct class_text *t, int place, int width)
{
	char *label = choice_label(t, place);
	int rows = class_text_height(t, label, width - count_width(t));
	free(label);
	return rows + (t->votes && !t->large) + t->spaced;
}

static int choice_role(const struct class_text *t, int place)
{
	if (t->s->stage != STAGE_REVEALED)
		return ROLE_TEXT;
	return t->s->order[place] == lesson_right_choice(t->l, t->step) ? ROLE_OK : ROLE_DIM;
}

/* "#######.....  14 votes, 70 %" */
static void draw_vote_bar(const struct class_text *t, struct area at, int y, int role, int count)
{
	int total = t->total, share = total ? (int)lround(100.0 * count / total) : 0,
	    filled = total ? (int)lround((double)BAR_COLUMNS * count / total) : 0;
	for (int i = 0; i < BAR_COLUMNS; i++)
		area_draw_glyph(at, 3 + i, y, role, glyph_text(t->a->ascii, i < filled ? GLYPH_DONE : GLYPH_TODO));
	area_printf(at, 3 + BAR_COLUMNS + 1, y, role, "%d vote%s, %d %%", count, count == 1 ? "" : "s", share);
}

static int draw_class_choice(const struct class_text *t, struct area at, int y, int place)
{
	int role = choice_role(t, place), count = t->counts[t->s->order[place] - 1], side = count_width(t);
	char *label = choice_label(t, place), number[16];
	bool right = t->s->stage == STAGE_REVEALED && role == ROLE_OK;
	struct area text = area_sub(at, side, 0, at.r.w - side, at.r.h);
	snprintf(number, sizeof number, "%3d%s", count, right ? glyph_text(t->a->ascii, GLYPH_HOLDS) : "");
	int rows = draw_class_text(t, text, y, role, label);
	if (t->votes && t->large) {
		snprintf(number, sizeof number, "%3d%s", count, right ? "<" : "");
		draw_large_text(area_sub(at, 0, 0, side, at.r.h), y, role, number);
	} else if (t->votes) {
		area_printf(at, 0, y, role, "%s", number);
		draw_vote_bar(t, text, y + rows++, role, count);
	}
	free(label);
	return rows + t->spaced;
}

/* --- the page --- */
static int class_page_height(const struct class_text *t, int width)
{
	char *question = plain_text(lesson_find_block(t->l, t->step, LESSON_ASK, 0)->text);
	int rows = class_text_height(t, question, width) + 1;
	for (int place = 0; place < t->l->steps[t->step - 1].choice_count; place++)
		rows += choice_height(t, place, width);
	free(question);
	return rows;
}

/* The largest form that fits. */
static void fit_class_text(struct class_text *t, int width, int height)
{
	t->large = !t->a->ascii;
	t->spaced = true;
	if (t->large && class_page_height(t, width) > height)
		t->spaced = false;
	if (t->large && class_page_height(t, width) > height) {
		t->large = false;
		t->spaced = true;
	}
	if (!t->large && class_page_height(t, width) > height)
		t->spaced = false;
}

static void draw_class_page(struct class_text *t, struct area at)
{
	char *question = plain_text(lesson_find_block(t->l, t->step, LESSON_ASK, 0)->text);
	fit_class_text(t, at.r.w, at.r.h);
	int y = draw_class_text(t, at, 0, ROLE_TITLE, question) + 1;
	for (int place = 0; place < t->l->steps[t->step - 1].choice_count; place++)
		y += draw_class_choice(t, at, y, place);
	free(question);
}

static void format_class_tally(const struct class_text *t, char *out, size_t size)
{
	int total = t->total, right = t->counts[lesson_right_choice(t->l, t->step) - 1];
	if (t->s->stage == STAGE_REVEALED && total)
		snprintf(out, size, "%d of %d right", right, total);
	else
		snprintf(out, size, "%d vote%s", total, total == 1 ? "" : "s");
}

static const char *format_class_prompt(const struct class_text *t)
{
	const struct lesson_view *v = lessons_view_of(t->a);
	if (t->s->stage == STAGE_ASKED && v->session.server)
		return vote_server_url(v->session.server);
	if (t->s->stage == STAGE_ASKED)
		return "type a letter for each vote, or open a page for phones with V";
	if (t->s->stage == STAGE_LOCKED)
		return background_job_is_busy(v->job) ? background_job_status_text(v->job)
						      : "not measured: r measures, x shows the answer";
	return t->step < t->l->step_count ? "Enter: next question" : "the last question of this lesson";
}

/* What is measured, in normal letters above the question. Returns the rows used. */
static int draw_class_context(const struct class_text *t, struct area at)
{
	struct text_rows r = {0};
	for (int i = 0; i < t->l->block_count; i++) {
		const struct lesson_block *b = &t->l->blocks[i];
		if (b->step == t->step && b->part == LESSON_QUESTION && b->kind == LESSON_PARAGRAPH)
			text_rows_add_wrapped(&r, ROLE_TEXT, false, "", b->text, at.r.w);
	}
	int n = r.count < at.r.h ? r.count : at.r.h;
	for (int y = 0; y < n; y++)
		text_row_draw(at, y, &r.list[y]);
	text_rows_free(&r);
	return n ? n + 1 : 0;
}

/* Whether the background of the terminal is light, by the color of the text. */
static bool is_light_theme(void)
{
	int fg = theme_cell_style(ROLE_TEXT, 256).fg;
	if (fg >= 232)
		return fg < 244;
	if (fg >= 16)
		return (fg - 16) / 36 + (fg - 16) / 6 % 6 + (fg - 16) % 6 < 8;
	return fg == 0 || fg == 8;
}

/* The address and its QR code at the right. Returns the columns used. */
static int draw_phone_address(const struct class_text *t, struct area at)
{
	const struct class_session *c = &lessons_view_of(t->a)->session;
	int w = qr_code_columns(&c->code), h = qr_code_rows(&c->code);
	if (!c->server || t->a->ascii || !w || at.r.w < 2 * w || at.r.h < h + 1)
		return 0;
	qr_code_draw(&c->code, area_sub(at, at.r.w - w, 0, w, h), ROLE_TEXT, is_light_theme());
	area_draw_right(at, at.r.w, h, ROLE_TITLE, vote_server_url(c->server));
	return w + 2;
}

static void draw_class_question(struct class_text *t, struct area at)
{
	int side = draw_phone_address(t, at);
	at = area_sub(at, 0, 0, at.r.w - side, at.r.h);
	t->large = false; /* the rows that are needed in any case */
	int used = draw_class_context(t, area_sub(at, 0, 0, at.r.w, at.r.h - class_page_height(t, at.r.w) - 1));
	draw_class_page(t, area_sub(at, 0, used, at.r.w, at.r.h - used));
}

/* Text above or left of the plot. */
static void draw_class_result(struct class_text *t, struct area in)
{
	bool wide = in.r.w >= WIDE;
	int text_w = wide ? in.r.w * 45 / 100 : in.r.w, plot_h = wide ? in.r.h : in.r.h / 2;
	int text_h = wide ? in.r.h : in.r.h - plot_h;
	if (!wide) { /* small letters: the curve needs the rows */
		t->large = false;
		int wanted = class_page_height(t, text_w), most = in.r.h - PLOT_LEAST;
		text_h = most < text_h ? text_h : wanted < most ? wanted : most;
		plot_h = in.r.h - text_h;
	}
	draw_class_page(t, area_sub(in, 0, 0, text_w - wide, text_h));
	struct area plot =
		wide ? area_sub(in, text_w, 0, in.r.w - text_w, in.r.h) : area_sub(in, 0, text_h, in.r.w, plot_h);
	if (plot.r.h >= 6)
		lesson_plot_draw(t->a, plot);
}

/* Where the results are, if there is room behind the prompt. */
static void draw_class_file(const struct class_text *t, struct area in, int y, int used)
{
	const char *path = lessons_view_of(t->a)->session.path;
	char text[400];
	if (!path || t->s->stage == STAGE_ASKED)
		return;
	snprintf(text, sizeof text, "votes saved in %s", path);
	path_abbreviate_home(text);
	if (used + 3 + text_width(text) <= in.r.w)
		area_draw_right(in, in.r.w, y, ROLE_DIM, text);
}

/* A class that votes by itself does not see the others' votes, nor after the page was closed: it may open again. */
static bool hides_votes(const struct class_text *t)
{
	struct class_session *c = &lessons_view_of(t->a)->session;
	int counts[LESSON_CHOICES_MAX];
	return t->s->stage == STAGE_ASKED && (c->server || class_session_count(c, counts));
}

void class_view_draw(const struct app *a, const struct lesson *l, struct area at)
{
	struct class_text t = {a, l, lessons_view_step(a), lessons_view_of(a)->page, false, false, false, 0, {0}};
	char tally[64], title[200], lead[48];
	if (!t.s)
		return;
	t.total = lessons_view_count_votes(a, t.counts);
	t.votes = t.total > 0 && !hides_votes(&t);
	format_class_tally(&t, tally, sizeof tally);
	snprintf(lead, sizeof lead, "Question %d of %d: ", t.step, l->step_count);
	lesson_title_format(lead, l->title, at.r.w - text_width(tally) - 8, a->ascii, title, sizeof title);
	area_draw_frame(at, true, title, tally);
	struct area in = area_sub(area_inner(at), 1, 0, at.r.w - 4, at.r.h - 2),
		    page = area_sub(in, 0, 0, in.r.w, in.r.h - 1);
	if (t.s->stage == STAGE_ASKED)
		draw_class_question(&t, page);
	else
		draw_class_result(&t, page);
	const char *prompt = format_class_prompt(&t);
	area_draw_fitted(in, 0, in.r.h - 1, in.r.w, ROLE_KEY, prompt);
	draw_class_file(&t, in, in.r.h - 1, text_width(prompt));
}
