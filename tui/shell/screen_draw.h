/* Draws the state into the grid and changes nothing. */
#ifndef TUI_SHELL_SCREEN_DRAW_H
#define TUI_SHELL_SCREEN_DRAW_H

#include "tui/lab/app.h"
#include "tui/toolkit/chart_area.h"
#include "tui/toolkit/grid.h"

/* The whole screen; the grid has the screen's size. */
void screen_draw(const struct app *a, struct grid *g);
/* Draws the screen and writes it to FILE.svg or FILE.png (screenshot.h). */
bool screen_write_picture(const struct app *a, const char *path, struct err *e);

void view_draw_header(const struct app *a, struct area at);
void view_draw_keys(const struct app *a, struct area at);

enum canvas_kind app_canvas_kind(const struct app *a); /* ASCII where the locale is not UTF-8 */
struct chart_look app_chart_look(const struct app *a);

/* --- texts --- */
/* "--" for a missing reading; `unit` as unit_display() shows it */
char *reading_format(struct reading r, const char *unit, char *out, size_t size);
char *seconds_format(double seconds, bool ascii, char *out, size_t size);
int list_first_visible_row(
	int selected, int rows, int count); /* of a list with `rows` rows, so that `selected` is visible */

#endif
