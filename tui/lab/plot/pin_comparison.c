#include "tui/lab/plot/pin_comparison.h"

#include "tui/lab/lab.h"

bool pin_is_shown(const struct lab *b, int pin)
{
	return b->pins[pin].curve.axis == (b->curve.count ? b->curve.axis : b->axis);
}

int pin_count_shown(const struct lab *b)
{
	int n = 0;
	for (int i = 0; i < b->pin_count; i++)
		n += pin_is_shown(b, i);
	return n;
}

/* Mostly both curves have the same points: the search begins at the same place. */
const struct point *pin_find_point(const struct lab *b, int pin, int point)
{
	const struct measured_curve *c = &b->pins[pin].curve;
	int axis = b->curve.axis;
	if (!pin_is_shown(b, pin) || point < 0 || point >= b->curve.count)
		return NULL;
	if (axis < 0)
		return c->count ? &c->points[0] : NULL;
	double x = b->curve.points[point].values[axis];
	for (int k = 0; k < c->count; k++) {
		const struct point *p = &c->points[(point + k) % c->count];
		if (p->values[axis] == x)
			return p;
	}
	return NULL;
}

static bool quartiles_overlap(const struct point *p, const struct point *q, int metric)
{
	double low[2], high[2];
	const struct point *both[] = {p, q};
	for (int i = 0; i < 2; i++) {
		double a = both[i]->metrics_low[metric].value, b = both[i]->metrics_high[metric].value;
		if (!both[i]->metrics_low[metric].valid || !both[i]->metrics_high[metric].valid)
			return false;
		low[i] = a < b ? a : b;
		high[i] = a < b ? b : a;
	}
	return low[0] <= high[1] && low[1] <= high[0];
}

struct pin_agreement pin_compare_curve(const struct lab *b, int pin)
{
	struct pin_agreement out = {0};
	for (int i = 0; i < b->curve.count; i++) {
		const struct point *p = &b->curve.points[i], *q = pin_find_point(b, pin, i);
		bool equal = true, near = true;
		if (!q || p->status != POINT_OK || q->status != POINT_OK)
			continue;
		for (int k = 0; k < b->x->metric_count; k++) {
			bool same = p->metrics[k].valid == q->metrics[k].valid &&
				(!p->metrics[k].valid || p->metrics[k].value == q->metrics[k].value);
			equal &= same;
			near &= same || quartiles_overlap(p, q, k);
		}
		out.shared++;
		out.equal += equal;
		out.near += near && !equal;
	}
	return out;
}

struct reading pin_ratio(struct reading pinned, struct reading current)
{
	bool valid = pinned.valid && current.valid && current.value != 0;
	return (struct reading){valid, valid ? pinned.value / current.value : 0};
}

struct reading pin_difference(struct reading pinned, struct reading current)
{
	bool valid = pinned.valid && current.valid;
	return (struct reading){valid, valid ? pinned.value - current.value : 0};
}
