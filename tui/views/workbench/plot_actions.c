/* Actions of the plot: cursor, window, axes, cycle breakdown, pinned curves. */
#include <string.h>

#include "tui/lab/lab.h"
#include "gpu/backends/backend.h"
#include "tui/views/workbench/workbench.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/undo.h"
#include "tui/lab/plot/pin_comparison.h"
#include "tui/lab/plot/plot_model.h"
#include "tui/lab/x_window.h"

/* --- how it is drawn --- */
void act_zoom(struct app *a)
{
	a->zoom = !a->zoom;
}

void act_log_y(struct app *a)
{
	if (!a->breakdown) {
		a->log_y = !a->log_y;
		return;
	}
	a->shares = !a->shares; /* areas are compared by height: their axis stays linear */
	app_show_message(a, ROLE_DIM,
		a->shares ? "cycle breakdown in percent of each point's cycles"
			  : "cycle breakdown stacked up to the curve");
}

void act_overlay(struct app *a)
{
	a->hide_published = !a->hide_published;
	app_show_message(a, ROLE_DIM,
		a->hide_published ? "published values hidden" : "published values shown, if the experiment has any");
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
		app_show_message(a, ROLE_DIM, "only ASCII is available: the locale is not UTF-8");
}

void act_log_x(struct app *a)
{
	struct lab *b = app_current_lab(a);
	struct plot_model m;
	if (!b)
		return;
	a->flip_x = !a->flip_x;
	plot_model_build(a, b, &m);
	app_show_message(a, ROLE_DIM, m.chart.x.log2 ? "logarithmic x axis" : "linear x axis");
	plot_model_free(&m);
}

/* --- cycle breakdown --- */
static bool is_recording(const struct app *a)
{
	return a->workers && device_record_can(worker_pool_device_record(a->workers), DEVICE_RECORDING);
}

/* Why no cycle breakdown is possible, even after a measurement; NULL if it is. */
static const char *why_no_breakdown(const struct app *a, const struct lab *b)
{
	if (b->x->metric_count && experiment_find_x_metric(b->x) >= 0)
		return "the cycle breakdown needs a parameter on the x axis; this experiment has a metric there";
	if (!experiment_has_times(b->x))
		return "no cycle breakdown: this experiment launches no kernel";
	if (plot_has_breakdown(&b->curve))
		return NULL;
	if (is_recording(a))
		return "this recording has no profiles; press w before recording on a software GPU";
	if (!a->soft)
		return "this device has no cycle breakdown; open a software GPU such as soft:mi25";
	return NULL;
}

/* Turning it on makes sweeps profile each point, and measures the current sweep again if its points have no
 * profile. */
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
		a->pin_view = PINS_AS_CURVES;
	if (a->breakdown)
		a->profile_before = a->profile; /* profiling takes 50 % longer, so it is on only while needed */
	a->profile = a->breakdown || a->profile_before;
	if (!a->breakdown)
		app_show_message(a, ROLE_DIM, "cycle breakdown hidden");
	else if (plot_has_breakdown(&b->curve) || measure_show_known_curve(a))
		app_show_message(a, ROLE_DIM, "cycle breakdown shown; w hides it");
	else {
		app_show_message(a, ROLE_DIM, "measuring again with a profile of each point");
		measure_start_after(a, 0);
	}
}

/* --- cursor, window --- */
void act_plot_move(struct app *a, int by)
{
	struct lab *b = app_current_lab(a);
	if (b)
		lab_move_cursor(b, by);
}

static void window_step(struct app *a, bool (*step)(const struct app *, struct lab *, int), int by, const char *end)
{
	struct lab *b = app_current_lab(a);
	if (b && !step(a, b, by))
		app_show_message(a, ROLE_DIM, "%s", b->curve.count ? end : "no curve yet; Space measures one");
}

void act_window_in(struct app *a)
{
	window_step(a, x_window_zoom, 1, "cannot zoom in further");
}
void act_window_out(struct app *a)
{
	window_step(a, x_window_zoom, -1, "the whole x axis is shown");
}
void act_window_left(struct app *a)
{
	window_step(a, x_window_pan, -1, "start of the x axis");
}
void act_window_right(struct app *a)
{
	window_step(a, x_window_pan, 1, "end of the x axis");
}

void act_window_all(struct app *a)
{
	if (app_current_lab(a))
		x_window_reset(app_current_lab(a));
}

/* --- pinned curves --- */
/* Pins the current curve, or unpins it. */
void act_pin(struct app *a, const char *argument)
{
	struct lab *b = app_current_lab(a);
	int at = b ? lab_find_pin_of_curve(b, &b->curve) : -1;
	if (!b || !b->curve.ended)
		app_show_message(a, ROLE_DIM, "no curve to pin yet; Space measures one");
	else if (at >= 0) {
		undo_keep_pins(a, b);
		lab_unpin_curve(b, at);
		app_show_message(a, ROLE_DIM, "curve unpinned");
	} else if (undo_pin_curve(a, b, &b->curve, argument ? argument : ""))
		app_show_message(
			a, ROLE_DIM, "curve pinned as %d; Backspace removes the last pinned curve", b->pin_count);
	else
		app_show_message(a, ROLE_BAD, "%d curves are already pinned; Backspace removes the last one", PINS_MAX);
}

/* Without an argument the next of the three. */
void act_ratio(struct app *a, const char *argument)
{
	static const char *const names[PIN_VIEW_COUNT] = {"off", "ratio", "difference"},
				 *const shown[PIN_VIEW_COUNT] = {"pinned curves shown as curves",
					 "pinned / current; r shows the difference",
					 "pinned - current; r shows the curves again"};
	struct lab *b = app_current_lab(a);
	int next = (a->pin_view + 1) % PIN_VIEW_COUNT;
	for (int i = 0; argument && i < PIN_VIEW_COUNT; i++)
		if (!strcmp(argument, names[i]))
			next = i;
	if (!b || (next != PINS_AS_CURVES && !pin_count_shown(b))) {
		app_show_message(a, ROLE_DIM,
			b && b->pin_count ? "the pinned curves have another x axis"
					  : "no pinned curve; p pins the current one");
		return;
	}
	if (next != PINS_AS_CURVES)
		act_breakdown(a, "off");
	a->pin_view = (enum pin_view)next;
	app_show_message(a, ROLE_DIM, "%s", shown[next]);
}

/* The last pinned curve, or the one with the label that a script gives. */
void act_unpin(struct app *a, const char *argument)
{
	struct lab *b = app_current_lab(a);
	int at = !b ? -1 : argument ? lab_find_pin_by_label(b, argument) : b->pin_count - 1;
	if (at < 0) {
		app_show_message(a, ROLE_DIM, "no pinned curve%s%s",
			argument ? " with label " : "; p pins the current one", argument ? argument : "");
		return;
	}
	undo_keep_pins(a, b);
	lab_unpin_curve(b, at);
	if (!b->pin_count)
		a->pin_view = PINS_AS_CURVES;
	app_show_message(a, ROLE_DIM, b->pin_count ? "%d pinned curves left" : "no pinned curves left", b->pin_count);
}
