/* A measured curve, kept after its sweep is gone, and the curves pinned beside the one shown. A curve owns its points
 * and holds a reference to each point's record; its metrics are those of the bench's experiment, in its order. */
#ifndef TUI_LAB_MEASURED_CURVE_H
#define TUI_LAB_MEASURED_CURVE_H

#include "tui/lab/app.h"

void measured_curve_start(struct measured_curve *c, const struct plan *p);
void measured_curve_set_point(struct measured_curve *c, int point, const struct point *from);
void measured_curve_free(struct measured_curve *c);
void measured_curve_move(
	struct measured_curve *to, struct measured_curve *from); /* frees what `to` had, empties `from` */
void measured_curve_copy(struct measured_curve *to, const struct measured_curve *from);
/* Where a point stands on the plot's x axis: the swept parameter's value, or the metric that the experiment puts there
 * (NAN: not measured). */
double measured_curve_x(const struct measured_curve *c, int point);

/* The curve shown gives way to another: it becomes the ghost, and the ghost one of those still known. What had not got
 * half way replaces no ghost. */
void lab_retire_curve(struct lab *b);
/* Brings back the curve that is all of what is set, where it is known: shown, ghost or earlier; with `profile` only one
 * with profiles. The one shown is retired. Nobody may still measure into it (measure_show_known_curve). */
bool lab_recall_curve(struct lab *b, bool soft, bool profile);
void lab_forget_earlier_curves(struct lab *b); /* those known, as after the kernel has changed */

/* Keeps a copy of the curve in the plot. `label` names it in the legend ("MI210", "2026-09-02"); "" is a curve of this
 * bench, named by the parameters in which it differs from the one shown. A pin of the same name is replaced. Drawn
 * while the curve has the x axis that is shown. False when it has no points, or when PINS_MAX others are there. */
bool lab_pin_curve(struct lab *b, const struct measured_curve *c, const char *label);
void lab_unpin_curve(struct lab *b, int i);                                     /* the i-th; those behind move up */
int lab_find_pin_by_label(const struct lab *b, const char *label);              /* -1 */
int lab_find_pin_of_curve(const struct lab *b, const struct measured_curve *c); /* the pin that is a copy of it; -1 */
/* Its label; else the values in which it differs from the curve shown, "pinned" where it differs in none. */
char *lab_format_pin_label(const struct lab *b, int i, char *out, size_t size);

#endif
