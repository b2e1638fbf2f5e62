/* Rows of the timeline. */
#ifndef TUI_VIEWS_INSPECTOR_PAGES_TIMELINE_CELLS_H
#define TUI_VIEWS_INSPECTOR_PAGES_TIMELINE_CELLS_H

#include "tui/views/inspector/inspector_draw.h"

/* Draws a wave slot into one row of `columns`; `cursor`: the cursor's column, or -1. Returns the stall reasons that it
 * shows, as a bit mask (enum stall_reason). */
uint64_t timeline_draw_slot(const struct app *a, struct area at, int row, int columns, int cursor);

#endif
