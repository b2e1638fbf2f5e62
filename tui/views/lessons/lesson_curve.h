/* The curve of a lesson's step: measured in the background, compared with the prediction, drawn in a chart, or
 * opened in the workbench. */
#ifndef TUI_VIEWS_LESSONS_LESSON_CURVE_H
#define TUI_VIEWS_LESSONS_LESSON_CURVE_H

#include "experiments/analysis/session_extras.h"
#include "tui/views/lessons/lessons_view.h"

struct lesson_chart {
	struct chart chart; /* borrows from the other members */
	struct series *series;
	struct chart_point *drawn;
	struct session_chart *now, *before;
	struct session_extras extras; /* rulers */
};

/* The previous curve is kept if it belongs to the same experiment. */
void lesson_curve_start(struct lesson_view *v, const struct lesson_step *s, const char *device);
void lesson_curve_copy_points(struct lesson_curve *c, const struct background_job *s);
void lesson_curve_free(struct lesson_curve *c);
/* prediction_mean_error against the first measured curve; *compared: the number of points. */
double lesson_curve_prediction_error(const struct lesson_view *v, int *compared);

/* The current and previous curve with the prediction. Before the prediction is locked in: only the prediction,
 * over the x range to be measured. False: nothing to draw. */
bool lesson_chart_make(const struct lesson_view *v, bool log_y, struct lesson_chart *out);
void lesson_chart_free(struct lesson_chart *c);

#endif
