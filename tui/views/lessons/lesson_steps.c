/* The steps of the open lesson: predicting, measuring, revealing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/course/lesson_axes.h"
#include "experiments/course/lesson_source.h"
#include "gpu/backends/backend.h"
#include "plot/chart.h"
#include "tui/lab/device_switch.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/undo.h"
#include "tui/shell/shell.h"
#include "tui/views/lessons/lesson_curve.h"
#include "tui/views/lessons/lessons_view.h"

/* --- opening --- */
/* The prediction is drawn over the swept parameter; it cannot be drawn over a metric. Its y axis has room for all
 * values of the answer, and is round, so that it is no hint. */
static void init_step_drawing(const struct lesson *l, int step, struct step_state *s)
{
	const struct plan *p = &s->command.plan;
	const struct experiment *x = s->command.x;
	double largest = lesson_find_largest_value(l, step);
	prediction_init(&s->prediction, NULL, 0, false, 0);
	if (!x || s->metric < 0 || !p->axis_count || experiment_find_x_metric(x) >= 0)
		return;
	const struct plan_axis *last = &p->axes[p->axis_count - 1];
	if (last->count > 1)
		prediction_init(&s->prediction, last->values, last->count,
			x->params[last->param].kind == PARAM_STEP_MULTIPLY ||
				values_double(last->values, (size_t)last->count),
			largest > 0 ? axis_end_for(largest) : 0);
}

static void open_step(struct app *a, const struct lesson *l, int step)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = &v->steps[step - 1];
	struct err e = {0};
	*s = (struct step_state){.metric = -1, .round = 1, .result = {.curve = NAN}};
	lesson_order_choices(l, step, v->visits, s->order);
	if (!lesson_step_check(l, step, &a->catalog, &e) ||
		!lesson_command_read(l->steps[step - 1].command, &a->catalog, a->soft, a->arch, &s->command, &e))
		app_show_message(a, ROLE_BAD, "%s.md, step %d: %s", l->id, step, e.text);
	else
		s->metric = experiment_find_metric(s->command.x, l->steps[step - 1].metric);
	init_step_drawing(l, step, s);
}

void lesson_steps_create(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	const struct lesson *l = lessons_view_lesson(a);
	lesson_steps_free(a);
	v->visits++;
	v->steps = xcalloc((size_t)l->step_count + 1, sizeof *v->steps);
	v->step_count = l->step_count;
	for (int step = 1; step <= l->step_count; step++)
		open_step(a, l, step);
}

void lesson_steps_free(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	background_job_free(a, v->job);
	v->job = NULL;
	for (int i = 0; i < v->step_count; i++) {
		lesson_curve_free(&v->steps[i].curve);
		lesson_command_free(&v->steps[i].command);
	}
	free(v->steps);
	v->steps = NULL;
	v->step_count = v->measured = 0;
	v->drawing = false;
	lessons_view_clear_phones(a);
}

/* --- the prediction --- */
int step_place_of(const struct step_state *s, int choice, int choices)
{
	for (int i = 0; i < choices; i++)
		if (s->order[i] == choice)
			return i;
	return -1;
}

void lessons_view_choose(struct app *a, int place)
{
	struct step_state *s = lessons_view_step(a);
	if (s && s->stage == STAGE_ASKED && place >= 0 &&
		place < lessons_view_lesson(a)->steps[lessons_view_of(a)->page - 1].choice_count)
		s->choice = s->order[place];
}

static bool has_prediction(const struct app *a, const struct step_state *s)
{
	int counts[LESSON_CHOICES_MAX];
	return lessons_view_of(a)->class_mode ? lessons_view_count_votes(a, counts) > 0
					      : s->choice || prediction_point_count(&s->prediction);
}

/* The votes of a class are not the user's own result. */
static void keep_step_result(struct app *a, int step)
{
	struct lesson_view *v = lessons_view_of(a);
	struct err e = {0};
	if (!v->class_mode &&
		!course_progress_put(&v->progress, lessons_view_lesson(a)->id, step, &v->steps[step - 1].result, &e))
		app_show_message(a, ROLE_BAD, "%s; progress is kept only until wavedeck ends", e.text);
}

static void reveal_step(struct app *a, int step)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = &v->steps[step - 1];
	s->stage = STAGE_REVEALED;
	v->shows_source = false;
	v->scroll = 0;
	v->drawing = v->shows_reasons = false;
	s->result = (struct step_result){
		.done = true, .skipped = s->skipped, .choice = s->skipped ? 0 : s->choice, .curve = NAN};
	if (!s->skipped) {
		s->result.right = s->choice && s->choice == lesson_right_choice(lessons_view_lesson(a), step);
		s->result.curve = lesson_curve_prediction_error(s, background_job_sweep(v->job), &s->compared);
	}
	keep_step_result(a, step);
	if (v->polled == step)
		vote_box_reveal(&v->session.box);
	app_request_redraw(a);
}

bool lessons_view_lock(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = lessons_view_step(a);
	if (!s || s->stage >= STAGE_LOCKED)
		return true;
	if (!has_prediction(a, s)) {
		app_show_message(a, ROLE_WARN, "%s",
			v->class_mode ? "no votes yet; type a letter for each vote, or press x to skip"
				: s->prediction.columns
				? "choose a letter or draw the curve (Tab) first; x skips the question"
				: "choose a letter first; x skips the question");
		return false;
	}
	v->drawing = false;
	lessons_view_end_vote(a);
	s->stage = STAGE_LOCKED;
	if (s->command.x)
		lessons_view_measure(a);
	else
		reveal_step(a, v->page);
	return true;
}

void lessons_view_skip(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = lessons_view_step(a);
	if (!s || s->stage == STAGE_REVEALED)
		return;
	bool unmeasured = s->stage < STAGE_LOCKED;
	lessons_view_end_vote(a);
	s->skipped = !v->class_mode || !s->votes.total;
	if (unmeasured && s->command.x)
		lessons_view_measure(a);
	else
		background_job_cancel(v->job);
	reveal_step(a, v->page);
}

static void ask_step_again(struct app *a, int step)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = &v->steps[step - 1];
	background_job_cancel(v->job);
	lesson_curve_free(&s->curve);
	lesson_command_free(&s->command);
	v->visits++;
	v->scroll = 0;
	open_step(a, lessons_view_lesson(a), step);
	lessons_view_clear_phones(a);
	lessons_view_ask_class(a);
	app_show_message(
		a, ROLE_DIM, v->class_mode ? "new vote" : "the question again, with its choices in another order");
}

void lessons_view_retry(struct app *a)
{
	if (lessons_view_step(a))
		lessons_view_leave_votes(a, ask_step_again, lessons_view_of(a)->page);
}

/* --- the source of the answer --- */
bool lessons_view_has_source(const struct app *a)
{
	const struct step_state *s = lessons_view_step(a);
	return s && s->stage == STAGE_REVEALED &&
		lesson_count_sources(lessons_view_lesson(a), lessons_view_of(a)->page) > 0;
}

/* It stands where the answer stands, from its first row on, so that it is visible on any screen. */
void lessons_view_turn_source(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = lessons_view_step(a);
	if (!s)
		return;
	if (s->stage != STAGE_REVEALED) {
		app_show_message(a, ROLE_WARN, "the answer comes first; then s shows on what it rests");
		return;
	}
	if (!lessons_view_has_source(a)) {
		app_show_message(a, ROLE_DIM, "this lesson does not say on what its answer rests");
		return;
	}
	int scroll = v->shows_source ? v->answer_scroll : 0;
	v->answer_scroll = v->scroll;
	v->scroll = scroll;
	v->shows_source = !v->shows_source;
	s->selected_command = 0;
	app_request_redraw(a);
}

/* --- measuring --- */
static void take_step_record(void *ctx, struct background_job *job, const json_t *record)
{
	struct app *a = ctx;
	struct lesson_view *v = lessons_view_of(a);
	a->dirty = true;
	if (!v->measured || (record && strcmp(record_get_type(record), "point")))
		return;
	struct step_state *s = &v->steps[v->measured - 1];
	lesson_curve_copy_points(&s->curve, lessons_view_lesson(a)->steps[v->measured - 1].metric, job);
	if (record)
		return;
	if (v->class_mode)
		class_session_set_curve(
			&v->session, lessons_view_lesson(a)->id, v->measured, s->curve.header, &s->curve.points);
	if (background_job_state(job) == BACKGROUND_FAILED)
		app_show_message(
			a, ROLE_BAD, "step %d: %s; press r to try again", v->measured, background_job_status_text(job));
	if (background_job_state(job) == BACKGROUND_DONE && s->stage == STAGE_LOCKED)
		reveal_step(a, v->measured);
}

/* Two processes that measure on one hardware GPU disturb each other; each worker has a software GPU of its own. */
static void stop_sweep_on_device(struct app *a, const char *device)
{
	if (device_can(device, DEVICE_HARDWARE) && measure_is_running(a))
		measure_cancel(a);
}

void lessons_view_measure(struct app *a)
{
	struct lesson_view *v = lessons_view_of(a);
	struct step_state *s = lessons_view_step(a);
	if (!s || !s->command.x)
		return;
	const char *device = s->command.device ? s->command.device : a->device;
	if (!v->job && !(v->job = background_job_create(a, "lesson", take_step_record, a)))
		return app_show_message(a, ROLE_BAD, "too many background measurements; cancel one first");
	background_job_cancel(v->job);
	lesson_curve_free(&s->curve);
	snprintf(s->curve.device, sizeof s->curve.device, "%.95s", device);
	v->measured = v->page;
	s->cursor = 0;
	stop_sweep_on_device(a, device);
	background_job_measure(v->job, device, &s->command.plan);
	app_request_redraw(a);
}

/* --- in the workbench --- */
/* The workbench would measure the same points: they are copied instead. */
static void hand_over_curve(struct app *a, struct lab *b, const struct lesson_view *v, const struct plan *p)
{
	const struct sweep *s = background_job_sweep(v->job);
	int count = 0;
	const struct point *points = s ? sweep_points(s, &count) : NULL;
	measured_curve_start(&b->curve, p);
	for (int i = 0; i < count; i++)
		measured_curve_set_point(&b->curve, i, &points[i]);
	b->curve.device = measured_curve_device_hash(a->device);
	if (!lab_curve_is_complete(b, &b->curve, a->soft))
		measure_start_after(a, 0);
}

static bool has_curve_here(const struct app *a, const struct lesson_command *c, bool own)
{
	const struct lesson_view *v = lessons_view_of(a);
	return own && v->measured == v->page && c->plan.axis_count < 2 &&
		background_job_state(v->job) == BACKGROUND_DONE &&
		!strcmp(v->steps[v->page - 1].curve.device, a->device);
}

static void measure_in_workbench(struct app *a, const struct lesson_command *c, bool own)
{
	struct lab *b = &a->labs[a->current];
	struct lab_settings before;
	if (measure_is_running(a))
		measure_cancel(a);
	a->measure_at = 0;
	lab_settings_capture(b, &before);
	lab_apply_plan(b, &c->plan);
	undo_push(a, b, &before, false);
	b->cursor = 0;
	if (c->device && strcmp(c->device, a->device)) {
		app_switch_device(a, c->device);
		return;
	}
	if (b->curve.ended)
		measured_curve_move(&b->previous, &b->curve);
	if (has_curve_here(a, c, own))
		hand_over_curve(a, b, lessons_view_of(a), &c->plan);
	else
		measure_start_after(a, 0);
}

/* `own`: the command is that of the step itself. */
static void open_in_workbench(struct app *a, const char *text, const struct lesson_command *c, bool own)
{
	static const char *const actions[] = {
		[LESSON_RUN_EXPERIMENT] = NULL, [LESSON_SHOW_CODE] = "code", [LESSON_EDIT_KERNEL] = "edit"};
	int i = 0;
	while (i < a->lab_count && a->labs[i].x != c->x)
		i++;
	if (i == a->lab_count)
		return app_show_message(a, ROLE_OK, "run in a shell: wavedeck %s", text);
	a->current = i;
	a->view = views[0];
	measure_in_workbench(a, c, own);
	if (actions[c->verb])
		app_run_action(a, actions[c->verb], NULL, NULL);
	app_show_message(a, ROLE_OK, "set up as in '%s'; L returns to the lesson", lessons_view_lesson(a)->title);
}

void lessons_view_jump(struct app *a, int command)
{
	struct step_state *s = lessons_view_step(a);
	const struct lesson *l = lessons_view_lesson(a);
	struct lesson_command c;
	struct err e = {0};
	if (!s)
		return;
	if (s->stage != STAGE_REVEALED)
		return app_show_message(a, ROLE_WARN,
			"answer this question first, or press x to skip it; the workbench would show the curve");
	const struct lesson_block *more = lesson_find_block(l, lessons_view_of(a)->page, LESSON_COMMAND, command);
	const char *text = more ? more->text : l->steps[lessons_view_of(a)->page - 1].command;
	if (!lesson_command_read(text, &a->catalog, a->soft, a->arch, &c, &e))
		return app_show_message(a, ROLE_BAD, "%s", e.text);
	open_in_workbench(a, text, &c, !more);
	lesson_command_free(&c);
}
