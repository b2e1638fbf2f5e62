/* The roofline view: places measured points of any experiments, and kernels of profilers' files, under the limits of
 * their device. The point at the cursor is measured once more, with counters and a profile, by a worker of the view's
 * own. */
#ifndef TUI_VIEWS_ROOFLINE_ROOFLINE_VIEW_H
#define TUI_VIEWS_ROOFLINE_ROOFLINE_VIEW_H

#include "experiments/analysis/roofline/roofline_point.h"
#include "plot/chart.h"
#include "tui/lab/app.h"
#include "tui/lab/background_job.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"

enum { ROOF_POINTS_MAX = 16, ROOF_SERIES = 3 + FLOAT_KIND_COUNT, ROOF_LINE_POINTS = 3 };

struct placed_point {
	char name[120]; /* "lds-bank-conflict, stride 16 words"; of a file "results: axpy(float*, int)" */
	char device[DEVICE_NAME_MAX];
	double values[PARAMS_MAX];
	const struct experiment *x; /* NULL: from a file */
	char file[DEVICE_NAME_MAX]; /* its absolute path; "" */
	struct roofline_point at;
};

struct roofline_view {
	struct placed_point list[ROOF_POINTS_MAX], next; /* next: being measured */
	int count, selected;
	int captured_next; /* 1 + index of the next experiment whose kernel is placed, if it is captured; 0: none is */
	enum roofline_unit unit;
	struct background_job *job;
};

extern const struct view view_roofline;
static inline struct roofline_view *roofline_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_roofline);
}

bool roofline_is_measuring(const struct app *a);
void roofline_place_point(struct app *a); /* measures the point at the cursor of the workbench, unless it is placed */
/* Adds a point and selects it; the first one leaves if there is no room. */
void roofline_add_point(struct roofline_view *v, const struct placed_point *p);
const char *roofline_unit_name(enum roofline_unit unit); /* "GFLOP/s" */

/* The chart; it points into itself: do not copy it. */
struct roofline_chart {
	struct chart chart;
	struct series series[ROOF_SERIES];
	struct chart_point roof[ROOF_LINE_POINTS], l2_roof[ROOF_LINE_POINTS], points[ROOF_POINTS_MAX];
	struct chart_point other_roofs[FLOAT_KIND_COUNT][ROOF_LINE_POINTS]; /* of the device's other kinds of numbers */
};
/* With the roofs of the selected point's device; false without points that have a place. */
bool roofline_chart_make(const struct roofline_view *v, struct roofline_chart *out);
void roofline_view_add_legend(const struct app *a, struct text_page *page);
void roofline_view_draw(const struct app *a, struct area at);

/* --- roofline_export.c --- */
void roofline_export(struct app *a, const char *path);
char *roofline_export_name(const struct app *a);
char *roofline_copy(const struct app *a);

#define ACTION ACTION_FUNCTION
#include "tui/views/roofline/roofline_keys.def"
#undef ACTION

#endif
