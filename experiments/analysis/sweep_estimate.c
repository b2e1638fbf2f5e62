#include "experiments/analysis/sweep_estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "experiments/definition/default_values.h"

enum { COSTS_MAX = 256, ESTIMATED_POINTS_MAX = 64 /* of a long sweep, only so many points are estimated */ };

static bool same_values(const struct experiment *x, const double *a, const double *b)
{
	return !memcmp(a, b, (size_t)x->param_count * sizeof *a);
}

static bool is_cost_of(
	const struct point_costs *c, const struct point_cost *p, const struct experiment *x, const double *values)
{
	return p->device == c->device && same_values(x, p->values, values);
}

/* The work that the definition declares, else the one that its published rows declare; 0 if neither does. */
static double point_work(struct experiment *x, const struct validation *published, const double *values)
{
	double work;
	if (experiment_eval_work(x, values, &work))
		return work;
	for (int i = 0; published && i < published->row_count; i++)
		if (*published->rows[i].row->work)
			return published_eval_work(x, published->rows[i].row, values, &work, NULL) ? work : 0;
	return 0;
}

void point_costs_add(struct point_costs *c, struct experiment *x, const struct validation *published,
	const double *values, double seconds, double compile)
{
	int at = 0;
	while (at < c->count && !is_cost_of(c, &c->list[at], x, values))
		at++;
	if (!c->list)
		c->list = xcalloc(COSTS_MAX, sizeof *c->list);
	if (at == c->count && at < COSTS_MAX)
		c->count++;
	at = at < c->count ? at : 0; /* full: drop the oldest */
	memmove(&c->list[at], &c->list[at + 1], (size_t)(c->count - at - 1) * sizeof *c->list);
	struct point_cost *newest = &c->list[c->count - 1];
	memcpy(newest->values, values, sizeof newest->values);
	newest->seconds = seconds;
	newest->compile = compile;
	newest->device = c->device;
	newest->work = point_work(x, published, values);
}

void point_costs_clear(struct point_costs *c)
{
	free(c->list);
	*c = (struct point_costs){0};
}

/* How many times longer than the measured point `m` these values take; 0 if unknown. */
static double time_factor(const struct experiment *x, const double *values, double work, const struct point_cost *m)
{
	for (int i = 0; i < x->param_count && !(work > 0 && m->work > 0); i++)
		if (param_has_reduced_size(&x->params[i]) && values[i] != m->values[i])
			return 0;
	return work > 0 && m->work > 0 ? work / m->work : 1;
}

static int count_different_values(const struct experiment *x, const double *a, const double *b)
{
	int n = 0;
	for (int i = 0; i < x->param_count; i++)
		n += a[i] != b[i];
	return n;
}

/* Fits seconds = fixed + slope * work to the measured points; every point has a part that does not grow with its work.
 * False if the work is about the same in all points. */
static bool fit_work_line(const struct point_costs *c, double *fixed, double *slope)
{
	double n = 0, w = 0, s = 0, ww = 0, ws = 0, least = INFINITY, most = 0;
	for (int i = 0; i < c->count; i++) {
		const struct point_cost *p = &c->list[i];
		if (p->work <= 0 || p->device != c->device)
			continue;
		n++;
		w += p->work;
		s += p->seconds;
		ww += p->work * p->work;
		ws += p->work * p->seconds;
		least = fmin(least, p->work);
		most = fmax(most, p->work);
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

/* A measured point that differs in the fewest parameters. */
struct near_point {
	double seconds;
	double distance; /* of the other parameters, in octaves where they are positive */
};

static double value_distance(const struct experiment *x, const double *a, const double *b)
{
	double sum = 0;
	for (int i = 0; i < x->param_count; i++) {
		bool octaves = x->params[i].kind == PARAM_STEP_MULTIPLY && a[i] > 0 && b[i] > 0;
		sum += x->params[i].kind == PARAM_STEP_CHOICE ? 0 : fabs(octaves ? log2(a[i] / b[i]) : a[i] - b[i]);
	}
	return sum;
}

static int find_near_points(const struct point_costs *c, const struct experiment *x, const double *values, double work,
	struct near_point out[COSTS_MAX])
{
	int least = PARAMS_MAX + 1, count = 0;
	for (int i = 0; i < c->count; i++) {
		const struct point_cost *p = &c->list[i];
		int n = count_different_values(x, values, p->values);
		double factor = p->device == c->device && n <= least ? time_factor(x, values, work, p) : 0;
		if (factor <= 0)
			continue;
		count = n < least ? 0 : count;
		least = n;
		out[count++] = (struct near_point){factor * p->seconds, value_distance(x, values, p->values)};
	}
	return count;
}

static int compare_distances(const void *a, const void *b)
{
	const struct near_point *p = a, *q = b;
	return (p->distance > q->distance) - (p->distance < q->distance);
}

/* The mean over the nearest third of the measured points that differ in the fewest parameters: times often grow or fall
 * along the x axis. False if none is comparable. */
static bool mean_of_nearest(
	const struct point_costs *c, const struct experiment *x, const double *values, double work, double *seconds)
{
	struct near_point near[COSTS_MAX];
	int count = find_near_points(c, x, values, work, near),
	    used = count / 3 > 2 ? count / 3
		: count < 2      ? count
				 : 2;
	qsort(near, (size_t)count, sizeof *near, compare_distances);
	while (used && used < count && near[used].distance == near[used - 1].distance)
		used++;
	*seconds = 0;
	for (int i = 0; i < used; i++)
		*seconds += near[i].seconds / used;
	return used > 0;
}

/* What a point that was not measured yet takes for its kernel: as long as the others. */
static double mean_compile_time(const struct point_costs *c)
{
	double sum = 0;
	int count = 0;
	for (int i = 0; i < c->count; i++)
		if (c->list[i].device == c->device) {
			sum += c->list[i].compile;
			count++;
		}
	return count ? sum / count : 0;
}

static const struct point_cost *find_cost(const struct point_costs *c, const struct experiment *x, const double *values)
{
	for (int i = 0; i < c->count; i++)
		if (is_cost_of(c, &c->list[i], x, values))
			return &c->list[i];
	return NULL;
}

/* The point's own time if it was measured, else by its work, else from the nearest points. */
static bool estimate_point(const struct point_costs *c, const struct validation *published, struct experiment *x,
	const double *values, double *seconds)
{
	const struct point_cost *own = find_cost(c, x, values);
	if (own) {
		*seconds = own->seconds;
		return true;
	}
	double work = point_work(x, published, values), fixed, slope;
	bool known = work > 0 && fit_work_line(c, &fixed, &slope);
	if (known)
		*seconds = fixed + slope * work;
	else
		known = mean_of_nearest(c, x, values, work, seconds);
	*seconds += known ? mean_compile_time(c) : 0;
	return known;
}

/* Of evenly spread points. Returns their number; 0 if the time of one is unknown. */
static int estimate_spread_points(const struct point_costs *c, const struct validation *published, const struct plan *p,
	double seconds[ESTIMATED_POINTS_MAX])
{
	double values[PARAMS_MAX];
	int points = plan_point_count(p), tried = points < ESTIMATED_POINTS_MAX ? points : ESTIMATED_POINTS_MAX;
	for (int i = 0; i < tried; i++) {
		plan_point_values(p, (int)((long long)i * points / tried), values);
		if (!estimate_point(c, published, p->x, values, &seconds[i]))
			return 0;
	}
	return tried;
}

static bool estimate_all_points(
	const struct point_costs *c, const struct validation *published, const struct plan *p, double *seconds)
{
	double spread[ESTIMATED_POINTS_MAX];
	int points = plan_point_count(p), tried = estimate_spread_points(c, published, p, spread);
	*seconds = 0;
	for (int i = 0; i < tried; i++)
		*seconds += spread[i] * points / tried;
	return tried > 0;
}

static int find_first_free(const double *free_at, int workers)
{
	int first = 0;
	for (int i = 1; i < workers; i++)
		first = free_at[i] < free_at[first] ? i : first;
	return first;
}

bool point_costs_estimate_shared(const struct point_costs *c, const struct validation *published, const struct plan *p,
	int workers, double *seconds)
{
	double spread[ESTIMATED_POINTS_MAX], free_at[WORKERS_MAX] = {0};
	int points = plan_point_count(p), tried = estimate_spread_points(c, published, p, spread);
	*seconds = 0;
	for (int i = 0; tried && i < points; i++) {
		double *end = &free_at[find_first_free(free_at, workers)];
		*end += spread[(long long)i * tried / points];
		*seconds = fmax(*seconds, *end);
	}
	return tried > 0;
}

bool point_costs_estimate_left(const struct point_costs *c, const struct sweep *s, double *seconds)
{
	int count;
	const struct point *points = sweep_points(s, &count);
	*seconds = 0;
	for (int i = 0; i < count; i++) {
		const struct point_cost *own = find_cost(c, sweep_plan(s)->x, points[i].values);
		if (!own)
			return false;
		*seconds += points[i].status > POINT_RUNNING ? 0 : own->seconds;
	}
	*seconds /= c->workers > 1 ? c->workers : 1;
	return true;
}

/* Two digits at most: the estimate is no better than that. */
char *estimate_format_time(double seconds, char *out, size_t size)
{
	if (seconds < 1)
		snprintf(out, size, "less than 1 s");
	else if (seconds < 100)
		snprintf(out, size, "~%.0f s", seconds);
	else if (seconds < 6000)
		snprintf(out, size, "~%.0f min", seconds / 60);
	else
		snprintf(out, size, "~%.0f h", seconds / 3600);
	return out;
}

static bool times_hidden;

void estimate_show_times(bool on)
{
	times_hidden = !on;
}

bool estimate_times_are_shown(void)
{
	return !times_hidden;
}

char *estimate_format_left(double fraction, double elapsed, char *out, size_t size)
{
	enum { ELAPSED_LEAST = 2 /* seconds; before that the first points mislead */ };
	char time[32];
	*out = 0;
	if (times_hidden || elapsed < ELAPSED_LEAST || fraction < 0.02 || fraction >= 1)
		return out;
	estimate_format_time(elapsed * (1 - fraction) / fraction, time, sizeof time);
	snprintf(out, size, "%s left", time);
	return out;
}

bool point_costs_estimate(const struct point_costs *c, const struct validation *published, const struct plan *p,
	double *seconds, char *out, size_t size)
{
	char time[40] = "time unknown";
	int points = plan_point_count(p);
	bool known = c->workers > 1 ? point_costs_estimate_shared(c, published, p, c->workers, seconds)
				    : estimate_all_points(c, published, p, seconds);
	if (known)
		estimate_format_time(*seconds, time, sizeof time);
	snprintf(out, size, "%d point%s%s%s", points, plural_s((unsigned)points), times_hidden ? "" : ", ",
		times_hidden ? "" : time);
	return known;
}

char *estimate_format_sweep_left(const struct point_costs *c, const struct sweep *s, char *out, size_t size)
{
	double seconds;
	char time[32];
	*out = 0;
	if (times_hidden || !point_costs_estimate_left(c, s, &seconds))
		return estimate_format_left(sweep_fraction(s), sweep_elapsed(s), out, size);
	if (seconds >= 1)
		snprintf(out, size, "%s left", estimate_format_time(seconds, time, sizeof time));
	return out;
}
