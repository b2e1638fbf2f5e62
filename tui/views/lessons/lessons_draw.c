/* Draws the lesson view: the course with its results, or a page of a lesson with its plot. */
#include <stdio.h>
#include <string.h>

#include "tui/shell/bindings.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
#include "tui/views/lessons/class_mode_draw.h"
#include "tui/views/lessons/lesson_curve.h"
#include "tui/views/lessons/lesson_rows.h"

/* --- the course --- */
/* "3 of 4 right", "2 of 4 answered", "". */
static void format_lesson_result(const struct lesson_totals *t, char *out, size_t size)
{
	if (!t->done)
		snprintf(out, size, "--");
	else if (t->done < t->steps)
		snprintf(out, size, "%d of %d done, %d right", t->done, t->steps, t->right);
	else
		snprintf(out, size, "%d of %d right", t->right, t->steps);
}

static int lesson_result_role(const struct lesson_totals *t)
{
	return !t->done ? ROLE_DIM : t->right == t->steps ? ROLE_OK : ROLE_WARN;
}

static void draw_course_row(const struct app *a, struct area in, int y, int i)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct lesson *l = lessons_view_lesson_at(a, i);
	struct lesson_totals t = course_progress_count(&v->progress, l);
	char result[64];
	bool chosen = i == v->chosen;
	int at = in.r.w >= 70 ? in.r.w - 24 : in.r.w - 14;
	format_lesson_result(&t, result, sizeof result);
	area_draw_text(in, 0, y, ROLE_SELECTED, chosen ? glyph_text(a->ascii, GLYPH_SELECT) : " ");
	area_printf(in, 2, y, ROLE_DIM, "%2d", i);
	area_draw_fitted(in, 5, y, at - 6, chosen ? ROLE_SELECTED : ROLE_TEXT, l->title);
	area_draw_fitted(in, at, y, in.r.w - at, lesson_result_role(&t), result);
	/* A click selects; on the selected row it acts as Enter. */
	struct mouse_region hit = {.click = chosen ? "lesson-enter" : "lesson-down"};
	if (!chosen)
		snprintf(hit.argument, sizeof hit.argument, "%d", i - v->chosen);
	area_add_hit(in, 0, y, in.r.w, 1, hit);
}

static void format_course_totals(const struct lesson_view *v, char *out, size_t size)
{
	struct lesson_totals sum = {0};
	for (int i = 0; i < v->course.count; i++) {
		struct lesson_totals t = course_progress_count(&v->progress, v->course.list[i]);
		sum.steps += t.steps;
		sum.done += t.done;
		sum.chosen += t.chosen;
		sum.right += t.right;
	}
	if (!sum.done)
		snprintf(out, size, "%d questions, none answered yet", sum.steps);
	else
		snprintf(out, size, "%d of %d questions done, %d of %d choices right", sum.done, sum.steps, sum.right,
			sum.chosen);
}

static void draw_course(const struct app *a, struct area at)
{
	const struct lesson_view *v = lessons_view_of(a);
	char text[100];
	format_course_totals(v, text, sizeof text);
	area_draw_frame(at, true, "Lessons", text);
	struct area in = area_sub(area_inner(at), 1, 0, at.r.w - 4, at.r.h - 2);
	int bad = v->bad_count < in.r.h / 3 ? v->bad_count : in.r.h / 3, rows = in.r.h - bad,
	    first = list_first_visible_row(v->chosen, rows, v->course.count);
	for (int i = 0; i < rows && first + i < v->course.count; i++)
		draw_course_row(a, in, i, first + i);
	for (int i = 0; i < bad; i++)
		area_printf(in, 0, rows + i, ROLE_BAD, "%s skipped: %s", glyph_text(a->ascii, GLYPH_FAILED), v->bad[i]);
}

/* --- the text of a page --- */
static void format_question_prompt(const struct step_state *s, bool drawing, int choices, char *out, size_t size)
{
	int place = step_place_of(s, s->choice, choices);
	if (drawing)
		snprintf(out, size, "Up, Down: draw  Left, Right: move  +, -: y range");
	else if (place >= 0)
		snprintf(out, size, "Enter locks in %c", 'a' + place);
	else if (prediction_point_count(&s->prediction))
		snprintf(out, size, "Enter locks in the curve");
	else
		snprintf(out, size, "choose a to %c%s", 'a' + choices - 1,
			s->prediction.columns ? ", or draw the curve with Tab" : "");
}

/* What to do next, in one line. It names a key only where the key line shows it with the same meaning. */
static void format_prompt(const struct app *a, const struct lesson *l, char *out, size_t size)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct step_state *s = lessons_view_step(a);
	*out = 0;
	if (s && s->stage == STAGE_ASKED)
		format_question_prompt(s, v->drawing, l->steps[v->page - 1].choice_count, out, size);
	else if (s && s->stage == STAGE_LOCKED)
		snprintf(out, size, "%s",
			background_job_is_busy(v->job) ? "locked in; measuring the curve"
						       : "locked in, not measured: r measures, x skips");
	else if (s && v->shows_source && lessons_view_has_source(a))
		snprintf(out, size, "s: the answer");
	else if (s && s->selected_command)
		snprintf(out, size, "Enter opens the command in the workbench");
	else if (lesson_page_kind(l, v->page) == PAGE_EXERCISES)
		snprintf(out, size, "Enter %s the answer", v->answers >> (v->exercise & 31) & 1 ? "hides" : "shows");
	else
		snprintf(out, size, v->page + 1 < lesson_page_count(l) ? "Enter: next page" : "the end of this lesson");
}

static const char *page_name(const struct lesson *l, int page, char *out, size_t size)
{
	enum lesson_page_kind kind = lesson_page_kind(l, page);
	if (kind != PAGE_STEP)
		return kind == PAGE_INTRODUCTION ? "Introduction"
			: kind == PAGE_OTHERS    ? lesson_part_name(LESSON_OTHERS)
						 : lesson_part_name(LESSON_EXERCISES);
	snprintf(out, size, "Question %d of %d", page, l->step_count);
	return out;
}

/* The title of a step, else of the lesson. */
static void format_page_title(const struct app *a, const struct lesson *l, int room, char *out, size_t size)
{
	const struct lesson_view *v = lessons_view_of(a);
	const char *title = lesson_page_kind(l, v->page) == PAGE_STEP ? l->steps[v->page - 1].title : l->title;
	char number[16];
	snprintf(number, sizeof number, "%d ", v->chosen);
	lesson_title_format(number, title, room, a->ascii, out, size);
}

/* What to do next, and behind it the key of the glossary, for which the key line often lacks room. */
static void draw_prompt(const struct app *a, const struct lesson *l, struct area in, int y, bool has_terms)
{
	const struct action *words = action_by_name("lesson-words");
	char text[120], key[40], terms[80] = "";
	format_prompt(a, l, text, sizeof text);
	if (has_terms && words->where & app_key_scope(a) &&
		*binding_format_keys(words, app_key_scope(a), 1, key, sizeof key))
		snprintf(terms, sizeof terms, "%s: underlined terms", key);
	int room = in.r.w - text_width(terms);
	area_draw_fitted(in, 0, y, in.r.w, ROLE_KEY, text);
	if (!*terms || text_width(text) + 2 > room)
		return;
	area_draw_text(in, room, y, ROLE_DIM, terms);
	area_add_hit(in, room, y, text_width(terms), 1, (struct mouse_region){.click = words->name});
}

static void draw_page_text(const struct app *a, const struct lesson *l, struct area at)
{
	const struct lesson_view *v = lessons_view_of(a);
	struct text_rows r;
	char title[200], place[80], name[48];
	struct area in = area_sub(area_inner(at), 1, 0, at.r.w - 4, at.r.h - 2);
	int rows = in.r.h - 1;
	text_rows_add_page(a, l, in.r.w, &r);
	int most = r.count > rows ? r.count - rows : 0, first = v->scroll > most ? most : v->scroll;
	snprintf(place, sizeof place, "%s%s", page_name(l, v->page, name, sizeof name),
		most ? first < most ? ", PgDn for more" : ", PgUp" : "");
	format_page_title(a, l, at.r.w - text_width(place) - 8, title, sizeof title);
	area_draw_frame(at, !v->drawing, title, place);
	for (int y = 0; y < rows && first + y < r.count; y++)
		text_row_draw(area_sub(in, 0, 0, in.r.w, in.r.h), y, &r.list[first + y]);
	draw_prompt(a, l, in, rows, r.term_count > 0);
	text_rows_free(&r);
}

void lessons_view_draw(const struct app *a, struct area at)
{
	const struct lesson *l = lessons_view_lesson(a);
	if (!lessons_view_of(a))
		return;
	if (!l) {
		draw_course(a, at);
		return;
	}
	if (lessons_view_of(a)->class_mode) {
		class_view_draw(a, l, at);
		return;
	}
	struct lesson_layout p = lessons_view_layout(a, at.r.w, at.r.h);
	if (p.text.h > 0)
		draw_page_text(a, l, area_sub(at, p.text.x, p.text.y, p.text.w, p.text.h));
	if (p.plot.h > 0 && p.plot.w > 0)
		lesson_plot_draw(a, area_sub(at, p.plot.x, p.plot.y, p.plot.w, p.plot.h));
}
