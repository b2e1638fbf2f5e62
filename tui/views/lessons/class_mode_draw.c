#include "tui/views/lessons/class_mode_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "tui/toolkit/large_digits.h"
#include "tui/views/lessons/lesson_rows.h"
#include "tui/shell/screen_draw.h"

enum { COLUMN_LEAST = 11, TALL = 44 /* rows from which on the digits are twice as high */ };

/* Readable from the back of a classroom: as large as the screen allows for three digits in each column. */
static struct block_size block_size(int w, int h)
{
	int wide = w / (3 * DIGIT_COLUMNS), high = h >= TALL ? 2 : 1;
	return (struct block_size){wide < 1 ? 1 : wide > 2 * high ? 2 * high : wide, high};
}

static int head_rows(struct block_size s)
{
	return 1 + DIGIT_ROWS * s.h + 1;
}

static int vote_share(const struct votes *v, int i)
{
	return v->total ? (int)lround(100.0 * v->count[i] / v->total) : 0;
}

/* A choice: its letter, its votes, the beginning of its text. */
static void draw_vote_column(
	const struct app *a, const struct lesson *l, struct area at, struct block_size size, int number)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct lesson_block *b = lesson_find_choice(l, number);
	bool told = v->stage == STAGE_REVEALED, right = told && b->right;
	int role = right ? ROLE_OK : told ? ROLE_DIM : ROLE_TITLE;
	char count[16];
	struct text_rows r = {0};
	snprintf(count, sizeof count, "%d", v->votes.count[number - 1]);
	int x = area_printf(at, 0, 0, role, "%c%s", 'a' + number - 1, right ? " RIGHT" : "");
	if (v->votes.total)
		area_printf(at, x + 1, 0, ROLE_DIM, "%d %%", vote_share(&v->votes, number - 1));
	draw_large_digits(at, 0, 1, role, a->ascii, size, count);
	text_rows_add_wrapped(&r, role, false, "", b->text, at.r.w - 1);
	for (int y = 0, head = head_rows(size); y < r.count && head + y < at.r.h; y++)
		area_draw_fitted(at, 0, head + y, at.r.w - 1, right ? ROLE_OK : ROLE_TEXT, r.list[y].text);
	text_rows_free(&r);
}

/* On a narrow screen: one line for each choice. */
static void draw_text_lines(const struct app *a, const struct lesson *l, struct area at)
{
	const struct lesson_view *v = lessons_view_of(a);
	for (int i = 1; i <= lesson_count_choices(l); i++) {
		const struct lesson_block *b = lesson_find_choice(l, i);
		bool right = v->stage == STAGE_REVEALED && b->right;
		area_printf(at, 0, i - 1, right ? ROLE_OK : ROLE_TEXT, "%c %d  %s%s", 'a' + i - 1,
			v->votes.count[i - 1], right ? "RIGHT  " : "", b->text);
	}
}

static void draw_vote_columns(const struct app *a, const struct lesson *l, struct area at, struct block_size size)
{
	int n = lesson_count_choices(l), w = at.r.w / (n ? n : 1);
	if (w < COLUMN_LEAST || at.r.h < head_rows(size)) {
		draw_text_lines(a, l, at);
		return;
	}
	for (int i = 1; i <= n; i++)
		draw_vote_column(a, l, area_sub(at, (i - 1) * w, 0, w - 1, at.r.h), size, i);
}

/* The first and the last measured value, in large digits. */
static void read_outs(const struct app *a, struct area at, struct block_size size)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct sweep *s = background_job_sweep(v->job);
	int count = 0, x = 0;
	const struct point *points = s ? sweep_points(s, &count) : NULL;
	const struct plan *p = s ? sweep_plan(s) : NULL;
	if (v->metric < 0 || v->measured != v->predicted_number || at.r.h < DIGIT_ROWS * size.h + 1)
		return;
	int last = count - 1;
	while (last > 0 && points[last].status != POINT_OK)
		last--;
	for (int k = 0; k < 2 && count; k++) {
		const struct point *q = &points[k ? last : 0];
		const struct reading *m = &q->metrics[v->metric];
		char text[40], value[24] = "";
		if (q->status != POINT_OK || !m->valid || (k && last == 0))
			continue;
		snprintf(value, sizeof value, m->value >= 100 ? "%.0f" : "%.3g", m->value);
		param_format(&p->x->params[v->now.axis], q->values[v->now.axis], text, sizeof text);
		int used = draw_large_digits(at, x, 0, ROLE_LEFT, a->ascii, size, value);
		area_printf(at, x, DIGIT_ROWS * size.h, ROLE_DIM, "%s at %s", p->x->metrics[v->metric].unit, text);
		x += (used > 26 ? used : 26) + 4;
	}
}

/* The question, shown before the votes; returns the rows used. */
static int draw_question(const struct lesson *l, struct area at)
{
	struct text_rows r = {0};
	int rows = 0;
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].part == LESSON_PREDICT && l->blocks[i].kind == LESSON_PARAGRAPH)
			text_rows_add_wrapped(&r, ROLE_TEXT, false, "", l->blocks[i].text, at.r.w);
	for (; rows < r.count && rows < at.r.h; rows++)
		area_draw_fitted(at, 0, rows, at.r.w, ROLE_TEXT, r.list[rows].text);
	text_rows_free(&r);
	return rows ? rows + 1 : 0;
}

static const char *draw_next_hint(const struct lesson_view *v)
{
	if (v->stage == STAGE_PREDICT)
		return "one key, one vote   u undo   Enter reveal   C end class mode";
	if (v->stage == STAGE_LOCKED)
		return background_job_is_busy(v->job) ? background_job_status_text(v->job)
						      : "not measured: r try again   x show the answer";
	return "t vote again   n next lesson   C end class mode";
}

static void draw_tally(const struct lesson_view *v, const struct lesson *l, char *out, size_t size)
{
	int right = 0;
	for (int i = 1; i <= lesson_count_choices(l); i++)
		right += lesson_find_choice(l, i)->right ? v->votes.count[i - 1] : 0;
	if (v->stage == STAGE_REVEALED && v->votes.total)
		snprintf(out, size, "%d of %d right", right, v->votes.total);
	else
		snprintf(out, size, "%d vote%s", v->votes.total, v->votes.total == 1 ? "" : "s");
}

void class_view_draw(const struct app *a, const struct lesson *l, struct area at)
{
	const struct lesson_view *v = lessons_view_of(a);
	char text[64], title[120];
	draw_tally(v, l, text, sizeof text);
	snprintf(title, sizeof title, "%.*s", at.r.w > 40 ? at.r.w - 30 : 10, l->title);
	area_draw_frame(at, true, title, text);
	struct area in = area_sub(area_inner(at), 1, 0, at.r.w - 4, at.r.h - 2);
	struct block_size size = block_size(in.r.w / (lesson_count_choices(l) ? lesson_count_choices(l) : 1), in.r.h);
	int head = head_rows(size), digits = DIGIT_ROWS * size.h;
	int told = v->stage == STAGE_PREDICT ? draw_question(l, area_sub(in, 0, 0, in.r.w, in.r.h - head - 5)) : 0;
	in = area_sub(in, 0, told, in.r.w, in.r.h - told);
	bool plot = v->stage != STAGE_PREDICT && v->measured && in.r.h >= head + 8,
	     large = plot && in.r.h >= head + digits + 18;
	int top = plot ? head + (large ? 4 : 0) : in.r.h - 1;
	draw_vote_columns(a, l, area_sub(in, 0, 0, in.r.w, top), size);
	if (large) {
		read_outs(a, area_sub(in, 0, top, in.r.w, digits + 1), size);
		top += digits + 2;
	}
	if (plot)
		lessons_view_draw_plot(a, area_sub(in, 0, top, in.r.w, in.r.h - 1 - top));
	area_draw_fitted(in, 0, in.r.h - 1, in.r.w, ROLE_KEY, draw_next_hint(v));
}
