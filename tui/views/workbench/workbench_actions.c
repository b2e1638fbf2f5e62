/* Actions of the workbench's panes: experiments, parameters, measuring. An argument comes from scripts: an
 * experiment's id, a value. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/buf.h"
#include "experiments/definition/default_values.h"
#include "tui/lab/app.h"
#include "tui/lab/lab.h"
#include "tui/shell/input_line.h"
#include "tui/shell/shell.h"
#include "tui/shell/status_line.h"
#include "tui/views/workbench/experiment_search.h"
#include "tui/views/workbench/workbench.h"
#include "tui/shell/keymap.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/edit/kernel_edit.h"
#include "tui/lab/plot/plot_model.h"

enum {
	PAUSE_LIST_MS = 400,   /* after a move in the list, so that skipped experiments are not measured */
	PAUSE_PRESET_MS = 800, /* so that skipped presets are not measured */
};

/* --- panes, views --- */
void act_pane_focus(struct app *a, int by)
{
	for (int i = 1; i <= FOCUS_COUNT; i++) {
		enum focus to = (enum focus)((workbench_focused_pane(a) + FOCUS_COUNT + by * i) % FOCUS_COUNT);
		if (workbench_pane_is_visible(a, to)) {
			a->focus = to;
			return;
		}
	}
}

void act_workbench(struct app *a)
{
	app_open_view(a, &view_workbench);
}

/* --- list --- */
static void select_experiment(struct app *a, int i)
{
	if (i == a->current)
		return;
	a->current = i;
	measure_start_after(a, PAUSE_LIST_MS);
	const struct measured_curve *c = &a->labs[i].curve;
	if (c->ended && c->ended == c->count && (!a->profile || !a->soft || plot_has_breakdown(c)))
		a->measure_at = 0; /* its curve is complete */
}

void act_list_select(struct app *a, int by, const char *argument)
{
	for (int i = 0; argument && i < a->lab_count; i++)
		if (!strcmp(a->labs[i].x->id, argument)) {
			select_experiment(a, i);
			return;
		}
	if (argument) {
		app_show_message(a, ROLE_BAD, "unknown experiment '%s'", argument);
		return;
	}
	int *order = xcalloc((size_t)(a->lab_count ? a->lab_count : 1), sizeof *order), n = experiment_search(a, order),
	    at = 0;
	while (at < n && order[at] != a->current)
		at++;
	at = at == n ? 0 : at + by; /* the selected one does not match the filter: take the best match */
	if (at >= 0 && at < n)
		select_experiment(a, order[at]);
	free(order);
}

void act_list_enter(struct app *a)
{
	struct lab *b = app_current_lab(a);
	a->focus = workbench_pane_is_visible(a, FOCUS_PARAMS) ? FOCUS_PARAMS : FOCUS_PLOT;
	if (b && !b->curve.count)
		measure_start(a);
}

/* The filter applies while it is typed: the best match is selected. */
static void list_filter_typed(struct app *a)
{
	int *order = xcalloc((size_t)(a->lab_count ? a->lab_count : 1), sizeof *order);
	snprintf(a->filter, sizeof a->filter, "%.95s", a->input.text);
	if (a->filter[0] && experiment_search(a, order) && order[0] != a->current) {
		a->current = order[0];
		if (!app_current_lab(a)->curve.count)
			measure_start_after(a, 400);
	}
	free(order);
}

static bool take_list_filter(struct app *a, const char *text)
{
	(void)a;
	(void)text;
	return true; /* it was applied while it was typed */
}

void act_filter(struct app *a, const char *argument)
{
	if (workbench_pane_is_visible(a, FOCUS_LIST))
		a->focus = FOCUS_LIST;
	input_line_open(a, take_list_filter, argument ? argument : a->filter, "/");
	a->input.typed = list_filter_typed;
}

/* --- parameters --- */
static struct lab *lab_with_params(struct app *a)
{
	struct lab *b = app_current_lab(a);
	return b && b->x->param_count ? b : NULL;
}

/* Selects the parameter that a script names; true, with a message, when the name is unknown. */
static bool select_named_param(struct app *a, struct lab *b, const char *argument)
{
	int i = argument ? experiment_find_param(b->x, argument) : b->selected;
	if (i < 0) {
		app_show_message(a, ROLE_BAD, "%s has no parameter '%s'", b->x->id, argument);
		return true;
	}
	b->selected = i;
	return false;
}

void act_param_select(struct app *a, int by, const char *argument)
{
	struct lab *b = lab_with_params(a);
	if (!b || select_named_param(a, b, argument) || argument)
		return;
	int to = b->selected + by;
	b->selected = to < 0 ? 0 : to >= b->x->param_count ? b->x->param_count - 1 : to;
}

static void set_param_value(struct app *a, struct lab *b, double v)
{
	if (v == b->values[b->selected])
		return;
	b->values[b->selected] = v;
	measure_start_after_change(a);
}

/* A parameter on the x axis has a range: the arrow keys move its end. A choice has no end: they move the cursor. */
static void step_axis_range(struct app *a, struct lab *b, int by)
{
	bool moved = false;
	for (int i = by < 0 ? -by : by; i; i--)
		moved |= lab_step_range_end(b, by < 0 ? -1 : 1, a->soft);
	if (moved)
		measure_start_after_change(a);
	else if (b->x->params[b->axis].kind == PARAM_STEP_CHOICE)
		lab_move_cursor(b, by);
	else
		app_show_message(a, ROLE_DIM,
			by > 0 ? "this is the maximum of the range; Enter types another range"
			       : "a range needs at least two points");
}

void act_param_step(struct app *a, int by, const char *argument)
{
	struct lab *b = lab_with_params(a);
	if (!b || select_named_param(a, b, argument))
		return;
	if (b->selected == b->axis)
		step_axis_range(a, b, by);
	else
		set_param_value(a, b, param_step_value(&b->x->params[b->selected], b->values[b->selected], by));
}

static bool take_value(struct app *a, const char *text)
{
	struct lab *b = app_current_lab(a);
	struct err e = {0};
	double v;
	bool ok;
	if (b->selected == b->axis)
		ok = lab_set_range(b, b->selected, text, a->soft, &e);
	else if ((ok = param_parse(&b->x->params[b->selected], text, &v, &e)))
		b->values[b->selected] = v;
	if (ok)
		measure_start_after(a, 0);
	else
		app_show_message(a, ROLE_BAD, "%s", e.text);
	return ok;
}

void act_param_enter(struct app *a, const char *argument)
{
	struct lab *b = lab_with_params(a);
	if (!b || select_named_param(a, b, argument))
		return;
	const struct param *p = &b->x->params[b->selected];
	char low[48], high[48];
	if (b->selected == b->axis)
		input_line_open(a, take_value, b->ranges[b->selected], "%s from..to[:x2|:+16] or a,b,c = ", p->id);
	else if (p->kind == PARAM_STEP_CHOICE)
		input_line_open(a, take_value, "", "%s, one of %d choices = ", p->id, p->choice_count);
	else
		input_line_open(a, take_value, "", "%s (%s..%s) = ", p->id, param_format(p, p->low, low, sizeof low),
			param_format(p, p->high, high, sizeof high));
}

void act_x_axis(struct app *a, const char *argument)
{
	struct lab *b = lab_with_params(a);
	if (!b || select_named_param(a, b, argument))
		return;
	if (b->selected == b->axis) {
		app_show_message(a, ROLE_DIM, "%s is already on the x axis", b->x->params[b->axis].id);
		return;
	}
	lab_set_x_axis(b, b->selected);
	b->cursor = 0;
	measure_start_after_change(a);
}

void act_param_default(struct app *a, const char *argument)
{
	struct lab *b = lab_with_params(a);
	if (!b || select_named_param(a, b, argument))
		return;
	double defaults[PARAMS_MAX];
	experiment_default_values(b->x, a->soft, b->arch, defaults);
	if (b->selected == b->axis && b->ranges[b->axis][0]) {
		b->ranges[b->axis][0] = 0;
		measure_start_after_change(a);
	} else if (b->selected != b->axis)
		set_param_value(a, b, defaults[b->selected]);
}

/* An estimate may be wrong: a long sweep starts, too, and the message says how to end it. */
static void report_preset(struct app *a, struct lab *b, const char *name)
{
	enum { LONG_SECONDS = 10 };
	char text[120], keys[100];
	double seconds = 0;
	bool known = lab_format_estimate(b, a->soft, &seconds, text, sizeof text),
	     is_long = known && seconds > LONG_SECONDS;
	cancel_keys_format(a, keys, sizeof keys);
	app_show_message(a, *b->remark ? ROLE_WARN : ROLE_DIM, "preset %s: %s%s%s%s%s", name, text, is_long ? "; " : "",
		is_long ? keys : "", *b->remark ? "; " : "", b->remark);
	measure_start_after(a, PAUSE_PRESET_MS);
}

static int find_preset(const struct experiment *x, const char *name)
{
	const char *one;
	for (int i = 0; (one = plan_preset_name(x, i)); i++)
		if (!strcmp(one, name))
			return i;
	return PRESET_SMALL;
}

/* The next preset; after a change of a parameter, the first one. */
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
	b->preset = find_preset(b->x, name);
	report_preset(a, b, name);
}

/* --- parameters by name --- */
/* Selects the parameter named before one of the characters of `end`; NULL with a message when the name is unknown. */
static struct lab *named_param(struct app *a, const char *argument, const char *end)
{
	struct lab *b = app_current_lab(a);
	char id[40];
	size_t n = argument ? strcspn(argument, end) : 0;
	snprintf(id, sizeof id, "%.*s", (int)n, argument ? argument : "");
	int i = b ? experiment_find_param(b->x, id) : -1;
	if (i < 0) {
		app_show_message(a, ROLE_BAD, "%s has no parameter '%s'", b ? b->x->id : "the catalog", id);
		return NULL;
	}
	b->selected = i;
	return b;
}

/* A range puts the parameter on the x axis. */
void act_param(struct app *a, const char *argument)
{
	struct lab *b = named_param(a, argument, "= ");
	struct err e;
	double v;
	if (!b)
		return;
	const char *value = argument + strcspn(argument, "= ");
	value += strspn(value, "= ");
	int axis = b->axis;
	bool range = b->selected == b->axis || strstr(value, "..") || strchr(value, ',');
	if (range && b->selected != b->axis)
		lab_set_x_axis(b, b->selected);
	if (range ? !lab_set_range(b, b->selected, value, a->soft, &e)
		  : !param_parse(&b->x->params[b->selected], value, &v, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		b->axis = axis;
		return;
	}
	if (!range)
		b->values[b->selected] = v;
	measure_start_after(a, 0);
}

/* The parameter's step nearest to that fraction of its slider. */
static double nearest_param_value(const struct param *p, double part)
{
	struct scale s = {p->low, p->high, p->kind == PARAM_STEP_MULTIPLY && p->low > 0};
	double best = p->low, far = 2;
	for (double v = p->low;;) {
		double d = fabs(scale_to_fraction(&s, v) - part), next = param_step_value(p, v, 1);
		if (d < far) {
			far = d;
			best = v;
		}
		if (next <= v)
			return best;
		v = next;
	}
}

void act_param_at(struct app *a, const char *argument)
{
	struct lab *b = named_param(a, argument, " ");
	const char *part = b ? strchr(argument, ' ') : NULL;
	if (!part || b->selected == b->axis) /* a range is not a single value */
		return;
	double v = nearest_param_value(&b->x->params[b->selected], fmin(1, fmax(0, atof(part))));
	if (v == b->values[b->selected])
		return;
	b->values[b->selected] = v;
	measure_start_after_change(a);
}

void act_cursor_at(struct app *a, const char *argument)
{
	struct lab *b = app_current_lab(a);
	struct plot_model m;
	double part = argument ? atof(argument) : 0, far = HUGE_VAL;
	if (!b || !b->curve.count)
		return;
	plot_model_build(a, b, &m);
	for (int i = 0; i < b->curve.count; i++) {
		double d = fabs(scale_to_fraction(&m.chart.x, measured_curve_x(&b->curve, i)) - part);
		if (d < far) {
			far = d;
			b->cursor = i;
		}
	}
	plot_model_free(&m);
}

/* --- measuring --- */
void act_run(struct app *a)
{
	measure_start(a);
}

void act_cancel(struct app *a)
{
	measure_cancel(a);
}
void act_record(struct app *a)
{
	recording_toggle(a);
}

static bool take_source_choice(struct app *a, const char *text)
{
	bool assembly = !strcmp(text, "a") || !strcmp(text, "assembly");
	if (!assembly && *text && strcmp(text, "hip")) {
		app_show_message(a, ROLE_BAD, "press Enter for HIP, or a and Enter for assembly");
		return false;
	}
	kernel_edit_request(a, !assembly);
	return true;
}

/* A published variant may be assembly: its HIP source is offered first. */
void act_edit(struct app *a, const char *argument)
{
	struct kernel_sources s;
	if (device_can(a->device, DEVICE_RECORDING) || !kernel_edit_offers_hip(a, &s))
		kernel_edit_request(a, false);
	else if (argument)
		take_source_choice(a, argument);
	else
		input_line_open(
			a, take_source_choice, "", "Enter: %s (%s), a: assembly %s ", s.hip, s.choice, s.assembly);
}

void act_original(struct app *a)
{
	measure_original_kernel(a);
}
