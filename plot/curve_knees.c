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

/* The longest run from `first` that stays flat; returns how many points of it are there. */
static int run_from(const double *y, int n, int first, struct plateau *p)
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

static bool rises(const struct plateau *a, const struct plateau *b)
{
	double rise = b->level - a->level, uneven = fmax(a->high - a->low, b->high - b->low);
	return b->level >= a->level * RISE && rise >= CLEAR * uneven;
}

/* Two runs of one level, parted by an outlier or by noise, are one plateau. */
static bool same_level(const struct plateau *a, const struct plateau *b)
{
	return b->level < a->level * RISE && a->level < b->level * RISE;
}

/* `all` points are to come; n are there. */
static int plateaus(const double *y, int n, int all, struct plateau *out)
{
	int count = 0, least = all / SHARE_OF_ALL > LEAST_POINTS ? all / SHARE_OF_ALL : LEAST_POINTS;
	struct plateau p;
	for (int i = 0; i < n; i = p.last + 1) {
		if (run_from(y, n, i, &p) < least || !(p.low > 0))
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

/* Points that are not there are taken out first: most of a long sweep is not there for most of its time. */
int knees_find(const double *y, int n, struct knee *out, int max)
{
	size_t room = (size_t)(n > 0 ? n : 1);
	struct plateau *list = xcalloc(room, sizeof *list);
	double *there = xcalloc(room, sizeof *there);
	int *place = xcalloc(room, sizeof *place), points = 0, knees = 0;
	for (int i = 0; i < n; i++)
		if (!isnan(y[i])) {
			place[points] = i;
			there[points++] = y[i];
		}
	int count = plateaus(there, points, n, list);
	for (int i = 0; i + 1 < count && knees < max; i++)
		if (rises(&list[i], &list[i + 1]))
			out[knees++] = (struct knee){place[list[i].last], list[i].level, list[i + 1].level};
	free(list);
	free(there);
	free(place);
	return knees;
}

bool unit_counts_cost(const char *unit)
{
	return unit_is_time(unit) || !strcmp(unit, "cycles") || !strncmp(unit, "cycles/", 7) ||
		!strncmp(unit, "cycles ", 7);
}
