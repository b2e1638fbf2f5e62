/* Where a curve rises from one plateau to the next: the last size that still fits a cache, the first that does not. */
#ifndef PLOT_CURVE_KNEES_H
#define PLOT_CURVE_KNEES_H

#include <stdbool.h>

struct knee {
	int last;        /* index of the lower plateau's last point */
	double from, to; /* levels of the two plateaus (medians) */
};

/* The knees of y over ascending x, at most `max` of them, in order. NAN in y is a point that is not there. A plateau is
 * a run of points within 10 % of each other, at least two and at least a sixteenth of all; a knee is a rise by 15 % or
 * more that is at least three times as high as either plateau is uneven, so that an even slope has none. */
int knees_find(const double *y, int n, struct knee *out, int max);
/* Whether a metric of that unit grows with the cycles spent, so that a rise is a knee: cycles, cycles of something, a
 * time. */
bool unit_counts_cost(const char *unit);

#endif
