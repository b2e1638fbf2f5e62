/* Mouse events. What they mean is decided in tui/shell/mouse_dispatch.c. */
#ifndef TUI_TOOLKIT_MOUSE_H
#define TUI_TOOLKIT_MOUSE_H

enum mouse_button { MOUSE_LEFT, MOUSE_UP, MOUSE_DOWN, MOUSE_OTHER }; /* UP and DOWN: the wheel */
struct mouse {
	int x, y; /* column and row of the screen, from 0 */
	enum mouse_button button;
};

#endif
