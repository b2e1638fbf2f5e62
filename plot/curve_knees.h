/* Where a curve rises from one plateau to the next: the last size that still fits a cache, the first that does not. */
#ifndef PLOT_CURVE_KNEES_H
#define PLOT_CURVE_KNEES_H

#include <stdbool.h>

struct knee {
	int last;        /* index of the last point of the lower plateau */
	double from, to; /* medians of the two plateaus */
};

/* Finds the knees of y over ascending x, at most `max`, in order; returns how many. NAN in y is a missing point. A
 * plateau is a run of points within 10 % of each other, at least two and at least a sixteenth of all points. A knee is
 * a rise by at least 15 % between plateaus, and by at least three times the variation within either of them, so that a
 * steady slope has no knee. */
int knees_find(const double *y, int n, struct knee *out, int max);
/* True if a metric of that unit grows with the cycles spent (cycles, cycles per something, a time), so that a rise is a
 * knee. */
bool unit_counts_cost(const char *unit);

#endif
