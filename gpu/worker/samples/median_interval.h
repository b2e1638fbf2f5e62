/* The median of noisy samples: its confidence interval and its drift. No distribution is assumed. */
#ifndef GPU_WORKER_SAMPLES_MEDIAN_INTERVAL_H
#define GPU_WORKER_SAMPLES_MEDIAN_INTERVAL_H

#include <stdbool.h>

enum { SAMPLES_FOR_INTERVAL = 6 };

/* The interval that contains the true median with a probability of 95 %, although sampling ends as soon as it is narrow
 * (samples_suffice). Between order statistics it is interpolated (Hettmansperger and Sheather, Confidence intervals
 * based on interpolated order statistics, 1986). If the samples drift, it is that of the median halfway, and as wide as
 * needed to contain the median of the samples. False with fewer than 6 samples. */
bool samples_median_interval(const double *seconds, int count, double *low, double *high);
/* How much the median changes from one sample to the next (the median of all slopes: Theil 1950, Sen 1968) if that is
 * significant at 1 % (Kendall's rank correlation with the order); otherwise 0. */
double samples_find_drift(const double *seconds, int count);

#endif
