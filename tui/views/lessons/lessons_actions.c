/* Actions of the lesson view. An argument comes from scripts: a lesson, a letter, a number. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/input_line.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"
#include "tui/views/lessons/lesson_rows.h"
#include "tui/views/lessons/lessons_view.h"

static bool in_course(const struct app *a)
{
	return !lessons_view_lesson(a);
}

static bool is_drawing(const struct app *a)
{
	return lessons_view_step(a) && lessons_view_of(a)->drawing;
}

static bool is_asked(const struct app *a)
{
	const struct step_state *s = lessons_view_step(a);
	return s && s->stage == STAGE_ASKED;
}

static void scroll_lesson(struct app *a, int by)
{
	struct lesson_view *v = lessons_view_of(a);
	int most = lessons_view_scroll_max(a);
	v->scroll += by;
	v->scroll = v->scroll > most ? most : v->scroll < 0 ? 0 : v->scroll;
}

static int clamp_number(int from, int by, int last)
{
	int to = from + by;
	return to < 1 ? 1 : to > last ? last : to;
}

static void open_named_lesson(struct app *a, const char *name)
{
	struct err e = {0};
	const struct lesson *l = lessons_find(&lessons_view_get(a)->course, name, &e);
	for (int i = 0; l && i < lessons_view_of(a)->course.count; i++)
		if (lessons_view_of(a)->course.list[i] == l)
			lessons_view_leave_votes(a, lessons_view_open, i);
	if (!l)
		app_show_message(a, ROLE_BAD, "%s", e.text);
}

void act_lessons(struct app *a, const char *argument)
{
	lessons_view_get(a);
	if (argument)
		open_named_lesson(a, argument);
	if (a->view != &view_lessons || !argument)
		app_show_view(a, &view_lessons);
}

/* --- arrow keys --- */
static void move_choice(struct app *a, int by)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = lessons_view_step(a);
	int choices = lessons_view_lesson(a)->steps[v->page - 1].choice_count,
	    place = step_place_of(s, s->choice, choices);
	lessons_view_choose(a, place < 0 ? 0 : clamp_number(place + 1, by, choices) - 1);
	lessons_view_scroll_to_choice(a);
}

static void move_exercise(struct app *a, int by)
{
	struct lesson_view *v = lessons_view_of(a);
	v->exercise = clamp_number(v->exercise, by, lesson_count_exercises(lessons_view_lesson(a)));
	lessons_view_scroll_to_choice(a);
}

void act_lesson_move_down(struct app *a, int by)
{
	struct lesson_view *v = lessons_view_of(a);
	if (in_course(a))
		v->chosen = v->course.count ? clamp_number(v->chosen + 1, by, v->course.count) - 1 : 0;
	else if (is_drawing(a))
		prediction_raise_point(&lessons_view_step(a)->prediction, -by);
	else if (v->class_mode)
		return;
	else if (is_asked(a))
		move_choice(a, by);
	else if (lessons_view_place(a) == PLACE_EXERCISES)
		move_exercise(a, by);
	else
		scroll_lesson(a, by);
}

static void go_to_class_question(struct app *a, int page)
{
	if (page >= 1 && page <= lessons_view_of(a)->step_count)
		lessons_view_go_to(a, page);
	else if (page > 1)
		app_show_message(a, ROLE_DIM, "this was the last question; n: next lesson");
}

void act_lesson_turn_page(struct app *a, int by)
{
	struct lesson_view *v = lessons_view_of(a);
	if (in_course(a)) {
		if (by > 0)
			lessons_view_open(a, v->chosen);
	} else if (is_drawing(a))
		prediction_move_cursor(&lessons_view_step(a)->prediction, by);
	else if (v->class_mode)
		go_to_class_question(a, v->page + (by > 0 ? 1 : -1));
	else
		lessons_view_go_to(a, v->page + (by > 0 ? 1 : -1));
}

void act_lesson_words(struct app *a)
{
	const struct lesson *l = lessons_view_lesson(a);
	char *terms = l ? lesson_page_terms(a, l) : NULL;
	if (terms && *terms)
		action_call(action_by_name("glossary"), a, terms);
	else
		app_show_message(a, ROLE_DIM, "no term of the glossary is on this page; F3 shows all terms");
	free(terms);
}

void act_lesson_page_down(struct app *a)
{
	if (!in_course(a) && !is_drawing(a))
		scroll_lesson(a, 8);
	else
		act_lesson_move_down(a, 10);
}

void act_lesson_page_up(struct app *a)
{
	if (!in_course(a) && !is_drawing(a))
		scroll_lesson(a, -8);
	else
		act_lesson_move_down(a, -10);
}

/* --- Enter and letters --- */
static void enter_step(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = lessons_view_step(a);
	if (s->stage < STAGE_LOCKED) {
		if (lessons_view_lock(a) && !v->class_mode)
			lessons_view_scroll_to_choice(a);
	} else if (s->stage == STAGE_LOCKED && !background_job_is_busy(v->job))
		lessons_view_measure(a);
	else if (s->stage == STAGE_REVEALED && s->selected_command)
		lessons_view_jump(a, s->selected_command);
	else if (s->stage == STAGE_REVEALED)
		act_lesson_turn_page(a, 1);
}

void act_lesson_enter(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	if (in_course(a))
		lessons_view_open(a, v->chosen);
	else if (lessons_view_step(a))
		enter_step(a);
	else if (lessons_view_place(a) == PLACE_EXERCISES) {
		v->answers ^= 1u << (v->exercise & 31);
		lessons_view_scroll_to_choice(a);
	} else
		act_lesson_turn_page(a, 1);
}

void act_lesson_choose(struct app *a, int place)
{
	if (in_course(a))
		return;
	if (lessons_view_of(a)->class_mode) {
		lessons_view_add_vote(a, place);
		return;
	}
	lessons_view_choose(a, place);
	if (is_asked(a))
		lessons_view_scroll_to_choice(a);
}

/* --- drawing --- */
void act_lesson_draw(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	if (!is_asked(a) || v->class_mode)
		return;
	if (!lessons_view_step(a)->prediction.columns)
		app_show_message(a, ROLE_DIM, "this question has no curve to draw; choose a letter");
	else
		v->drawing = !v->drawing;
	v->scroll = v->drawing ? lessons_view_scroll_max(a) : 0; /* on a small screen: shows the choices */
	lessons_view_scroll_to_choice(a);
}

void act_lesson_drop(struct app *a)
{
	if (is_drawing(a))
		prediction_toggle_point(&lessons_view_step(a)->prediction);
}

void act_lesson_erase(struct app *a)
{
	if (is_drawing(a))
		prediction_erase_point(&lessons_view_step(a)->prediction);
}

void act_lesson_taller(struct app *a)
{
	if (is_drawing(a))
		prediction_scale_y(&lessons_view_step(a)->prediction, true);
}

void act_lesson_lower(struct app *a)
{
	if (is_drawing(a))
		prediction_scale_y(&lessons_view_step(a)->prediction, false);
}

/* --- other actions --- */
void act_lesson_source(struct app *a)
{
	lessons_view_turn_source(a);
}
void act_lesson_skip(struct app *a)
{
	lessons_view_skip(a);
}
void act_lesson_retry(struct app *a)
{
	lessons_view_retry(a);
}
void act_lesson_unvote(struct app *a)
{
	lessons_view_remove_vote(a);
}
void act_lesson_jump(struct app *a)
{
	lessons_view_jump(a, 0);
}

/* Through the further commands of the answer, then none. */
void act_lesson_select(struct app *a)
{
	struct step_state *s = lessons_view_step(a);
	if (!s || s->stage != STAGE_REVEALED)
		return;
	int count = lesson_count_commands(lessons_view_lesson(a), lessons_view_of(a)->page);
	if (!count)
		return app_show_message(a, ROLE_DIM, "this answer has no further commands");
	lessons_view_of(a)->shows_source = false;
	s->selected_command = (s->selected_command + 1) % (count + 1);
	if (s->selected_command)
		lessons_view_of(a)->scroll = lessons_view_scroll_max(a);
	lessons_view_scroll_to_choice(a);
}

void act_lesson_again(struct app *a)
{
	const struct step_state *s = lessons_view_step(a);
	if (s && s->stage >= STAGE_LOCKED)
		lessons_view_measure(a);
}

void act_lesson_next(struct app *a)
{
	if (in_course(a))
		return;
	if (lessons_view_of(a)->chosen + 1 < lessons_view_of(a)->course.count)
		lessons_view_leave_votes(a, lessons_view_open, lessons_view_of(a)->chosen + 1);
	else
		app_show_message(a, ROLE_DIM, "this is the last lesson");
}

/* --- class mode --- */
void act_lesson_close_vote(struct app *a)
{
	lessons_view_close_vote(a);
}
void act_lesson_second(struct app *a)
{
	lessons_view_vote_again(a);
}
/* Without an argument, the time is asked for. */
void act_lesson_timer(struct app *a, const char *argument)
{
	if (argument)
		lessons_view_start_timer(a, argument);
	else
		input_line_open(a, lessons_view_start_timer, "60", "seconds for this vote, 0 for no timer: ");
}
void act_lesson_vote_for(struct app *a)
{
	lessons_view_change_vote_for(a);
}
void act_lesson_split(struct app *a)
{
	lessons_view_of(a)->shows_split = !lessons_view_of(a)->shows_split;
}
/* The curve, the reasons, the source, the curve again. The reasons stay for the next question, the source does not. */
void act_lesson_reasons(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	if (v->shows_source || (v->shows_reasons && lessons_view_has_source(a)))
		lessons_view_turn_source(a);
	if (!v->shows_source)
		v->shows_reasons = !v->shows_reasons;
}

static void switch_class_mode(struct app *a, int on)
{
	lessons_view_set_class_mode(a, on);
}

void act_lesson_class(struct app *a)
{
	lessons_view_leave_votes(a, switch_class_mode, !lessons_view_of(a)->class_mode);
}

static bool confirm_phones(struct app *a, const char *where)
{
	lessons_view_open_phones(a, where);
	return lessons_view_of(a)->session.server != NULL;
}

/* Nothing is served before the lecturer has seen and confirmed the address. */
void act_lesson_phones(struct app *a, const char *argument)
{
	char where[64];
	if (lessons_view_of(a)->session.server)
		lessons_view_close_phones(a);
	else if (argument)
		lessons_view_open_phones(a, argument);
	else {
		vote_server_suggest_address(where, sizeof where);
		input_line_open(a, confirm_phones, where, "open a page for phones at: ");
	}
}

void act_lesson_export(struct app *a, const char *argument)
{
	if (argument)
		lessons_view_export_class(a, argument);
	else
		input_line_open(a, lessons_view_export_class, "class.html", "export the votes to: ");
}

void act_lesson_select_point(struct app *a, int by)
{
	struct step_state *s = lessons_view_step(a);
	if (!s)
		return;
	int last = (int)s->curve.points.count - 1, to = s->cursor + by;
	s->cursor = to > last ? last : to;
	if (s->cursor < 0)
		s->cursor = 0;
}

/* --- command palette --- */
static int is_offered_lesson(const struct dirent *d)
{
	size_t n = strlen(d->d_name);
	return n > 3 && !strcmp(d->d_name + n - 3, ".md") && strcmp(d->d_name, "README.md");
}

void lessons_view_offer(const struct app *a, struct palette *offers)
{
	(void)a;
	struct dirent **pages;
	char *folder = path_share("lessons");
	int count = scandir(folder, &pages, is_offered_lesson, alphasort);
	for (int i = 0; i < count; i++) {
		palette_offer(offers, "a lesson of the course", "lessons %.*s", (int)strlen(pages[i]->d_name) - 3,
			pages[i]->d_name);
		free(pages[i]);
	}
	if (count >= 0)
		free(pages);
	free(folder);
}
