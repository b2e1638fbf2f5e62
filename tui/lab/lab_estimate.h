/* How long the next sweep of a lab will take, from the points measured so far. */
#ifndef TUI_LAB_LAB_ESTIMATE_H
#define TUI_LAB_LAB_ESTIMATE_H

#include "tui/lab/app.h"

/* Notes that a point at these values took so many seconds. */
void estimate_record_cost(struct lab *b, const double *values, double seconds);
/* Estimates the current plan: "19 points, ~3 s" or "19 points, time unknown"; false if the time is unknown. */
bool estimate_format_current(const struct lab *b, bool soft, double *seconds, char *out, size_t size);

#endif
