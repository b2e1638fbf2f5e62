/* Measures the combinations of a heat map, in the background. */
#include <string.h>

#include "gpu/backends/backend.h"
#include "gpu/protocol/header_record.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"
#include "tui/views/heatmap/heatmap_view.h"

bool heatmap_is_measuring(const struct app *a)
{
	const struct heatmap_view *v = heatmap_view_of(a);
	return v && v->job && background_job_is_busy(v->job);
}

/* Of too many equal steps, keeps 1, 2, 4, ... times the first. Evenly spread values would all be odd strides, or all
 * be even ones, which on a GPU is not what the others are like. */
static void keep_doubled_values(struct plan_axis *a, int most)
{
	enum { ENOUGH = 4 };
	int kept = 0;
	for (int pass = 0; pass < 2 && a->count > most && a->values[0] > 0; pass++) {
		double next = a->values[0];
		if (pass && kept < ENOUGH)
			return;
		kept = 0;
		for (int i = 0; i < a->count; i++)
			if (a->values[i] == next) {
				if (pass)
					a->values[kept] = next;
				kept++;
				next *= 2;
			}
		if (pass)
			a->count = kept;
	}
}

bool heatmap_build_plan(const struct app *a, struct plan *p, struct err *e)
{
	const struct heatmap_view *v = heatmap_view_of(a);
	const struct lab *b = v->lab;
	if (v->x < 0 || v->y < 0)
		return err_set(e, ST_REQUEST, "a heat map needs an experiment with two parameters");
	plan_init_default(p, b->x, a->soft, a->arch);
	p->sampling = measure_sampling(a);
	memcpy(p->fixed, b->values, sizeof p->fixed);
	if (lab_add_plan_axis(b, v->y, p, e) && lab_add_plan_axis(b, v->x, p, e)) {
		for (int i = 0; i < p->axis_count; i++)
			keep_doubled_values(&p->axes[i], v->most);
		plan_limit_points(p, v->most);
		if (p->axis_count == 2)
			return true;
		err_set(e, ST_REQUEST, "each axis needs two values or more; write for example 1..16 or 1,2,4");
	}
	plan_free(p);
	return false;
}

void heatmap_drop_grid(struct heatmap_view *v)
{
	measured_curve_free(&v->grid);
	point_list_free(&v->points);
	v->measured_lab = NULL;
}

/* Copies the points that have ended since the last call. */
static void copy_grid_points(struct heatmap_view *v, const struct sweep *s)
{
	int count;
	const struct point *points = sweep_points(s, &count);
	for (int i = 0; i < count && i < v->grid.count; i++) {
		if (v->grid.points[i].status >= POINT_OK || points[i].status < POINT_OK)
			continue;
		measured_curve_set_point(&v->grid, i, &points[i]);
		if (points[i].status != POINT_CANCELLED)
			point_list_set_record(&v->points, (size_t)i, points[i].record);
	}
}

static void on_heatmap_job(void *ctx, struct background_job *s, const json_t *record)
{
	struct app *a = ctx;
	struct heatmap_view *v = heatmap_view_of(a);
	a->dirty = true;
	if (background_job_sweep(s))
		copy_grid_points(v, background_job_sweep(s));
	if (v->grid.count && background_job_device_record(s) && v->grid.header && !header_get_device(v->grid.header))
		json_object_set_new(v->grid.header, "device", json_deep_copy(background_job_device_record(s)));
	if (!record && background_job_state(s) == BACKGROUND_FAILED)
		app_show_message(a, ROLE_BAD, "%s", background_job_status_text(s));
	if (!record && background_job_state(s) == BACKGROUND_DONE)
		app_show_message(a, ROLE_OK, "heat map: %d points measured", v->grid.ended);
}

void heatmap_measure(struct app *a)
{
	struct heatmap_view *v = heatmap_view_of(a);
	struct err e = {0};
	struct plan p;
	if (!heatmap_build_plan(a, &p, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	if (!v->job && !(v->job = background_job_create(a, "heat map", on_heatmap_job, a))) {
		app_show_message(a, ROLE_BAD, "too many background measurements; cancel one first");
		plan_free(&p);
		return;
	}
	background_job_cancel(v->job);
	heatmap_drop_grid(v);
	measured_curve_start(&v->grid, &p);
	v->grid.header = plan_build_header(&p, NULL);
	for (int i = 0; i < v->grid.count; i++)
		point_list_add_record(&v->points, NULL);
	v->grid.saved = device_can(a->device, DEVICE_RECORDING);
	v->grid.device = measured_curve_device_hash(a->device);
	v->measured_lab = v->lab;
	v->measured_x = v->x;
	v->measured_y = v->y;
	v->column = v->row = 0;
	background_job_measure(v->job, a->device, &p);
	plan_free(&p);
}

void heatmap_cancel(struct app *a)
{
	struct heatmap_view *v = heatmap_view_of(a);
	background_job_cancel(v->job);
	int measured = measured_curve_count_measured(&v->grid);
	app_show_message(a, ROLE_WARN, "heat map canceled: %d of %d points measured", measured, v->grid.count);
	if (!measured)
		heatmap_drop_grid(v);
}
