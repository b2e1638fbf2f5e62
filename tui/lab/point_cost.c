#include "tui/lab/point_cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"

enum { COSTS_MAX = 256, LOOKED_AT = 64 /* points of a long sweep */ };

static bool same(const struct lab *b, const double *x, const double *y)
{
	return !memcmp(x, y, (size_t)b->x->param_count * sizeof *x);
}

/* What the definition says, else what its published rows do. */
static double work_of(const struct lab *b, const double *values)
{
	double work;
	if (experiment_eval_work(b->x, values, &work))
		return work;
	for (int i = 0; i < b->published.row_count; i++)
		if (*b->published.rows[i].row->work)
			return published_eval_work(b->x, b->published.rows[i].row, values, &work, NULL) ? work : 0;
	return 0;
}

void estimate_record_cost(struct lab *b, const double *values, double seconds)
{
	int at = 0;
	while (at < b->cost_count && !same(b, b->costs[at].values, values))
		at++;
	if (!b->costs)
		b->costs = xcalloc(COSTS_MAX, sizeof *b->costs);
	if (at == b->cost_count && at < COSTS_MAX)
		b->cost_count++;
	at = at < b->cost_count ? at : 0; /* full: the oldest goes */
	memmove(&b->costs[at], &b->costs[at + 1], (size_t)(b->cost_count - at - 1) * sizeof *b->costs);
	struct point_cost *c = &b->costs[b->cost_count - 1];
	memcpy(c->values, values, sizeof c->values);
	c->seconds = seconds;
	c->work = work_of(b, values);
}

/* How many times as long as a measured point it takes; 0 when nobody knows. */
static double factor_of(const struct lab *b, const double *values, double work, const struct point_cost *c)
{
	for (int i = 0; i < b->x->param_count && !(work > 0 && c->work > 0); i++)
		if (b->x->params[i].soft != b->x->params[i].value && values[i] != c->values[i])
			return 0;
	return work > 0 && c->work > 0 ? work / c->work : 1;
}

static int differing(const struct lab *b, const double *x, const double *y)
{
	int n = 0;
	for (int i = 0; i < b->x->param_count; i++)
		n += x[i] != y[i];
	return n;
}

/* Seconds = fixed + slope * work over all that was measured: every point has a part that does not grow with its size.
 * False where the work is much the same everywhere. */
static bool fit(const struct lab *b, double *fixed, double *slope)
{
	double n = 0, w = 0, s = 0, ww = 0, ws = 0, least = INFINITY, most = 0;
	for (int i = 0; i < b->cost_count; i++) {
		const struct point_cost *c = &b->costs[i];
		if (c->work <= 0)
			continue;
		n++;
		w += c->work;
		s += c->seconds;
		ww += c->work * c->work;
		ws += c->work * c->seconds;
		least = fmin(least, c->work);
		most = fmax(most, c->work);
	}
	if (most < 2 * least)
		return false;
	*slope = (n * ws - w * s) / (n * ww - w * w);
	*fixed = (s - *slope * w) / n;
	if (*fixed < 0) {
		*fixed = 0;
		*slope = ws / ww;
	}
	return *slope > 0;
}

/* The same point's own; by its work; else the mean of the points that are most alike. */
static bool point_seconds_of(const struct lab *b, const double *values, double *seconds)
{
	int least = PARAMS_MAX + 1, count = 0;
	double sum = 0, work = work_of(b, values), fixed, slope;
	for (int i = 0; i < b->cost_count; i++)
		if (same(b, values, b->costs[i].values)) {
			*seconds = b->costs[i].seconds;
			return true;
		}
	if (work > 0 && fit(b, &fixed, &slope)) {
		*seconds = fixed + slope * work;
		return true;
	}
	for (int i = 0; i < b->cost_count; i++) {
		int n = differing(b, values, b->costs[i].values);
		double factor = n <= least ? factor_of(b, values, work, &b->costs[i]) : 0;
		if (factor <= 0)
			continue;
		if (n < least) {
			least = n;
			sum = count = 0;
		}
		sum += factor * b->costs[i].seconds;
		count++;
	}
	*seconds = count ? sum / count : 0;
	return count > 0;
}

/* Seconds for all points of the plan: a point's own where it was measured, else by the work that the definition or its
 * published rows name; without one, those of the points most alike at the same sizes. False when nothing measured says
 * it. */
static bool estimate_plan(const struct lab *b, const struct plan *p, double *seconds)
{
	double values[PARAMS_MAX], one;
	int points = plan_point_count(p), looked = points < LOOKED_AT ? points : LOOKED_AT;
	*seconds = 0;
	for (int i = 0; i < looked; i++) {
		plan_point_values(p, (int)((long long)i * points / looked), values);
		if (!point_seconds_of(b, values, &one))
			return false;
		*seconds += one * points / looked;
	}
	return true;
}

/* One digit after the point is more than is known. */
static void about(double seconds, char *out, size_t size)
{
	if (seconds < 1)
		snprintf(out, size, "less than 1 s");
	else if (seconds < 100)
		snprintf(out, size, "~%.0f s", seconds);
	else if (seconds < 6000)
		snprintf(out, size, "~%.0f min", seconds / 60);
	else
		snprintf(out, size, "~%.0f h", seconds / 3600);
}

static bool times_hidden;

void estimate_show_times(bool on)
{
	times_hidden = !on;
}

bool estimate_format_plan(const struct lab *b, const struct plan *p, double *seconds, char *out, size_t size)
{
	char time[40] = "time unknown";
	int points = plan_point_count(p);
	bool known = estimate_plan(b, p, seconds);
	if (known)
		about(*seconds, time, sizeof time);
	snprintf(out, size, "%d point%s%s%s", points, points == 1 ? "" : "s", times_hidden ? "" : ", ",
		times_hidden ? "" : time);
	return known;
}

bool estimate_format_current(const struct lab *b, bool soft, double *seconds, char *out, size_t size)
{
	struct plan p;
	*out = 0;
	if (!lab_build_plan(b, soft, &p, NULL))
		return false;
	bool known = estimate_format_plan(b, &p, seconds, out, size);
	plan_free(&p);
	return known;
}
