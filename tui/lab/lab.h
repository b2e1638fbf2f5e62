/* The state of one experiment in the workbench: the user's parameters, the plan that they make, and its curves. */
#ifndef TUI_LAB_LAB_H
#define TUI_LAB_LAB_H

#include "tui/lab/app.h"
#include "tui/lab/earlier_curves.h"
#include "tui/lab/measured_curve.h"
#include "tui/lab/pinned_curves.h"

/* With the defaults of a device (default_values.h). */
void lab_init(struct lab *b, struct experiment *x, bool soft, const char *arch);
void lab_free(struct lab *b);
/* Continues with the experiment's definition as it is now. Values of parameters with the same name are kept; curves
 * are kept if parameters and metrics are the same; else it returns false. */
bool lab_take_definition(struct lab *b, struct experiment *x, bool soft);
/* The plan for the current settings. False with one line when a typed range is not valid. The caller frees the plan. */
bool lab_build_plan(const struct lab *b, bool soft, struct plan *p, struct err *e);
/* Adds an axis to the plan: the parameter over its typed range, else over its default range. */
bool lab_add_plan_axis(const struct lab *b, int param, struct plan *p, struct err *e);
/* Puts the parameter on the x axis over its default range. */
void lab_set_x_axis(struct lab *b, int param);
/* Checks and sets the range of the x axis; "" is the default range. */
bool lab_set_range(struct lab *b, int param, const char *text, bool soft, struct err *e);
/* Moves the end of the x axis' range by one step. False when it is at the parameter's limit, when only one value is
 * left, or for choices. */
bool lab_step_range_end(struct lab *b, int by, bool soft);
/* Takes over the parameters, x axis and range of a plan. Of several axes, the last one is the x axis, at the first
 * values of the others. */
void lab_apply_plan(struct lab *b, const struct plan *p);
/* The same with a preset's plan. */
bool lab_apply_preset(struct lab *b, const char *name, bool soft, struct err *e);
/* Whether the settings are those of the preset. */
bool lab_matches_preset(const struct lab *b, const char *name, bool soft);
/* Whether the curve has all the points of the plan for the current settings. */
bool lab_curve_is_complete(const struct lab *b, const struct measured_curve *c, bool soft);
bool lab_is_scaled(const struct lab *b); /* at a size reduced for the software GPU */
/* Moves the cursor along the curve's points; clamped. */
void lab_move_cursor(struct lab *b, int by);
const struct point *lab_cursor_point(const struct lab *b); /* NULL without a curve */
/* The published row of that index if it belongs to the current curve, else NULL. */
const struct validation_row *lab_published_row(const struct lab *b, int row);
/* The published row of that metric at the cursor, else NULL. */
const struct validation_row *lab_published_at_cursor(const struct lab *b, int metric);
/* First and last value of the x axis' range; false for a typed list. There must be an x axis. */
bool lab_get_range_ends(const struct lab *b, double *from, double *to);
/* The text of the parameter's value, or of its range when it is on the x axis; shortened to fit `room` columns. */
char *lab_format_value(const struct lab *b, int param, int room, char *out, size_t size);
/* Takes over the parameters, x axis and range of a recorded session's header. False for another experiment. */
bool lab_apply_recording(struct lab *b, const json_t *header);

/* Estimates the current plan from the points measured so far: "19 points, ~3 s" or "19 points, time unknown"; false if
 * the time is unknown. */
bool lab_format_estimate(const struct lab *b, bool soft, double *seconds, char *out, size_t size);

#endif
