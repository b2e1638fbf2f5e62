/* Bars of categories: the x values 0, 1, ... of a chart are names, and the bars of its STYLE_COLUMN series stand side
 * by side at each of them. */
#ifndef PLOT_CHART_COLUMNS_H
#define PLOT_CHART_COLUMNS_H

#include "plot/chart.h"

/* How to draw measured points. Categories have bars. At most four points of which two neighbors are more than a factor
 * of two apart are not joined: a line would show values between them that were not measured. */
enum series_style measured_series_style(const struct chart_point *points, size_t count, bool categories);
/* From which to which x value the bar of a series at x reaches. */
void column_find_span(const struct chart *c, const struct series *s, double x, double *left, double *right);
/* The glyph that fills the bars of a series with that mark; never empty. The text is static. */
const char *column_text(char mark, bool ascii);
/* What stands for a series in a legend: its mark, pattern or bar. The text is static. */
const char *series_key_text(const struct series *s, bool ascii);

#endif
