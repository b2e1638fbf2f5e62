#include "tui/lab/device_switch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "experiments/definition/words/experiment_words.h"
#include "experiments/definition/default_values.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/device_list.h"
#include "gpu/protocol/header_record.h"
#include "tui/lab/lab.h"
#include "tui/lab/lab_measure.h"
#include "tui/lab/undo.h"

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

void device_read_lab_arch(const char *name, char arch[DEVICE_ARCH])
{
	json_t *header = read_device_recording(name);
	device_read_arch(name, arch);
	if (header)
		snprintf(arch, DEVICE_ARCH, "%s", device_get_arch(header_get_device(header)));
	json_decref(header);
}

/* Replaces values that are the default of the lab's device by the default of the other; keeps the user's values.
 * `device`: its record, or NULL until it is open. */
static void replace_defaults(struct lab *b, bool was_soft, bool soft, const char *arch, const json_t *device)
{
	double before[PARAMS_MAX], now[PARAMS_MAX];
	experiment_default_values(b->x, was_soft, b->arch, before);
	experiment_use_device(b->x, device);
	experiment_default_values(b->x, soft, arch, now);
	experiment_update_sweep(b->x, now, NULL);
	experiment_use_words(b->x, arch);
	for (int i = 0; i < b->x->param_count; i++)
		if (b->values[i] == before[i])
			b->values[i] = now[i];
	snprintf(b->arch, sizeof b->arch, "%s", arch);
}

void device_take_numbers(struct app *a)
{
	const json_t *device =
		a->workers && !device_can(a->device, DEVICE_RECORDING) ? worker_pool_device_record(a->workers) : NULL;
	for (int i = 0; device && i < a->lab_count; i++)
		replace_defaults(&a->labs[i], a->soft, a->soft, a->arch, device);
}

/* Keeps the curve for comparison. How long its points took counts again on that device. */
static void leave_device(struct lab *b)
{
	lab_retire_curve(b);
	if (b->curve.ended && !b->previous.count)
		measured_curve_move(&b->previous, &b->curve);
	measured_curve_free(&b->curve);
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

/* For undo: the settings of the experiments that the recording changes. */
static void apply_new_recording(struct app *a)
{
	struct lab_settings *before = xcalloc((size_t)a->lab_count + 1, sizeof *before);
	for (int i = 0; i < a->lab_count; i++)
		lab_settings_capture(&a->labs[i], &before[i]);
	device_apply_recording(a, true);
	for (int i = 0; i < a->lab_count; i++)
		undo_push(a, &a->labs[i], &before[i], false);
	free(before);
}

static void open_new_device(struct app *a, const char *name)
{
	bool was_soft = a->soft;
	measure_release_worker(a);
	remember_live_device(a, name);
	snprintf(a->device, sizeof a->device, "%s", name);
	a->soft = device_is_soft(name);
	device_read_lab_arch(name, a->arch);
	for (int i = 0; i < a->lab_count; i++) {
		leave_device(&a->labs[i]);
		replace_defaults(&a->labs[i], was_soft, a->soft, a->arch, NULL);
		a->labs[i].costs.device = measured_curve_device_hash(name);
	}
}

bool app_switch_device(struct app *a, const char *name)
{
	char before[DEVICE_NAME_MAX];
	struct lab_settings settings = {.axis = -1};
	struct err e = {0};
	a->next_device[0] = 0;
	if (!strcmp(a->device, name) && !a->fatal[0]) {
		app_show_message(a, ROLE_DIM, "%s is already the device", name);
		return true;
	}
	if (!device_check_name(name, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return false;
	}
	struct lab *b = app_current_lab(a);
	snprintf(before, sizeof before, "%s", a->device);
	if (b)
		lab_settings_capture(b, &settings);
	bool group = undo_open_group(a);
	open_new_device(a, name);
	if (strcmp(before, name))
		undo_push_device(a, before, b ? b->x : NULL, &settings);
	if (device_can(name, DEVICE_RECORDING))
		apply_new_recording(a);
	if (group)
		undo_close_group(a);
	app_show_message(a, ROLE_OK, "switched to %s; earlier curves stay visible, dimmed", name);
	measure_start_after(a, 0);
	return true;
}

void app_switch_device_after(struct app *a, const char *name, int ms)
{
	snprintf(a->next_device, sizeof a->next_device, "%s", name);
	a->next_device_at = now_ms() + ms;
	app_request_redraw(a);
}

void device_switch_pump(struct app *a)
{
	char device[DEVICE_NAME_MAX];
	if (!*a->next_device || now_ms() < a->next_device_at)
		return;
	snprintf(device, sizeof device, "%s", a->next_device);
	a->next_device[0] = 0;
	if (strcmp(device, a->device))
		app_switch_device(a, device);
	app_request_redraw(a);
}
