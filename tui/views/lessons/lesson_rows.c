#include "tui/views/lessons/lesson_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/course/glossary.h"
#include "experiments/course/lesson_source.h"
#include "tui/toolkit/theme.h"

/* --- blocks --- */
static void add_code_rows(struct text_rows *r, const char *lines)
{
	for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
		n = strcspn(lines, "\n");
		char *line = xasprintf("%.*s", (int)n, lines);
		text_rows_add_line(r, ROLE_DIM, 4, line);
		free(line);
	}
}

static void add_command_row(const struct app *a, struct text_rows *r, const struct lesson_block *b, int width)
{
	const struct step_state *s = lessons_view_step(a);
	bool chosen = s && s->selected_command == b->number;
	char *text = xasprintf("`wavedeck %s`", b->text), lead[16];
	snprintf(lead, sizeof lead, "  %s ", chosen ? glyph_text(a->ascii, GLYPH_SELECT) : " ");
	text_rows_add_wrapped(r, chosen ? ROLE_SELECTED : ROLE_TEXT, chosen, lead, text, width);
	free(text);
}

/* "WORD: what it means", with the word in bold. */
static void add_word_row(struct text_rows *r, const char *text, int width)
{
	int n = (int)strcspn(text, ":");
	char *marked = xasprintf("`%.*s`%s", n, text, text + n);
	text_rows_add_wrapped(r, ROLE_TEXT, false, "  ", marked, width);
	free(marked);
}

static void add_source_row(struct text_rows *r, const struct lesson_block *b, int width)
{
	char *text = lesson_source_format(b);
	text_rows_add_wrapped(r, ROLE_TEXT, false, " -  ", text, width);
	free(text);
}

static void add_block_rows(
	const struct app *a, const struct lesson *l, struct text_rows *r, const struct lesson_block *b, int width)
{
	char lead[24];
	switch (b->kind) {
	case LESSON_PARAGRAPH:
	case LESSON_ASK: text_rows_add_wrapped(r, ROLE_TEXT, false, "", b->text, width); break;
	case LESSON_ITEM:
		snprintf(lead, sizeof lead, b->number ? "%2d. " : " -  ", b->number);
		if (b->part == LESSON_WORDS)
			add_word_row(r, b->text, width);
		else
			text_rows_add_wrapped(r, ROLE_TEXT, false, lead, b->text, width);
		break;
	case LESSON_BASIS: add_source_row(r, b, width); break;
	case LESSON_COMMAND: add_command_row(a, r, b, width); break;
	case LESSON_CODE: add_code_rows(r, b->text); break;
	case LESSON_ROW: /* the table comes with its heading row */
		if (!b->number)
			text_rows_add_table(l, b, width, r);
		break;
	case LESSON_CHOICE:
	case LESSON_FEEDBACK: break; /* with the question: add_choice_rows */
	}
}

static bool is_in_text(const struct lesson_block *b)
{
	return b->kind != LESSON_CHOICE && b->kind != LESSON_FEEDBACK;
}

static void add_part_rows(
	const struct app *a, const struct lesson *l, enum lesson_part part, int step, int width, struct text_rows *out)
{
	const struct lesson_block *before = NULL;
	for (int i = 0; i < l->block_count; i++) {
		const struct lesson_block *b = &l->blocks[i];
		if (b->part != part || b->step != step || !is_in_text(b))
			continue;
		if (before && (b->kind == LESSON_PARAGRAPH || b->kind == LESSON_ASK || before->kind != b->kind))
			text_rows_add_blank(out);
		add_block_rows(a, l, out, b, width);
		before = b;
	}
}

/* --- choices --- */
struct choice_look {
	int role;
	const char *mark, *note;
};

/* After the answer, the right choice and the chosen one differ by mark and words, not only by color. */
static struct choice_look choice_look_of(const struct app *a, const struct step_state *s, const struct lesson_block *b)
{
	bool chosen = s->choice == b->number && !s->skipped, shown = s->stage == STAGE_REVEALED;
	if (shown && b->right)
		return (struct choice_look){
			ROLE_OK, glyph_text(a->ascii, GLYPH_HOLDS), chosen ? "  (right, your answer)" : "  (right)"};
	if (shown && chosen)
		return (struct choice_look){ROLE_BAD, glyph_text(a->ascii, GLYPH_FAILED), "  (your answer)"};
	if (s->stage == STAGE_ASKED && chosen)
		return (struct choice_look){ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT), ""};
	return (struct choice_look){
		s->stage == STAGE_ASKED ? ROLE_TEXT : ROLE_DIM, chosen ? glyph_text(a->ascii, GLYPH_SELECT) : " ", ""};
}

static void add_choice_rows(const struct app *a, const struct lesson *l, int width, struct text_rows *r)
{
	const struct step_state *s = lessons_view_step(a);
	int step = lessons_view_of(a)->page;
	for (int place = 0; place < l->steps[step - 1].choice_count; place++) {
		const struct lesson_block *b = lesson_find_block(l, step, LESSON_CHOICE, s->order[place]);
		struct choice_look look = choice_look_of(a, s, b);
		char lead[24], *text = xasprintf("%s%s", b->text, look.note);
		snprintf(lead, sizeof lead, "%s %c) ", look.mark, 'a' + place);
		text_rows_add_wrapped(r, look.role, s->choice == b->number, lead, text, width);
		free(text);
	}
}

/* --- the verdict --- */
/* "Right.", or why the chosen answer is wrong. The caller frees it. */
static char *format_verdict(const struct step_state *s, const struct lesson *l, int step)
{
	struct buf b = {0};
	int right = step_place_of(s, lesson_right_choice(l, step), LESSON_CHOICES_MAX);
	const struct lesson_block *why = lesson_find_block(l, step, LESSON_FEEDBACK, s->result.choice);
	if (s->result.right)
		buf_puts(&b, "Right.");
	else if (s->result.choice)
		buf_printf(&b, "Not quite: the answer is %c. %s", 'a' + right, why ? why->text : "");
	else
		buf_printf(&b, "The answer is %c.", 'a' + right);
	if (!isnan(s->result.curve))
		buf_printf(&b, " Your curve is off by %.0f %% on average, over %d points.", 100 * s->result.curve,
			s->compared);
	return b.data;
}

/* --- pages --- */
static void add_question_rows(const struct app *a, const struct lesson *l, int width, struct text_rows *out)
{
	int step = lessons_view_of(a)->page;
	add_part_rows(a, l, LESSON_QUESTION, step, width, out);
	text_rows_add_blank(out);
	add_choice_rows(a, l, width, out);
}

/* The question and its choices stay above the answer. */
static void add_answer_rows(const struct app *a, const struct lesson *l, int width, struct text_rows *out)
{
	const struct step_state *s = lessons_view_step(a);
	int step = lessons_view_of(a)->page;
	text_rows_add_wrapped(out, ROLE_TEXT, false, "", lesson_find_block(l, step, LESSON_ASK, 0)->text, width);
	add_choice_rows(a, l, width, out);
	if (s->stage != STAGE_REVEALED)
		return;
	char *verdict = format_verdict(s, l, step), *command = xasprintf("`wavedeck %s`", l->steps[step - 1].command);
	text_rows_add_wrapped(out, s->result.right ? ROLE_OK : ROLE_WARN, false, "", verdict, width);
	text_rows_add_blank(out);
	add_part_rows(a, l, LESSON_REVEAL, step, width, out);
	text_rows_add_blank(out);
	text_rows_add_wrapped(out, ROLE_DIM, false, "Measured by ", command, width);
	free(verdict);
	free(command);
}

void text_rows_add_sources(const struct app *a, const struct lesson *l, int width, struct text_rows *out)
{
	text_rows_add_line(out, ROLE_CHAPTER, 0, "On what the answer rests");
	add_part_rows(a, l, LESSON_SOURCE, lessons_view_of(a)->page, width, out);
}

static void add_outline_rows(const struct app *a, const struct lesson *l, int width, struct text_rows *out)
{
	const struct lesson_view *v = lessons_view_of(a);
	for (int step = 1; step <= l->step_count; step++) {
		struct step_result r = course_progress_get(&v->progress, l->id, step);
		char lead[24],
			*text = xasprintf("%s%s%s%s", l->steps[step - 1].title, r.done ? "  (" : "",
				step_result_name(&r), r.done ? ")" : "");
		snprintf(lead, sizeof lead, "%2d. ", step);
		text_rows_add_wrapped(out, ROLE_TEXT, false, lead, text, width);
		free(text);
	}
}

static void add_introduction_rows(const struct app *a, const struct lesson *l, int width, struct text_rows *out)
{
	add_part_rows(a, l, LESSON_INTRODUCTION, 0, width, out);
	if (lesson_has_part(l, LESSON_WORDS)) {
		text_rows_add_blank(out);
		text_rows_add_line(out, ROLE_CHAPTER, 0, "Words");
		add_part_rows(a, l, LESSON_WORDS, 0, width, out);
	}
	text_rows_add_blank(out);
	text_rows_add_line(out, ROLE_CHAPTER, 0, "Questions");
	add_outline_rows(a, l, width, out);
}

/* A solution is shown on request. */
static void add_exercise_rows(const struct app *a, const struct lesson *l, int width, struct text_rows *out)
{
	const struct lesson_view *v = lessons_view_of(a);
	char lead[24];
	for (int n = 1; n <= lesson_count_exercises(l); n++) {
		bool chosen = v->exercise == n, shown = v->answers >> (n & 31) & 1;
		snprintf(lead, sizeof lead, "%s%2d. ", chosen ? glyph_text(a->ascii, GLYPH_SELECT) : " ", n);
		text_rows_add_wrapped(out, chosen ? ROLE_SELECTED : ROLE_TEXT, chosen, lead,
			lesson_find_exercise(l, LESSON_EXERCISES, n)->text, width);
		if (shown)
			text_rows_add_wrapped(
				out, ROLE_OK, false, "     ", lesson_find_exercise(l, LESSON_ANSWERS, n)->text, width);
		text_rows_add_blank(out);
	}
}

void text_rows_add_page(const struct app *a, const struct lesson *l, int width, struct text_rows *out)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct step_state *s = lessons_view_step(a);
	*out = (struct text_rows){.mark_terms = true};
	switch (lesson_page_kind(l, v->page)) {
	case PAGE_INTRODUCTION: add_introduction_rows(a, l, width, out); break;
	case PAGE_STEP:
		if (s->stage == STAGE_ASKED)
			add_question_rows(a, l, width, out);
		else if (v->shows_source && lessons_view_has_source(a))
			text_rows_add_sources(a, l, width, out);
		else
			add_answer_rows(a, l, width, out);
		break;
	case PAGE_OTHERS: add_part_rows(a, l, LESSON_OTHERS, 0, width, out); break;
	case PAGE_EXERCISES: add_exercise_rows(a, l, width, out); break;
	}
}

char *lesson_page_terms(const struct app *a, const struct lesson *l)
{
	struct text_rows r;
	struct buf out = {0};
	text_rows_add_page(a, l, 80, &r);
	buf_puts(&out, "");
	for (int i = 0; i < r.term_count; i++) {
		const char *terms = glossary_at(r.terms[i])->terms;
		buf_printf(&out, "%s%.*s", i ? ", " : "", (int)strcspn(terms, ",("), terms);
	}
	text_rows_free(&r);
	return out.data;
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
	text_rows_add_page(a, lessons_view_lesson(a), w - 4, &r);
	int n = r.count;
	text_rows_free(&r);
	return n;
}

/* Rows of the plot below the text. The choices are more important than empty axes, which take the remaining rows. */
static int plot_rows_below(const struct app *a, const struct step_state *s, int w, int h)
{
	bool drawing = lessons_view_of(a)->drawing;
	if (h < 2 * PLOT_LEAST - 2) /* on a small screen the text gets all rows, except while drawing or measuring */
		return drawing || (s->stage == STAGE_LOCKED && h >= PLOT_LEAST) ? h : 0;
	if (drawing)
		return h - PEN_TEXT_ROWS;
	int plot = h * 10 / 21;
	if (s->stage == STAGE_ASKED) {
		int left = h - rows_wanted(a, w) - FRAME_ROWS;
		plot = left < PLOT_LEAST ? 0 : left < plot ? left : plot;
	}
	return plot;
}

struct lesson_layout lessons_view_layout(const struct app *a, int w, int h)
{
	const struct step_state *s = lessons_view_step(a);
	struct lesson_layout l = {.text = {0, 0, w, h}};
	if (!s || (s->stage == STAGE_ASKED && !s->prediction.columns))
		return l;
	if (w >= WIDE) {
		int text = w * TEXT_SHARE / 100;
		l.text.w = text;
		l.plot = (struct rect){text, 0, w - text, h};
		return l;
	}
	int plot = plot_rows_below(a, s, w, h);
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
	text_rows_add_page(a, lessons_view_lesson(a), inner_width(a), &r);
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
