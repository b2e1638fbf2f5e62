#include "tui/lab/device_switch.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "experiments/definition/default_values.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/device_list.h"
#include "gpu/protocol/header_record.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"

bool device_check_name(const char *name, struct err *e)
{
	if (strlen(name) >= DEVICE_NAME_MAX)
		return err_set(e, ST_REQUEST, "the device name is too long");
	if (!device_name_check_deep(name, e))
		return false;
	if (!device_can(name, DEVICE_RECORDING))
		return true;
	json_t *header = session_read_header(device_rest(name));
	json_decref(header);
	return header ||
		err_set(e, ST_REQUEST, "not a recorded session: %s; S lists the recorded sessions", device_rest(name));
}

/* The header of a recording; NULL for other devices, and if it cannot be read (the worker reports why). */
static json_t *read_device_recording(const char *name)
{
	return device_can(name, DEVICE_RECORDING) ? session_read_header(device_rest(name)) : NULL;
}

bool device_is_soft(const char *name)
{
	json_t *header = read_device_recording(name);
	bool soft = device_can(name, DEVICE_REDUCED_SIZES) ||
		device_record_can(header_get_device(header), DEVICE_REDUCED_SIZES);
	json_decref(header);
	return soft;
}

/* Replaces values that are the default of the lab's device by the default of the other; keeps the user's values. */
static void replace_defaults(struct lab *b, bool was_soft, bool soft, const char *arch)
{
	double before[PARAMS_MAX], now[PARAMS_MAX];
	experiment_default_values(b->x, was_soft, b->arch, before);
	experiment_default_values(b->x, soft, arch, now);
	for (int i = 0; i < b->x->param_count; i++)
		if (b->values[i] == before[i])
			b->values[i] = now[i];
	snprintf(b->arch, sizeof b->arch, "%s", arch);
}

/* Keeps the curve for comparison, and forgets how long its points took. */
static void leave_device(struct lab *b)
{
	if (b->curve.ended)
		measured_curve_move(&b->previous, &b->curve);
	measured_curve_free(&b->curve);
	point_costs_clear(&b->costs);
	b->edit_next = false;
}

void device_apply_recording(struct app *a, bool choose)
{
	json_t *header = read_device_recording(a->device);
	for (int i = 0; header && i < a->lab_count; i++)
		if (lab_apply_recording(&a->labs[i], header) && choose)
			a->current = i;
	json_decref(header);
}

/* A recording returns to the device before it. */
static void remember_live_device(struct app *a, const char *next)
{
	if (!device_can(next, DEVICE_RECORDING))
		a->live_device[0] = 0;
	else if (!device_can(a->device, DEVICE_RECORDING))
		snprintf(a->live_device, sizeof a->live_device, "%s", a->device);
}

bool app_leave_recording(struct app *a)
{
	char live[DEVICE_NAME_MAX];
	snprintf(live, sizeof live, "%s", a->live_device[0] ? a->live_device : device_default_name());
	return device_can(a->device, DEVICE_RECORDING) && app_switch_device(a, live);
}

bool app_switch_device(struct app *a, const char *name)
{
	struct err e = {0};
	bool was_soft = a->soft;
	if (!strcmp(a->device, name) && !a->fatal[0]) {
		app_show_message(a, ROLE_DIM, "%s is already the device", name);
		return true;
	}
	if (!device_check_name(name, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return false;
	}
	measure_release_worker(a);
	remember_live_device(a, name);
	snprintf(a->device, sizeof a->device, "%s", name);
	a->soft = device_is_soft(name);
	device_read_arch(name, a->arch);
	for (int i = 0; i < a->lab_count; i++) {
		leave_device(&a->labs[i]);
		replace_defaults(&a->labs[i], was_soft, a->soft, a->arch);
	}
	device_apply_recording(a, true);
	app_show_message(a, ROLE_OK, "switched to %s; earlier curves stay visible, dimmed", name);
	measure_start_after(a, 0);
	return true;
}
