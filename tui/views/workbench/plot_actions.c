/* What the rows of the keys table do to the plot: cursor, window, axes, breakdown, pinned curves. */
#include <string.h>

#include "tui/lab/lab.h"
#include "gpu/backends/backend.h"
#include "tui/views/workbench/workbench.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/plot_model.h"
#include "tui/lab/x_window.h"

/* --- how it is drawn --- */
void act_zoom(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	a->zoom = !a->zoom;
}

void act_log_y(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (!a->breakdown) {
		a->log_y = !a->log_y;
		return;
	}
	a->shares = !a->shares; /* the parts of a stack are compared by their height: its axis stays linear */
	app_show_message(a, ROLE_DIM,
		a->shares ? "each point's cycles as 100 %%: how they are shared out"
			  : "the cycles stacked up to the curve");
}

void act_overlay(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	a->bare = !a->bare;
	app_show_message(a, ROLE_DIM,
		a->bare ? "without the published values" : "published values behind the curve, where there are any");
}

void act_canvas(struct app *a, const char *argument)
{
	static const char *const names[] = {
		[CANVAS_ASCII] = "ascii", [CANVAS_BLOCK] = "blocks", [CANVAS_BRAILLE] = "braille"};
	for (int i = 0; argument && i < 3; i++)
		if (!strcmp(argument, names[i]))
			a->canvas = (enum canvas_kind)i;
	if (!argument)
		a->canvas = a->canvas == CANVAS_BRAILLE ? CANVAS_BLOCK
			: a->canvas == CANVAS_BLOCK     ? CANVAS_ASCII
							: CANVAS_BRAILLE;
	if (a->ascii)
		app_show_message(a, ROLE_DIM, "only ASCII here: the locale is not UTF-8");
}

void act_log_x(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	struct lab *b = app_current_lab(a);
	struct plot_model m;
	if (!b)
		return;
	a->flip_x = !a->flip_x;
	plot_model_build(a, b, &m);
	app_show_message(a, ROLE_DIM, m.chart.x.log2 ? "logarithmic x axis" : "linear x axis");
	plot_model_free(&m);
}

/* --- where the cycles go --- */
static bool is_recording(const struct app *a)
{
	return a->worker && device_record_can(worker_controller_device_record(a->worker), DEVICE_RECORDING);
}

/* Why there is nothing to stack and no measuring mends it; NULL where there is or it does. */
static const char *why_no_breakdown(const struct app *a, const struct lab *b)
{
	if (b->x->metric_count && experiment_find_x_metric(b->x) >= 0)
		return "where the cycles go is shown over a parameter; here a metric is on the x axis";
	if (!experiment_has_times(b->x))
		return "nothing is launched here whose cycles could go anywhere";
	if (plot_has_breakdown(&b->curve))
		return NULL;
	if (is_recording(a))
		return "this recording holds no profiles; record on the software GPU with w on to have them";
	if (!a->soft)
		return "silicon does not tell where its cycles go; open a software GPU (soft:mi25) for that";
	return NULL;
}

/* On: sweeps ask for profiles, and the present one is measured again where it has none. */
void act_breakdown(struct app *a, const char *argument)
{
	struct lab *b = app_current_lab(a);
	if (argument && !strcmp(argument, a->breakdown ? "on" : "off"))
		return;
	const char *why = b && !a->breakdown ? why_no_breakdown(a, b) : NULL;
	if (!b)
		return;
	if (why) {
		app_show_message(a, ROLE_WARN, "%s", why);
		return;
	}
	a->breakdown = !a->breakdown;
	if (a->breakdown)
		a->profile_before = a->profile; /* a sweep with profiles takes half as long again: not for nothing */
	a->profile = a->breakdown || a->profile_before;
	if (!a->breakdown)
		app_show_message(a, ROLE_DIM, "the curve alone");
	else if (plot_has_breakdown(&b->curve) || measure_show_known_curve(a))
		app_show_message(a, ROLE_DIM, "where the cycles go; w shows the curve alone");
	else {
		app_show_message(a, ROLE_DIM, "where the cycles go: measured again, with a profile of every point");
		measure_start_after(a, 0);
	}
}

/* --- cursor, window --- */
static void move_plot_cursor(struct app *a, int by)
{
	struct lab *b = app_current_lab(a);
	if (b)
		lab_move_cursor(b, by);
}

void act_plot_right(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	move_plot_cursor(a, 1);
}
void act_plot_left(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	move_plot_cursor(a, -1);
}
void act_plot_first(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	move_plot_cursor(a, -1000000);
}
void act_plot_last(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	move_plot_cursor(a, 1000000);
}
void act_cursor_right(struct app *a, const char *argument)
{
	move_plot_cursor(a, action_step_count(argument));
}
void act_cursor_left(struct app *a, const char *argument)
{
	move_plot_cursor(a, -action_step_count(argument));
}

static void window_step(struct app *a, bool (*step)(const struct app *, struct lab *, int), int by, const char *end)
{
	struct lab *b = app_current_lab(a);
	if (b && !step(a, b, by))
		app_show_message(a, ROLE_DIM, "%s", b->curve.count ? end : "there is no curve yet");
}

void act_window_in(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	window_step(a, x_window_zoom, 1, "no nearer");
}
void act_window_out(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	window_step(a, x_window_zoom, -1, "the whole sweep is shown");
}
void act_window_left(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	window_step(a, x_window_pan, -1, "the sweep begins here");
}
void act_window_right(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	window_step(a, x_window_pan, 1, "the sweep ends here");
}

void act_window_all(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	if (app_current_lab(a))
		x_window_reset(app_current_lab(a));
}

/* --- pinned curves --- */
/* Keeps the curve shown; where it is pinned already, lets it go. */
void act_pin(struct app *a, const char *argument)
{
	struct lab *b = app_current_lab(a);
	int at = b ? lab_find_pin_of_curve(b, &b->curve) : -1;
	if (!b || !b->curve.ended)
		app_show_message(a, ROLE_DIM, "there is no curve to pin yet");
	else if (at >= 0) {
		lab_unpin_curve(b, at);
		app_show_message(a, ROLE_DIM, "this curve is pinned no longer");
	} else if (lab_pin_curve(b, &b->curve, argument ? argument : ""))
		app_show_message(
			a, ROLE_DIM, "this curve stays, marked %d; Backspace lets the last one go", b->pin_count);
	else
		app_show_message(
			a, ROLE_BAD, "%d curves are pinned, no more fit; Backspace lets the last one go", PINS_MAX);
}

/* The last one, or the one that a script names by its label. */
void act_unpin(struct app *a, const char *argument)
{
	struct lab *b = app_current_lab(a);
	int at = !b ? -1 : argument ? lab_find_pin_by_label(b, argument) : b->pin_count - 1;
	if (at < 0) {
		app_show_message(a, ROLE_DIM, "no curve is pinned%s%s", argument ? " as " : "; p pins the one shown",
			argument ? argument : "");
		return;
	}
	lab_unpin_curve(b, at);
	app_show_message(
		a, ROLE_DIM, b->pin_count ? "%d pinned curves are left" : "no curve is pinned now", b->pin_count);
}
