/* A lesson for a room: the choices with their votes in large digits, then the curve. Few words. */
#ifndef TUI_VIEW_CLASS_H
#define TUI_VIEW_CLASS_H

#include "tui/grid.h"
#include "tui/lessons.h"

void class_view_draw(const struct app *a, const struct lesson *l, struct area at);
void lessons_view_draw_plot(const struct app *a, struct area at); /* lessons_view_draw.c: the page's plot */

#endif
