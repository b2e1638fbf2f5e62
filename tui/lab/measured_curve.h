/* Measured curves that outlive their sweep: the current, previous, earlier and pinned curves of an experiment. A curve
 * owns its points and holds a reference to each point's record; its metrics are in the order of the experiment's. */
#ifndef TUI_LAB_MEASURED_CURVE_H
#define TUI_LAB_MEASURED_CURVE_H

#include "tui/lab/app.h"

/* What the member `device` of curves from that device has. */
uint64_t measured_curve_device_hash(const char *device);
void measured_curve_start(struct measured_curve *c, const struct plan *p);
void measured_curve_set_point(struct measured_curve *c, int point, const struct point *from);
void measured_curve_free(struct measured_curve *c);
void measured_curve_move(
	struct measured_curve *to, struct measured_curve *from); /* frees the points of `to`, empties `from` */
void measured_curve_copy(struct measured_curve *to, const struct measured_curve *from);
int measured_curve_count_measured(const struct measured_curve *c); /* without those that were canceled */
/* The x value of a point: of the swept parameter, or of the metric that the experiment puts on the x axis (NAN: not
 * measured). */
double measured_curve_x(const struct measured_curve *c, int point);

#endif
