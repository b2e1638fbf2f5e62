/* Actions of the session view. An argument comes from scripts: a name, a text, a file. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/files/curve_files.h"
#include "tui/shell/input_line.h"
#include "tui/shell/keymap.h"
#include "tui/views/sessions/sessions_view.h"
#include "tui/shell/shell.h"

static const double speeds[] = {1, 4, 16, 0};

void act_sessions(struct app *a)
{
	app_show_view(a, &view_sessions);
}

/* --- moving --- */
void act_session_select(struct app *a, int by, const char *name)
{
	if (!name)
		sessions_view_move(a, by);
	else if (!sessions_view_select(a, name))
		app_show_message(a, ROLE_BAD, "session '%s' not found in the list", name);
}

void act_session_page_down(struct app *a)
{
	act_session_select(a, a->height / 2, NULL);
}
void act_session_page_up(struct app *a)
{
	act_session_select(a, -a->height / 2, NULL);
}
void act_session_move(struct app *a, int by)
{
	sessions_view_move(a, by);
}

void act_session_points(struct app *a)
{
	if (sessions_view_of(a)->pane == SHOW_POINTS)
		sessions_view_go_back(a);
	else
		sessions_view_show_points(a);
}

/* --- marks --- */
void act_session_mark(struct app *a, const char *argument)
{
	const struct library_entry *e;
	if (argument && !sessions_view_select(a, argument))
		app_show_message(a, ROLE_BAD, "session '%s' not found in the list", argument);
	else if ((e = sessions_view_selected(sessions_view_of(a))))
		sessions_view_toggle_mark(a, e->path);
}

void act_session_unmark(struct app *a)
{
	if (sessions_view_of(a)->pane == SHOW_COMPARISON)
		sessions_view_go_back(a);
	sessions_view_clear_marks(sessions_view_of(a));
}

void act_session_compare(struct app *a)
{
	if (sessions_view_of(a)->pane == SHOW_COMPARISON)
		sessions_view_go_back(a);
	else
		sessions_view_compare(a);
}

/* --- the list --- */
static void session_filter_typed(struct app *a)
{
	snprintf(sessions_view_of(a)->filter, sizeof sessions_view_of(a)->filter, "%.95s", a->input.text);
	sessions_view_update_order(sessions_view_of(a));
}

static bool filter_done(struct app *a, const char *text)
{
	(void)a;
	(void)text;
	return true; /* it was applied while it was typed */
}

void act_session_filter(struct app *a, const char *argument)
{
	sessions_view_go_back(a);
	input_line_open(a, filter_done, argument ? argument : sessions_view_of(a)->filter, "/");
	a->input.typed = session_filter_typed;
	session_filter_typed(a);
	if (argument)
		a->input.is_open = false;
}

void act_session_sort(struct app *a, const char *argument)
{
	struct sessions_view *v = sessions_view_of(a);
	enum session_sort to = (v->sort + 1) % SORT_COUNT;
	for (int i = 0; argument && i < SORT_COUNT; i++)
		if (!strcmp(argument, session_sort_name((enum session_sort)i)))
			to = (enum session_sort)i;
	v->sort = to;
	sessions_view_update_order(v);
	app_show_message(a, ROLE_DIM, "sorted by %s", session_sort_name(v->sort));
}

void act_session_refresh(struct app *a)
{
	library_refresh(sessions_view_of(a)->library);
	sessions_view_update_order(sessions_view_of(a));
}

/* --- opening --- */
void act_session_open(struct app *a, const char *argument)
{
	if (argument && !sessions_view_select(a, argument))
		app_show_message(a, ROLE_BAD, "session '%s' not found in the list", argument);
	else
		sessions_view_load_curve(a, true);
}

void act_session_pin(struct app *a)
{
	sessions_view_load_curve(a, false);
}

void act_session_speed(struct app *a, const char *argument)
{
	size_t i = 0, count = sizeof speeds / sizeof *speeds;
	while (i < count && speeds[i] != a->replay_speed)
		i++;
	a->replay_speed = argument ? strtod(argument, NULL) : speeds[(i + 1) % count];
	if (!(a->replay_speed > 0))
		a->replay_speed = 0;
	if (a->replay_speed > 0)
		app_show_message(a, ROLE_DIM,
			a->replay_speed == 1 ? "playback at measured speed" : "playback at %g times the measured speed",
			a->replay_speed);
	else
		app_show_message(a, ROLE_DIM, "playback all at once");
}

/* --- files --- */
/* The selected session if it may be changed; otherwise NULL, with a message. */
static const struct library_entry *own_entry(struct app *a)
{
	const struct library_entry *e = sessions_view_selected(sessions_view_of(a));
	if (e && e->sample)
		app_show_message(a, ROLE_BAD, "%s is a sample and cannot be changed", e->name);
	return e && !e->sample ? e : NULL;
}

static bool report_file_change(struct app *a, bool ok, const struct err *e, const char *what)
{
	if (ok)
		app_show_message(a, ROLE_OK, "%s", what);
	else
		app_show_message(a, ROLE_BAD, "%s", e->text);
	act_session_refresh(a);
	return true;
}

static bool note_done(struct app *a, const char *text)
{
	const struct library_entry *entry = sessions_view_selected(sessions_view_of(a));
	struct err e = {0};
	return !entry || !*text || report_file_change(a, session_add_note(entry->path, text, &e), &e, "note written");
}

void act_session_note(struct app *a, const char *argument)
{
	if (!own_entry(a))
		return;
	if (argument)
		note_done(a, argument);
	else
		input_line_open(a, note_done, "", "note: ");
}

static bool rename_done(struct app *a, const char *text)
{
	const struct library_entry *entry = sessions_view_selected(sessions_view_of(a));
	struct err e = {0};
	if (!entry || !strcmp(entry->name, text))
		return true;
	char *name = xstrdup(text);
	report_file_change(a, session_rename(entry->path, name, &e), &e, "renamed");
	if (!e.text[0])
		sessions_view_select(a, name);
	free(name);
	return true;
}

void act_session_rename(struct app *a, const char *argument)
{
	const struct library_entry *entry = own_entry(a);
	if (!entry)
		return;
	if (argument)
		rename_done(a, argument);
	else
		input_line_open(a, rename_done, entry->name, "new name: ");
}

static bool delete_done(struct app *a, const char *text)
{
	const struct library_entry *entry = sessions_view_selected(sessions_view_of(a));
	struct err e = {0};
	if (!entry || strcasecmp(text, "y")) {
		app_show_message(a, ROLE_DIM, "nothing was deleted");
		return true;
	}
	if (sessions_view_find_mark(sessions_view_of(a), entry->path) >= 0)
		sessions_view_toggle_mark(a, entry->path);
	return report_file_change(a, session_delete(entry->path, &e), &e, "deleted");
}

/* A script confirms with "y". */
void act_session_delete(struct app *a, const char *argument)
{
	const struct library_entry *entry = own_entry(a);
	if (!entry)
		return;
	if (argument)
		delete_done(a, argument);
	else
		input_line_open(a, delete_done, "", "delete %.60s with its %zu points? y: ", entry->name,
			entry->summary.points);
}

static bool take_session_export(struct app *a, const char *text)
{
	char *path = path_from_user(text);
	if (*text)
		sessions_view_export(a, path);
	free(path);
	return true;
}

void act_session_export(struct app *a, const char *argument)
{
	if (!sessions_view_selected(sessions_view_of(a)))
		return;
	if (argument) {
		take_session_export(a, argument);
		return;
	}
	char *name = sessions_view_export_name(a), *path = export_suggest_path(a, name);
	input_line_open(a, take_session_export, path, "export to: ");
	a->input.hint = "Enter write   .html .svg .csv .json .gp   Esc cancel";
	free(name);
	free(path);
}
