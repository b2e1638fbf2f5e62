#include "tui/views/lessons/lessons_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/paths.h"
#include "tui/shell/shell.h"

/* --- the course --- */
static void keep_page_error(void *ctx, const char *line)
{
	struct lesson_view *v = ctx;
	v->bad = xrealloc(v->bad, (size_t)(v->bad_count + 1) * sizeof *v->bad);
	v->bad[v->bad_count++] = xstrdup(line);
	log_printf(LOG_ERROR, "lesson %s", line);
}

/* The first lesson with a question that is not answered. */
static int first_open_lesson(const struct lesson_view *v)
{
	for (int i = 0; i < v->course.count; i++) {
		struct lesson_totals t = course_progress_count(&v->progress, v->course.list[i]);
		if (t.done < t.steps)
			return i;
	}
	return 0;
}

/* Each try so far was a visit: with more of them the choices stand in another order. */
static unsigned count_tries(const struct lesson_view *v)
{
	unsigned n = 0;
	for (int i = 0; i < v->course.count; i++)
		n += (unsigned)course_progress_count(&v->progress, v->course.list[i]).tries;
	return n;
}

struct lesson_view *lessons_view_get(struct app *a)
{
	struct err e = {0};
	if (lessons_view_of(a))
		return lessons_view_of(a);
	struct lesson_view *v = xcalloc(1, sizeof *v);
	class_session_init(&v->session);
	app_set_view_state(a, &view_lessons, v);
	char *folder = path_share("lessons"), *own = path_user_data("lessons");
	if (!lessons_load(folder, &v->course, keep_page_error, v, &e))
		keep_page_error(v, e.text);
	lessons_add_folder(own, &v->course, keep_page_error, v);
	if (!course_progress_load(&v->progress, &e))
		app_show_message(a, ROLE_WARN, "%s", e.text);
	v->chosen = first_open_lesson(v);
	v->visits = count_tries(v);
	free(folder);
	free(own);
	return v;
}

void lessons_view_enter(struct app *a)
{
	lessons_view_get(a);
}

void lessons_view_close(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	if (!v)
		return;
	lesson_steps_free(a);
	class_session_free(&v->session);
	lessons_free(&v->course);
	course_progress_free(&v->progress);
	for (int i = 0; i < v->bad_count; i++)
		free(v->bad[i]);
	free(v->bad);
	free(v);
	app_set_view_state(a, &view_lessons, NULL);
}

const struct lesson *lessons_view_lesson_at(const struct app *a, int i)
{
	return lessons_view_of(a) && i >= 0 && i < lessons_view_of(a)->course.count ? lessons_view_of(a)->course.list[i]
										    : NULL;
}

const struct lesson *lessons_view_lesson(const struct app *a)
{
	return lessons_view_of(a) && lessons_view_of(a)->open ? lessons_view_lesson_at(a, lessons_view_of(a)->chosen)
							      : NULL;
}

/* --- opening a lesson --- */
void lessons_view_restart(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	lesson_steps_create(a);
	v->scroll = 0;
	v->shows_source = false;
	v->exercise = 1;
	v->answers = 0;
	lessons_view_ask_class(a);
	app_request_redraw(a);
}

void lessons_view_open(struct app *a, int lesson)
{
	struct lesson_view *v = lessons_view_of(a);
	if (!lessons_view_lesson_at(a, lesson))
		return;
	lesson_steps_free(a);
	v->chosen = lesson;
	v->open = true;
	v->page = v->class_mode ? 1 : 0;
	lessons_view_restart(a);
}

void lessons_view_close_lesson(struct app *a)
{
	lesson_steps_free(a);
	class_session_stop_server(&lessons_view_of(a)->session);
	lessons_view_of(a)->open = lessons_view_of(a)->class_mode = false;
	app_request_redraw(a);
}

static void leave_lesson(struct app *a, int to)
{
	(void)to;
	lessons_view_close_lesson(a);
}

/* Esc first cancels a measurement, then stops drawing, then closes the lesson. */
bool lessons_view_go_back(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	if (!lessons_view_lesson(a))
		return false;
	if (background_job_is_busy(v->job)) {
		background_job_cancel(v->job);
		app_show_message(a, ROLE_WARN, "canceled; press r to measure again");
	} else if (v->drawing)
		v->drawing = false;
	else
		lessons_view_leave_votes(a, leave_lesson, 0);
	return true;
}

/* A class sees neither the lecturer's own answers nor the curves measured for them. */
void lessons_view_set_class_mode(struct app *a, bool on)
{
	struct lesson_view *v = lessons_view_of(a);
	if (!lessons_view_lesson(a))
		lessons_view_open(a, v->chosen);
	if (!lessons_view_lesson(a))
		return;
	v->class_mode = on;
	if (!on)
		class_session_stop_server(&v->session);
	int last = lessons_view_lesson(a)->step_count;
	if (on)
		v->page = v->page < 1 ? 1 : v->page > last ? last : v->page;
	lessons_view_restart(a);
	if (on)
		lessons_view_recover_votes(a);
}

/* --- the view --- */
static const struct view_place places[PLACE_COUNT] = {
	[PLACE_COURSE] = {"course", "Course"},
	[PLACE_READING] = {"reading", "Lesson, text"},
	[PLACE_QUESTION] = {"question", "Lesson, question"},
	[PLACE_DRAWING] = {"drawing", "Lesson, drawing"},
	[PLACE_ANSWER] = {"answer", "Lesson, answer"},
	[PLACE_EXERCISES] = {"exercises", "Lesson, exercises"},
	[PLACE_VOTE] = {"vote", "Class mode, vote"},
	[PLACE_DISCUSSION] = {"discussion", "Class mode, discussion"},
	[PLACE_RESULT] = {"result", "Class mode, result"},
};

int lessons_view_place(const struct app *a)
{
	const struct lesson_view *v = lessons_view_of(a);
	const struct lesson *l = lessons_view_lesson(a);
	const struct step_state *s = lessons_view_step(a);
	if (!l)
		return PLACE_COURSE;
	if (v->class_mode)
		return !s || s->stage >= STAGE_LOCKED ? PLACE_RESULT
			: s->stage == STAGE_CLOSED    ? PLACE_DISCUSSION
						      : PLACE_VOTE;
	if (s)
		return v->drawing ? PLACE_DRAWING : s->stage == STAGE_ASKED ? PLACE_QUESTION : PLACE_ANSWER;
	return lesson_page_kind(l, v->page) == PAGE_EXERCISES ? PLACE_EXERCISES : PLACE_READING;
}

/* Votes arrive from another thread, and a timer runs: the loop looks for them while a vote is open. */
static enum view_work lessons_view_work(const struct app *a)
{
	const struct lesson_view *v = lessons_view_of(a);
	return v && (v->session.server || v->session.box.timer.deadline) && lessons_view_place(a) == PLACE_VOTE
		? VIEW_POLLING
		: VIEW_IDLE;
}

static void redraw_when_votes_change(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	int counts[LESSON_CHOICES_MAX];
	bool polling = lessons_view_work(a) == VIEW_POLLING;
	lessons_view_keep_open_votes(a, polling);
	if (!polling)
		return;
	lessons_view_check_timer(a);
	int total = class_session_count(&v->session, counts), devices = vote_box_count_devices(&v->session.box);
	if (total != v->phone_votes || devices != v->phone_devices)
		app_request_redraw(a);
	v->phone_votes = total;
	v->phone_devices = devices;
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/lessons/lessons_keys.def"
#undef ACTION
};

const struct view view_lessons = {
	.name = "lessons",
	.title = "Lessons",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.places = places,
	.place_count = PLACE_COUNT,
	.current_place = lessons_view_place,
	.draw = lessons_view_draw,
	.open = lessons_view_enter,
	.close = lessons_view_close,
	.keep = lessons_view_keep_results,
	.back = lessons_view_go_back,
	.busy = lessons_view_work,
	.pump = redraw_when_votes_change,
	.legend = lessons_view_add_legend,
	.offer = lessons_view_offer,
};
