/* Colors in a theme's file: one for each number of colors that a terminal may have. Private to theme.c. */
#ifndef TUI_TOOLKIT_THEME_COLORS_H
#define TUI_TOOLKIT_THEME_COLORS_H

#include <stdbool.h>

#include "base/err.h"

enum color_depth { DEPTH_256, DEPTH_16, DEPTH_8, DEPTHS };
struct theme_color {
	short at[DEPTHS]; /* color number for each color depth; -1: the terminal's default */
	bool is_set;
};
#define THEME_TERMINAL_COLOR ((struct theme_color){{-1, -1, -1}, false})

/* "245/8/7", "#5f87af" or "default"; a color that the text leaves out is the one nearest to the first. Changes `text`.
 */
bool theme_color_parse(char *text, struct theme_color *out, struct err *e);

#endif
