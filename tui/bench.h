/* An experiment on the bench: its parameters as the person set them, the plan they make, the curves measured with them.
 */
#ifndef TUI_BENCH_H
#define TUI_BENCH_H

#include "tui/app.h"
#include "tui/curve.h"

void bench_init(struct bench *b, struct experiment *x, bool soft);
void bench_free(struct bench *b);
/* The plan for what is set. False with one line when a typed range does not fit. The caller frees the plan. */
bool bench_plan(const struct bench *b, bool soft, struct plan *p, struct err *e);
/* Puts the parameter on the x axis over its default range. */
void bench_set_axis(struct bench *b, int param);
/* A range typed for the x axis, checked; "" is the default range. */
bool bench_set_range(struct bench *b, int param, const char *text, bool soft, struct err *e);
/* Moves the end of the x axis' range by one step; false when it is at the parameter's end, is one value only, or has no
 * end (choices). */
bool bench_move_end(struct bench *b, int by, bool soft);
/* The parameters, x axis and range of a plan; of several axes the last, at the first values of the others. */
void bench_take_plan(struct bench *b, const struct plan *p);
/* The same of a preset. */
bool bench_take_preset(struct bench *b, const char *name, bool soft, struct err *e);
/* Whether it stands as that preset makes it. */
bool bench_at_preset(const struct bench *b, const char *name, bool soft);
/* Whether the curve is all of what the plan for what is set would measure. */
bool bench_planned(const struct bench *b, const struct curve *c, bool soft);
bool bench_scaled(const struct bench *b); /* stands at a size scaled for the software GPU */
/* Moves the cursor along the curve's points; clamped. */
void bench_move_cursor(struct bench *b, int by);
const struct point *bench_point(const struct bench *b); /* at the cursor; NULL when there is no curve */
/* The published row, when it belongs to the curve shown; else NULL. */
const struct validation_row *bench_published(const struct bench *b, int row);
/* The one of that metric at the cursor; NULL when there is none. */
const struct validation_row *bench_published_here(const struct bench *b, int metric);
/* First and last value of the x axis' range; false for a typed list, which has its own text. There must be an x axis.
 */
bool bench_ends(const struct bench *b, double *from, double *to);
/* Text of the parameter's value, or of its range when it is on the x axis; shortened when it needs more than `room`
 * columns. */
char *bench_value_text(const struct bench *b, int param, int room, char *out, size_t size);
/* As a recorded session's header says: fixed parameters, x axis, range. False when it is of another experiment. */
bool bench_take_recording(struct bench *b, const json_t *header);

#endif
