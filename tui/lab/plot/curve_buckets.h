/* The points of a long curve by parts of the x axis. Of each part, the plot needs the first and last point and the
 * extremes: it looks the same as with all points. */
#ifndef TUI_LAB_PLOT_CURVE_BUCKETS_H
#define TUI_LAB_PLOT_CURVE_BUCKETS_H

#include "plot/chart.h"
#include "tui/lab/app.h"

/* Parts of the visible x axis, at least two for each column of dots on a wide screen, and one on either side. */
enum {
	BUCKETS = 1024,
	BUCKETS_ALL = BUCKETS + 2,
	BUCKET_POINTS = 7,
	BUCKETS_POINTS_ALL = BUCKETS_ALL * BUCKET_POINTS + 2
};

struct curve_buckets;
void curve_buckets_free(struct curve_buckets *s);

/* A point as the chart draws it. */
struct chart_point measured_chart_point(const struct measured_curve *c, int i, int metric);

/* Brings the curve's buckets up to date; looks only at points that have ended since the last call with the same view.
 * Empty window: all of the axis. NULL: a short curve, or one whose x values do not only rise or only fall; the caller
 * draws all points. */
const struct curve_buckets *curve_buckets_update(
	const struct measured_curve *c, const struct experiment *x, bool log, double low, double high);
/* Writes what the chart needs of a metric, at most BUCKETS_POINTS_ALL points by rising x; returns how many.
 * A part without a valid point gives a point that is not valid. */
size_t curve_buckets_write(const struct curve_buckets *s, int metric, struct chart_point *to);
/* The x values of the curve's ends. */
void curve_buckets_ends(const struct curve_buckets *s, double *low, double *high);
/* Whether a point of the part has failed; *x is then its x value. */
bool curve_bucket_has_failed(const struct curve_buckets *s, int bucket, double *x);
/* The first point of the part, and its x value; -1: it has none. */
int curve_bucket_point(const struct curve_buckets *s, int bucket, double *x);

#endif
