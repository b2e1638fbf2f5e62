/* A chart, independent of any screen or file: series of points, scales, ticks and marks. A chart borrows all strings
 * and arrays that it points to. */
#ifndef PLOT_CHART_H
#define PLOT_CHART_H

#include <stdbool.h>
#include <stddef.h>

enum axis { AXIS_LEFT, AXIS_RIGHT, AXIS_COUNT };

struct chart_point {
	double x, y; /* y is drawn only when valid */
	bool valid;
	bool suspect;               /* not trusted: clock moved, wrong result, unexpected instructions; marked */
	double low, high;           /* quartiles; low == high: no bar */
	const char *label;          /* written next to the mark if there is room; NULL: none */
	bool wrong;                 /* its result is wrong: it is not joined to its neighbors */
	double sure_low, sure_high; /* the interval of the median; equal: unknown */
};

enum series_style {
	STYLE_CURVE,
	STYLE_POINTS, /* marks only */
	STYLE_LINE,   /* an upper bound: no marks */
	STYLE_COLUMN, /* a bar from the bottom to each point (chart_columns.h) */
	STYLE_BAND,   /* a bar between the low and high of each point (y == high), drawn below everything, as wide as
	                 the way to its neighbors; the mark selects its pattern (band_pattern.h) */
	STYLE_BAR,    /* the same with space between the bars */
	STYLE_LEVEL,  /* a horizontal line at each point, as wide as a bar: where the bar of another curve would end */
	STYLE_TOP,    /* the top of bars: only untrusted points have a mark */
};
enum series_role { SERIES_CURRENT, SERIES_PREVIOUS, SERIES_PINNED, SERIES_PUBLISHED };

struct series {
	const char *label, *unit; /* "latency", "cycles" */
	enum axis axis;
	enum series_role role;
	char mark; /* ASCII mark, also the legend: '*' 'o' '+' 'x' */
	const struct chart_point *points;
	size_t count;
	enum series_style style;
};

bool series_is_area(const struct series *s); /* STYLE_BAND or STYLE_BAR */

struct chart_ruler {
	double x;
	const char *label;
}; /* a labeled vertical line, for example the size of a cache */

struct scale {
	double low, high;
	bool log2;
}; /* always low < high; log2 only if low > 0 */

struct chart {
	const char *title;
	const char *x_label, *x_unit;
	const char *const *x_names; /* of the x values 0, 1, ..., which are then categories */
	size_t x_name_count;        /* 0: the x axis has numbers */
	struct scale x, y[AXIS_COUNT];
	bool has_axis[AXIS_COUNT];
	const struct series *series;
	size_t series_count;
	const struct chart_ruler *rulers;
	size_t ruler_count;
};

/* Fits the scales to the series, with round ends; y starts at 0, and x has half a category beyond its ends. A point
 * with an invalid y counts for x only. A STYLE_LINE only has to be visible at its lowest point: elsewhere it may leave
 * the chart. */
void chart_fit_scales(struct chart *c, bool x_log, bool y_log);

/* Whether each value is twice the one before, so that the values suit a logarithmic axis; at least three are needed. */
bool values_double(const double *values, size_t count);
/* The end of an axis from 0 that has room for the value: round, and at least a fifth beyond it. */
double axis_end_for(double value);

/* Restricts a fitted chart to x from low to high, and fits y to that part. The window is clipped to the fitted scale;
 * an empty window, or one that covers everything, changes nothing. */
void chart_set_x_window(struct chart *c, double low, double high);

/* Fits an axis of a fitted chart to what its x scale shows and to `base`, over a range of at least `least`. The axis
 * need not contain 0. */
void chart_fit_around(struct chart *c, enum axis axis, double base, double least);

/* 0..1 within the scale, other numbers outside of it. */
double scale_to_fraction(const struct scale *s, double v);
double scale_from_fraction(const struct scale *s, double at);

struct axis_tick {
	double value;
	char text[32];
};
/* At most `max` ticks, with texts such as "64 KiB" or "1.5k"; returns how many. */
size_t scale_make_ticks(const struct scale *s, const char *unit, struct axis_tick *out, size_t max);

/* The ticks of the x axis: as above, or its names, all of them. */
size_t chart_make_x_ticks(const struct chart *c, struct axis_tick *out, size_t max);
/* How many rows the names of the ticks take on an axis of `width`: two if one has no room for all, else one.
 * `character` is the width of a character. */
int chart_count_label_rows(const struct axis_tick *ticks, size_t count, double width, double character);

/* The chart as plain text of `width` x `height` cells, ASCII or Unicode; the caller frees it. */
char *chart_render_text(const struct chart *c, int width, int height, bool ascii);

/* A canvas of cells that are divided into dots: braille (2x4 dots per cell), blocks (1x2), ASCII (1x1). */
enum canvas_kind { CANVAS_ASCII, CANVAS_BLOCK, CANVAS_BRAILLE };
struct canvas_cell {
	char utf8[5];
	unsigned char series;
	bool set;
}; /* series: index into chart.series; 0xff: a ruler */
/* Draws the series into the caller's width * height cells, row by row. */
void chart_render_cells(const struct chart *c, enum canvas_kind kind, int width, int height, struct canvas_cell *cells);

#endif
