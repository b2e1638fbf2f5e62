#include "gpu/worker/samples/sample_rule.h"

#include <math.h>

#include "base/stats.h"
#include "gpu/worker/samples/median_interval.h"

enum { WARMUP_LAUNCHES = 3, BATCH_MAX = 1000 };
#define WARMUP_SAME       0.02 /* relative */
#define WARMUP_AFTER_IDLE 0.05 /* seconds: clocks of an idle GPU rise within tens of milliseconds */
#define WARMUP_MOST       0.5  /* seconds */
#define OUTLIER_LEAST     0.01 /* of the median */

/* At the first count and at each double of it: each further look would favor intervals that are narrow by chance. */
static bool is_look(int count, int first)
{
	while (first < count)
		first *= 2;
	return count == first;
}

static int least_samples(const struct sample_rule *rule)
{
	return rule->min > SAMPLES_FOR_INTERVAL ? rule->min : SAMPLES_FOR_INTERVAL;
}

bool samples_suffice(const double *seconds, int count, const struct sample_rule *rule, double elapsed)
{
	double low, high;
	if (count < 1)
		return false;
	if (elapsed >= rule->seconds || count >= rule->max || count >= SAMPLES_MAX)
		return true;
	return is_look(count, least_samples(rule)) && samples_median_interval(seconds, count, &low, &high) &&
		(high - low) / 2 <= rule->target * stats_compute(seconds, count).median;
}

bool samples_suffice_by_entropy(
	const struct entropy_rule *entropy, int count, const struct sample_rule *rule, double elapsed)
{
	return elapsed >= rule->seconds || count >= SAMPLES_MAX ||
		(count >= least_samples(rule) && entropy_rule_suffices(entropy));
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
