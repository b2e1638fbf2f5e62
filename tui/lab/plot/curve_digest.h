/* What frames need of a long curve, kept while its points end: a frame then costs what its columns cost, not what its
 * points cost. Short curves have none; frames look at their points. */
#ifndef TUI_LAB_PLOT_CURVE_DIGEST_H
#define TUI_LAB_PLOT_CURVE_DIGEST_H

#include "plot/curve_knees.h"
#include "plot/reading_span.h"
#include "tui/lab/app.h"

enum { CURVE_LONG = 4096 /* points from which a curve has a digest */, TALLY_CLOCKS = 4, DIGEST_KNEES = 4 };

/* How many points are of each kind. */
struct curve_tally {
	int ok, failed, moved, wrong, broken;
	int unverified, profiled;                 /* of the points that are ok */
	struct reading_span clocks[TALLY_CLOCKS]; /* sclk, mclk, temperature, power; of the points that are ok */
};

struct curve_buckets; /* curve_buckets.h */

/* For which settings the curve was last found complete, or not. */
struct completeness {
	bool known, complete, soft;
	const struct experiment *x;
	int axis, noted;
	double values[PARAMS_MAX];
	char range[400];
};

struct curve_digest {
	int *order, noted, capacity; /* indices of points in the order in which they ended; both owned */
	bool *is_noted;
	unsigned generation; /* changes when points that were noted change: what was derived from them is void */
	struct curve_tally tally;
	struct curve_buckets *buckets; /* owned; NULL before the first frame */
	struct knee knees[DIGEST_KNEES];
	int knee_count, knees_noted; /* knees_noted: how many points had ended; 0: not looked for yet */
	struct completeness completeness;
};

/* For a curve that gets `points` points; NULL if that is not a long one. curve_digest_free. */
struct curve_digest *curve_digest_new(int points);
void curve_digest_free(struct curve_digest *d);
/* Call after a point has ended or has changed; without effect on a short curve. */
void curve_digest_note(const struct measured_curve *c, int point);
/* The same for all points of a curve that have ended. */
void curve_digest_note_all(const struct measured_curve *c);

/* Of any curve; a short one is counted now. */
struct curve_tally curve_count_points(const struct measured_curve *c);

#endif
