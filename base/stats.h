/* Order statistics of samples. */
#ifndef BASE_STATS_H
#define BASE_STATS_H

struct stats {
	int count;
	double min, q1, median, q3, max;
};
/* Quartiles by linear interpolation; all 0 without samples. */
struct stats stats_compute(const double *samples, int count);
void sort_doubles(double *samples, int count);

#endif
