#include "tui/views/roofline/roofline_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "tui/shell/general_actions.h"
#include "tui/shell/shell.h"

bool roofline_is_measuring(const struct app *a)
{
	const struct roofline_view *v = roofline_view_of(a);
	return v && v->job && background_job_is_busy(v->job);
}

void roofline_add_point(struct roofline_view *v, const struct placed_point *p)
{
	if (v->count == ROOF_POINTS_MAX)
		memmove(&v->list[0], &v->list[1], (size_t)--v->count * sizeof v->list[0]);
	v->list[v->count] = *p;
	v->selected = v->count++;
}

/* --- measuring --- */
static void add_measured_point(struct app *a, const struct point *p, const json_t *device)
{
	struct roofline_view *v = roofline_view_of(a);
	struct err e = {0};
	if (!roofline_point_read(p->record, device, &v->next.at, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	roofline_add_point(v, &v->next);
	if (v->unit == ROOFLINE_FLOPS && !v->next.at.operations[ROOFLINE_FLOPS])
		v->unit = ROOFLINE_INSTRUCTIONS;
}

static void on_roofline_job(void *ctx, struct background_job *s, const json_t *record)
{
	struct app *a = ctx;
	int count;
	a->dirty = true;
	if (record)
		return;
	if (background_job_state(s) == BACKGROUND_FAILED)
		app_show_message(a, ROLE_BAD, "%s", background_job_status_text(s));
	if (background_job_state(s) != BACKGROUND_DONE || !background_job_sweep(s))
		return;
	const struct point *points = sweep_points(background_job_sweep(s), &count);
	if (count && points[0].record)
		add_measured_point(a, &points[0], background_job_device_record(s));
}

/* "lds-bank-conflict, stride 16 words" */
static void name_placed_point(const struct lab *b, const struct point *p, char *out, size_t size)
{
	char value[48] = "";
	int axis = b->curve.axis;
	if (axis >= 0)
		param_format(&b->x->params[axis], p->values[axis], value, sizeof value);
	snprintf(out, size, "%s%s%s%s%s", b->x->id, *value ? ", " : "", *value ? b->x->params[axis].id : "",
		*value ? " " : "", value);
}

static int find_placed_point(const struct roofline_view *v, const struct placed_point *p)
{
	for (int i = 0; i < v->count; i++)
		if (v->list[i].x == p->x && !strcmp(v->list[i].device, p->device) &&
			!memcmp(v->list[i].values, p->values, sizeof p->values))
			return i;
	return -1;
}

static void measure_next_point(struct app *a, struct lab *b)
{
	struct roofline_view *v = roofline_view_of(a);
	struct plan p;
	if (!v->job && !(v->job = background_job_create(a, "roofline", on_roofline_job, a))) {
		app_show_message(a, ROLE_BAD, "too many background measurements; cancel one first");
		return;
	}
	plan_init_default(&p, b->x, a->soft, a->arch);
	for (int i = 0; i < p.axis_count; i++)
		free(p.axes[i].values);
	p.axis_count = 0;
	memcpy(p.fixed, v->next.values, sizeof p.fixed);
	p.counters = roofline_counters;
	p.profile = true;
	background_job_measure(v->job, a->device, &p);
	plan_free(&p);
}

void roofline_place_point(struct app *a)
{
	struct roofline_view *v = roofline_view_of(a);
	struct lab *b = app_current_lab(a);
	const struct point *p = b ? lab_cursor_point(b) : NULL;
	if (!p) {
		app_show_message(a, ROLE_DIM, "no point at the cursor; Space in the workbench measures the sweep");
		return;
	}
	if (roofline_is_measuring(a))
		return;
	v->next = (struct placed_point){.x = b->x};
	memcpy(v->next.values, p->values, (size_t)b->x->param_count * sizeof *p->values);
	snprintf(v->next.device, sizeof v->next.device, "%s", a->device);
	name_placed_point(b, p, v->next.name, sizeof v->next.name);
	int known = find_placed_point(v, &v->next);
	if (known >= 0)
		v->selected = known;
	else
		measure_next_point(a, b);
}

/* One after another, each at its parameters. */
static void place_next_captured(struct app *a)
{
	struct roofline_view *v = roofline_view_of(a);
	while (v->captured_next && v->captured_next <= a->lab_count && v->count < ROOF_POINTS_MAX) {
		struct lab *b = &a->labs[v->captured_next++ - 1];
		if (strcmp(b->x->chapter, CAPTURED_CHAPTER))
			continue;
		v->next = (struct placed_point){.x = b->x};
		memcpy(v->next.values, b->values, (size_t)b->x->param_count * sizeof *b->values);
		snprintf(v->next.device, sizeof v->next.device, "%s", a->device);
		snprintf(v->next.name, sizeof v->next.name, "%s", b->x->id);
		if (find_placed_point(v, &v->next) >= 0)
			continue;
		measure_next_point(a, b);
		return;
	}
	v->captured_next = 0;
}

static void pump_roofline(struct app *a)
{
	struct roofline_view *v = roofline_view_of(a);
	if (v && v->captured_next && !roofline_is_measuring(a))
		place_next_captured(a);
}

/* --- the chart --- */
const char *roofline_unit_name(enum roofline_unit unit)
{
	return unit == ROOFLINE_FLOPS ? "GFLOP/s" : "GIPS";
}

/* Powers of two around all points and the ridge. */
static struct scale fit_log_scale(double low, double high)
{
	return (struct scale){exp2(floor(log2(low)) - 1), exp2(ceil(log2(high)) + 1), true};
}

/* A slope up to the ridge, then the peak. */
static void fill_roof(const struct scale *x, double bandwidth, double peak, struct chart_point out[ROOF_LINE_POINTS])
{
	double ridge = peak / bandwidth, at[ROOF_LINE_POINTS] = {x->low, fmax(ridge, x->low), x->high};
	for (int i = 0; i < ROOF_LINE_POINTS; i++) {
		double y = fmin(bandwidth * at[i], peak) / 1e9;
		out[i] = (struct chart_point){.x = at[i], .y = y, .valid = true, .low = y, .high = y};
	}
}

static void add_roof_series(const struct roofline_view *v, struct roofline_chart *out)
{
	const struct roofline_point *p = &v->list[v->selected].at;
	fill_roof(&out->chart.x, p->bandwidth, p->peak[v->unit], out->roof);
	if (p->l2_bandwidth > 0)
		fill_roof(&out->chart.x, p->l2_bandwidth, p->peak[v->unit], out->l2_roof);
	out->series[2] = (struct series){"L2 roof", roofline_unit_name(v->unit), AXIS_LEFT, SERIES_PINNED, '3',
		out->l2_roof, p->l2_bandwidth > 0 ? ROOF_LINE_POINTS : 0, STYLE_LINE};
	out->series[0] = (struct series){"roof", roofline_unit_name(v->unit), AXIS_LEFT, SERIES_CURRENT, '-', out->roof,
		ROOF_LINE_POINTS, STYLE_LINE};
}

/* The roofs of the device's other types, where the chart has room for them. */
static void add_other_roofs(const struct roofline_view *v, struct roofline_chart *out)
{
	const struct roofline_point *p = &v->list[v->selected].at;
	for (int k = 0; v->unit == ROOFLINE_FLOPS && k < FLOAT_KIND_COUNT; k++) {
		const double roof = p->roofs[k], ridge = roof / p->bandwidth;
		if (k == (int)p->kind || roof / 1e9 < out->chart.y[AXIS_LEFT].low || ridge >= out->chart.x.high)
			continue;
		fill_roof(&out->chart.x, p->bandwidth, roof, out->other_roofs[k]);
		out->series[out->chart.series_count++] =
			(struct series){float_kind_name((enum float_kind)k), roofline_unit_name(v->unit), AXIS_LEFT,
				SERIES_PINNED, '.', out->other_roofs[k] + 1, ROOF_LINE_POINTS - 1, STYLE_LINE};
	}
}

static double find_highest_roof(const struct roofline_view *v)
{
	const struct roofline_point *p = &v->list[v->selected].at;
	double highest = p->peak[v->unit];
	for (int k = 0; v->unit == ROOFLINE_FLOPS && k < FLOAT_KIND_COUNT; k++)
		highest = fmax(highest, p->roofs[k]);
	return highest;
}

bool roofline_chart_make(const struct roofline_view *v, struct roofline_chart *out)
{
	*out = (struct roofline_chart){0};
	if (!v->count)
		return false;
	const struct roofline_point *of = &v->list[v->selected].at;
	double ridge = of->peak[v->unit] / of->bandwidth, left = ridge, right = ridge, top = find_highest_roof(v) / 1e9,
	       bottom = of->peak[v->unit] / 1e9;
	size_t n = 0;
	for (int i = 0; i < v->count; i++) {
		double x = roofline_intensity(&v->list[i].at, v->unit),
		       y = roofline_achieved(&v->list[i].at, v->unit) / 1e9;
		if (x <= 0 || y <= 0)
			continue;
		double l2 = roofline_l2_intensity(&v->list[i].at, v->unit);
		left = fmin(left, l2 > 0 ? fmin(x, l2) : x);
		right = fmax(right, fmax(x, l2));
		top = fmax(top, y);
		bottom = fmin(bottom, y);
		out->points[n++] = (struct chart_point){
			.x = x, .y = y, .valid = true, .low = y, .high = y, .label = v->list[i].name};
	}
	out->chart = (struct chart){.title = "Roofline",
		.x_label = v->unit == ROOFLINE_FLOPS ? "FLOP per byte" : "instructions per byte",
		.x_unit = "",
		.x = fit_log_scale(left, right),
		.has_axis = {[AXIS_LEFT] = true},
		.series = out->series,
		.series_count = 3};
	out->chart.y[AXIS_LEFT] = fit_log_scale(bottom, top);
	add_roof_series(v, out);
	add_other_roofs(v, out);
	out->series[1] = (struct series){
		"measured", roofline_unit_name(v->unit), AXIS_LEFT, SERIES_CURRENT, '*', out->points, n, STYLE_POINTS};
	return true;
}

/* --- the view --- */
static void open_roofline(struct app *a)
{
	if (!roofline_view_of(a))
		app_set_view_state(a, &view_roofline, xcalloc(1, sizeof(struct roofline_view)));
	roofline_place_point(a);
}

static void close_roofline(struct app *a)
{
	struct roofline_view *v = roofline_view_of(a);
	if (v)
		background_job_free(a, v->job);
	free(v);
	app_set_view_state(a, &view_roofline, NULL);
}

static enum view_work roofline_work(const struct app *a)
{
	const struct roofline_view *v = roofline_view_of(a);
	return roofline_is_measuring(a) || (v && v->captured_next) ? VIEW_BACKGROUND : VIEW_IDLE;
}

/* --- actions --- */
void act_roofline(struct app *a)
{
	app_show_view(a, &view_roofline);
}

void act_roofline_select(struct app *a, int by)
{
	struct roofline_view *v = roofline_view_of(a);
	int to = v->selected + by;
	v->selected = to >= v->count ? v->count - 1 : to;
	v->selected = v->selected < 0 ? 0 : v->selected;
}

void act_roofline_unit(struct app *a)
{
	struct roofline_view *v = roofline_view_of(a);
	v->unit = (v->unit + 1) % ROOFLINE_UNIT_COUNT;
}

void act_roofline_place(struct app *a)
{
	roofline_place_point(a);
}

void act_roofline_captured(struct app *a)
{
	bool any = false;
	for (int i = 0; i < a->lab_count; i++)
		any |= !strcmp(a->labs[i].x->chapter, CAPTURED_CHAPTER);
	roofline_view_of(a)->captured_next = any;
	if (!any)
		app_show_message(
			a, ROLE_DIM, "no captured kernel is open; wavedeck ./app or wavedeck FILE.wbc opens some");
}

void act_roofline_remove(struct app *a)
{
	struct roofline_view *v = roofline_view_of(a);
	if (!v->count)
		return;
	memmove(&v->list[v->selected], &v->list[v->selected + 1],
		(size_t)(--v->count - v->selected) * sizeof v->list[0]);
	act_roofline_select(a, 0);
}

void act_roofline_open(struct app *a)
{
	const struct roofline_view *v = roofline_view_of(a);
	if (v->count && !v->list[v->selected].x) {
		app_show_message(a, ROLE_DIM, "this kernel is from a file; it has no experiment");
		return;
	}
	for (int i = 0; v->count && i < a->lab_count; i++)
		if (a->labs[i].x == v->list[v->selected].x)
			a->current = i;
	app_open_view(a, views[0]);
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/roofline/roofline_keys.def"
#undef ACTION
};

const struct view view_roofline = {
	.name = "roofline",
	.title = "Roofline",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.is_detail = true,
	.draw = roofline_view_draw,
	.open = open_roofline,
	.close = close_roofline,
	.pump = pump_roofline,
	.busy = roofline_work,
	.export = roofline_export,
	.export_name = roofline_export_name,
	.copy = roofline_copy,
	.legend = roofline_view_add_legend,
};
