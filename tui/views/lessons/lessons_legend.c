/* The lesson view's legend for the help page: the marks of the course, of a page, of the class. */
#include <stdio.h>

#include "base/paths.h"
#include "plot/series_mark.h"
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/lessons/lessons_view.h"

static void add_course(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT), "the selected lesson; Enter opens it");
	legend_add(page, ROLE_DIM, "--", "no question of the lesson is answered yet");
	legend_add(page, ROLE_OK, "4 of 4 right", "%s",
		"questions of the lesson, and how many first answers were right; a skipped question counts as done");
	if (lessons_view_of(a)->bad_count)
		legend_add(page, ROLE_BAD, glyph_text(a->ascii, GLYPH_FAILED), "a lesson whose file has a mistake");
}

static void add_text(const struct app *a, struct text_page *page)
{
	(void)a;
	legend_add(page, ROLE_TEXT, "bold", "a command, a name in the program, or a word that is defined here");
	legend_add(page, ROLE_TEXT, "underlined",
		"a term of the glossary, where the page uses it first; g shows its meaning");
}

static void add_question(const struct app *a, struct text_page *page)
{
	const struct step_state *s = lessons_view_step(a);
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT), "your choice; Enter locks it in");
	add_text(a, page);
	if (s && s->prediction.columns)
		legend_add(page, ROLE_TITLE,
			"Asked:", "the axes of the curve that the question is about; it is drawn after your answer");
}

static void add_drawing(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_CURSOR, "X", "the pen; Up and Down draw the point of its x value");
	legend_add(page, ROLE_PINNED, mark_text('@', a->ascii), "a point that you have drawn");
}

static void add_answer(const struct app *a, struct text_page *page)
{
	const struct step_state *s = lessons_view_step(a);
	legend_add(page, ROLE_OK, glyph_text(a->ascii, GLYPH_HOLDS), "the right choice");
	legend_add(page, ROLE_BAD, glyph_text(a->ascii, GLYPH_FAILED), "your choice, if it is wrong");
	legend_add(page, ROLE_LEFT, mark_text('*', a->ascii), "a measured point of the curve asked about");
	legend_add(page, ROLE_PREVIOUS, ".", "the curve of the question before, where it has the same axes");
	if (s && prediction_point_count(&s->prediction))
		legend_add(page, ROLE_PINNED, mark_text('@', a->ascii), "a point that you predicted");
	legend_add(page, ROLE_CURSOR, glyph_text(a->ascii, GLYPH_CURSOR),
		"cursor: the line below the plot has this point's values");
}

static void add_exercises(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT), "the selected exercise");
	legend_add(page, ROLE_OK, "text", "the answer of an exercise, shown on request");
}

/* The screen has no room for a long path. */
static void add_class_file(const struct app *a, struct text_page *page)
{
	const char *path = lessons_view_of(a)->session.path;
	char text[500];
	if (!path)
		return;
	snprintf(text, sizeof text, "%s: the votes of this class session", path);
	path_abbreviate_home(text);
	legend_add(page, ROLE_DIM, "saved", "%s", text);
}

static void add_vote(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_TEXT, " 12", "votes typed here, left of each choice; each vote is one key");
	legend_add(page, ROLE_TITLE, "http://", "%s",
		lessons_view_of(a)->session.server ? "the page where phones vote; its code is above"
						   : "not open: V opens a page where phones vote");
	legend_add(page, ROLE_WARN, "0:42", "the time left of a timer (w); phones show it, too");
	legend_add(page, ROLE_TEXT, "browsers", "%s",
		"or addresses: what has opened the page for phones; each has one vote; k changes which");
	add_class_file(a, page);
}

static void add_discussion(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_TEXT, glyph_text(a->ascii, GLYPH_DONE),
		"the share of the votes for a choice; 1 and 2 are the rounds; s shows or hides them");
	add_class_file(a, page);
}

static void add_result(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_OK, glyph_text(a->ascii, GLYPH_HOLDS), "the right choice; in large letters <");
	legend_add(page, ROLE_TEXT, glyph_text(a->ascii, GLYPH_DONE),
		"the share of the votes for a choice; with two rounds, 1 is the first");
	legend_add(page, ROLE_LEFT, mark_text('*', a->ascii), "a measured point of the curve asked about");
	add_class_file(a, page);
}

void lessons_view_add_legend(const struct app *a, struct text_page *page)
{
	static void (*const add[PLACE_COUNT])(const struct app *a, struct text_page *page) = {
		[PLACE_COURSE] = add_course,
		[PLACE_READING] = add_text,
		[PLACE_QUESTION] = add_question,
		[PLACE_DRAWING] = add_drawing,
		[PLACE_ANSWER] = add_answer,
		[PLACE_EXERCISES] = add_exercises,
		[PLACE_VOTE] = add_vote,
		[PLACE_DISCUSSION] = add_discussion,
		[PLACE_RESULT] = add_result,
	};
	if (lessons_view_of(a))
		add[lessons_view_place(a)](a, page);
}
