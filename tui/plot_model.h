/* The chart of a bench: its curves as series, where its cycles go as areas, knees and rulers; the same for the plot and
 * the clocks below it. */
#ifndef TUI_PLOT_MODEL_H
#define TUI_PLOT_MODEL_H

#include "experiments/capacities.h"
#include "experiments/knees.h"
#include "gpu/causes.h"
#include "tui/app.h"

enum { SERIES_MAX = (3 + PINS_MAX) * METRICS_MAX + CAUSE_COUNT, KNEES_MAX = 4 };

struct plot_model {
	struct chart chart;
	struct series series[SERIES_MAX];
	struct chart_point *points; /* owned */
	struct ruler rulers[CAPACITIES_MAX];
	struct knee
		knees[KNEES_MAX]; /* of the first left metric of the curve shown; their labels stand at its points */
	int knee_count;
	char ruler_texts[CAPACITIES_MAX][32], knee_texts[KNEES_MAX][32];
	int bands; /* areas stacked on the left axis, the first so many series; 0: not in that mode, or nothing to stack
	            */
	int causes[CAUSE_COUNT]; /* of each area */
	bool cycles;             /* they stack cycles, because the left metric is no time */
	bool shares;             /* they stack per cent of each point's cycles */
};

void plot_model(const struct app *a, const struct bench *b, struct plot_model *out);
void plot_model_free(struct plot_model *m);
/* The metric whose knees are found and whose causes are stacked: the first on the left axis that is no bound; -1. */
int plot_left_metric(const struct experiment *x);
/* The knees of that metric over the curve shown, where it is a time over a number; in order. */
int plot_knees(const struct bench *b, struct knee *out, int max);
/* Whether the curve goes over choices: nothing is between two of them. */
bool plot_over_names(const struct experiment *x, const struct curve *c);
/* Whether every measured point has a profile; false without a point. */
bool plot_has_causes(const struct curve *c);

/* --- plot_stack.c --- */
/* Adds the areas, at the next free points; returns those behind. Call it first: areas are the first series. */
struct chart_point *plot_stack(struct plot_model *m, const struct bench *b, bool shares, struct chart_point *to);

#endif
