/* The curve of a lesson's step: taken from the side that measures it, compared with the drawn one, and put into a
 * chart, into the workbench. */
#ifndef TUI_VIEWS_LESSONS_LESSON_CURVE_H
#define TUI_VIEWS_LESSONS_LESSON_CURVE_H

#include "experiments/analysis/session_extras.h"
#include "tui/views/lessons/lessons_view.h"

struct lesson_chart {
	struct chart chart; /* borrows from the rest */
	struct series *series;
	struct chart_point *drawn;
	struct session_chart *now, *before;
	struct session_extras extras; /* rulers */
};

/* The curve of before stays when it is the same experiment's. */
void lesson_curve_start(struct lesson_view *v, const struct lesson_step *s, const char *device);
void lesson_curve_copy_points(struct lesson_curve *c, const struct background_job *s);
void lesson_curve_free(struct lesson_curve *c);
/* prediction_mean_error to the points of the first curve that was measured; *compared: how many. */
double lesson_curve_prediction_error(const struct lesson_view *v, int *compared);

/* What is measured with its ghost and the drawn curve; before the lock only what is drawn, over the range that will be
 * measured. False: nothing to draw. */
bool lesson_chart_make(const struct lesson_view *v, bool log_y, struct lesson_chart *out);
void lesson_chart_free(struct lesson_chart *c);

#endif
