/* The plot pane and its parts. */
#ifndef TUI_SHELL_PLOT_PLOT_PANE_H
#define TUI_SHELL_PLOT_PLOT_PANE_H

#include "tui/lab/plot/plot_model.h"
#include "tui/shell/screen_draw.h"

/* How the plot and the clocks below it share the columns within the frame. */
struct plot_column_span {
	int left, width;
};
struct plot_column_span plot_split_columns(int inside_width);

/* Draws the plot of the current lab. */
void plot_pane_draw(const struct app *a, struct area at, bool focused);

struct plot_drawing {
	const struct app *a;
	const struct lab *b;
	const struct plot_model *m;
	struct area in, canvas; /* inside the frame; the part for the curves */
	int axis_row;           /* row of the x axis in `in`; -1: none */
};

enum { HEADED_ROWS = 7 /* rows inside the frame from which on the units are shown */ };

void plot_draw_axes(const struct plot_drawing *d); /* plot_axes.c */
/* --- plot_legend.c --- */
/* Draws the frame with title and legend; returns the area inside. Needs d->a, d->b and d->m. */
struct area plot_draw_frame(const struct plot_drawing *d, struct area at, bool focused);
bool plot_has_frame(struct area at);                   /* a smaller pane has none */
void plot_draw_headings(const struct plot_drawing *d); /* units of the axes, in row 0 */
/* --- plot_pins.c --- */
/* How many rows inside the frame, which has `height` of them, list pinned curves. */
int plot_pin_rows(const struct lab *b, int height);
/* A line for each pinned curve: mark, name, values at the cursor, and how much they differ from the current curve's. */
void plot_draw_pins(const struct plot_drawing *d, int row, int rows);
/* --- plot_breakdown_legend.c --- */
/* All stall reasons of the stacks: first those of the point at the cursor, with their share of its cycles, the largest
 * first; then the others. As many as fit `rows` rows. */
void plot_draw_breakdown(const struct plot_drawing *d, int top, int rows);
/* How many rows of so many columns they take, at most `most`. */
int plot_breakdown_rows(const struct plot_drawing *d, int columns, int most);
int stall_reason_role(int cause); /* its shade of the color of its family */
bool role_is_of_stall_reason(int role);
/* --- plot_labels.c --- */
void plot_draw_labels(const struct plot_drawing *d); /* knees next to their points, names of rulers at the top */

#endif
