/* The parts of the code view. */
#ifndef TUI_VIEW_CODE_H
#define TUI_VIEW_CODE_H

#include "tui/code.h"
#include "tui/grid.h"

/* Where they stand in an area of that size; one that finds no room has no width. Listings go last. */
struct code_layout {
	struct rect source, lines, kernel, instruction;
};
/* On a screen too narrow for both the pane that has the focus is there alone. */
struct code_layout code_layout(int w, int h, enum code_pane pane);

void view_code_kernel(const struct app *a, struct area at);
void view_code_instruction(const struct app *a, struct area at);
void view_code_choices(const struct app *a, struct area at);
void view_code_diff(const struct app *a, struct area at, struct area under);

/* Text over as many rows as it needs, behind a label; returns the row below. */
int code_wrapped(struct area in, int y, int role, const char *label, const char *text);

#endif
