/* The views: each draws a part of the state into an area and changes nothing. */
#ifndef TUI_SHELL_SCREEN_DRAW_H
#define TUI_SHELL_SCREEN_DRAW_H

#include "tui/shell/app.h"
#include "tui/toolkit/grid.h"

/* The whole screen for the state; the grid has the size it is drawn for. */
void screen_draw(const struct app *a, struct grid *g);
/* Draws the screen and writes it to FILE.svg or FILE.png (screenshot.h). */
bool screen_write_picture(const struct app *a, const char *path, struct err *e);

void view_draw_experiments(const struct app *a, struct area at);
void view_draw_params(const struct app *a, struct area at);
void view_draw_plot(const struct app *a, struct area at);
void view_draw_clocks(const struct app *a, struct area at);
void view_draw_value(const struct app *a, struct area at);
void view_draw_explanation(const struct app *a, struct area at);
void view_draw_header(const struct app *a, struct area at);
void view_draw_status(
	const struct app *a, struct area at); /* its last row; the one above is for a message that takes two */
/* Whether the message has room behind the line being typed; otherwise it stands where the hint of its keys does. */
bool input_line_has_message_room(const struct app *a, int width);
void view_draw_keys(const struct app *a, struct area at);
void view_draw_help(const struct app *a, struct area at);
void view_draw_log(const struct app *a, struct area at);
void inspector_draw(const struct app *a, struct area at);
void devices_view_draw(const struct app *a, struct area at);
void lessons_view_draw(const struct app *a, struct area at);
void sessions_view_draw(const struct app *a, struct area at);
void code_view_draw(const struct app *a, struct area at);

/* How the plot and the clocks below it share the columns. */
struct plot_column_span {
	int left, width;
}; /* the plot's columns within a frame's inside */
struct plot_column_span plot_split_columns(int inside_width);
/* Column 0 .. width - 1 of an x value; -1 outside. */
int plot_column_of(const struct scale *x, double value, int width, enum canvas_kind kind);
enum canvas_kind app_canvas_kind(const struct app *a);

/* --- texts --- */
/* "--" where it is not there. */
char *reading_format(struct reading r, const char *unit, char *out, size_t size);
char *seconds_format(double seconds, char *out, size_t size);
int list_first_visible_row(
	int selected, int rows, int count); /* of a list with `rows` rows so that `selected` is seen */

#endif
