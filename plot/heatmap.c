#include "plot/heatmap.h"

#include <math.h>
#include <stdlib.h>

enum { LOG_FROM = 30 /* high over low */ };

void heatmap_free(struct heatmap *h)
{
	free(h->x_names);
	free(h->y_names);
	free(h->cells);
	*h = (struct heatmap){0};
}

struct heat_cell *heatmap_cell(const struct heatmap *h, int column, int row)
{
	return &h->cells[row * h->columns + column];
}

void heatmap_fit(struct heatmap *h)
{
	h->least = h->most = -1;
	for (int i = 0; i < h->columns * h->rows; i++) {
		double v = h->cells[i].value;
		if (!h->cells[i].valid)
			continue;
		if (h->least < 0 || v < h->low) {
			h->low = v;
			h->least = i;
		}
		if (h->most < 0 || v > h->high) {
			h->high = v;
			h->most = i;
		}
	}
	h->log = h->least >= 0 && h->low > 0 && h->high > LOG_FROM * h->low;
}

double heatmap_fraction(const struct heatmap *h, double value)
{
	double part = h->high <= h->low ? 0.5
		: h->log                ? log(value / h->low) / log(h->high / h->low)
					: (value - h->low) / (h->high - h->low);
	return fmin(1, fmax(0, part));
}

int heatmap_level(const struct heatmap *h, double value, int levels)
{
	int level = (int)(heatmap_fraction(h, value) * levels);
	return level < levels ? level : levels - 1;
}
