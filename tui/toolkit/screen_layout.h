/* Where everything stands: a pure function from the size to rectangles. It never refuses: on a small terminal panes are
 * left out in a fixed order, the plot last. Panes never overlap and never leave the screen. */
#ifndef TUI_TOOLKIT_SCREEN_LAYOUT_H
#define TUI_TOOLKIT_SCREEN_LAYOUT_H

#include <stdbool.h>

#include "tui/toolkit/grid.h"

/* In the order in which they go when room gets short, from the first to the last. */
enum pane {
	PANE_CLOCKS,
	PANE_LIST,
	PANE_PARAMS,
	PANE_EXPLANATION,
	PANE_VALUE,
	PANE_HEADER,
	PANE_KEYS,
	PANE_STATUS,
	PANE_PLOT,
	PANE_COUNT
};

struct layout {
	struct rect pane[PANE_COUNT];
};

/* `zoom`: the plot takes the columns of the list and the parameters. */
struct layout layout_main(int w, int h, bool zoom);
/* A view with one body: header, body (as PANE_PLOT), status, keys. */
struct layout layout_single_pane(int w, int h);
bool layout_has_pane(const struct layout *l, enum pane p);

#endif
