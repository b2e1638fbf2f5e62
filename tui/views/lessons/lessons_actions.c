/* Actions of the lesson view. An argument comes from scripts: a lesson, a letter, a number. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"
#include "tui/views/lessons/lesson_rows.h"
#include "tui/views/lessons/lessons_view.h"
#include "tui/lab/lab_measure.h"

/* --- state --- */
static bool in_list(const struct app *a)
{
	return !lessons_view_page(a);
}

static bool is_drawing(const struct app *a)
{
	return lessons_view_page(a) && lessons_view_of(a)->drawing;
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

static void open_named(struct app *a, const char *name)
{
	struct err e = {0};
	const struct lesson *l = lessons_find(&lessons_view_get(a)->course, name, &e);
	for (int i = 0; l && i < lessons_view_of(a)->course.count; i++)
		if (lessons_view_of(a)->course.list[i] == l)
			lessons_view_open(a, i);
	if (!l)
		app_show_message(a, ROLE_BAD, "%s", e.text);
}

void act_lessons(struct app *a, const char *argument)
{
	lessons_view_get(a);
	if (argument)
		open_named(a, argument);
	if (a->view != &view_lessons || !argument)
		app_show_view(a, &view_lessons);
}

/* Esc first cancels a measurement, then leaves the drawing, class mode, the lesson, and last the view. */
bool lessons_view_go_back(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	if (in_list(a))
		return false;
	if (background_job_is_busy(v->job)) {
		background_job_cancel(v->job);
		app_show_message(a, ROLE_WARN, "canceled; press r to measure again");
	} else if (v->drawing)
		v->drawing = false;
	else if (v->class_mode)
		v->class_mode = false;
	else
		lessons_view_close_page(a);
	return true;
}

/* --- arrow keys --- */
static void move_choice(struct app *a, int by)
{
	struct lesson_view *v = lessons_view_of(a);
	if (v->stage != STAGE_PREDICT) {
		scroll_lesson(a, by);
		return;
	}
	lessons_view_choose(a, v->choice ? clamp_number(v->choice, by, lesson_count_choices(lessons_view_page(a))) : 1);
	lessons_view_scroll_to_choice(a);
}

static void move_vertically(struct app *a, int by)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct lesson *l = lessons_view_page(a);
	if (in_list(a)) {
		v->chosen = v->course.count ? clamp_number(v->chosen + 1, by, v->course.count) - 1 : 0;
		return;
	}
	if (is_drawing(a))
		prediction_move_cursor(&v->prediction, 0, -by);
	else if (v->class_mode)
		return;
	else if (v->section == PAGE_PREDICT)
		move_choice(a, by);
	else if (v->section == PAGE_RUN || v->section == PAGE_EXERCISES) {
		int *chosen = v->section == PAGE_RUN ? &v->step : &v->exercise;
		*chosen = clamp_number(*chosen, by, v->section == PAGE_RUN ? l->step_count : lesson_count_exercises(l));
		lessons_view_scroll_to_choice(a);
	} else
		scroll_lesson(a, by);
}

void act_lesson_down(struct app *a, const char *argument)
{
	move_vertically(a, action_step_count(argument));
}
void act_lesson_up(struct app *a, const char *argument)
{
	move_vertically(a, -action_step_count(argument));
}

static void to_section(struct app *a, int to)
{
	struct lesson_view *v = lessons_view_of(a);
	if (to < 0 || to >= PAGE_SECTIONS)
		return;
	if (!lesson_section_is_visible(a, (enum lesson_section)to)) {
		app_show_message(a, ROLE_WARN, "lock in a prediction first (Enter), or skip it (x)");
		return;
	}
	v->section = (enum lesson_section)to;
	v->scroll = 0;
}

static void move_horizontally(struct app *a, int by)
{
	struct lesson_view *v = lessons_view_of(a);
	if (in_list(a)) {
		if (by > 0)
			lessons_view_open(a, v->chosen);
	} else if (is_drawing(a))
		prediction_move_cursor(&v->prediction, by, 0);
	else if (!v->class_mode)
		to_section(a, (int)v->section + (by > 0 ? 1 : -1));
}

void act_lesson_right(struct app *a, const char *argument)
{
	move_horizontally(a, action_step_count(argument));
}
void act_lesson_left(struct app *a, const char *argument)
{
	move_horizontally(a, -action_step_count(argument));
}

void act_lesson_page_down(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (!in_list(a))
		scroll_lesson(a, 8);
	else
		move_vertically(a, 10);
}
void act_lesson_page_up(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (!in_list(a))
		scroll_lesson(a, -8);
	else
		move_vertically(a, -10);
}

/* --- Enter and letters --- */
static void toggle_answer(struct app *a)
{
	lessons_view_of(a)->answers ^= 1u << (lessons_view_of(a)->exercise & 31);
	lessons_view_scroll_to_choice(a);
}

static void lock_in(struct app *a)
{
	if (lessons_view_lock_prediction(a) && lessons_view_of(a)->stage == STAGE_LOCKED)
		lessons_view_scroll_to_choice(a);
}

void act_lesson_enter(struct app *a, const char *argument)
{
	struct lesson_view *v = lessons_view_of(a);
	if (in_list(a)) {
		lessons_view_open(a, v->chosen);
		return;
	}
	if (argument && v->section == PAGE_RUN)
		v->step = clamp_number(action_step_count(argument), 0, lessons_view_page(a)->step_count);
	if (v->stage == STAGE_PREDICT)
		lock_in(a);
	else if (v->stage == STAGE_LOCKED && !background_job_is_busy(v->job))
		lessons_view_measure_step(a, v->predicted_number);
	else if (v->stage == STAGE_LOCKED)
		return;
	else if (v->section == PAGE_RUN)
		lessons_view_measure_step(a, v->step);
	else if (v->section == PAGE_EXERCISES)
		toggle_answer(a);
	else
		to_section(a, (int)v->section + 1);
}

static void choose_or_vote(struct app *a, int number)
{
	if (in_list(a))
		return;
	if (lessons_view_of(a)->class_mode) {
		lessons_view_add_vote(a, number);
		return;
	}
	lessons_view_choose(a, number);
	if (lessons_view_of(a)->section == PAGE_PREDICT)
		lessons_view_scroll_to_choice(a);
}

void act_lesson_a(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	choose_or_vote(a, 1);
}
void act_lesson_b(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	choose_or_vote(a, 2);
}
void act_lesson_c(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	choose_or_vote(a, 3);
}
void act_lesson_d(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	choose_or_vote(a, 4);
}
void act_lesson_e(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	choose_or_vote(a, 5);
}
void act_lesson_f(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	choose_or_vote(a, 6);
}

/* --- drawing --- */
void act_lesson_draw(struct app *a, const char *argument)
{
	struct lesson_view *v = lessons_view_of(a);
	UNUSED_ARGUMENT;
	if (in_list(a) || v->stage != STAGE_PREDICT)
		return;
	if (v->class_mode) {
		app_show_message(a, ROLE_DIM, "drawing is not available in class mode; C leaves class mode");
		return;
	}
	if (!v->prediction.columns)
		app_show_message(a, ROLE_DIM, "this lesson has no curve to draw; choose with a letter");
	else
		v->drawing = !v->drawing;
	v->section = PAGE_PREDICT;
	v->scroll = v->drawing ? lessons_view_scroll_max(a) : 0; /* on a small screen: shows the choices */
	lessons_view_scroll_to_choice(a);
}

void act_lesson_drop(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (is_drawing(a))
		prediction_toggle_point(&lessons_view_of(a)->prediction);
	else
		act_lesson_page_down(a, NULL);
}

void act_lesson_undo(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (is_drawing(a))
		prediction_erase_point(&lessons_view_of(a)->prediction);
	else if (!in_list(a) && lessons_view_of(a)->class_mode)
		lessons_view_remove_vote(a);
}

void act_lesson_metric(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (is_drawing(a))
		lessons_view_next_metric(a);
}

void act_lesson_taller(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (is_drawing(a))
		prediction_scale_y(&lessons_view_of(a)->prediction, true);
}
void act_lesson_lower(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (is_drawing(a))
		prediction_scale_y(&lessons_view_of(a)->prediction, false);
}

/* --- other actions --- */
void act_lesson_skip(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (!in_list(a))
		lesson_skip(a);
}
void act_lesson_retry(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (!in_list(a))
		lesson_retry(a);
}
void act_lesson_jump(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	lesson_jump(a);
}

void act_lesson_again(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	struct lesson_view *v = lessons_view_of(a);
	if (in_list(a) || v->stage == STAGE_PREDICT)
		return;
	lessons_view_measure_step(a,
		v->stage == STAGE_LOCKED ? v->predicted_number
			: v->measured    ? v->measured
					 : v->step);
}

void act_lesson_next(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (in_list(a))
		return;
	if (lessons_view_of(a)->chosen + 1 < lessons_view_of(a)->course.count)
		lessons_view_open(a, lessons_view_of(a)->chosen + 1);
	else
		app_show_message(a, ROLE_DIM, "this is the last lesson");
}

void act_lesson_class(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	struct lesson_view *v = lessons_view_of(a);
	if (in_list(a))
		lessons_view_open(a, v->chosen);
	v->class_mode = lessons_view_page(a) && !v->class_mode;
	v->drawing = false;
}

static void move_curve_cursor(struct app *a, int by)
{
	struct lesson_view *v = lessons_view_of(a);
	int to = v->cursor + by;
	v->cursor = to >= (int)v->now.points.count ? (int)v->now.points.count - 1 : to;
	if (v->cursor < 0)
		v->cursor = 0;
}

void act_lesson_point(struct app *a, const char *argument)
{
	move_curve_cursor(a, action_step_count(argument));
}
void act_lesson_point_back(struct app *a, const char *argument)
{
	move_curve_cursor(a, -action_step_count(argument));
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
