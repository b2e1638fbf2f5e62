#include "tui/shell/general_actions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/paths.h"
#include "tui/shell/input_line.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"
#include "tui/shell/apply_settings.h"
#include "tui/lab/edit/file_watch.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/undo.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/tour/tour.h"
#include "base/settings.h"
#include "base/units.h"

/* --- pages --- */
void act_close_page(struct app *a)
{
	app_show_view(a, a->view);
}

static void page_filter_typed(struct app *a)
{
	snprintf(a->page_filter, sizeof a->page_filter, "%.95s", a->input.text);
	a->scroll = 0;
}

static bool take_page_filter(struct app *a, const char *text)
{
	(void)a, (void)text;
	return true; /* it was applied while it was typed */
}

void act_page_find(struct app *a, const char *argument)
{
	if (argument) {
		snprintf(a->page_filter, sizeof a->page_filter, "%s", argument);
		return;
	}
	input_line_open(a, take_page_filter, a->page_filter, "/");
	a->input.typed = page_filter_typed;
}

static bool clear_page_filter(struct app *a)
{
	bool had = a->page_filter[0];
	a->page_filter[0] = 0;
	return had;
}

/* A view first closes what is open inside it. */
void act_back(struct app *a)
{
	if (!clear_page_filter(a) && (!a->view->back || !a->view->back(a)))
		app_show_view(a, a->view);
}

void act_redraw(struct app *a)
{
	a->redraw = true;
}

void act_page_scroll(struct app *a, int by)
{
	a->scroll += by; /* the upper limit is applied when the page is drawn */
	if (a->scroll < 0)
		a->scroll = 0;
}

void act_page_down(struct app *a)
{
	act_page_scroll(a, a->height - 6);
}

void act_page_up(struct app *a)
{
	act_page_scroll(a, 6 - a->height);
}

/* --- palette --- */
/* With an argument: runs it. An incomplete argument goes into the palette's line. */
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

void act_tour(struct app *a)
{
	if (a->view != views[0])
		app_show_view(a, views[0]);
	tour_start(a);
}

/* --- settings --- */
static void assign_setting(struct app *a, const char *name, const char *value)
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
		app_show_message(a, ROLE_BAD, "set needs NAME=VALUE, for example set theme=light");
	else
		assign_setting(a, name, argument + n + strspn(argument + n, "= "));
}

void act_save(struct app *a)
{
	struct err e;
	char *path;
	bool ok = settings_save(&path, &e);
	app_show_message(a, ok ? ROLE_OK : ROLE_BAD, "%s%s", ok ? "settings written to " : "", ok ? path : e.text);
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
		assign_setting(a, "theme", wanted);
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

void act_mouse(struct app *a, const char *argument)
{
	assign_setting(a, "mouse", argument ? argument : a->mouse ? "off" : "on");
}

void act_watch(struct app *a, const char *argument)
{
	const char *kernel;
	assign_setting(a, "watch", argument ? argument : file_watch_is_on(a) ? "off" : "on");
	if (!file_watch_is_on(a) || !app_current_lab(a))
		return;
	kernel = file_watch_kernel_name(a);
	app_show_message(a, ROLE_DIM, "watching %s%s%s", path_basename(app_current_lab(a)->x->path),
		*kernel ? " and " : "", kernel);
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

/* --- experiments --- */
void act_experiment(struct app *a, const char *argument)
{
	const char *ids[1024];
	int n = 0;
	for (int i = 0; argument && i < a->lab_count; i++) {
		if (!strcmp(a->labs[i].x->id, argument)) {
			a->current = i;
			if (!a->labs[i].curve.ended)
				measure_start(a);
			return;
		}
		if (n < 1024)
			ids[n++] = a->labs[i].x->id;
	}
	const char *near = argument ? find_nearest_name(argument, ids, n) : NULL;
	app_show_message(a, ROLE_BAD, "unknown experiment '%s'%s%s%s", argument ? argument : "",
		near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* --- undo --- */

/* A change of a constant that was not made yet: the device stays. */
static bool drop_next_device(struct app *a)
{
	bool any = a->next_device[0];
	a->next_device[0] = 0;
	return any;
}

static void report_undone(struct app *a, const char *done, unsigned what, bool known)
{
	if (what & UNDONE_DEVICE)
		app_show_message(a, ROLE_DIM, "%s; the device is %s%s", done, a->device,
			known ? "; earlier curve restored" : "");
	else if (what == UNDONE_PINS)
		app_show_message(a, ROLE_DIM, "%s; %d pinned curve%s", done, app_current_lab(a)->pin_count,
			plural_s((unsigned)app_current_lab(a)->pin_count));
	else if (known)
		app_show_message(a, ROLE_DIM, "%s; earlier curve restored", done);
}

static bool measure_what_was_undone(struct app *a, unsigned what)
{
	bool known = measure_show_known_curve(a);
	if (known && what & UNDONE_DEVICE)
		measure_start_worker(a);
	else if (!known && what & UNDONE_DEVICE)
		measure_start_after(a, 0);
	else if (!known)
		measure_start_after_change(a);
	return known;
}

void act_history_move(struct app *a, int by)
{
	a->undoing = true;
	bool dropped = by < 0 && drop_next_device(a);
	unsigned what = dropped ? UNDONE_DEVICE : undo_move(a, by);
	if (!what) {
		app_show_message(a, ROLE_DIM, by < 0 ? "nothing to undo" : "nothing to redo");
		return;
	}
	bool known = !dropped && what != UNDONE_PINS && measure_what_was_undone(a, what);
	report_undone(a, by < 0 ? "undone" : "redone", what, known);
	if (what & UNDONE_DEVICE && a->view->open)
		a->view->open(a); /* it shows the device */
}
