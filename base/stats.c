/* Median and quartiles. */
#include "base/stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void sort_doubles(double *samples, int count)
{
	qsort(samples, (size_t)count, sizeof *samples, compare_doubles);
}

/* Linear interpolation between the two nearest ranks, at (count - 1) * part: the default of numpy and R (type 7). */
static double interpolate_quantile(const double *sorted, int count, double part)
{
	double rank = (count - 1) * part;
	int below = (int)rank;
	if (below >= count - 1)
		return sorted[count - 1];
	return sorted[below] + (rank - below) * (sorted[below + 1] - sorted[below]);
}

struct stats stats_compute(const double *samples, int count)
{
	struct stats s = {.count = count};
	if (count <= 0)
		return (struct stats){0};
	double *sorted = xmalloc((size_t)count * sizeof *sorted);
	memcpy(sorted, samples, (size_t)count * sizeof *sorted);
	sort_doubles(sorted, count);
	s.min = sorted[0];
	s.q1 = interpolate_quantile(sorted, count, 0.25);
	s.median = interpolate_quantile(sorted, count, 0.5);
	s.q3 = interpolate_quantile(sorted, count, 0.75);
	s.max = sorted[count - 1];
	free(sorted);
	return s;
}
