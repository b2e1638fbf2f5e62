/* Class mode: the choices with their votes in large digits, then the curve. */
#ifndef TUI_VIEWS_LESSONS_CLASS_MODE_DRAW_H
#define TUI_VIEWS_LESSONS_CLASS_MODE_DRAW_H

#include "tui/toolkit/grid.h"
#include "tui/views/lessons/lessons_view.h"

void class_view_draw(const struct app *a, const struct lesson *l, struct area at);
void lessons_view_draw_plot(const struct app *a, struct area at); /* lessons_draw.c: the lesson's plot */

#endif
