/* The views: each draws a part of the state into an area and changes nothing. */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "tui/app.h"
#include "tui/grid.h"

/* The whole screen for the state; the grid has the size it is drawn for. */
void view_draw(const struct app *a, struct grid *g);

void view_list(const struct app *a, struct area at);
void view_params(const struct app *a, struct area at);
void view_plot(const struct app *a, struct area at);
void view_clocks(const struct app *a, struct area at);
void view_value(const struct app *a, struct area at);
void view_why(const struct app *a, struct area at);
void view_header(const struct app *a, struct area at);
void view_status(const struct app *a, struct area at); /* its last row; the one above is for a message that takes two */
/* Whether the message has room behind the line being typed; otherwise it stands where the hint of its keys does. */
bool entry_tells(const struct app *a, int width);
void view_keys(const struct app *a, struct area at);
void view_help(const struct app *a, struct area at);
void view_log(const struct app *a, struct area at);
void view_inside(const struct app *a, struct area at);
void view_devices(const struct app *a, struct area at);
void view_lessons(const struct app *a, struct area at);
void view_sessions(const struct app *a, struct area at);
void view_code(const struct app *a, struct area at);

/* How the plot and the clocks below it share the columns. */
struct columns {
	int left, width;
}; /* the plot's columns within a frame's inside */
struct columns plot_columns(int inside_width);
/* Column 0 .. width - 1 of an x value; -1 outside. */
int plot_column(const struct scale *x, double value, int width, enum canvas_kind kind);
enum canvas_kind canvas_of(const struct app *a);

/* --- texts --- */
/* "--" where it is not there. */
char *reading_text(struct reading r, const char *unit, char *out, size_t size);
char *seconds_text(double seconds, char *out, size_t size);
int first_row(int selected, int rows, int count); /* of a list with `rows` rows so that `selected` is seen */

#endif
