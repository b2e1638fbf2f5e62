#include "gpu/worker/samples/median_interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/stats.h"

enum { DRIFT_SAMPLES = 256 /* of more, every second, third... one: the time grows with the square */ };
/* Samples are looked at several times, and a narrow interval ends sampling, which favors intervals that are narrow by
 * chance. With this level, 95 % of the intervals still contain the median (Pocock, Group sequential methods, 1977, for
 * the idea; the level is from simulations, which test_coverage.c repeats). */
#define LEVEL             0.965
#define DRIFT_SIGNIFICANT 2.576 /* standard deviations: 1 % */

static double *sort_copy(const double *values, int count)
{
	double *sorted = xmalloc((size_t)count * sizeof *sorted);
	memcpy(sorted, values, (size_t)count * sizeof *sorted);
	sort_doubles(sorted, count);
	return sorted;
}

/* --- drift --- */
/* Slopes between all pairs of every `step`-th sample; *rising is how many more rise than fall. */
static int find_slopes(const double *seconds, int count, int step, double *slopes, int *rising)
{
	int n = 0;
	*rising = 0;
	for (int i = 0; i < count; i += step)
		for (int k = i + step; k < count; k += step) {
			*rising += (seconds[k] > seconds[i]) - (seconds[k] < seconds[i]);
			slopes[n++] = (seconds[k] - seconds[i]) / (k - i);
		}
	return n;
}

double samples_find_drift(const double *seconds, int count)
{
	int step = 1 + (count - 1) / DRIFT_SAMPLES, used = (count + step - 1) / step, rising;
	if (count < SAMPLES_FOR_INTERVAL)
		return 0;
	double *slopes = xmalloc((size_t)used * (size_t)used / 2 * sizeof *slopes);
	int pairs = find_slopes(seconds, count, step, slopes, &rising);
	double deviation = sqrt(used * (used - 1.0) * (2.0 * used + 5) / 18);
	bool significant = abs(rising) > DRIFT_SIGNIFICANT * deviation;
	double slope = significant ? stats_compute(slopes, pairs).median : 0;
	free(slopes);
	return slope;
}

/* Each sample as it would be halfway. */
static double *remove_drift(const double *seconds, int count)
{
	double *level = xmalloc((size_t)count * sizeof *level), slope = samples_find_drift(seconds, count);
	for (int i = 0; i < count; i++)
		level[i] = seconds[i] - slope * (i - (count - 1) / 2.0);
	return level;
}

/* --- the interval --- */
/* Between the k-th smallest and the k-th largest of `count` samples, the median lies with the probability 1 - 2 P(fewer
 * than k below it), and the number below it is binomial. */
struct ranks {
	int rank;      /* the largest with at least LEVEL */
	double inward; /* the part of the way to the next rank that LEVEL allows */
};

static struct ranks choose_ranks(int count)
{
	double tail = pow(0.5, count), term = tail; /* tail: P(fewer than `rank` below), term: P(rank - 1 below) */
	int rank = 1;
	if (count > 1000) /* the term would be 0; the normal approximation is exact to less than a rank */
		return (struct ranks){(int)((count - 2.108 * sqrt(count)) / 2), 0};
	for (;; rank++) {
		double next = term * (count - rank + 1) / rank, here = 1 - 2 * tail, inner = here - 2 * next;
		if (inner < LEVEL) {
			double part = (here - LEVEL) / (here - inner);
			return (struct ranks){rank, (count - rank) * part / (rank + (count - 2 * rank) * part)};
		}
		term = next;
		tail += next;
	}
}

bool samples_median_interval(const double *seconds, int count, double *low, double *high)
{
	if (count < SAMPLES_FOR_INTERVAL)
		return false;
	struct ranks r = choose_ranks(count);
	double *level = remove_drift(seconds, count), *sorted = sort_copy(level, count),
	       median = stats_compute(seconds, count).median;
	const double *bottom = sorted + r.rank - 1, *top = sorted + count - r.rank;
	*low = fmin(bottom[0] + r.inward * (bottom[1] - bottom[0]), median);
	*high = fmax(top[0] - r.inward * (top[0] - top[-1]), median);
	free(level);
	free(sorted);
	return true;
}
