#include "tui/views/lessons/lesson_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/toolkit/theme.h"

/* --- rows --- */
static void add_row_text(struct text_rows *r, int role, bool chosen, int indent, const char *text, size_t n)
{
	r->list = xrealloc(r->list, (size_t)(r->count + 1) * sizeof *r->list);
	r->list[r->count++] = (struct text_row){role, indent, chosen, xasprintf("%.*s", (int)n, text)};
}

void text_rows_add_wrapped(struct text_rows *r, int role, bool chosen, const char *lead, const char *text, int width)
{
	int indent = text_width(lead), room = width - indent > 8 ? width - indent : 8;
	bool first = true;
	do {
		size_t n = text_fit_bytes(text, room);
		if (first && *lead) {
			char *both = xasprintf("%s%.*s", lead, (int)n, text);
			add_row_text(r, role, chosen, 0, both, strlen(both));
			free(both);
		} else
			add_row_text(r, role, chosen, indent, text, n);
		first = false;
		text += n + strspn(text + n, " ");
	} while (*text);
}

void text_rows_add_line(struct text_rows *r, int role, int indent, const char *text)
{
	add_row_text(r, role, false, indent, text, strlen(text));
}

void text_rows_free(struct text_rows *r)
{
	for (int i = 0; i < r->count; i++)
		free(r->list[i].text);
	free(r->list);
	*r = (struct text_rows){0};
}

static void add_blank_row(struct text_rows *r)
{
	if (r->count && *r->list[r->count - 1].text)
		add_row_text(r, ROLE_TEXT, false, 0, "", 0);
}

/* --- blocks --- */
static void code_rows(struct text_rows *r, const char *lines)
{
	for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
		n = strcspn(lines, "\n");
		add_row_text(r, ROLE_DIM, false, 4, lines, n);
	}
}

static void choice_rows(const struct app *a, struct text_rows *r, const struct lesson_block *b, int width)
{
	const struct lesson_view *v = lessons_view_of(a);
	bool chosen = v->choice == b->number, locked = v->stage != STAGE_PREDICT;
	char lead[24];
	snprintf(lead, sizeof lead, "%s %c) ", chosen ? glyph_text(a->ascii, GLYPH_SELECT) : " ", 'a' + b->number - 1);
	text_rows_add_wrapped(r, chosen ? ROLE_SELECTED : locked ? ROLE_DIM : ROLE_TEXT, chosen, lead, b->text, width);
}

static void step_rows(const struct app *a, struct text_rows *r, const struct lesson_block *b, int width)
{
	const struct lesson_view *v = lessons_view_of(a);
	bool chosen = v->section == PAGE_RUN && v->step == b->number, done = v->steps_done >> (b->number & 63) & 1;
	char lead[40];
	snprintf(lead, sizeof lead, "%s %d %s ", chosen ? glyph_text(a->ascii, GLYPH_SELECT) : " ", b->number,
		done                               ? "done"
			: v->measured == b->number ? "...."
						   : "    ");
	text_rows_add_wrapped(r, chosen ? ROLE_SELECTED : ROLE_TEXT, chosen, lead, b->text, width);
}

static void block_rows(
	const struct app *a, const struct lesson *l, struct text_rows *r, const struct lesson_block *b, int width)
{
	char lead[24];
	switch (b->kind) {
	case LESSON_PARAGRAPH: text_rows_add_wrapped(r, ROLE_TEXT, false, "", b->text, width); break;
	case LESSON_ITEM:
		snprintf(lead, sizeof lead, b->number ? "%2d. " : " -  ", b->number);
		text_rows_add_wrapped(r, ROLE_TEXT, false, lead, b->text, width);
		break;
	case LESSON_CHOICE: choice_rows(a, r, b, width); break;
	case LESSON_STEP: step_rows(a, r, b, width); break;
	case LESSON_CODE: code_rows(r, b->text); break;
	case LESSON_ROW: /* the table comes with its heading row */
		if (!b->number)
			text_rows_add_table(l, b, width, r);
		break;
	}
}

static void part_rows(
	const struct app *a, const struct lesson *l, enum lesson_part part, int width, struct text_rows *out)
{
	for (int i = 0; i < l->block_count; i++) {
		const struct lesson_block *b = &l->blocks[i];
		if (b->part != part)
			continue;
		if (i && b[-1].part == part && (b->kind == LESSON_PARAGRAPH || b[-1].kind != b->kind))
			add_blank_row(out);
		block_rows(a, l, out, b, width);
	}
}

/* --- exercises: an answer is shown on request --- */
static const struct lesson_block *add_item(const struct lesson *l, enum lesson_part part, int number)
{
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].part == part && l->blocks[i].kind == LESSON_ITEM && l->blocks[i].number == number)
			return &l->blocks[i];
	return NULL;
}

static void exercise_rows(const struct app *a, const struct lesson *l, int width, struct text_rows *out)
{
	const struct lesson_view *v = lessons_view_of(a);
	char lead[24];
	for (int n = 1; n <= lesson_count_exercises(l); n++) {
		bool chosen = v->exercise == n, shown = v->answers >> (n & 31) & 1;
		const struct lesson_block *question = add_item(l, LESSON_EXERCISES, n),
					  *answer = add_item(l, LESSON_ANSWERS, n);
		snprintf(lead, sizeof lead, "%s%2d. ", chosen ? glyph_text(a->ascii, GLYPH_SELECT) : " ", n);
		text_rows_add_wrapped(
			out, chosen ? ROLE_SELECTED : ROLE_TEXT, chosen, lead, question ? question->text : "", width);
		if (shown)
			text_rows_add_wrapped(out, ROLE_OK, false, "     ", answer ? answer->text : "", width);
		add_blank_row(out);
	}
}

/* --- the verdict --- */
/* The result of the prediction: "Your choice b is right.". The caller frees it. */
static char *lesson_verdict(const struct lesson_view *v, const struct lesson *l)
{
	struct buf b = {0};
	char letter = (char)('a' + lesson_right_choice(l)->number - 1);
	if (v->skipped)
		buf_printf(&b, "No prediction. The right answer is %c.", letter);
	else if (!v->result.choice)
		buf_printf(&b, "The right answer is %c.", letter);
	else if (v->result.right)
		buf_printf(&b, "Your choice %c is right.", letter);
	else
		buf_printf(&b, "Your choice %c is wrong; the right answer is %c.", 'a' + v->result.choice - 1, letter);
	if (!isnan(v->result.curve))
		buf_printf(&b, " Your curve is off by %.0f %% (mean of |drawn - measured| / measured over %d points).",
			100 * v->result.curve, v->compared);
	return b.data;
}

/* --- a section --- */
void text_rows_add_section(const struct app *a, const struct lesson *l, int width, struct text_rows *out)
{
	static const enum lesson_part parts[PAGE_SECTIONS] = {[PAGE_PREDICT] = LESSON_PREDICT,
		[PAGE_RUN] = LESSON_RUN,
		[PAGE_CURVE] = LESSON_CURVE,
		[PAGE_WHY] = LESSON_WHY,
		[PAGE_OTHERS] = LESSON_OTHERS,
		[PAGE_EXERCISES] = LESSON_EXERCISES};
	const struct lesson_view *v = lessons_view_of(a);
	*out = (struct text_rows){0};
	if (v->section == PAGE_PREDICT) {
		part_rows(a, l, LESSON_QUESTION, width, out);
		add_blank_row(out);
	}
	if (v->section == PAGE_CURVE && v->stage == STAGE_REVEALED) {
		char *verdict = lesson_verdict(v, l);
		text_rows_add_wrapped(out, v->result.right ? ROLE_OK : ROLE_WARN, false, "", verdict, width);
		add_blank_row(out);
		free(verdict);
	}
	if (v->section == PAGE_EXERCISES)
		exercise_rows(a, l, width, out);
	else
		part_rows(a, l, parts[v->section], width, out);
}

/* --- positions --- */
enum {
	WIDE = 110,
	TEXT_SHARE = 47 /* percent of the columns */,
	PLOT_LEAST = 9,
	PEN_TEXT_ROWS = 7,
	FRAME_ROWS = 3 /* including the prompt line */
};

static int rows_wanted(const struct app *a, int w)
{
	struct text_rows r;
	text_rows_add_section(a, lessons_view_page(a), w - 4, &r);
	int n = r.count;
	text_rows_free(&r);
	return n;
}

static bool has_plot(const struct lesson_view *v)
{
	if (v->stage == STAGE_PREDICT)
		return v->section == PAGE_PREDICT && v->prediction.columns > 0;
	return v->measured > 0;
}

struct lesson_layout lessons_view_layout(const struct app *a, int w, int h)
{
	const struct lesson_view *v = lessons_view_of(a);
	struct lesson_layout l = {.text = {0, 0, w, h}};
	bool side_by_side = v->stage != STAGE_PREDICT || v->section == PAGE_PREDICT, reading = v->section >= PAGE_WHY;
	if (!has_plot(v) || !side_by_side)
		return l;
	if (w >= WIDE) {
		int text = w * TEXT_SHARE / 100;
		l.text.w = text;
		l.plot = (struct rect){text, 0, w - text, h};
		return l;
	}
	int plot = v->drawing ? h - PEN_TEXT_ROWS : h * 11 / 21;
	if (v->stage == STAGE_PREDICT &&
		!v->drawing) { /* the choices are more important than empty axes, which take the remaining rows */
		int left = h - rows_wanted(a, w) - FRAME_ROWS;
		plot = left < PLOT_LEAST ? 0 : left < plot ? left : plot;
	}
	if (reading || h < 2 * PLOT_LEAST - 2) /* on a small screen the text gets all rows, except while a curve is
	                                          drawn or measured */
		plot = v->drawing || (v->stage == STAGE_LOCKED && h >= PLOT_LEAST) ? h : 0;
	l.plot = (struct rect){0, h - plot, w, plot};
	l.text.h = h - plot;
	return l;
}

/* The rows of the lesson's text as lessons_view_draw shows it, without frame and prompt line. */
static int inner_rows(const struct app *a)
{
	int h = lessons_view_layout(a, a->width, a->height - 3).text.h - FRAME_ROWS;
	return h < 0 ? 0 : h;
}

static int inner_width(const struct app *a)
{
	return lessons_view_layout(a, a->width, a->height - 3).text.w - 4;
}

int lessons_view_scroll_max(const struct app *a)
{
	int more = rows_wanted(a, inner_width(a) + 4) - inner_rows(a);
	return more < 0 ? 0 : more;
}

void lessons_view_scroll_to_choice(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	struct text_rows r;
	int first = -1, last = -1, rows = inner_rows(a);
	text_rows_add_section(a, lessons_view_page(a), inner_width(a), &r);
	for (int i = 0; i < r.count; i++)
		if (r.list[i].chosen) {
			first = first < 0 ? i : first;
			last = i;
		}
	text_rows_free(&r);
	if (last >= v->scroll + rows)
		v->scroll = last - rows + 1;
	if (first >= 0 && first < v->scroll)
		v->scroll = first;
}
