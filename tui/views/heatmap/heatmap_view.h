/* The heat map view: sweeps two parameters of the current experiment and shows a metric for each combination. It
 * measures with a worker of its own, on the device of the workbench. */
#ifndef TUI_VIEWS_HEATMAP_HEATMAP_VIEW_H
#define TUI_VIEWS_HEATMAP_HEATMAP_VIEW_H

#include "plot/heatmap.h"
#include "sessions/load/point_list.h"
#include "tui/lab/app.h"
#include "tui/lab/background_job.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"

struct heatmap_view {
	struct lab *lab; /* for which x and y were chosen */
	int x, y;        /* parameters; -1: the experiment has too few */
	int most;        /* values of each parameter, at most */
	int metric;      /* index; shown */
	int column, row; /* of the cursor */

	struct background_job *job;
	struct lab *measured_lab; /* of the grid */
	int measured_x, measured_y;
	struct measured_curve grid; /* the points, with the header of their sweep */
	struct point_list points;   /* of the grid, in its order */
};

extern const struct view view_heatmap;
static inline struct heatmap_view *heatmap_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_heatmap);
}

/* The plan of both parameters; false with one line. plan_free. */
bool heatmap_build_plan(const struct app *a, struct plan *p, struct err *e);
/* What was measured for the current experiment; false without any. heatmap_free. */
bool heatmap_view_make(const struct app *a, struct heatmap *out);
bool heatmap_is_measuring(const struct app *a);

/* --- heatmap_measure.c --- */
void heatmap_measure(struct app *a);
void heatmap_cancel(struct app *a);
void heatmap_drop_grid(struct heatmap_view *v);

void heatmap_view_add_legend(const struct app *a, struct text_page *page);
void heatmap_view_draw(const struct app *a, struct area at);

#define ACTION ACTION_FUNCTION
#include "tui/views/heatmap/heatmap_keys.def"
#undef ACTION

#endif
