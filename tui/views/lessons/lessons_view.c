#include "tui/views/lessons/lessons_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/paths.h"
#include "gpu/backends/backend.h"
#include "tui/lab/lab.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"
#include "tui/views/lessons/lesson_curve.h"
#include "tui/lab/lab_measure.h"

/* --- the course --- */
static void keep_page_error(void *ctx, const char *line)
{
	struct lesson_view *v = ctx;
	v->bad = xrealloc(v->bad, (size_t)(v->bad_count + 1) * sizeof *v->bad);
	v->bad[v->bad_count++] = xstrdup(line);
	log_printf(LOG_ERROR, "lesson %s", line);
}

/* The first lesson that is not done. */
static int first_open_page(const struct lesson_view *v)
{
	for (int i = 0; i < v->course.count; i++)
		if (!course_progress_get(&v->progress, v->course.list[i]->id).done)
			return i;
	return 0;
}

struct lesson_view *lessons_view_get(struct app *a)
{
	struct err e = {0};
	if (lessons_view_of(a))
		return lessons_view_of(a);
	struct lesson_view *v = xcalloc(1, sizeof *v);
	app_set_view_state(a, &view_lessons, v);
	char *folder = path_share("lessons"), *own = path_user_data("lessons");
	if (!lessons_load(folder, &v->course, keep_page_error, v, &e))
		keep_page_error(v, e.text);
	lessons_add_folder(own, &v->course, keep_page_error, v);
	if (!course_progress_load(&v->progress, &e))
		app_show_message(a, ROLE_WARN, "%s", e.text);
	v->chosen = first_open_page(v);
	free(folder);
	free(own);
	return v;
}

void lessons_view_enter(struct app *a)
{
	lessons_view_get(a);
}

static void free_page(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	background_job_free(a, v->job);
	v->job = NULL;
	lesson_curve_free(&v->now);
	lesson_curve_free(&v->before);
	lesson_step_free(&v->running);
	lesson_step_free(&v->predicted);
}

void lessons_view_close(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	if (!v)
		return;
	free_page(a);
	lessons_free(&v->course);
	course_progress_free(&v->progress);
	for (int i = 0; i < v->bad_count; i++)
		free(v->bad[i]);
	free(v->bad);
	free(v);
	app_set_view_state(a, &view_lessons, NULL);
}

const struct lesson *lessons_view_page_at(const struct app *a, int i)
{
	return lessons_view_of(a) && i >= 0 && i < lessons_view_of(a)->course.count ? lessons_view_of(a)->course.list[i]
										    : NULL;
}

const struct lesson *lessons_view_page(const struct app *a)
{
	return lessons_view_of(a) && lessons_view_of(a)->open ? lessons_view_page_at(a, lessons_view_of(a)->chosen)
							      : NULL;
}

/* --- contents of a lesson --- */
static int count_lesson_blocks(const struct lesson *l, enum lesson_part part, enum lesson_kind kind)
{
	int n = 0;
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].part == part && l->blocks[i].kind == kind && l->blocks[i].number > n)
			n = l->blocks[i].number;
	return n;
}

int lesson_count_choices(const struct lesson *l)
{
	int n = count_lesson_blocks(l, LESSON_PREDICT, LESSON_CHOICE);
	return n > LESSON_CHOICES_MAX ? LESSON_CHOICES_MAX : n;
}

int lesson_count_exercises(const struct lesson *l)
{
	return count_lesson_blocks(l, LESSON_EXERCISES, LESSON_ITEM);
}

const struct lesson_block *lesson_find_choice(const struct lesson *l, int number)
{
	for (int i = 0; i < l->block_count; i++)
		if (l->blocks[i].kind == LESSON_CHOICE && l->blocks[i].number == number)
			return &l->blocks[i];
	return NULL;
}

bool lesson_section_is_visible(const struct app *a, enum lesson_section s)
{
	return s <= PAGE_PREDICT || lessons_view_of(a)->stage == STAGE_REVEALED;
}

/* --- opening a lesson --- */
/* The prediction is drawn for the first metric on an axis, over the last swept parameter. It is not possible with
 * a metric on the x axis. */
static void init_drawing(struct lesson_view *v)
{
	const struct plan *p = &v->predicted.plan;
	const struct experiment *x = v->predicted.x;
	v->metric = -1;
	prediction_init(&v->prediction, NULL, 0, false);
	if (!x || !p->axis_count || experiment_find_x_metric(x) >= 0)
		return;
	for (int axis = AXIS_LEFT; axis < AXIS_COUNT && v->metric < 0; axis++)
		for (int k = 0; k < x->metric_count && v->metric < 0; k++)
			if (x->metrics[k].axis == axis && !x->metrics[k].line)
				v->metric = k;
	const struct plan_axis *last = &p->axes[p->axis_count - 1];
	if (v->metric >= 0 && last->count > 1)
		prediction_init(
			&v->prediction, last->values, last->count, x->params[last->param].kind == PARAM_STEP_MULTIPLY);
}

void lessons_view_next_metric(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct experiment *x = v->predicted.x;
	int was = v->metric, next = was;
	do
		next = (next + 1) % x->metric_count;
	while (next != was &&
		(x->metrics[next].axis < 0 || x->metrics[next].axis >= AXIS_COUNT || x->metrics[next].line));
	init_drawing(v);
	v->metric = next;
	app_show_message(a, ROLE_DIM, next == was ? "%s is the only metric to draw" : "draw %s", x->metrics[next].id);
}

/* The first step that measures. */
static void find_predicted_step(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct lesson *l = lessons_view_page(a);
	struct err e = {0};
	for (int i = 1; i <= l->step_count && !v->predicted.x; i++) {
		if (!lesson_step_read(lesson_find_step(l, i), &a->catalog, a->soft, &v->predicted, &e))
			app_show_message(a, ROLE_BAD, "%s.md, step %d: %s", l->id, i, e.text);
		else if (v->predicted.command != LESSON_RUN_EXPERIMENT)
			lesson_step_free(&v->predicted);
		else
			v->predicted_number = i;
	}
	init_drawing(v);
}

static void start_page(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	free_page(a);
	v->stage = STAGE_PREDICT;
	v->section = PAGE_PREDICT;
	v->skipped = v->drawing = false;
	v->choice = v->measured = v->scroll = v->cursor = v->compared = v->predicted_number = 0;
	v->step = v->exercise = 1;
	v->steps_done = 0;
	v->answers = 0;
	v->result = (struct lesson_result){.curve = NAN};
	v->votes = (struct votes){0};
	find_predicted_step(a);
	app_request_redraw(a);
}

void lessons_view_open(struct app *a, int page)
{
	struct lesson_view *v = lessons_view_of(a);
	if (!lessons_view_page_at(a, page))
		return;
	v->chosen = page;
	v->open = true;
	start_page(a);
}

void lessons_view_close_page(struct app *a)
{
	free_page(a);
	lessons_view_of(a)->open = lessons_view_of(a)->class_mode = false;
	app_request_redraw(a);
}

void lesson_retry(struct app *a)
{
	start_page(a);
	app_show_message(a, ROLE_DIM,
		lessons_view_of(a)->class_mode ? "new vote" : "new prediction; the course keeps the first result");
}

/* --- the prediction --- */
void lessons_view_choose(struct app *a, int number)
{
	struct lesson_view *v = lessons_view_of(a);
	if (v->stage != STAGE_PREDICT)
		app_show_message(a, ROLE_DIM, "the prediction is locked in; t starts a new one");
	else if (number >= 1 && number <= lesson_count_choices(lessons_view_page(a)))
		v->choice = number;
}

/* The votes of a class are not the user's own result. */
static bool is_class_vote(const struct lesson_view *v)
{
	return v->class_mode && !v->choice && !prediction_point_count(&v->prediction);
}

static void keep_result(struct app *a)
{
	struct err e = {0};
	if (!is_class_vote(lessons_view_of(a)) &&
		!course_progress_put(
			&lessons_view_of(a)->progress, lessons_view_page(a)->id, &lessons_view_of(a)->result, &e))
		app_show_message(a, ROLE_BAD, "%s; progress is kept only until wavedeck ends", e.text);
}

static void reveal_answer(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct lesson_block *chosen = lesson_find_choice(lessons_view_page(a), v->choice);
	v->stage = STAGE_REVEALED;
	v->section = PAGE_CURVE;
	v->scroll = 0;
	v->drawing = false;
	v->result = (struct lesson_result){
		.done = true, .skipped = v->skipped, .choice = v->skipped ? 0 : v->choice, .curve = NAN};
	if (!v->skipped) {
		v->result.right = chosen && chosen->right;
		v->result.curve = lesson_curve_prediction_error(v, &v->compared);
	}
	keep_result(a);
	app_request_redraw(a);
}

bool lessons_view_lock_prediction(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	if (v->stage != STAGE_PREDICT)
		return true;
	if (!v->choice && !prediction_point_count(&v->prediction) && !(v->class_mode && v->votes.total)) {
		app_show_message(a, ROLE_WARN,
			v->class_mode ? "no votes yet; press a letter to vote, or x to skip"
				: v->prediction.columns
				? "choose with a letter or draw the curve (Tab) first; x skips the prediction"
				: "choose with a letter or Up and Down first; x skips the prediction");
		return false;
	}
	v->drawing = false;
	v->stage = STAGE_LOCKED;
	if (v->predicted.x)
		lessons_view_measure_step(a, v->predicted_number);
	else
		reveal_answer(a);
	return true;
}

void lesson_skip(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	if (v->stage == STAGE_REVEALED)
		return;
	v->skipped = true;
	if (v->stage == STAGE_PREDICT && v->predicted.x)
		lessons_view_measure_step(a, v->predicted_number);
	else
		background_job_cancel(v->job);
	reveal_answer(a);
}

/* --- measuring --- */
static void take_step_record(void *ctx, struct background_job *s, const json_t *record)
{
	struct app *a = ctx;
	struct lesson_view *v = lessons_view_of(a);
	a->dirty = true;
	if (record && strcmp(record_get_type(record), "point"))
		return;
	lesson_curve_copy_points(&v->now, s);
	if (record)
		return;
	if (background_job_state(s) == BACKGROUND_DONE && v->measured)
		v->steps_done |= 1ull << (v->measured & 63);
	if (background_job_state(s) == BACKGROUND_FAILED)
		app_show_message(
			a, ROLE_BAD, "step %d: %s; press r to try again", v->measured, background_job_status_text(s));
	if (background_job_state(s) == BACKGROUND_DONE && v->stage == STAGE_LOCKED)
		reveal_answer(a);
}

/* Two processes that measure on one hardware GPU disturb each other; each worker has a software GPU of its own. */
static void stop_sweep_on_device(struct app *a, const char *device)
{
	if (device_can(device, DEVICE_HARDWARE) && measure_is_running(a))
		measure_cancel(a);
}

/* The step belongs to another view: sets up the lab and runs that view's action. Without such an action, shows the
 * command. */
static void open_step_in_workbench(struct app *a, const struct lesson_block *step, const struct lesson_step *s)
{
	static const char *const actions[] = {
		[LESSON_RUN_EXPERIMENT] = "run", [LESSON_SHOW_CODE] = "code", [LESSON_EDIT_KERNEL] = "edit"};
	int i = 0;
	while (i < a->lab_count && a->labs[i].x != s->x)
		i++;
	lessons_view_of(a)->steps_done |= 1ull << (step->number & 63);
	if (i == a->lab_count || !action_by_name(actions[s->command])) {
		app_show_message(a, ROLE_OK, "run in a shell: wavedeck %s", step->text);
		return;
	}
	a->current = i;
	lab_apply_plan(&a->labs[i], &s->plan);
	a->view = views[0];
	measure_start_after(a, 0);
	app_run_action(a, actions[s->command], NULL, NULL);
}

static void start_step(struct app *a, struct lesson_step *s, int number)
{
	struct lesson_view *v = lessons_view_of(a);
	const char *device = s->device ? s->device : a->device;
	if (!v->job && !(v->job = background_job_create(a, take_step_record, a)))
		return app_show_message(a, ROLE_BAD, "too many background measurements; cancel one first");
	background_job_cancel(v->job);
	lesson_curve_start(v, s, device);
	lesson_step_free(&v->running);
	v->running = *s;
	v->running.plan.counters = s->plan.counters ? v->running.counters : NULL;
	v->measured = number;
	v->cursor = 0;
	stop_sweep_on_device(a, device);
	background_job_measure(v->job, device, &v->running.plan);
}

void lessons_view_measure_step(struct app *a, int number)
{
	const struct lesson *l = lessons_view_page(a);
	const struct lesson_block *step = l ? lesson_find_step(l, number) : NULL;
	struct lesson_step s;
	struct err e = {0};
	if (!step)
		return app_show_message(
			a, ROLE_BAD, "unknown step; this lesson has steps 1 to %d", l ? l->step_count : 0);
	if (!lesson_step_read(step, &a->catalog, a->soft, &s, &e))
		return app_show_message(a, ROLE_BAD, "%s.md, step %d: %s", l->id, number, e.text);
	app_request_redraw(a);
	if (s.command != LESSON_RUN_EXPERIMENT) {
		open_step_in_workbench(a, step, &s);
		lesson_step_free(&s);
	} else
		start_step(a, &s, number); /* takes ownership */
}

/* --- class mode --- */
void lessons_view_add_vote(struct app *a, int number)
{
	struct lesson_view *v = lessons_view_of(a);
	struct votes *votes = &v->votes;
	if (v->stage != STAGE_PREDICT)
		return app_show_message(a, ROLE_DIM, "the vote is over; t starts a new one");
	if (number < 1 || number > lesson_count_choices(lessons_view_page(a)) || votes->count[number - 1] >= VOTES_MAX)
		return;
	votes->given[votes->total++] = (signed char)number;
	votes->count[number - 1]++;
}

void lessons_view_remove_vote(struct app *a)
{
	struct votes *votes = &lessons_view_of(a)->votes;
	if (!votes->total || lessons_view_of(a)->stage != STAGE_PREDICT)
		return app_show_message(a, ROLE_DIM, "no vote to remove");
	int number = votes->given[--votes->total];
	votes->count[number - 1]--;
	app_show_message(a, ROLE_DIM, "removed a vote for %c", 'a' + number - 1);
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
	.draw = lessons_view_draw,
	.open = lessons_view_enter,
	.close = lessons_view_close,
	.back = lessons_view_go_back,
	.offer = lessons_view_offer,
};
