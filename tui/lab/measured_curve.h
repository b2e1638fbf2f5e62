/* Measured curves that outlive their sweep: the current, previous, earlier and pinned curves of an experiment. A curve
 * owns its points and holds a reference to each point's record; its metrics are in the order of the experiment's. */
#ifndef TUI_LAB_MEASURED_CURVE_H
#define TUI_LAB_MEASURED_CURVE_H

#include "tui/lab/app.h"

void measured_curve_start(struct measured_curve *c, const struct plan *p);
void measured_curve_set_point(struct measured_curve *c, int point, const struct point *from);
void measured_curve_free(struct measured_curve *c);
void measured_curve_move(
	struct measured_curve *to, struct measured_curve *from); /* frees the points of `to`, empties `from` */
void measured_curve_copy(struct measured_curve *to, const struct measured_curve *from);
/* The x value of a point: of the swept parameter, or of the metric that the experiment puts on the x axis (NAN: not
 * measured). */
double measured_curve_x(const struct measured_curve *c, int point);

/* Makes room for a new curve: the current one becomes the previous one, which becomes an earlier one. A curve with less
 * than half of its points does not replace the previous one. */
void lab_retire_curve(struct lab *b);
/* Shows the complete curve for the current settings if there is one (current, previous or earlier); with `profile`,
 * only one whose points have profiles. The current curve is retired; no sweep may still write to it
 * (measure_show_known_curve). */
bool lab_recall_curve(struct lab *b, bool soft, bool profile);
void lab_forget_earlier_curves(struct lab *b); /* after the kernel has changed */

/* Pins a copy of the curve. `label` is its name in the legend ("MI210", "2026-09-02"); with "", its name is made of the
 * parameters that differ from the current curve. A pinned curve of the same name is replaced. It is drawn while it has
 * the x axis of the plot. False when it has no points or PINS_MAX others are pinned. */
bool lab_pin_curve(struct lab *b, const struct measured_curve *c, const char *label);
void lab_unpin_curve(struct lab *b, int i);                                     /* later ones move up */
int lab_find_pin_by_label(const struct lab *b, const char *label);              /* -1 */
int lab_find_pin_of_curve(const struct lab *b, const struct measured_curve *c); /* the pinned copy of the curve; -1 */
/* Its label; without one, the parameters that differ from the current curve, or "pinned". */
char *lab_format_pin_label(const struct lab *b, int i, char *out, size_t size);

#endif
