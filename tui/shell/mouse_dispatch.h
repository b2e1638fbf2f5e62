/* The mouse: a click or a turn of the wheel runs the action that the view attached to that region when it drew it
 * (struct mouse_region in grid.h). Elsewhere the view handles the click, and the wheel acts as arrow keys. */
#ifndef TUI_SHELL_MOUSE_DISPATCH_H
#define TUI_SHELL_MOUSE_DISPATCH_H

#include "tui/lab/app.h"
#include "tui/toolkit/grid.h"
#include "tui/toolkit/mouse.h"

/* `g` is the screen as it was last drawn. */
void mouse_handle_event(struct app *a, const struct grid *g, struct mouse m);
/* "left", "up", "down"; false for another name. */
bool mouse_button_parse(const char *name, enum mouse_button *out);

#endif
