#include "tui/views/heatmap/heatmap_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "sessions/export/session_heatmap.h"
#include "tui/lab/files/curve_files.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/general_actions.h"
#include "tui/shell/input_line.h"
#include "tui/shell/shell.h"

enum { VALUES_FIRST = 16, VALUES_LEAST = 8, VALUES_MOST = 64 };

bool heatmap_view_make(const struct app *a, struct heatmap *out)
{
	const struct heatmap_view *v = heatmap_view_of(a);
	*out = (struct heatmap){0};
	return v->measured_lab && v->measured_lab == v->lab && v->measured_x == v->x && v->measured_y == v->y &&
		session_heatmap_make(v->grid.header, &v->points, v->metric, out);
}

/* --- axes --- */
/* The next parameter that is not `other`; -1: none. */
static int next_axis_param(const struct lab *b, int from, int other)
{
	int count = b->x->param_count;
	for (int i = 1; i <= count; i++) {
		int param = (from + i) % count;
		if (param != other)
			return param;
	}
	return -1;
}

/* For a new experiment: its own x axis, and the first other parameter. */
static void choose_axes(struct app *a)
{
	struct heatmap_view *v = heatmap_view_of(a);
	struct lab *b = app_current_lab(a);
	if (v->lab == b)
		return;
	v->lab = b;
	v->x = b->axis >= 0 ? b->axis : b->x->param_count ? 0 : -1;
	v->y = b->x->param_count > 1 ? next_axis_param(b, v->x, v->x) : -1;
	for (int i = 0; i < b->x->param_count; i++) /* swept in the recording or preset, too */
		if (i != v->x && b->ranges[i][0])
			v->y = i;
	v->metric = 0;
	v->column = v->row = 0;
}

static void set_axis(struct app *a, int *axis, int other, const char *name)
{
	const struct lab *b = heatmap_view_of(a)->lab;
	int to = name ? experiment_find_param(b->x, name) : next_axis_param(b, *axis, other);
	if (to < 0 || to == other)
		app_show_message(a, ROLE_BAD, name ? "%s cannot be on this axis" : "%s has no other parameter",
			name ? name : b->x->id);
	else
		*axis = to;
}

/* --- the view --- */
/* Its numbers are not those of the device that the screen names. */
static void drop_map_of_other_device(struct app *a)
{
	struct heatmap_view *v = heatmap_view_of(a);
	if (!v->grid.count || v->grid.device == measured_curve_device_hash(a->device))
		return;
	background_job_cancel(v->job);
	heatmap_drop_grid(v);
	app_show_message(
		a, ROLE_WARN, "the heat map of another device was dropped; Space measures it on %s", a->device);
}

static void open_heatmap(struct app *a)
{
	if (!heatmap_view_of(a)) {
		struct heatmap_view *v = xcalloc(1, sizeof *v);
		v->most = VALUES_FIRST;
		app_set_view_state(a, &view_heatmap, v);
	}
	drop_map_of_other_device(a);
	choose_axes(a);
}

static void close_heatmap(struct app *a)
{
	struct heatmap_view *v = heatmap_view_of(a);
	if (!v)
		return;
	background_job_free(a, v->job);
	heatmap_drop_grid(v);
	free(v);
	app_set_view_state(a, &view_heatmap, NULL);
}

static bool stop_heatmap(struct app *a)
{
	bool busy = heatmap_is_measuring(a);
	if (busy)
		heatmap_cancel(a);
	return busy;
}

static enum view_work heatmap_work(const struct app *a)
{
	return heatmap_is_measuring(a) ? VIEW_BACKGROUND : VIEW_IDLE;
}

static void export_heatmap(struct app *a, const char *path)
{
	struct heatmap_view *v = heatmap_view_of(a);
	struct err e = {0};
	export_report(a, path, curve_export(v->lab, &v->grid, PINS_AS_CURVES, path, &e), &e);
}

static struct measured_curve *heatmap_grid(const struct app *a)
{
	struct heatmap_view *v = heatmap_view_of(a);
	return v ? &v->grid : NULL;
}

static char *suggest_heatmap_name(const struct app *a)
{
	const struct heatmap_view *v = heatmap_view_of(a);
	char *base = session_base_name(v->grid.header), *name = xasprintf("%s-heatmap.svg", base);
	free(base);
	return name;
}

/* A row for each y value, a column for each x value, for a spreadsheet. */
static char *copy_heatmap(const struct app *a)
{
	struct heatmap h;
	struct buf b = {0};
	char number[40];
	if (!heatmap_view_make(a, &h))
		return NULL;
	buf_printf(&b, "%s \\ %s", h.y_label, h.x_label);
	for (int x = 0; x < h.columns; x++)
		buf_printf(&b, "\t%s", h.x_names[x]);
	buf_puts(&b, "\n");
	for (int y = 0; y < h.rows; y++) {
		buf_puts(&b, h.y_names[y]);
		for (int x = 0; x < h.columns; x++) {
			const struct heat_cell *c = heatmap_cell(&h, x, y);
			buf_printf(&b, "\t%s", c->valid ? units_format(number, sizeof number, c->value, "", 6) : "");
		}
		buf_puts(&b, "\n");
	}
	heatmap_free(&h);
	return b.data;
}

/* --- actions --- */
void act_heatmap(struct app *a)
{
	app_show_view(a, &view_heatmap);
}

void act_heatmap_measure(struct app *a)
{
	heatmap_measure(a);
}

void act_heatmap_y(struct app *a, const char *argument)
{
	struct heatmap_view *v = heatmap_view_of(a);
	set_axis(a, &v->y, v->x, argument);
}

void act_heatmap_x(struct app *a, const char *argument)
{
	struct heatmap_view *v = heatmap_view_of(a);
	set_axis(a, &v->x, v->y, argument);
}

/* The range belongs to the lab, as in the workbench; its x axis stays. */
static bool take_heatmap_range(struct app *a, const char *text)
{
	struct heatmap_view *v = heatmap_view_of(a);
	struct lab *b = v->lab;
	struct err e = {0};
	int axis = b->axis;
	bool ok = lab_set_range(b, v->y, text, a->soft, &e);
	b->axis = axis;
	if (!ok)
		app_show_message(a, ROLE_BAD, "%s", e.text);
	return ok;
}

void act_heatmap_range(struct app *a, const char *argument)
{
	struct heatmap_view *v = heatmap_view_of(a);
	if (v->y < 0)
		return;
	if (argument)
		take_heatmap_range(a, argument);
	else
		input_line_open(a, take_heatmap_range, v->lab->ranges[v->y],
			"%s from..to[:x2|:+16] or a,b,c = ", v->lab->x->params[v->y].id);
}

void act_heatmap_points(struct app *a)
{
	struct heatmap_view *v = heatmap_view_of(a);
	v->most = v->most == VALUES_MOST ? VALUES_LEAST : 2 * v->most;
	app_show_message(a, ROLE_DIM, "at most %d values of each parameter", v->most);
}

void act_heatmap_metric(struct app *a, const char *argument)
{
	struct heatmap_view *v = heatmap_view_of(a);
	const struct experiment *x = v->lab->x;
	int to = x->metric_count ? (v->metric + 1) % x->metric_count : 0;
	for (int i = 0; argument && i < x->metric_count; i++)
		if (!strcmp(x->metrics[i].id, argument))
			to = i;
	v->metric = to;
}

static int clamp_cell(int at, int count)
{
	at = at >= count ? count - 1 : at;
	return at < 0 ? 0 : at;
}

static void move_heatmap_cursor(struct app *a, int columns, int rows)
{
	struct heatmap_view *v = heatmap_view_of(a);
	struct heatmap h;
	if (heatmap_view_make(a, &h)) {
		v->column = clamp_cell(v->column + columns, h.columns);
		v->row = clamp_cell(v->row + rows, h.rows);
	}
	heatmap_free(&h);
}

void act_heatmap_move_up(struct app *a, int by)
{
	move_heatmap_cursor(a, 0, by);
}

void act_heatmap_move_right(struct app *a, int by)
{
	move_heatmap_cursor(a, by, 0);
}

void act_heatmap_open(struct app *a)
{
	struct heatmap_view *v = heatmap_view_of(a);
	struct heatmap h;
	bool known = heatmap_view_make(a, &h);
	int at = v->row * h.columns + v->column;
	heatmap_free(&h);
	if (!known || at >= v->grid.count) {
		app_show_message(a, ROLE_DIM, "nothing is measured yet; Space measures the combinations");
		return;
	}
	struct lab *b = v->lab;
	b->values[v->y] = v->grid.points[at].values[v->y];
	lab_set_x_axis(b, v->x);
	b->cursor = v->column;
	measure_start_after(a, 0);
	app_open_view(a, views[0]);
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/heatmap/heatmap_keys.def"
#undef ACTION
};

const struct view view_heatmap = {
	.name = "heatmap",
	.title = "Heat map",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.is_detail = true,
	.draw = heatmap_view_draw,
	.open = open_heatmap,
	.close = close_heatmap,
	.back = stop_heatmap,
	.busy = heatmap_work,
	.measured = heatmap_grid,
	.export = export_heatmap,
	.export_name = suggest_heatmap_name,
	.copy = copy_heatmap,
	.legend = heatmap_view_add_legend,
};
