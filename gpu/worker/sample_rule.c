#include "gpu/worker/sample_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/stats.h"

enum { SAMPLES_FOR_INTERVAL = 6, WARMUP_LAUNCHES = 3, BATCH_MAX = 1000 };
#define WARMUP_SAME       0.02 /* relative */
#define WARMUP_AFTER_IDLE 0.05 /* seconds: clocks of an idle GPU rise within tens of milliseconds */
#define WARMUP_MOST       0.5  /* seconds */
#define OUTLIER_LEAST     0.01 /* of the median */

static double *sort_copy(const double *seconds, int count)
{
	double *sorted = xmalloc((size_t)count * sizeof *sorted);
	memcpy(sorted, seconds, (size_t)count * sizeof *sorted);
	sort_doubles(sorted, count);
	return sorted;
}

/* The number of samples below the median is binomial: between the l-th smallest and the l-th largest, the median lies
 * with a probability of 1 - 2 P(fewer than l below). The largest l with at least 95 %. */
static int rank_for_95_percent(int count)
{
	double tail = 0, term = pow(0.5, count); /* P(exactly 0 below) */
	int rank = 0;
	if (count > 1000) /* the term would be 0; the normal approximation is exact to less than a rank */
		return (int)((count - 1.96 * sqrt(count)) / 2);
	while (rank < count / 2 && tail + term <= 0.025) {
		tail += term;
		term *= (double)(count - rank) / (rank + 1);
		rank++;
	}
	return rank;
}

bool samples_median_interval(const double *seconds, int count, double *low, double *high)
{
	int rank = count < SAMPLES_FOR_INTERVAL ? 0 : rank_for_95_percent(count);
	if (!rank)
		return false;
	double *sorted = sort_copy(seconds, count);
	*low = sorted[rank - 1];
	*high = sorted[count - rank];
	free(sorted);
	return true;
}

bool samples_suffice(const double *seconds, int count, const struct sample_rule *rule, double elapsed)
{
	double low, high;
	if (count < 1)
		return false;
	if (elapsed >= rule->seconds || count >= rule->max || count >= SAMPLES_MAX)
		return true;
	return count >= rule->min && samples_median_interval(seconds, count, &low, &high) &&
		(high - low) / 2 <= rule->target * stats_compute(seconds, count).median;
}

int samples_count_outliers(const double *seconds, int count)
{
	struct stats s = stats_compute(seconds, count);
	double most = fmax(3 * (s.q3 - s.q1), OUTLIER_LEAST * s.median);
	int outliers = 0;
	for (int i = 0; i < count; i++)
		outliers += seconds[i] > s.q3 + most || seconds[i] < s.q1 - most;
	return outliers;
}

double smallest_difference(double *times, int count)
{
	double least = INFINITY, before = 0;
	sort_doubles(times, count);
	for (int i = 0; i < count; before = times[i++]) {
		double step = times[i] - before;
		if (step > times[i] * 1e-6 && step < least)
			least = step;
	}
	return least;
}

unsigned samples_choose_batch(double launch_seconds, double step, double target)
{
	if (launch_seconds <= 0 || target <= 0 || !isfinite(step))
		return 1;
	double launches = ceil(step / (target * launch_seconds));
	return launches < 1 ? 1 : launches > BATCH_MAX ? BATCH_MAX : (unsigned)launches;
}

bool warmup_suffices(const double *seconds, int count, double elapsed, bool was_idle)
{
	if (elapsed >= WARMUP_MOST)
		return true;
	if (count < WARMUP_LAUNCHES || (was_idle && elapsed < WARMUP_AFTER_IDLE))
		return false;
	struct stats last = stats_compute(seconds + count - WARMUP_LAUNCHES, WARMUP_LAUNCHES);
	return last.max - last.min <= WARMUP_SAME * last.max;
}
