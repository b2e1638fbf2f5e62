/* A measured curve, kept after its sweep is gone, and the curves pinned beside the one shown. A curve owns its points
 * and holds a reference to each point's record; its metrics are those of the bench's experiment, in its order. */
#ifndef TUI_CURVE_H
#define TUI_CURVE_H

#include "tui/app.h"

void curve_begin(struct curve *c, const struct plan *p);
void curve_set(struct curve *c, int point, const struct point *from);
void curve_free(struct curve *c);
void curve_move(struct curve *to, struct curve *from); /* frees what `to` had, empties `from` */
void curve_copy(struct curve *to, const struct curve *from);
/* Where a point stands on the plot's x axis: the swept parameter's value, or the metric that the experiment puts there
 * (NAN: not measured). */
double curve_x(const struct curve *c, int point);

/* The curve shown gives way to another: it becomes the ghost, and the ghost one of those still known. What had not got
 * half way replaces no ghost. */
void curve_retire(struct bench *b);
/* Brings back the curve that is all of what is set, where it is known: shown, ghost or earlier; with `profile` only one
 * with profiles. The one shown is retired. Nobody may still measure into it (measure_recall). */
bool curve_recall(struct bench *b, bool soft, bool profile);
void curves_forget(struct bench *b); /* those known, as after the kernel has changed */

/* Keeps a copy of the curve in the plot. `label` names it in the legend ("MI210", "2026-09-02"); "" is a curve of this
 * bench, named by the parameters in which it differs from the one shown. A pin of the same name is replaced. Drawn
 * while the curve has the x axis that is shown. False when it has no points, or when PINS_MAX others are there. */
bool bench_pin(struct bench *b, const struct curve *c, const char *label);
void bench_unpin(struct bench *b, int i);                       /* the i-th; those behind move up */
int bench_pin_named(const struct bench *b, const char *label);  /* -1 */
int bench_pin_of(const struct bench *b, const struct curve *c); /* the pin that is a copy of it; -1 */
/* Its label; else the values in which it differs from the curve shown, "pinned" where it differs in none. */
char *bench_pin_text(const struct bench *b, int i, char *out, size_t size);

#endif
