/* The values of a sensor over a sweep, and the scale to draw them on: at least as large as changes of that quantity
 * that mean something, so that noise does not fill it. */
#ifndef PLOT_READING_SPAN_H
#define PLOT_READING_SPAN_H

#include <stdbool.h>
#include <stddef.h>

struct reading_span {
	double low, high; /* only if `any` */
	bool any;
};

void reading_span_add(struct reading_span *s, double value);
/* Whether the values change by a quarter of the least scale: 2 % of a clock, 2 degrees, 2 W or 5 % of a power. */
bool reading_span_moves(const struct reading_span *s, const char *unit);
/* Where a value is on the scale, 0..1; in the middle if the values do not move. */
double reading_span_fraction(const struct reading_span *s, const char *unit, double value);
/* "1536 MHz", or "1400..1536 MHz", or "-- MHz" without a value. Returns out. */
char *reading_span_format(const struct reading_span *s, const char *unit, bool ascii, char *out, size_t size);

#endif
