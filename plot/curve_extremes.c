#include "plot/curve_extremes.h"

#include <math.h>

/* The middle of the values that are equal to y[at] and follow it. */
static int middle_of_plateau(const double *y, int at, int end)
{
	int last = at;
	while (last + 1 < end && y[last + 1] == y[at])
		last++;
	return (at + last) / 2;
}

/* Follows the curve with the highest and the lowest value since the last turn; `least` away from one of them, that one
 * was an extreme. From `from` to `end`, no value is missing. */
static void mark_part_extremes(const double *y, int from, int end, double least, bool *out)
{
	int high = from, low = from, direction = 0;
	for (int i = from; i < end; i++) {
		if (y[i] > y[high])
			high = i;
		if (y[i] < y[low])
			low = i;
		if (direction >= 0 && y[i] <= y[high] - least) {
			if (direction > 0)
				out[middle_of_plateau(y, high, end)] = true;
			low = i;
			direction = -1;
		} else if (direction <= 0 && y[i] >= y[low] + least) {
			if (direction < 0)
				out[middle_of_plateau(y, low, end)] = true;
			high = i;
			direction = 1;
		}
	}
	out[from] = out[end - 1] = true;
}

void extremes_find(const double *y, int count, double least, bool *out)
{
	for (int i = 0; i < count; i++)
		out[i] = false;
	for (int i = 0, end; i < count; i = end + 1) {
		for (end = i; end < count && !isnan(y[end]);)
			end++;
		if (end > i)
			mark_part_extremes(y, i, end, least, out);
	}
}
