/* The curve of a lesson's step: taken from the side that measures it, compared with the drawn one, and put into a
 * chart, into the workbench. */
#ifndef TUI_LESSON_CURVE_H
#define TUI_LESSON_CURVE_H

#include "tui/lessons.h"

struct lesson_chart {
	struct chart chart; /* borrows from the rest */
	struct series *series;
	struct chart_point *drawn;
	struct session_chart *now, *before;
};

/* The curve of before stays when it is the same experiment's. */
void lesson_curve_begin(struct lesson_view *v, const struct lesson_step *s, const char *device);
void lesson_curve_take(struct lesson_curve *c, const struct side *s);
void lesson_curve_free(struct lesson_curve *c);
/* pen_distance to the points of the first curve that was measured; *compared: how many. */
double lesson_curve_distance(const struct lesson_view *v, int *compared);

/* What is measured with its ghost and the drawn curve; before the lock only what is drawn, over the range that will be
 * measured. False: nothing to draw. */
bool lesson_chart_make(const struct lesson_view *v, bool log_y, struct lesson_chart *out);
void lesson_chart_free(struct lesson_chart *c);

#endif
