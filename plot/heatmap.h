/* A heat map: a value for each combination of two parameters, independent of any screen or file. */
#ifndef PLOT_HEATMAP_H
#define PLOT_HEATMAP_H

#include <stdbool.h>

#include "base/buf.h"

enum { HEATMAP_NAME = 24 };

struct heat_cell {
	double value;
	bool measured, valid, suspect; /* measured, but not valid: the point failed */
};

struct heatmap {
	const char *x_label, *x_unit, *y_label, *y_unit, *label, *unit; /* borrowed */
	int columns, rows;
	char (*x_names)[HEATMAP_NAME], (*y_names)[HEATMAP_NAME]; /* owned, like the cells */
	struct heat_cell *cells;                                 /* row by row; row 0 is drawn at the bottom */
	double low, high;                                        /* of the valid cells */
	bool log;                                                /* colors by the logarithm */
	int least, most;                                         /* index of the cell with the value low, high; -1 */
};

void heatmap_free(struct heatmap *h);
/* Finds low and high, and chooses the scale of the colors. */
void heatmap_fit(struct heatmap *h);
struct heat_cell *heatmap_cell(const struct heatmap *h, int column, int row);
/* Where the value is between low and high: 0..1. */
double heatmap_fraction(const struct heatmap *h, double value);
/* The same as one of `levels` levels. */
int heatmap_level(const struct heatmap *h, double value, int levels);

/* --- heatmap_svg.c --- */
/* Draws it with its axes, values and the key of its colors at (0, y), `width` wide; returns its height. Colors are
 * those of viridis, which color-blind people and gray printers can read. */
double svg_draw_heatmap(struct buf *out, const struct heatmap *h, double y, double width);

#endif
