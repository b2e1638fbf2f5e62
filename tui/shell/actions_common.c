/* What the rows of the keys table do. An argument comes from scripts only: an experiment's id, a value. */
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "tui/shell/app.h"
#include "tui/lab/lab.h"
#include "tui/views/code/code_view.h"
#include "tui/shell/input_line.h"
#include "tui/lab/lab_estimate.h"
#include "tui/shell/fuzzy_match.h"
#include "tui/shell/keymap.h"
#include "tui/views/lessons/lessons_view.h"
#include "tui/views/devices/devices_view.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/plot_model.h"
#include "tui/lab/undo.h"
#include "tui/views/sessions/sessions_view.h"

enum {
	PAUSE_PARAM_MS = 150,  /* after an arrow key on a parameter */
	PAUSE_LIST_MS = 400,   /* after moving in the list: on the way to another one nothing is measured */
	PAUSE_PRESET_MS = 800, /* on the way to another preset nothing is measured */
	LEAP = 4,
};

/* --- panes, views --- */
static void move_focus(struct app *a, int by)
{
	for (int i = 1; i <= FOCUS_COUNT; i++) {
		enum focus to = (enum focus)((app_focused_pane(a) + FOCUS_COUNT + by * i) % FOCUS_COUNT);
		if (app_pane_is_visible(a, to)) {
			a->focus = to;
			return;
		}
	}
}

void act_next_pane(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	move_focus(a, 1);
}
void act_prev_pane(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	move_focus(a, FOCUS_COUNT - 1);
}

void act_help(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	app_show_view(a, VIEW_HELP);
}
void act_log(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	app_show_view(a, VIEW_LOG);
}
void act_close_page(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	app_show_view(a, a->view);
}

/* A view that has something of its own open closes that first. */
void act_back(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	bool within = (a->view == VIEW_CODE && code_view_go_back(a)) ||
		(a->view == VIEW_LESSONS && lessons_view_go_back(a)) ||
		(a->view == VIEW_DEVICES && devices_view_go_back(a)) ||
		(a->view == VIEW_SESSIONS && sessions_view_go_back(a));
	if (!within)
		app_show_view(a, a->view);
}

void act_quit(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	a->quit = true;
}
void act_redraw(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	a->redraw = true;
}

static void scroll(struct app *a, int by)
{
	a->scroll += by; /* the view clamps it: only it knows its length */
	if (a->scroll < 0)
		a->scroll = 0;
}

void act_scroll_down(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	scroll(a, 1);
}
void act_scroll_up(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	scroll(a, -1);
}
void act_page_down(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	scroll(a, a->height - 6);
}
void act_page_up(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	scroll(a, 6 - a->height);
}

/* --- list --- */
static void choose(struct app *a, int i)
{
	if (i == a->current)
		return;
	a->current = i;
	measure_start_after(a, PAUSE_LIST_MS);
	const struct measured_curve *c = &a->benches[i].curve;
	if (c->ended && c->ended == c->count && (!a->profile || !a->soft || plot_has_breakdown(c)))
		a->measure_at = 0; /* its curve is still there */
}

static void list_step(struct app *a, int by, const char *argument)
{
	for (int i = 0; argument && i < a->bench_count; i++)
		if (!strcmp(a->benches[i].x->id, argument)) {
			choose(a, i);
			return;
		}
	if (argument) {
		app_show_message(a, ROLE_BAD, "no experiment '%s'", argument);
		return;
	}
	int *order = xcalloc((size_t)(a->bench_count ? a->bench_count : 1), sizeof *order),
	    n = finder_list_matches(a, order), at = 0;
	while (at < n && order[at] != a->current)
		at++;
	at = at == n ? 0 : at + by; /* what is chosen has been left out: the best one */
	if (at >= 0 && at < n)
		choose(a, order[at]);
	free(order);
}

void act_list_down(struct app *a, const char *argument)
{
	list_step(a, 1, argument);
}
void act_list_up(struct app *a, const char *argument)
{
	list_step(a, -1, argument);
}

void act_list_enter(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	struct lab *b = app_current_lab(a);
	a->focus = app_pane_is_visible(a, FOCUS_PARAMS) ? FOCUS_PARAMS : FOCUS_PLOT;
	if (b && !b->curve.count)
		measure_start(a);
}

void act_filter(struct app *a, const char *argument)
{
	if (app_pane_is_visible(a, FOCUS_LIST))
		a->focus = FOCUS_LIST;
	input_line_open(a, ENTRY_FILTER, argument ? argument : a->filter, "/");
}

/* --- parameters --- */
static struct lab *with_param(struct app *a)
{
	struct lab *b = app_current_lab(a);
	return b && b->x->param_count ? b : NULL;
}

/* Chooses the parameter that a script names; true when there was no such name. */
static bool unknown_param(struct app *a, struct lab *b, const char *argument)
{
	int i = argument ? experiment_find_param(b->x, argument) : b->selected;
	if (i < 0) {
		app_show_message(a, ROLE_BAD, "%s has no parameter '%s'", b->x->id, argument);
		return true;
	}
	b->selected = i;
	return false;
}

static void param_select(struct app *a, int by, const char *argument)
{
	struct lab *b = with_param(a);
	if (!b || unknown_param(a, b, argument) || argument)
		return;
	int to = b->selected + by;
	b->selected = to < 0 ? 0 : to >= b->x->param_count ? b->x->param_count - 1 : to;
}

void act_param_down(struct app *a, const char *argument)
{
	param_select(a, 1, argument);
}
void act_param_up(struct app *a, const char *argument)
{
	param_select(a, -1, argument);
}

static void set_value(struct app *a, struct lab *b, double v)
{
	if (v == b->values[b->selected])
		return;
	b->values[b->selected] = v;
	measure_start_after(a, PAUSE_PARAM_MS);
}

/* On the x axis the parameter has every value already: the arrow keys move the end of its range. Choices have no end:
 * there the cursor moves. */
static void turn_axis(struct app *a, struct lab *b, int by)
{
	bool moved = false;
	for (int i = by < 0 ? -by : by; i; i--)
		moved |= lab_step_range_end(b, by < 0 ? -1 : 1, a->soft);
	if (moved)
		measure_start_after(a, PAUSE_PARAM_MS);
	else if (b->x->params[b->axis].kind == PARAM_STEP_CHOICE)
		lab_move_cursor(b, by);
	else
		app_show_message(a, ROLE_DIM,
			by > 0 ? "the range goes no further; Enter types another" : "a range has two points at least");
}

static void param_turn(struct app *a, int by, const char *argument)
{
	struct lab *b = with_param(a);
	if (!b || unknown_param(a, b, argument))
		return;
	if (b->selected == b->axis)
		turn_axis(a, b, by);
	else
		set_value(a, b, param_step_value(&b->x->params[b->selected], b->values[b->selected], by));
}

void act_param_more(struct app *a, const char *argument)
{
	param_turn(a, 1, argument);
}
void act_param_less(struct app *a, const char *argument)
{
	param_turn(a, -1, argument);
}
void act_param_most(struct app *a, const char *argument)
{
	param_turn(a, LEAP, argument);
}
void act_param_least(struct app *a, const char *argument)
{
	param_turn(a, -LEAP, argument);
}

void act_param_enter(struct app *a, const char *argument)
{
	struct lab *b = with_param(a);
	if (!b || unknown_param(a, b, argument))
		return;
	const struct param *p = &b->x->params[b->selected];
	char low[48], high[48];
	if (b->selected == b->axis)
		input_line_open(a, ENTRY_VALUE, b->ranges[b->selected], "%s from..to[:x2|:+16] or a,b,c = ", p->id);
	else if (p->kind == PARAM_STEP_CHOICE)
		input_line_open(a, ENTRY_VALUE, "", "%s, one of %d = ", p->id, p->choice_count);
	else
		input_line_open(a, ENTRY_VALUE, "", "%s (%s..%s) = ", p->id, param_format(p, p->low, low, sizeof low),
			param_format(p, p->high, high, sizeof high));
}

void act_x_axis(struct app *a, const char *argument)
{
	struct lab *b = with_param(a);
	if (!b || unknown_param(a, b, argument))
		return;
	if (b->selected == b->axis) {
		app_show_message(a, ROLE_DIM, "%s is on the x axis already", b->x->params[b->axis].id);
		return;
	}
	lab_set_x_axis(b, b->selected);
	b->cursor = 0;
	measure_start_after(a, PAUSE_PARAM_MS);
}

void act_param_default(struct app *a, const char *argument)
{
	struct lab *b = with_param(a);
	if (!b || unknown_param(a, b, argument))
		return;
	const struct param *p = &b->x->params[b->selected];
	if (b->selected == b->axis && b->ranges[b->axis][0]) {
		b->ranges[b->axis][0] = 0;
		measure_start_after(a, PAUSE_PARAM_MS);
	} else if (b->selected != b->axis)
		set_value(a, b, a->soft ? p->soft : p->value);
}

/* What takes long waits for a Space, and says how long; what has never been measured at any size cannot be known to. */
static void tell_preset(struct app *a, struct lab *b, const char *name)
{
	enum { LONG_SECONDS = 10 };
	char text[120];
	double seconds = 0;
	bool known = estimate_format_current(b, a->soft, &seconds, text, sizeof text),
	     waits = known && seconds > LONG_SECONDS;
	app_show_message(a, ROLE_DIM, "preset %s: %s%s", name, text, waits ? "; Space measures it" : "");
	if (!waits)
		measure_start_after(a, PAUSE_PRESET_MS);
	else if (measure_is_running(a))
		measure_cancel(a);
	if (waits)
		a->measure_at = 0;
}

static int preset_number(const struct experiment *x, const char *name)
{
	const char *one;
	for (int i = 0; (one = plan_preset_name(x, i)); i++)
		if (!strcmp(one, name))
			return i;
	return PRESET_SMALL;
}

/* The next one; after a knob was turned the first one again. */
void act_preset(struct app *a, const char *argument)
{
	struct lab *b = app_current_lab(a);
	struct err e = {0};
	if (!b)
		return;
	const char *now = plan_preset_name(b->x, b->preset), *name = argument;
	if (!name && now && lab_matches_preset(b, now, a->soft))
		name = plan_preset_name(b->x, b->preset + 1);
	if (!name)
		name = plan_preset_name(b->x, PRESET_SMALL);
	if (!lab_apply_preset(b, name, a->soft, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	b->preset = preset_number(b->x, name);
	tell_preset(a, b, name);
}

/* --- undo --- */
static void undo(struct app *a, int by)
{
	struct lab *b = app_current_lab(a);
	if (!b || !undo_move(b, by)) {
		app_show_message(a, ROLE_DIM, by < 0 ? "nothing to take back" : "nothing to do again");
		return;
	}
	if (measure_show_known_curve(a))
		app_show_message(a, ROLE_DIM,
			by < 0 ? "taken back; its curve was still known" : "done again; its curve was still known");
	else
		measure_start_after(a, PAUSE_PARAM_MS);
}

void act_undo(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	undo(a, -1);
}
void act_redo(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	undo(a, 1);
}

/* --- measuring --- */
void act_run(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	measure_start(a);
}

void act_cancel(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	measure_cancel(a);
}
void act_record(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	recording_toggle(a);
}

/* The editor needs the terminal: whoever has it sees the wish and calls measure_edited_kernel. */
void act_edit(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	a->edit_wanted = app_current_lab(a) && !device_can(a->device, DEVICE_RECORDING);
	if (!a->edit_wanted)
		app_show_message(a, ROLE_DIM, "a recording cannot run an edited kernel; open a device");
}

void act_original(struct app *a, const char *argument)
{
	UNUSED_ARGUMENT;
	measure_original_kernel(a);
}
