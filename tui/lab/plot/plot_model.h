/* The chart of an experiment: its curves as series, the cycle breakdown as areas, knees and rulers. The plot and the
 * clocks below it share it. */
#ifndef TUI_LAB_PLOT_PLOT_MODEL_H
#define TUI_LAB_PLOT_PLOT_MODEL_H

#include "experiments/analysis/cache_capacities.h"
#include "plot/curve_knees.h"
#include "gpu/protocol/stalls/stall_reasons.h"
#include "tui/lab/app.h"

enum { SERIES_MAX = (3 + PINS_MAX) * METRICS_MAX + STALL_REASON_COUNT, KNEES_MAX = 4 };

struct plot_model {
	struct chart chart;
	struct series series[SERIES_MAX];
	struct chart_point *points; /* owned */
	const char *x_names[CHOICES_MAX];
	struct chart_ruler rulers[CAPACITIES_MAX];
	struct knee knees[KNEES_MAX]; /* of the first left metric of the current curve */
	int knee_count;
	char ruler_texts[CAPACITIES_MAX][32], knee_texts[KNEES_MAX][32];
	int bands;                      /* the first so many series are stacked areas; 0: no breakdown is shown */
	int causes[STALL_REASON_COUNT]; /* of each area */
	bool cycles;                    /* the areas stack cycles, because the left metric is not a time */
	enum pin_view pin_view;         /* not PINS_AS_CURVES: the plot has only comparisons of the pinned curves */
	bool x_is_log;                  /* the x axis, if its values allow it */
	double window_low, window_high; /* of the x axis; equal: all of it */
	bool shares;                    /* the areas stack per cent of each point's cycles */
};

void plot_model_build(const struct app *a, const struct lab *b, struct plot_model *out);
void plot_model_free(struct plot_model *m);
/* The metric for knees and the breakdown: the first on the left axis that is not a bound; -1. */
int plot_main_metric(const struct experiment *x);
/* The knees of that metric on the current curve, in order, if it is a time over a numeric parameter. */
int plot_find_knees(const struct lab *b, struct knee *out, int max);
/* Whether the x axis has choices, which have no values between them. */
bool plot_x_is_categorical(const struct experiment *x, const struct measured_curve *c);
/* Whether every measured point has a profile; false without a point. */
bool plot_has_breakdown(const struct measured_curve *c);

bool point_is_wrong(const struct point *p); /* its result differs from the reference */
/* Whether the point is not trusted: clock moved, wrong result, unexpected instructions. */
bool point_looks_suspect(const struct point *p);

/* --- plot_comparison.c --- */
/* Adds the line of the current curve and a curve for each pinned one, as m->pin_view says. */
struct chart_point *plot_add_comparison(struct plot_model *m, const struct lab *b, struct chart_point *to);
void plot_fit_comparison(struct plot_model *m, const struct lab *b);
/* --- plot_breakdown.c --- */
/* Adds the areas, with their points from `to`; returns the next free point. Call it first: areas are the first series.
 */
struct chart_point *plot_add_breakdown(struct plot_model *m, const struct lab *b, bool shares, struct chart_point *to);
/* Adds a curve for each pinned one: where its stacks would end. Call it after plot_add_breakdown. */
struct chart_point *plot_add_pinned_totals(struct plot_model *m, const struct lab *b, struct chart_point *to);

#endif
