/* The parts of the code view and where they are drawn. */
#ifndef TUI_VIEWS_CODE_CODE_VIEW_DRAW_H
#define TUI_VIEWS_CODE_CODE_VIEW_DRAW_H

#include "tui/views/code/code_view.h"
#include "tui/toolkit/grid.h"

/* The rectangles in an area of that size; a part without room has width 0. The listings are the last to go. */
struct code_view_layout_rects {
	struct rect source, lines, kernel, instruction;
};
/* On a narrow screen only the focused pane is shown; else the source has `share` per cent of the width, 0: the usual
 * share. */
struct code_view_layout_rects code_view_layout(int w, int h, enum code_pane pane, int share);

void code_view_draw_kernel(const struct app *a, struct area at);
void code_view_draw_instruction(const struct app *a, struct area at);
void code_view_draw_advice(const struct app *a, struct area at);
void code_view_draw_tile(const struct app *a, struct area at);
void code_view_draw_choices(const struct app *a, struct area at);
void code_view_draw_diff(const struct app *a, struct area at, struct area under);

/* Draws a text over as many rows as needed, behind a label; returns the row after it. */
int area_draw_wrapped(struct area in, int y, int role, const char *label, const char *text);

#endif
