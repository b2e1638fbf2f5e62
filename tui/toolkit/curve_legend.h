/* The legend of a chart in the upper edge of its frame: marks in the colors of their curves, and names. */
#ifndef TUI_TOOLKIT_CURVE_LEGEND_H
#define TUI_TOOLKIT_CURVE_LEGEND_H

#include "tui/toolkit/grid.h"

enum { CURVE_LEGEND_MAX = 32 };
struct curve_legend {
	struct {
		const char *mark; /* borrowed */
		int role;
		char text[160]; /* "": only the mark */
	} list[CURVE_LEGEND_MAX];
	int count;
};

/* Copies the text; of more than CURVE_LEGEND_MAX items, the others are left out. */
void curve_legend_add(struct curve_legend *l, const char *mark, int role, const char *text);
int curve_legend_width(const struct curve_legend *l);
/* Ends before column `right` of row 0, with a blank on either side. */
void curve_legend_draw(const struct curve_legend *l, struct area at, int right);

#endif
