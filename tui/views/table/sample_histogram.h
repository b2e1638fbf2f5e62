/* Samples of a point, counted in classes of equal width. */
#ifndef TUI_VIEWS_TABLE_SAMPLE_HISTOGRAM_H
#define TUI_VIEWS_TABLE_SAMPLE_HISTOGRAM_H

#include <jansson.h>

enum { HISTOGRAM_MAX = 128 };

struct sample_histogram {
	int counts[HISTOGRAM_MAX], classes;
	int largest; /* of the counts */
	int samples;
	double low, high; /* the smallest and the largest sample */
};

/* Of the list "seconds" of a point's record, in at most `most` classes. No classes with fewer than two samples. */
void histogram_make(const json_t *seconds, int most, struct sample_histogram *out);

#endif
