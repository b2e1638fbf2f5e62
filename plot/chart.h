/* What a chart is, before any screen or file: series of points with validity, scales, ticks, marks. Units in the
 * labels.
 *
 * A chart borrows the strings and arrays it points to. */
#ifndef PLOT_CHART_H
#define PLOT_CHART_H

#include <stdbool.h>
#include <stddef.h>

enum axis { AXIS_LEFT, AXIS_RIGHT, AXIS_COUNT };

struct chart_point {
	double x, y; /* y is drawn only when valid */
	bool valid;
	bool suspect;      /* clock moved, not verified, contract broken: drawn dim or marked */
	double low, high;  /* quartiles; low == high: no bar */
	const char *label; /* written beside the mark where there is room; NULL: none */
};

enum series_style {
	STYLE_CURVE,
	STYLE_POINTS, /* marks alone */
	STYLE_LINE,   /* a bound: no marks */
	STYLE_BAND,   /* the area from each point's low to its high, where y is high too; the mark is its pattern
	                 (band_pattern.h); below everything */
	STYLE_BAR,    /* the same for points with nothing between them: a bar each */
};
enum series_role { SERIES_CURRENT, SERIES_GHOST, SERIES_PINNED, SERIES_PUBLISHED };

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
}; /* a vertical line: a cache's capacity */

struct scale {
	double low, high;
	bool log2;
}; /* low < high always; log2 only with low > 0 */

struct chart {
	const char *title;
	const char *x_label, *x_unit;
	struct scale x, y[AXIS_COUNT];
	bool has_axis[AXIS_COUNT];
	const struct series *series;
	size_t series_count;
	const struct chart_ruler *rulers;
	size_t ruler_count;
};

/* Fits the scales to the series: nice ends, y from 0 unless the user zoomed, x logarithmic when `x_log`. Points with an
 * invalid y count for x only. Of a line only the lowest point has to be seen: above what it bounds it may leave the
 * chart. */
void chart_fit_scales(struct chart *c, bool x_log, bool y_log);

/* Shows the values of x from low to high alone, and of y what lies there; for a chart that chart_fit_scales has fitted.
 * The window is clipped to the fitted scale; one that is empty, or all of it, changes nothing. */
void chart_set_x_window(struct chart *c, double low, double high);

/* 0..1 within the scale (may lie outside). */
double scale_to_fraction(const struct scale *s, double v);
double scale_from_fraction(const struct scale *s, double at);

struct axis_tick {
	double value;
	char text[24];
};
/* Up to `max` ticks with texts that fit units ("64 KiB", "1.5k"). */
size_t scale_make_ticks(const struct scale *s, const char *unit, struct axis_tick *out, size_t max);

/* The chart as plain text, `width` x `height` cells, ASCII or Unicode; the caller frees it. For `run --format plot` and
 * files. */
char *chart_render_text(const struct chart *c, int width, int height, bool ascii);

/* A canvas of sub-cell dots shared by text and screen: braille (2x4 dots a cell), blocks (1x2), ASCII (1x1). */
enum canvas_kind { CANVAS_ASCII, CANVAS_BLOCK, CANVAS_BRAILLE };
struct canvas_cell {
	char utf8[5];
	unsigned char series;
	bool set;
}; /* series: index into chart.series, 0xff for rulers */
/* Draws the series into a grid of width*height cells (caller's memory, row-major). */
void chart_render_cells(const struct chart *c, enum canvas_kind kind, int width, int height, struct canvas_cell *cells);

#endif
