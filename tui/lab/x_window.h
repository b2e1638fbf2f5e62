/* The part of the x axis that the plot shows: zoomed and moved in steps of the screen, always with the cursor in it. */
#ifndef TUI_LAB_X_WINDOW_H
#define TUI_LAB_X_WINDOW_H

#include "tui/lab/app.h"

/* Half (+1) or twice (-1) as much of the axis, with the cursor where it stands on the screen; false at the end. */
bool x_window_zoom(const struct app *a, struct lab *b, int by);
/* So many thirds of what is shown to the right; the cursor goes to the nearest point that is still seen. False at the
 * end, or when all is shown. */
bool x_window_pan(const struct app *a, struct lab *b, int by);
void x_window_reset(struct lab *b);
/* Moves the window to where the cursor is. */
void x_window_follow_cursor(const struct app *a, struct lab *b);

#endif
