#include "tui/pace.h"

#include "tui/bench.h"

enum { PACE_MS = 500 };

bool pace_wanted(const struct bench *b)
{
	return b->preset == PRESET_CLASS;
}

/* The next measured point that is not shown; NULL without one. */
static const struct point *next(const struct app *a, int *at)
{
	int count;
	const struct point *points = a->sweep && a->sweeping && pace_wanted(a->sweeping) ? sweep_points(a->sweep, &count) : NULL;
	for (int i = 0; points && i < count && i < a->sweeping->curve.count; i++)
		if ((points[i].status == POINT_OK || points[i].status == POINT_FAILED) && a->sweeping->curve.points[i].status < POINT_OK) {
			*at = i;
			return &points[i];
		}
	return NULL;
}

bool pace_pending(const struct app *a)
{
	int at;
	return next(a, &at) != NULL;
}

void pace_step(struct app *a)
{
	int at;
	const struct point *p;
	bool all = a->sweep && sweep_state(a->sweep) == SWEEP_CANCELLED;
	while ((all || now_ms() >= a->show_at) && (p = next(a, &at))) {
		curve_set(&a->sweeping->curve, at, p);
		a->show_at = now_ms() + PACE_MS;
		a->dirty = true;
	}
}
