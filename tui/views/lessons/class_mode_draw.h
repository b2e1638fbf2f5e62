/* Class mode: the question and its choices in letters for the whole room, then the votes and the curve. */
#ifndef TUI_VIEWS_LESSONS_CLASS_MODE_DRAW_H
#define TUI_VIEWS_LESSONS_CLASS_MODE_DRAW_H

#include "tui/toolkit/grid.h"
#include "tui/views/lessons/lessons_view.h"

void class_view_draw(const struct app *a, const struct lesson *l, struct area at);

#endif
