/* How long the next sweep will take on this machine, from what this session's points took. */
#ifndef TUI_LAB_POINT_COST_H
#define TUI_LAB_POINT_COST_H

#include "tui/shell/app.h"

struct point_cost {
	double values[PARAMS_MAX];
	double seconds; /* of the host, from the end of the point before */
	double work;    /* of the point, in a unit of the experiment's; 0 unknown */
};

void estimate_record_cost(struct lab *b, const double *values, double seconds);
/* Off: texts contain the number of points alone, so that they do not depend on the host. On at first. */
void estimate_show_times(bool on);
/* "19 points, ~3 s" or "19 points, time unknown"; false when it is unknown. */
bool estimate_format_plan(const struct lab *b, const struct plan *p, double *seconds, char *out, size_t size);
/* The same for what is set. */
bool estimate_format_current(const struct lab *b, bool soft, double *seconds, char *out, size_t size);

#endif
