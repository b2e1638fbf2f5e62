/* Where the user left the workbench: the experiment with its settings, the view, and all pinned curves. The file
 * $XDG_DATA_HOME/wavedeck/workbench.json is read at the next start and replaced when the program is quit. */
#ifndef TUI_LAB_FILES_LEFT_STATE_H
#define TUI_LAB_FILES_LEFT_STATE_H

#include "tui/lab/app.h"

/* The caller owns it. NULL without an error (e->text "") if there is no file; NULL with one line for a file that is
 * broken, too large or of another version: it is ignored. */
json_t *left_state_read(struct err *e);
const char *left_state_experiment(const json_t *state); /* id, or the path of the user's own; "": unknown */
/* The settings and pinned curves of the experiment that is shown. */
void left_state_restore_current(struct app *a, const json_t *state);
/* The pinned curves of the others, when they are loaded. */
void left_state_restore_others(struct app *a, const json_t *state);
const struct view *left_state_view(const json_t *state); /* NULL: the workbench, or one that is not there */
bool left_state_write(const struct app *a, struct err *e);

#endif
