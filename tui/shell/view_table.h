/* The one table of views: each fills the screen between the header and the last lines. A row without its functions does
 * not link. id, name      VIEW_id in the program; the name for scripts and texts place         where the keys table
 * says its keys work (keymap.h); the main view has a place for each pane draw          draws the state into the body
 * and changes nothing; NULL: the panes of the main view enter         called when a person comes here, before the first
 * drawing; NULL: nothing to do close         frees what the view keeps in struct app when the program ends; NULL:
 * nothing */
#ifndef TUI_SHELL_VIEW_TABLE_H
#define TUI_SHELL_VIEW_TABLE_H

/* clang-format off */
#define VIEWS(X) \
	X(MAIN,     "workbench", IN_MAIN,     NULL,          NULL, NULL) \
	X(HELP,     "help",      IN_HELP,     view_draw_help,     NULL, NULL) \
	X(LOG,      "log",       IN_LOG,      view_draw_log,      NULL, NULL) \
	X(CODE,     "code",      IN_CODE,     code_view_draw,     code_view_enter, code_view_close) \
	X(INSPECTOR,   "inside",    IN_INSPECTOR,   inspector_draw,   inspector_enter,  inspector_close) \
	X(LESSONS,  "lessons",   IN_LESSONS,  lessons_view_draw,  lessons_view_enter, lessons_view_close) \
	X(DEVICES,  "devices",   IN_DEVICES,  devices_view_draw,  devices_view_enter, devices_view_close) \
	X(SESSIONS, "sessions",  IN_SESSIONS, sessions_view_draw, sessions_view_enter, sessions_view_close)
/* clang-format on */

struct app;
struct area;
typedef void view_draw_fn(const struct app *a, struct area at);
typedef void view_hook(struct app *a);

struct view_info {
	const char *name;
	unsigned place;
	view_draw_fn *draw;
	view_hook *enter, *close;
};

const struct view_info *view_get_info(int view); /* enum view */

#endif
