/* When a point on a device with noise has been measured well enough: the arithmetic of warm-up, batches and samples. */
#ifndef GPU_WORKER_SAMPLE_RULE_H
#define GPU_WORKER_SAMPLE_RULE_H

#include <stdbool.h>

#include "gpu/protocol/job_record.h"
#include "gpu/worker/samples/entropy_rule.h"

/* Whether there are enough samples: half the confidence interval of the median (median_interval.h) is at most target *
 * median, or a limit is reached. It looks at 6 samples, or `min` if that is more, and at each double of that: equal
 * samples end with the sixth. */
bool samples_suffice(const double *seconds, int count, const struct sample_rule *rule, double elapsed);
/* The same by the rule of nvbench, from the sixth or the least count on: neither target nor the highest count of the
 * experiment holds, since the entropy of noisy times rises for longer than 30 samples. */
bool samples_suffice_by_entropy(
	const struct entropy_rule *entropy, int count, const struct sample_rule *rule, double elapsed);
/* Samples that are further from the nearer quartile than three times the distance of the quartiles (Tukey, Exploratory
 * Data Analysis), and than 1 % of the median. They are counted, and none is dropped. */
int samples_count_outliers(const double *seconds, int count);

/* The smallest difference between two of the times and 0, which is a step of the timer: infinity if all are 0. It sorts
 * the times. Differences below the precision of a float do not count. */
double smallest_difference(double *times, int count);
/* Launches of a sample, so that a step of the timer is at most target * the time of the sample. An infinite step is
 * unknown. */
unsigned samples_choose_batch(double launch_seconds, double step, double target);

/* Whether to stop warming up: the last three launches agree within 2 %, and, after an idle time in which the clocks may
 * have fallen, 50 ms of work have passed; or half a second has. */
bool warmup_suffices(const double *seconds, int count, double elapsed, bool was_idle);

#endif
