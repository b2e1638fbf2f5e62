/* The layout of the screen: a pure function from its size to rectangles. It works at every size: on a small terminal,
 * panes are omitted in a fixed order, the plot last. Panes never overlap and never leave the screen. */
#ifndef TUI_TOOLKIT_SCREEN_LAYOUT_H
#define TUI_TOOLKIT_SCREEN_LAYOUT_H

#include <stdbool.h>

#include "tui/toolkit/grid.h"

/* In the order in which they are omitted when the screen gets smaller. */
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

/* The workbench. `zoom`: the plot also takes the columns of the list and the parameters. `clock_rows`: the height of
 * the clocks, 1 to CLOCK_ROWS_MAX. */
enum { CLOCK_ROWS_MAX = 6 };
struct layout layout_main(int w, int h, bool zoom, int clock_rows);
/* A view with one pane: header, body (as PANE_PLOT), status, keys. */
struct layout layout_single_pane(int w, int h);
bool layout_has_pane(const struct layout *l, enum pane p);

#endif
