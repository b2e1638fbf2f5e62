/* Pinned curves against the current one, point by point. */
#ifndef TUI_LAB_PLOT_PIN_COMPARISON_H
#define TUI_LAB_PLOT_PIN_COMPARISON_H

#include "tui/lab/app.h"

/* Whether the pinned curve has the x axis of the plot. */
bool pin_is_shown(const struct lab *b, int pin);
int pin_count_shown(const struct lab *b);
/* The pinned curve's point with the same x as that point of the current curve; NULL: it has none. */
const struct point *pin_find_point(const struct lab *b, int pin, int point);

struct pin_agreement {
	int shared; /* points that both curves have */
	int equal;  /* of these, points with the same values */
	int near;   /* other points whose quartiles overlap in every metric: equal within the noise */
};
struct pin_agreement pin_compare_curve(const struct lab *b, int pin);

/* Pinned value / current value; or pinned value - current value. Not valid without both values. */
struct reading pin_ratio(struct reading pinned, struct reading current);
struct reading pin_difference(struct reading pinned, struct reading current);

#endif
