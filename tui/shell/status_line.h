/* The status line: a message, the progress of the sweep, the state of the device, or the line being typed. */
#ifndef TUI_SHELL_STATUS_LINE_H
#define TUI_SHELL_STATUS_LINE_H

#include <stddef.h>

#include "tui/lab/app.h"
#include "tui/toolkit/grid.h"

enum { NOTICE_COLUMN = 3 }; /* where a view writes its notice, after a mark */

/* Draws into the last row of the area. A message too long for it starts in the row above, if there is one. */
void status_line_draw(const struct app *a, struct area at);
/* How the sweep is canceled from here: "Esc cancels", "1, then Esc cancels"; "" if no key does. */
char *cancel_keys_format(const struct app *a, char *out, size_t size);
/* Whether the view's notice is too long for its own row and continues on the status line. */
bool status_line_continues_notice(const struct app *a);
/* Whether a message fits after the line being typed; otherwise it replaces the key hints. */
bool input_line_has_message_room(const struct app *a, int width);

#endif
