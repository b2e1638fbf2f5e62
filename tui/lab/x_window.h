/* The part of the x axis that the plot shows. Zoom and pan steps are even on the screen; the cursor stays visible. */
#ifndef TUI_LAB_X_WINDOW_H
#define TUI_LAB_X_WINDOW_H

#include "tui/lab/app.h"

/* Shows half (+1) or twice (-1) as much of the axis; the cursor keeps its column. False at the limit. */
bool x_window_zoom(const struct app *a, struct lab *b, int by);
/* Moves by thirds of the visible part, to the right with by > 0; the cursor moves to the nearest visible point. False
 * at the end, or when the whole axis is visible. */
bool x_window_pan(const struct app *a, struct lab *b, int by);
void x_window_reset(struct lab *b);
/* Moves the window so that the cursor is visible. */
void x_window_follow_cursor(const struct app *a, struct lab *b);

#endif
