/* Published values to show with a measured curve: those on its x axis that match its other parameters. */
#ifndef EXPERIMENTS_ANALYSIS_PUBLISHED_OVERLAY_H
#define EXPERIMENTS_ANALYSIS_PUBLISHED_OVERLAY_H

#include "experiments/analysis/validation.h"

struct overlay {
	struct published set;
	struct validation rows;
};
/* The published rows of an experiment; none if they cannot be read (`wavedeck validate` shows why). Borrows `x`. */
void overlay_load(struct overlay *o, struct experiment *x);
void overlay_free(struct overlay *o);

/* Whether the row belongs to a curve over parameter `axis` (-1: a single point) through `values`. Parameters that are
 * reduced for the software GPU, by the experiment or by the row, may differ, unless the metric is a time, which depends
 * on the size. */
bool overlay_row_fits(const struct validation_row *r, const double *values, int axis);
/* The row's x value; 0 without an axis. */
double overlay_row_x(const struct validation_row *r, int axis);
/* The number of rows for a target. Rows that were computed, not measured, are for all. */
int overlay_count_rows(const struct validation *v, const char *arch);
/* Their sources: "Vega64 notes 2.6.3 (4 KiB), Vega64 notes 2.6.3 (128 KiB) on a Radeon Instinct MI25". */
char *overlay_format_sources(const struct validation *v, const char *arch, char *out, size_t size);

#endif
