#include "tui/views/table/sample_histogram.h"

#include <math.h>

static double sample_at(const json_t *seconds, size_t i)
{
	return json_number_value(json_array_get(seconds, i));
}

static void find_sample_range(const json_t *seconds, struct sample_histogram *out)
{
	out->samples = (int)json_array_size(seconds);
	out->low = out->high = sample_at(seconds, 0);
	for (int i = 1; i < out->samples; i++) {
		out->low = fmin(out->low, sample_at(seconds, (size_t)i));
		out->high = fmax(out->high, sample_at(seconds, (size_t)i));
	}
}

/* Twice the cube root of the samples: Rice's rule. Equal samples are one class. */
static int choose_class_count(const struct sample_histogram *h, int most)
{
	int wanted = h->high > h->low ? (int)ceil(2 * cbrt(h->samples)) : 1;
	most = most < HISTOGRAM_MAX ? most : HISTOGRAM_MAX;
	return wanted < most ? wanted : most;
}

void histogram_make(const json_t *seconds, int most, struct sample_histogram *out)
{
	*out = (struct sample_histogram){0};
	find_sample_range(seconds, out);
	if (out->samples < 2 || most < 1)
		return;
	out->classes = choose_class_count(out, most);
	for (int i = 0; i < out->samples; i++) {
		double part =
			out->high > out->low ? (sample_at(seconds, (size_t)i) - out->low) / (out->high - out->low) : 0;
		int at = (int)(part * out->classes);
		at = at < out->classes ? at : out->classes - 1;
		if (++out->counts[at] > out->largest)
			out->largest = out->counts[at];
	}
}
