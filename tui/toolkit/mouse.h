/* The mouse: what a click or a turn of the wheel means is what the views said when they drew (grid.h's hits); elsewhere
 * a click chooses the pane, and the wheel is arrow keys. */
#ifndef TUI_TOOLKIT_MOUSE_H
#define TUI_TOOLKIT_MOUSE_H

#include "tui/shell/app.h"

enum mouse_button { MOUSE_LEFT, MOUSE_UP, MOUSE_DOWN, MOUSE_OTHER }; /* UP, DOWN: the wheel */
struct mouse {
	int x, y;
	enum mouse_button button;
};

/* `g` is the screen as it was drawn last. */
void mouse_handle_event(struct app *a, const struct grid *g, struct mouse m);
/* "left", "up", "down"; false when it is none. */
bool mouse_button_parse(const char *name, enum mouse_button *out);

#endif
