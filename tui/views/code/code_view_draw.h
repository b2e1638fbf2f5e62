/* The parts of the code view. */
#ifndef TUI_VIEWS_CODE_CODE_VIEW_DRAW_H
#define TUI_VIEWS_CODE_CODE_VIEW_DRAW_H

#include "tui/views/code/code_view.h"
#include "tui/toolkit/grid.h"

/* Where they stand in an area of that size; one that finds no room has no width. Listings go last. */
struct code_view_layout_rects {
	struct rect source, lines, kernel, instruction;
};
/* On a screen too narrow for both the pane that has the focus is there alone. */
struct code_view_layout_rects code_view_layout(int w, int h, enum code_pane pane);

void code_view_draw_kernel(const struct app *a, struct area at);
void code_view_draw_instruction(const struct app *a, struct area at);
void code_view_draw_choices(const struct app *a, struct area at);
void code_view_draw_diff(const struct app *a, struct area at, struct area under);

/* Text over as many rows as it needs, behind a label; returns the row below. */
int area_draw_wrapped(struct area in, int y, int role, const char *label, const char *text);

#endif
