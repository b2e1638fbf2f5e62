/* Order statistics of samples. */
#ifndef BASE_STATS_H
#define BASE_STATS_H

struct stats {
	int count;
	double min, q1, median, q3, max;
};
struct stats stats_compute(
	const double *samples, int count); /* quartiles by linear interpolation; all 0 without samples */
void sort_doubles(double *samples, int count);

#endif
