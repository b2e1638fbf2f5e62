/* What the user does to the state: keys, actions, and which view is shown. */
#ifndef TUI_SHELL_SHELL_H
#define TUI_SHELL_SHELL_H

#include "tui/lab/app.h"

void app_handle_key(struct app *a, int key); /* TK_*: edits the open line or runs the key's action */
/* False with an error when no such action exists or it does not work in the present place. */
bool app_run_action(struct app *a, const char *name, const char *argument, struct err *e);
void app_resize(struct app *a, int w, int h);

/* Shows a view. For the one that is shown already: returns to the home view, from a page to the view below it. */
void app_show_view(struct app *a, const struct view *v);
void app_open_view(struct app *a, const struct view *v); /* shows it, or stays there */
uint64_t app_key_scope(const struct app *a);             /* the scope (keymap.h) of the place that gets the keys */
/* Goes to a view where actions of that scope work, unless they work here. */
void app_focus_scope(struct app *a, uint64_t where);
void app_pump(struct app *a);              /* after every poll: measuring, then the views */
int app_poll_timeout(const struct app *a); /* how long the loop may sleep, in ms */

#endif
