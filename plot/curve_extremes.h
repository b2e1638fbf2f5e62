/* The local minima and maxima of a curve, which always have a mark. */
#ifndef PLOT_CURVE_EXTREMES_H
#define PLOT_CURVE_EXTREMES_H

#include <stdbool.h>

/* Sets out[i] for each extreme of y, and for both ends of each part without a missing value (NAN). A maximum is an
 * extreme if the curve falls by `least` on both sides of it before it rises above it; likewise a minimum. Of several
 * equal values in a row, the middle one is the extreme. */
void extremes_find(const double *y, int count, double least, bool *out);

#endif
