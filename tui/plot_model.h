/* The chart of a bench: its curves as series, the same for the plot and the clocks below it. */
#ifndef TUI_PLOT_MODEL_H
#define TUI_PLOT_MODEL_H

#include "tui/app.h"

enum { SERIES_MAX = (3 + PINS_MAX) * METRICS_MAX };

struct plot_model {
	struct chart chart;
	struct series series[SERIES_MAX];
	struct chart_point *points;    /* owned */
};

void plot_model(const struct app *a, const struct bench *b, struct plot_model *out);
void plot_model_free(struct plot_model *m);

#endif
