/* Curves that stay in the plot: copies of measured or loaded ones. */
#ifndef TUI_LAB_PINNED_CURVES_H
#define TUI_LAB_PINNED_CURVES_H

#include "tui/lab/app.h"

/* Pins a copy of the curve. `label` is its name in the legend ("MI210", "2026-09-02"); with "", its name is made of the
 * parameters that differ from the current curve. A pinned curve of the same name is replaced. It is drawn while it has
 * the x axis of the plot. False when it has no points or PINS_MAX others are pinned. */
bool lab_pin_curve(struct lab *b, const struct measured_curve *c, const char *label);
/* Whether lab_pin_curve would. */
bool lab_can_pin(const struct lab *b, const struct measured_curve *c, const char *label);
void lab_unpin_curve(struct lab *b, int i);                                     /* later ones move up */
int lab_find_pin_by_label(const struct lab *b, const char *label);              /* -1 */
int lab_find_pin_of_curve(const struct lab *b, const struct measured_curve *c); /* the pinned copy of the curve; -1 */
/* Its label; without one, the parameters that differ from the current curve, or "pinned". */
char *lab_format_pin_label(const struct lab *b, int i, char *out, size_t size);

#endif
