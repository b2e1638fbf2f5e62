/* The curve of a lesson's step: measured in the background, compared with the prediction, drawn in a chart. */
#ifndef TUI_VIEWS_LESSONS_LESSON_CURVE_H
#define TUI_VIEWS_LESSONS_LESSON_CURVE_H

#include "experiments/analysis/session_extras.h"
#include "tui/views/lessons/lessons_view.h"

struct lesson_chart {
	struct chart chart;               /* borrows from the other members */
	const char *x_names[CHOICES_MAX]; /* before the measurement */
	struct series *series;
	struct chart_point *drawn;
	struct session_chart *now, *before;
	struct session_extras extras; /* rulers */
};

/* Copies the points measured so far; only `metric` is drawn. */
void lesson_curve_copy_points(struct lesson_curve *c, const char *metric, const struct background_job *job);
void lesson_curve_free(struct lesson_curve *c);
/* prediction_mean_error against the first measured curve; *compared: the number of points. */
double lesson_curve_prediction_error(const struct step_state *s, const struct sweep *sweep, int *compared);

/* Of a step: its curve with the prediction, and the curve of the step before it if that has the same axes. Before the
 * prediction is locked in: only the prediction, over the x range to be measured. False: nothing to draw. */
bool lesson_chart_make(const struct lesson_view *v, int step, bool log_y, struct lesson_chart *out);
void lesson_chart_free(struct lesson_chart *c);

/* The plot of the current step, in a frame (lesson_plot_draw.c). */
void lesson_plot_draw(const struct app *a, struct area at);

#endif
