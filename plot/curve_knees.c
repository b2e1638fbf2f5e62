#include "plot/curve_knees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/stats.h"
#include "base/units.h"

enum { SHARE_OF_ALL = 16, LEAST_POINTS = 2 };
static const double FLAT = 1.10, RISE = 1.15, CLEAR = 3;

struct plateau {
	int first, last;
	double level, low, high;
};

/* Finds the longest flat run from `first`; returns its number of points. */
static int find_flat_run(const double *y, int n, int first, struct plateau *p)
{
	int points = 0;
	*p = (struct plateau){first, first, 0, INFINITY, -INFINITY};
	for (int i = first; i < n; i++) {
		double low = fmin(p->low, y[i]), high = fmax(p->high, y[i]);
		if (points && high > low * FLAT)
			break;
		p->low = low;
		p->high = high;
		p->last = i;
		points++;
	}
	return points;
}

static bool is_clear_rise(const struct plateau *a, const struct plateau *b)
{
	double rise = b->level - a->level, uneven = fmax(a->high - a->low, b->high - b->low);
	return b->level >= a->level * RISE && rise >= CLEAR * uneven;
}

/* Runs of the same level that an outlier separates are one plateau. */
static bool same_level(const struct plateau *a, const struct plateau *b)
{
	return b->level < a->level * RISE && a->level < b->level * RISE;
}

/* n of `all` points are measured. */
static int find_plateaus(const double *y, int n, int all, struct plateau *out)
{
	int count = 0, least = all / SHARE_OF_ALL > LEAST_POINTS ? all / SHARE_OF_ALL : LEAST_POINTS;
	struct plateau p;
	for (int i = 0; i < n; i = p.last + 1) {
		if (find_flat_run(y, n, i, &p) < least || !(p.low > 0))
			continue;
		p.level = stats_compute(y + p.first, p.last - p.first + 1).median;
		if (count && same_level(&out[count - 1], &p)) {
			out[count - 1].last = p.last;
			out[count - 1].low = fmin(out[count - 1].low, p.low);
			out[count - 1].high = fmax(out[count - 1].high, p.high);
			continue;
		}
		out[count++] = p;
	}
	return count;
}

/* Missing points are removed first: while a long sweep runs, most of its points are missing. */
int knees_find(const double *y, int n, struct knee *out, int max)
{
	size_t room = (size_t)(n > 0 ? n : 1);
	struct plateau *list = xcalloc(room, sizeof *list);
	double *measured = xcalloc(room, sizeof *measured);
	int *index = xcalloc(room, sizeof *index), points = 0, knees = 0;
	for (int i = 0; i < n; i++)
		if (!isnan(y[i])) {
			index[points] = i;
			measured[points++] = y[i];
		}
	int count = find_plateaus(measured, points, n, list);
	for (int i = 0; i + 1 < count && knees < max; i++)
		if (is_clear_rise(&list[i], &list[i + 1]))
			out[knees++] = (struct knee){index[list[i].last], list[i].level, list[i + 1].level};
	free(list);
	free(measured);
	free(index);
	return knees;
}

bool unit_counts_cost(const char *unit)
{
	return unit_is_time(unit) || !strcmp(unit, "cycles") || !strncmp(unit, "cycles/", 7) ||
		!strncmp(unit, "cycles ", 7);
}
