#include "tui/lab/edit/kernel_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "experiments/definition/kernel_copy.h"
#include "gpu/backends/backend.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/undo.h"

#define ORIGINAL "original" /* name of the pinned curve */

static bool original_is_pinned(const struct lab *b, bool soft)
{
	int i = lab_find_pin_by_label(b, ORIGINAL);
	return i >= 0 && lab_curve_is_complete(b, &b->pins[i].curve, soft);
}

/* Measures the edited copy; first the original, if its curve for the current settings is missing. */
static void measure_kernel_copy(struct app *a, struct lab *b)
{
	struct err e = {0};
	bool pinned = b->x != b->original && original_is_pinned(b, a->soft),
	     there = b->x == b->original && lab_curve_is_complete(b, &b->curve, a->soft);
	struct kernel_copy d;
	b->edit_next = !pinned && !there;
	if (b->edit_next) {
		b->x = b->original;
		measure_start(a);
		return;
	}
	if (!kernel_copy_prepare(b->original, b->values, &d, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	struct experiment *copy = catalog_find(&a->catalog, d.definition, &e);
	kernel_copy_free(&d);
	if (!copy) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	snprintf(copy->chapter, sizeof copy->chapter, "%s", b->original->chapter);
	if (there) {
		measured_curve_free(&b->previous);
		if (b->pin_count == PINS_MAX && lab_find_pin_by_label(b, ORIGINAL) < 0)
			lab_unpin_curve(b, 0); /* the original is needed for the comparison */
		lab_pin_curve(b, &b->curve, ORIGINAL);
		measured_curve_free(&b->curve);
	}
	b->x = copy;
	lab_forget_earlier_curves(b);
	measure_start(a);
}

/* --- which source --- */
static struct experiment *original_of(const struct lab *b)
{
	return b->original ? b->original : b->x;
}

bool kernel_edit_offers_hip(const struct app *a, struct kernel_sources *out)
{
	struct lab *b = app_current_lab(a);
	double value;
	*out = (struct kernel_sources){0};
	int param = b ? kernel_copy_find_hip(original_of(b), b->values, &value) : -1;
	if (param < 0)
		return false;
	double values[PARAMS_MAX];
	memcpy(values, b->values, sizeof values);
	kernel_copy_source_name(original_of(b), values, out->assembly, sizeof out->assembly);
	values[param] = value;
	kernel_copy_source_name(original_of(b), values, out->hip, sizeof out->hip);
	snprintf(out->choice, sizeof out->choice, "%s=%s", b->x->params[param].id,
		b->x->params[param].choices[(int)value]);
	return true;
}

void kernel_edit_request(struct app *a, bool hip)
{
	a->edit_wanted = app_current_lab(a) && !device_can(a->device, DEVICE_RECORDING);
	a->edit_hip = hip;
	if (!a->edit_wanted)
		app_show_message(
			a, ROLE_DIM, "a recording cannot run an edited kernel; open a device such as soft:mi25");
}

/* --- the editor --- */
/* The settings with which the source is compiled that the user chose. */
static void choose_source(const struct app *a, const struct lab *b, double *values)
{
	double value;
	memcpy(values, b->values, PARAMS_MAX * sizeof *values);
	int param = a->edit_hip ? kernel_copy_find_hip(original_of(b), values, &value) : -1;
	if (param >= 0)
		values[param] = value;
}

/* As one change for undo. */
static void apply_source_choice(struct app *a, struct lab *b, const double *values)
{
	struct lab_settings before;
	lab_settings_capture(b, &before);
	memcpy(b->values, values, sizeof b->values);
	undo_push(a, b, &before, false);
}

void measure_edited_kernel(struct app *a)
{
	struct lab *b = app_current_lab(a);
	struct err e = {0};
	struct kernel_copy d;
	double values[PARAMS_MAX];
	a->edit_wanted = false;
	app_request_redraw(a);
	if (!b)
		return;
	struct experiment *original = original_of(b);
	choose_source(a, b, values);
	if (!kernel_copy_prepare(original, values, &d, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	bool ok = kernel_copy_run_editor(&d, &e), shown = b->original && b->x != b->original;
	if (!ok)
		app_show_message(a, ROLE_BAD, "%s", e.text);
	else if (!d.changed && (shown || d.pristine))
		app_show_message(a, ROLE_DIM, "%s is unchanged; nothing is measured", path_basename(d.kernel));
	else {
		app_show_message(a, ROLE_DIM, "edited: %s", d.kernel);
		apply_source_choice(a, b, values);
		b->original = original;
		measure_kernel_copy(a, b);
	}
	kernel_copy_free(&d);
}

void measure_original_kernel(struct app *a)
{
	struct lab *b = app_current_lab(a);
	if (!b || b->x == b->original || !b->original) {
		app_show_message(a, ROLE_DIM, "this is the original kernel; press e to edit a copy");
		return;
	}
	b->x = b->original;
	b->edit_next = false;
	lab_unpin_curve(b, lab_find_pin_by_label(b, ORIGINAL));
	lab_forget_earlier_curves(b);
	app_show_message(a, ROLE_DIM, "original kernel; e opens the edited copy again");
	measure_start(a);
}

/* Cancels the sweep of a copy that does not compile: every point would fail the same way. */
void kernel_edit_pump(struct app *a)
{
	struct lab *b = a->sweeping;
	if (!b || !a->sweep)
		return;
	enum sweep_state state = sweep_state(a->sweep);
	bool edited = b->original && b->x != b->original;
	const struct point *first = &b->curve.points[0];
	if (edited && state == SWEEP_RUNNING && b->curve.ended && first->status == POINT_FAILED &&
		!first->seconds.count) {
		measure_abort(a);
		app_show_message(a, ROLE_BAD, "%s; press e to continue editing", first->text);
	}
	if (!b->edit_next || state == SWEEP_RUNNING)
		return;
	b->edit_next = false;
	if (state == SWEEP_DONE && b == app_current_lab(a))
		measure_kernel_copy(a, b);
}
