#include "tui/views/devices/devices_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/device_list.h"
#include "gpu/protocol/header_record.h"
#include "tui/lab/lab.h"
#include "tui/lab/device_switch.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/undo.h"
#include "tui/shell/keymap.h"

enum { ASKED_AT_ONCE = 2 /* opening a device uses a processor for a second */ };

/* --- queries --- */
static void forget_details(struct device_row *r)
{
	for (int i = 0; i < r->detail_count; i++) {
		struct device_detail *d = &r->details[i];
		free(d->name), free(d->value), free(d->from), free(d->help), free(d->low), free(d->high);
	}
	free(r->details);
	r->details = NULL;
	r->detail_count = 0;
}

static void store_device_record(struct device_row *r, const json_t *record)
{
	json_decref(r->record);
	r->record = json_incref((json_t *)record);
	r->state = DEVICE_READY;
	snprintf(r->text, sizeof r->text, "%s", device_get_name(record));
	forget_details(r);
}

/* A job must not be freed in its own callback: ask_next does it. */
static void on_asked(void *ctx, struct background_job *s, const json_t *record)
{
	struct device_row *r = ctx;
	r->app->dirty = true;
	if (record && !strcmp(record_get_type(record), "device"))
		store_device_record(r, record);
	if (record && !strcmp(record_get_type(record), "telemetry")) {
		r->clocks = record_get_clocks(record);
		r->told_clocks = true;
		forget_details(r);
	}
	if (!record && background_job_state(s) == BACKGROUND_FAILED) {
		r->state = DEVICE_MISSING;
		snprintf(r->text, sizeof r->text, "%s", background_job_status_text(s));
	}
}

static bool asked_enough(const struct device_row *r)
{
	return r->state == DEVICE_MISSING || (r->state == DEVICE_READY && !background_job_is_busy(r->job));
}

static void query_device(struct device_row *r)
{
	r->job = background_job_create(r->app, "", on_asked, r);
	if (!r->job)
		return;
	r->state = DEVICE_OPENING;
	snprintf(r->text, sizeof r->text, "opening the device");
	background_job_open_device(r->job, r->device);
}

void devices_view_pump(struct app *a)
{
	struct device_view *v = devices_view_of(a);
	int busy = 0;
	for (int i = 0; v && i < v->count; i++) {
		struct device_row *r = v->rows[i];
		if (r->job && asked_enough(r)) {
			background_job_free(a, r->job);
			r->job = NULL;
		}
		busy += r->job != NULL;
	}
	for (int i = 0; v && i < v->count && busy < ASKED_AT_ONCE; i++)
		if (v->rows[i]->state == DEVICE_NOT_QUERIED) {
			query_device(v->rows[i]);
			busy++;
		}
}

/* --- the list --- */
static int find_device_row(const struct device_view *v, const char *device)
{
	for (int i = 0; i < v->count; i++)
		if (!strcmp(v->rows[i]->device, device))
			return i;
	return -1;
}

static int add_device_row(struct app *a, const char *device)
{
	struct device_view *v = devices_view_of(a);
	int at = find_device_row(v, device);
	if (at >= 0)
		return at;
	struct device_row *r = xcalloc(1, sizeof *r);
	r->app = a;
	snprintf(r->device, sizeof r->device, "%s", device);
	v->rows = xrealloc(v->rows, (size_t)(v->count + 1) * sizeof *v->rows);
	v->rows[v->count] = r;
	return v->count++;
}

/* The measuring worker's device record saves a query. */
static void take_present(struct app *a)
{
	int at = add_device_row(a, a->device); /* may reallocate the rows */
	struct device_row *r = devices_view_of(a)->rows[at];
	const json_t *record = a->workers ? worker_pool_device_record(a->workers) : NULL;
	if (record && !r->record) {
		store_device_record(r, record);
		r->clocks = a->idle;
		r->told_clocks = a->telemetry_count > 0;
	}
}

void devices_view_enter(struct app *a)
{
	char names[DEVICES_MAX][DEVICE_SHORT_NAME];
	if (!devices_view_of(a)) {
		app_set_view_state(a, &view_devices, xcalloc(1, sizeof(struct device_view)));
		devices_view_of(a)->tested_row = -1;
		size_t n = backends_list_devices(names, DEVICES_MAX, true);
		for (size_t i = 0; i < n; i++)
			add_device_row(a, names[i]);
		take_present(a);
		devices_view_of(a)->chosen = find_device_row(devices_view_of(a), a->device);
	} else
		take_present(a);
	devices_view_pump(a);
}

int devices_view_add(struct app *a, const char *device)
{
	struct err e = {0};
	if (!device_check_name(device, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return -1;
	}
	int at = add_device_row(a, device);
	devices_view_pump(a);
	return at;
}

void devices_view_refresh(struct app *a)
{
	struct device_row *r = devices_view_selected(a);
	if (!r || r->job)
		return;
	r->state = DEVICE_NOT_QUERIED;
	devices_view_pump(a);
}

struct device_row *devices_view_selected(const struct app *a)
{
	const struct device_view *v = devices_view_of(a);
	return v && v->chosen >= 0 && v->chosen < v->count ? v->rows[v->chosen] : NULL;
}

static void drop_plan(struct device_view *v)
{
	if (v->pin_planned)
		plan_free(&v->pin_plan);
	v->pin_planned = false;
}

void devices_view_close(struct app *a)
{
	struct device_view *v = devices_view_of(a);
	if (!v)
		return;
	for (int i = 0; i < v->count; i++) {
		background_job_free(a, v->rows[i]->job);
		forget_details(v->rows[i]);
		json_decref(v->rows[i]->record);
		free(v->rows[i]);
	}
	background_job_free(a, v->test);
	background_job_free(a, v->pin);
	drop_plan(v);
	free(v->rows);
	free(v);
	app_set_view_state(a, &view_devices, NULL);
}

/* --- use, change --- */
void devices_view_use(struct app *a)
{
	struct device_row *r = devices_view_selected(a);
	if (r && app_switch_device(a, r->device))
		app_request_redraw(a);
}

bool devices_view_set_constant(struct app *a, const char *value)
{
	struct device_row *r = devices_view_selected(a);
	char device[DEVICE_NAME_MAX];
	int count = 0;
	const struct device_detail *d = r ? devices_view_details(r, a->ascii, &count) : NULL;
	int at = devices_view_of(a)->detail;
	if (!d || at >= count || !d[at].alterable) {
		app_show_message(a, ROLE_DIM, "only constants of a software GPU can be changed");
		return true;
	}
	if (!device_format_altered(r->device, d[at].name, value, device, sizeof device) ||
		!app_switch_device(a, device))
		return false;
	devices_view_of(a)->chosen = add_device_row(a, device);
	devices_view_pump(a);
	return true;
}

/* --- self-test --- */
static double part_of(const json_t *progress)
{
	struct reading done = record_get_reading(progress, "done"), total = record_get_reading(progress, "total");
	return done.valid && total.valid && total.value > 0 ? done.value / total.value : 0;
}

static void next_test(struct app *a)
{
	struct device_view *v = devices_view_of(a);
	v->test_part = 0;
	struct device_row *r = v->rows[v->tested_row];
	background_job_send(v->test, r->device,
		selftest_make_job((enum selftest)v->test_number, v->test_number + 1,
			device_can(r->device, DEVICE_REDUCED_SIZES)));
}

static void on_test(void *ctx, struct background_job *s, const json_t *record)
{
	struct app *a = ctx;
	struct device_view *v = devices_view_of(a);
	a->dirty = true;
	if (v->tested_row < 0)
		return;
	struct device_row *r = v->rows[v->tested_row];
	if (record && !strcmp(record_get_type(record), "device"))
		store_device_record(r, record);
	if (record && !strcmp(record_get_type(record), "progress"))
		v->test_part = part_of(record);
	if (record && !strcmp(record_get_type(record), "point")) {
		r->results[v->test_number] = selftest_evaluate((enum selftest)v->test_number, record, r->record);
		r->tested[v->test_number] = true;
	}
	if (record || background_job_is_busy(s))
		return;
	if (background_job_state(s) == BACKGROUND_FAILED)
		app_show_message(a, ROLE_BAD, "%s: %s", r->device, background_job_status_text(s));
	else if (background_job_state(s) == BACKGROUND_DONE && v->test_number + 1 < SELFTEST_COUNT) {
		v->test_number++;
		next_test(a);
		return;
	}
	v->tested_row = -1;
}

void devices_view_self_test(struct app *a)
{
	struct device_view *v = devices_view_of(a);
	struct device_row *r = devices_view_selected(a);
	if (!r || device_can(r->device, DEVICE_RECORDING)) {
		app_show_message(a, ROLE_DIM, "a recording has no self-test");
		return;
	}
	if (!v->test && !(v->test = background_job_create(a, "self-test", on_test, a)))
		return app_show_message(a, ROLE_BAD, "too many background measurements; cancel one first");
	if (device_can(r->device, DEVICE_HARDWARE) && measure_is_running(a))
		measure_cancel(a);
	v->tested_row = -1;
	background_job_cancel(v->test);
	memset(r->tested, 0, sizeof r->tested);
	v->tested_row = v->chosen;
	v->test_number = 0;
	next_test(a);
}

/* --- measure and pin --- */
static void pin_it(struct app *a, const struct background_job *s)
{
	struct device_view *v = devices_view_of(a);
	struct measured_curve c = {0};
	int count;
	const struct point *points = sweep_points(background_job_sweep(s), &count);
	measured_curve_start(&c, &v->pin_plan);
	c.header = plan_build_header(&v->pin_plan, background_job_device_record(s));
	for (int i = 0; i < count; i++)
		measured_curve_set_point(&c, i, &points[i]);
	if (undo_pin_curve(a, v->pin_lab, &c, v->pin_device))
		app_show_message(a, ROLE_OK, "curve of %s on %s pinned", v->pin_lab->x->id, v->pin_device);
	else
		app_show_message(
			a, ROLE_BAD, "4 curves are already pinned; remove one with Backspace in the workbench");
	measured_curve_free(&c);
}

static void on_pin(void *ctx, struct background_job *s, const json_t *record)
{
	struct app *a = ctx;
	a->dirty = true;
	if (record || background_job_is_busy(s) || !devices_view_of(a)->pin_planned)
		return;
	if (background_job_state(s) == BACKGROUND_DONE)
		pin_it(a, s);
	else if (background_job_state(s) == BACKGROUND_FAILED)
		app_show_message(a, ROLE_BAD, "%s: %s", devices_view_of(a)->pin_device, background_job_status_text(s));
	drop_plan(devices_view_of(a));
}

void devices_view_measure_and_pin(struct app *a, const char *device)
{
	struct device_view *v = devices_view_of(a);
	struct lab *b = app_current_lab(a);
	struct err e = {0};
	if (!b)
		return;
	if (!v->pin && !(v->pin = background_job_create(a, "curve to pin", on_pin, a)))
		return app_show_message(a, ROLE_BAD, "too many background measurements; cancel one first");
	background_job_cancel(v->pin);
	drop_plan(v);
	if (!lab_build_plan(b, device_is_soft(device), &v->pin_plan, &e))
		return app_show_message(a, ROLE_BAD, "%s", e.text);
	char arch[DEVICE_ARCH];
	device_read_arch(device, arch);
	const char *variant = plan_take_arch(&v->pin_plan, arch);
	v->pin_planned = true;
	v->pin_lab = b;
	snprintf(v->pin_device, sizeof v->pin_device, "%s", device);
	if (device_can(device, DEVICE_HARDWARE) && measure_is_running(a))
		measure_cancel(a);
	background_job_measure(v->pin, device, &v->pin_plan);
	app_show_message(a, ROLE_DIM, "measuring %s%s%s on %s to pin its curve; Esc cancels", b->x->id,
		variant ? " variant=" : "", variant ? variant : "", device);
}

bool devices_view_is_busy(const struct app *a)
{
	return devices_view_of(a) &&
		(background_job_is_busy(devices_view_of(a)->test) || background_job_is_busy(devices_view_of(a)->pin));
}

void devices_view_cancel(struct app *a)
{
	devices_view_of(a)->tested_row = -1;
	background_job_cancel(devices_view_of(a)->test);
	background_job_cancel(devices_view_of(a)->pin);
	drop_plan(devices_view_of(a));
	app_show_message(a, ROLE_WARN, "canceled");
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/devices/devices_keys.def"
#undef ACTION
};

const struct view view_devices = {
	.name = "devices",
	.title = "Devices",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.draw = devices_view_draw,
	.legend = devices_view_add_legend,
	.open = devices_view_enter,
	.close = devices_view_close,
	.back = devices_view_go_back,
	.pump = devices_view_pump,
};
