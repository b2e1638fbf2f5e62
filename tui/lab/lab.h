/* An experiment on the bench: its parameters as the person set them, the plan they make, the curves measured with them.
 */
#ifndef TUI_LAB_LAB_H
#define TUI_LAB_LAB_H

#include "tui/lab/app.h"
#include "tui/lab/measured_curve.h"

void lab_init(struct lab *b, struct experiment *x, bool soft);
void lab_free(struct lab *b);
/* The plan for what is set. False with one line when a typed range does not fit. The caller frees the plan. */
bool lab_build_plan(const struct lab *b, bool soft, struct plan *p, struct err *e);
/* Puts the parameter on the x axis over its default range. */
void lab_set_x_axis(struct lab *b, int param);
/* A range typed for the x axis, checked; "" is the default range. */
bool lab_set_range(struct lab *b, int param, const char *text, bool soft, struct err *e);
/* Moves the end of the x axis' range by one step; false when it is at the parameter's end, is one value only, or has no
 * end (choices). */
bool lab_step_range_end(struct lab *b, int by, bool soft);
/* The parameters, x axis and range of a plan; of several axes the last, at the first values of the others. */
void lab_apply_plan(struct lab *b, const struct plan *p);
/* The same of a preset. */
bool lab_apply_preset(struct lab *b, const char *name, bool soft, struct err *e);
/* Whether it stands as that preset makes it. */
bool lab_matches_preset(const struct lab *b, const char *name, bool soft);
/* Whether the curve is all of what the plan for what is set would measure. */
bool lab_curve_is_complete(const struct lab *b, const struct measured_curve *c, bool soft);
bool lab_is_scaled(const struct lab *b); /* stands at a size scaled for the software GPU */
/* Moves the cursor along the curve's points; clamped. */
void lab_move_cursor(struct lab *b, int by);
const struct point *lab_cursor_point(const struct lab *b); /* at the cursor; NULL when there is no curve */
/* The published row, when it belongs to the curve shown; else NULL. */
const struct validation_row *lab_published_row(const struct lab *b, int row);
/* The one of that metric at the cursor; NULL when there is none. */
const struct validation_row *lab_published_at_cursor(const struct lab *b, int metric);
/* First and last value of the x axis' range; false for a typed list, which has its own text. There must be an x axis.
 */
bool lab_get_range_ends(const struct lab *b, double *from, double *to);
/* Text of the parameter's value, or of its range when it is on the x axis; shortened when it needs more than `room`
 * columns. */
char *lab_format_value(const struct lab *b, int param, int room, char *out, size_t size);
/* As a recorded session's header says: fixed parameters, x axis, range. False when it is of another experiment. */
bool lab_apply_recording(struct lab *b, const json_t *header);

#endif
