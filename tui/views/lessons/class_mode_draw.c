#include "tui/views/lessons/class_mode_draw.h"

#include <stdio.h>

#include "base/paths.h"
#include "tui/shell/screen_draw.h"
#include "tui/toolkit/large_text.h"
#include "tui/toolkit/theme.h"
#include "tui/views/lessons/class_text.h"
#include "tui/views/lessons/lesson_curve.h"
#include "tui/views/lessons/lesson_rows.h"

enum { WIDE = 110, PLOT_LEAST = 8 };

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
	if (t->s->stage == STAGE_CLOSED)
		return t->s->round < VOTE_ROUNDS ? "discuss; t: second vote, Enter: the answer"
						 : "both rounds are over; Enter: the answer";
	if (t->s->stage == STAGE_LOCKED)
		return background_job_is_busy(v->job) ? background_job_status_text(v->job)
						      : "not measured: r measures, x shows the answer";
	if (v->shows_source || (v->shows_reasons && !lessons_view_has_source(t->a)))
		return "s: the curve";
	if (v->shows_reasons)
		return "s: the source of the answer";
	if (!t->reasons)
		return t->step < t->l->step_count ? "Enter: next question, s: the reasons" : "s: the reasons";
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

static bool format_timer(const struct class_text *t, char *out, size_t size)
{
	int left = vote_box_count_seconds(&lessons_view_of(t->a)->session.box);
	if (t->s->stage != STAGE_ASKED || left < 0)
		return false;
	snprintf(out, size, "%d:%02d", left / 60, left % 60);
	return true;
}

/* In large letters below the choices, if there is room; the title has it in any case. */
static void draw_class_timer(const struct class_text *t, struct area at, int used)
{
	char text[16];
	if (t->a->ascii || at.r.h - used < LARGE_TEXT_ROWS || !format_timer(t, text, sizeof text))
		return;
	int x = at.r.w - large_text_width(LETTERS_WIDE, text);
	if (x > 0)
		draw_large_text(LETTERS_WIDE, area_sub(at, x, 0, at.r.w - x, at.r.h), at.r.h - LARGE_TEXT_ROWS,
			ROLE_WARN, text);
}

static void draw_class_question(struct class_text *t, struct area at)
{
	int side = draw_phone_address(t, at);
	at = area_sub(at, 0, 0, at.r.w - side, at.r.h);
	int room = at.r.h - class_text_least_height(*t, at.r.w) - 1,
	    used = draw_class_context(t, area_sub(at, 0, 0, at.r.w, room));
	class_text_fit(t, at.r.w, at.r.h - used);
	class_text_draw(t, area_sub(at, 0, used, at.r.w, at.r.h - used));
	draw_class_timer(t, at, used + class_text_height(t, at.r.w));
}

/* Text above or left of the plot; the curve needs the rows more than the text needs large letters. No choice is left
 * out: with many of them, there is no plot. */
static void draw_class_result(struct class_text *t, struct area in)
{
	bool wide = in.r.w >= WIDE;
	int text_w = wide ? in.r.w * 45 / 100 : in.r.w, text_h = in.r.h;
	if (!wide) {
		int wanted = class_text_least_height(*t, text_w), most = in.r.h - PLOT_LEAST,
		    half = in.r.h - in.r.h / 2;
		text_h = wanted > most ? wanted : most < half ? most : wanted < half ? half : wanted;
	}
	class_text_fit(t, text_w - wide, text_h);
	class_text_draw(t, area_sub(in, 0, 0, text_w - wide, text_h));
	struct area plot = wide ? area_sub(in, text_w, 0, in.r.w - text_w, in.r.h)
				: area_sub(in, 0, text_h, in.r.w, in.r.h - text_h);
	if (plot.r.h >= 6)
		lesson_plot_draw(t->a, plot);
}

/* On a small screen, first the votes and then the choices make room for the reasons. */
static void draw_class_reasons(struct class_text *t, struct area at)
{
	class_text_fit(t, at.r.w, at.r.h);
	if (!t->reasons) {
		t->shows_now = t->shows_first = false;
		class_text_fit(t, at.r.w, at.r.h);
	}
	if (!t->reasons) {
		t->only_reasons = true;
		class_text_fit(t, at.r.w, at.r.h);
	}
	class_text_draw(t, at);
}

static void draw_class_source(const struct class_text *t, struct area at)
{
	struct text_rows r = {0};
	text_rows_add_sources(t->a, t->l, at.r.w, &r);
	for (int y = 0; y < r.count && y < at.r.h; y++)
		text_row_draw(at, y, &r.list[y]);
	text_rows_free(&r);
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

/* "37 votes"; in the second round, with a page for phones, "round 2, 37 votes, 52 browsers". */
static void format_class_round(const struct class_text *t, char *out, size_t size)
{
	struct class_session *c = &lessons_view_of(t->a)->session;
	char tally[64], round[24] = "", devices[40] = "", timer[16] = "";
	format_class_tally(t, tally, sizeof tally);
	if (t->s->round > 1)
		snprintf(round, sizeof round, "round %d, ", t->s->round);
	if (t->s->stage == STAGE_ASKED && c->server) {
		int n = vote_box_count_devices(&c->box);
		snprintf(devices, sizeof devices, ", %d %s%s", n, c->box.by == VOTE_BY_BROWSER ? "browser" : "address",
			n == 1                                 ? ""
				: c->box.by == VOTE_BY_BROWSER ? "s"
							       : "es");
	}
	bool timed = format_timer(t, timer, sizeof timer);
	snprintf(out, size, "%s%s%s%s%s", timer, timed ? ", " : "", round, tally, devices);
}

void class_view_draw(const struct app *a, const struct lesson *l, struct area at)
{
	struct class_text t = class_text_make(a, l);
	char tally[140], title[200], lead[48];
	if (!t.s)
		return;
	format_class_round(&t, tally, sizeof tally);
	snprintf(lead, sizeof lead, "Question %d of %d: ", t.step, l->step_count);
	lesson_title_format(lead, l->title, at.r.w - text_width(tally) - 8, a->ascii, title, sizeof title);
	area_draw_frame(at, true, title, tally);
	struct area in = area_sub(area_inner(at), 1, 0, at.r.w - 4, at.r.h - 2),
		    page = area_sub(in, 0, 0, in.r.w, in.r.h - 1);
	if (t.s->stage < STAGE_LOCKED)
		draw_class_question(&t, page);
	else if (lessons_view_has_source(a) && lessons_view_of(a)->shows_source)
		draw_class_source(&t, page);
	else if (t.s->stage == STAGE_REVEALED && lessons_view_of(a)->shows_reasons)
		draw_class_reasons(&t, page);
	else
		draw_class_result(&t, page);
	const char *prompt = format_class_prompt(&t);
	area_draw_fitted(in, 0, in.r.h - 1, in.r.w, ROLE_KEY, prompt);
	draw_class_file(&t, in, in.r.h - 1, text_width(prompt));
}
