/* The tour: panels over the screen that say what is shown and what to press. It starts by itself when the workbench is
 * opened for the first time, and with the action `tour`. */
#ifndef TUI_SHELL_TOUR_TOUR_H
#define TUI_SHELL_TOUR_TOUR_H

#include "tui/lab/app.h"

void tour_start(struct app *a);
/* Starts it unless this user has seen it: a file in the data folder notes that. If the file cannot be written, there is
 * no tour, because it would come each time. */
void tour_start_first(struct app *a);
/* True when the key was for the tour. Any key that it does not use ends it, and keeps its meaning. */
bool tour_handle_key(struct app *a, int key);
void tour_draw(const struct app *a, struct grid *g);

#endif
