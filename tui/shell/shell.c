#include "tui/shell/shell.h"

#include <stdlib.h>

#include "base/buf.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/undo.h"
#include "tui/lab/x_window.h"
#include "tui/shell/bindings.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/input_line.h"
#include "tui/shell/keymap.h"
#include "tui/shell/tour/tour.h"

enum { POLLING_VIEW_MS = 20 };

/* --- views --- */
uint64_t app_key_scope(const struct app *a)
{
	return view_place_scope(a->view, a->view->current_place ? a->view->current_place(a) : 0);
}

void app_show_view(struct app *a, const struct view *v)
{
	const struct view *from = a->view;
	bool again = from == v;
	if (v->is_page && !from->is_page)
		a->below = from;
	a->view = !again ? v : v->is_page ? a->below : views[0];
	a->scroll = 0;
	a->page_filter[0] = 0;
	if (from->leave)
		from->leave(a);
	if (!(again && v->is_page) && a->view->open) /* the view below a page has not changed */
		a->view->open(a);
	app_request_redraw(a);
}

void app_open_view(struct app *a, const struct view *v)
{
	if (a->view != v)
		app_show_view(a, v);
}

void app_focus_scope(struct app *a, uint64_t where)
{
	if (where & app_key_scope(a))
		return;
	for (int i = 0; views[i]; i++)
		if (view_scope(views[i]) & where) {
			app_open_view(a, views[i]);
			if (!(where & app_key_scope(a)) && views[i]->focus_place)
				for (int p = 0; p < views[i]->place_count && !(where & app_key_scope(a)); p++)
					if (where & view_place_scope(views[i], p))
						views[i]->focus_place(a, p);
			return;
		}
}

void app_resize(struct app *a, int w, int h)
{
	a->width = w;
	a->height = h;
	app_request_redraw(a);
}

/* --- keys and actions --- */
/* A change of settings goes to the undo history. The same action repeated by a held key, or before anything is
 * measured, counts as one change. `action` NULL: a key for the open line. */
static void run_and_record(struct app *a, const struct action *action, int key, const char *argument)
{
	struct lab *b = app_current_lab(a);
	struct lab_settings before;
	bool joined =
		action && measure_waits_for_changes(a) && a->last_action == action && b && b->selected == a->last_param;
	if (b)
		lab_settings_capture(b, &before);
	bool group = undo_open_group(a);
	a->undoing = false;
	if (action)
		action_call(action, a, argument);
	else
		input_line_handle_key(a, key);
	if (b && !a->undoing && !undo_group_has_device(a)) /* another device has other defaults */
		undo_push(a, b, &before, joined);
	if (group)
		undo_close_group(a);
	if (b && before.axis != b->axis)
		x_window_reset(b);
	a->last_action = action;
	a->last_param = b ? b->selected : 0;
	if (app_current_lab(a))
		x_window_follow_cursor(a, app_current_lab(a));
}

void app_handle_key(struct app *a, int key)
{
	app_request_redraw(a);
	if (tour_handle_key(a, key))
		return;
	if (a->palette) {
		palette_handle_key(a, key);
		return;
	}
	if (a->input.is_open) {
		run_and_record(a, NULL, key, NULL);
		return;
	}
	a->message[0] = 0; /* the user has read it */
	const char *argument;
	const struct action *action = binding_for_key(key, app_key_scope(a), &argument);
	if (action)
		run_and_record(a, action, key, argument);
}

bool app_run_action(struct app *a, const char *name, const char *argument, struct err *e)
{
	const struct action *action = action_by_name_at(name, app_key_scope(a));
	if (!action)
		return action_report_unknown(name, e);
	if (!(action->where & app_key_scope(a)))
		return err_set(e, ST_REQUEST,
			"action '%s' does not work in this pane; focus its pane (next-pane) or open its view first",
			name);
	app_request_redraw(a);
	a->message[0] = 0;
	run_and_record(a, action, TK_NONE, argument);
	return true;
}

/* --- the loop --- */
void app_pump(struct app *a)
{
	measure_pump(a);
	for (int i = 0; views[i]; i++)
		if (views[i]->pump)
			views[i]->pump(a);
}

int app_poll_timeout(const struct app *a)
{
	int ms = measure_timeout(a);
	if (app_views_have_work(a, VIEW_SLICING))
		return 0;
	return app_views_have_work(a, VIEW_POLLING) && ms > POLLING_VIEW_MS ? POLLING_VIEW_MS : ms;
}
