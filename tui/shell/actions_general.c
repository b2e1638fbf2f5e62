/* What the rows of keys_general.h do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "tui/lab/lab.h"
#include "tui/shell/input_line.h"
#include "tui/shell/keymap.h"
#include "tui/shell/apply_settings.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/command_palette.h"
#include "tui/shell/screen_draw.h"
#include "tui/lab/plot_model.h"
#include "base/settings.h"

/* --- views, palette --- */
void act_workbench(struct app *a, const char *argument)
{
	(void)argument;
	if (a->view != VIEW_MAIN)
		app_show_view(a, VIEW_MAIN);
}

/* With an argument: does that, as if it had been typed; what still wants something goes into the line. */
void act_palette(struct app *a, const char *argument)
{
	struct err e;
	size_t n = argument ? strlen(argument) : 0;
	if (!n || strchr("= ", argument[n - 1])) {
		char text[sizeof a->palette->text];
		snprintf(text, sizeof text, "%s", n ? argument : "");
		palette_close(a);
		palette_open(a);
		for (const char *c = text; *c; c++)
			palette_handle_key(a, (unsigned char)*c);
		return;
	}
	char *text = xstrdup(argument);
	palette_close(a);
	if (!palette_run(a, text, &e))
		app_show_message(a, ROLE_BAD, "%s", e.text);
	free(text);
}

/* --- settings --- */
static void assign(struct app *a, const char *name, const char *value)
{
	enum setting s;
	struct err e;
	if (!setting_set(name, value, &s, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	apply_setting(a, s);
	app_show_message(a, ROLE_DIM, "%s = %s", name, setting_value(s));
}

void act_set(struct app *a, const char *argument)
{
	char name[64];
	size_t n = argument ? strcspn(argument, "= ") : 0;
	snprintf(name, sizeof name, "%.*s", (int)n, argument ? argument : "");
	if (!n)
		app_show_message(a, ROLE_BAD, "set wants NAME=VALUE, for example set theme=light");
	else
		assign(a, name, argument + n + strspn(argument + n, "= "));
}

void act_save(struct app *a, const char *argument)
{
	(void)argument;
	struct err e;
	char *path;
	bool ok = settings_save(&path, &e);
	app_show_message(a, ok ? ROLE_OK : ROLE_BAD, "%s%s", ok ? "settings kept in " : "", ok ? path : e.text);
	free(path);
}

void act_theme(struct app *a, const char *argument)
{
	char **names;
	size_t count = theme_list(&names), next = 0;
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], theme_name()))
			next = (i + 1) % count;
	const char *wanted = argument ? argument : count ? names[next] : NULL;
	if (wanted)
		assign(a, "theme", wanted);
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

void act_mouse(struct app *a, const char *argument)
{
	assign(a, "mouse", argument ? argument : a->mouse ? "off" : "on");
}

void act_screenshot(struct app *a, const char *argument)
{
	struct err e;
	if (!argument || !*argument)
		app_show_message(a, ROLE_BAD, "screenshot needs a file name, for example screenshot wavedeck.svg");
	else if (screen_write_picture(a, argument, &e))
		app_show_message(a, ROLE_OK, "screenshot written to %s", argument);
	else
		app_show_message(a, ROLE_BAD, "%s", e.text);
}

/* --- what has a name --- */
void act_choose(struct app *a, const char *argument)
{
	const char *ids[1024];
	int n = 0;
	for (int i = 0; argument && i < a->bench_count; i++) {
		if (!strcmp(a->benches[i].x->id, argument)) {
			a->current = i;
			if (!a->benches[i].curve.ended)
				measure_start(a);
			return;
		}
		if (n < 1024)
			ids[n++] = a->benches[i].x->id;
	}
	const char *near = argument ? find_nearest_name(argument, ids, n) : NULL;
	app_show_message(a, ROLE_BAD, "no experiment '%s'%s%s", argument ? argument : "", near ? ", did you mean " : "",
		near ? near : "");
}

/* Chooses the parameter in front of `end`; NULL, and said so, when there is none of that name. */
static struct lab *named_param(struct app *a, const char *argument, const char *end)
{
	struct lab *b = app_current_lab(a);
	char id[40];
	size_t n = argument ? strcspn(argument, end) : 0;
	snprintf(id, sizeof id, "%.*s", (int)n, argument ? argument : "");
	int i = b ? experiment_find_param(b->x, id) : -1;
	if (i < 0) {
		app_show_message(a, ROLE_BAD, "%s has no parameter '%s'", b ? b->x->id : "nothing", id);
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

/* The value on the parameter's steps that lies nearest to that part of its slider. */
static double value_at(const struct param *p, double part)
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
	if (!part || b->selected == b->axis) /* a range has no one value */
		return;
	double v = value_at(&b->x->params[b->selected], fmin(1, fmax(0, atof(part))));
	if (v == b->values[b->selected])
		return;
	b->values[b->selected] = v;
	measure_start_after(a, 150);
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

/* --- messages --- */
void act_log_level(struct app *a, const char *argument)
{
	static const char *const names[] = {
		[LOG_DEBUG] = "debug", [LOG_INFO] = "info", [LOG_WARNING] = "warning", [LOG_ERROR] = "error"};
	int level = (a->log_least + 1) % (LOG_ERROR + 1);
	for (int i = LOG_DEBUG; argument && i <= LOG_ERROR; i++)
		if (!strcmp(argument, names[i]))
			level = i;
	a->log_least = level;
	a->scroll = 0;
}
