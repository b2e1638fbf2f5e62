/* Published rows beside a measured curve: those on its x axis, at its other parameters. */
#ifndef EXPERIMENTS_ANALYSIS_PUBLISHED_OVERLAY_H
#define EXPERIMENTS_ANALYSIS_PUBLISHED_OVERLAY_H

#include "experiments/analysis/validation.h"

struct overlay {
	struct published set;
	struct validation rows;
};
/* The published rows of an experiment, none where they cannot be read; `validate` tells what is wrong with them.
 * Borrows `x`. */
void overlay_load(struct overlay *o, struct experiment *x);
void overlay_free(struct overlay *o);

/* Whether the row belongs to a curve over parameter `axis` (-1: a single point) that goes through `values`. A parameter
 * that is scaled for the software GPU, by the experiment or by the row itself, may differ, unless the metric is a time,
 * which is another one at another size. */
bool overlay_row_fits(const struct validation_row *r, const double *values, int axis);
/* The row's place on the axis; 0 without one. */
double overlay_row_x(const struct validation_row *r, int axis);
/* Where the rows are from: "S0 2.6.3 (4 KiB), S0 2.6.3 (128 KiB) on a Radeon Instinct MI25". An experiment's rows are
 * of one device. */
char *overlay_format_sources(const struct validation *v, char *out, size_t size);

#endif
