/* Actions of the device view. An argument comes from scripts: a device, a constant, a value. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/lab/device_switch.h"
#include "tui/views/devices/devices_view.h"
#include "tui/shell/input_line.h"
#include "tui/shell/keymap.h"
#include "tui/shell/shell.h"

void act_devices(struct app *a, const char *argument)
{
	if (a->view != &view_devices || !argument)
		app_show_view(a, &view_devices);
	int at = argument && devices_view_of(a) ? devices_view_add(a, argument) : -1;
	if (at >= 0)
		devices_view_of(a)->chosen = at;
}

static int clamp_row(int from, int by, int count)
{
	int to = from + by;
	return to < 0 || !count ? 0 : to >= count ? count - 1 : to;
}

static void move_selection(struct app *a, int by)
{
	struct device_view *v = devices_view_of(a);
	int count = 0;
	if (v->in_details) {
		devices_view_details(devices_view_selected(a), a->ascii, &count);
		v->detail = clamp_row(v->detail, by, count);
		return;
	}
	v->chosen = clamp_row(v->chosen, by, v->count);
	v->detail = 0;
}

/* Selects a device of the list or a line of the details. */
static bool select_by_name(struct app *a, const char *name)
{
	struct device_view *v = devices_view_of(a);
	int count = 0;
	const struct device_detail *d =
		devices_view_selected(a) ? devices_view_details(devices_view_selected(a), a->ascii, &count) : NULL;
	for (int i = 0; i < v->count; i++)
		if (!strcmp(v->rows[i]->device, name)) {
			v->chosen = i;
			v->in_details = false;
			return true;
		}
	for (int i = count - 1; i >= 0; i--) /* the constant rather than the property of the same name */
		if (!strcmp(d[i].name, name)) {
			v->detail = i;
			v->in_details = true;
			return true;
		}
	app_show_message(a, ROLE_BAD, "unknown device or detail '%s'", name);
	return true;
}

void act_device_down(struct app *a, const char *argument)
{
	if (!argument || !select_by_name(a, argument))
		move_selection(a, 1);
}

void act_device_up(struct app *a, const char *argument)
{
	if (!argument || !select_by_name(a, argument))
		move_selection(a, -1);
}

void act_device_page_down(struct app *a)
{
	devices_view_of(a)->in_details = devices_view_selected(a);
	move_selection(a, 10);
}

void act_device_page_up(struct app *a)
{
	devices_view_of(a)->in_details = devices_view_selected(a);
	move_selection(a, -10);
}

void act_device_details(struct app *a)
{
	struct device_row *r = devices_view_selected(a);
	devices_view_of(a)->in_details = !devices_view_of(a)->in_details && r && r->record;
}

void act_device_enter(struct app *a, const char *argument)
{
	struct device_view *v = devices_view_of(a);
	int count = 0;
	const struct device_detail *d =
		devices_view_selected(a) ? devices_view_details(devices_view_selected(a), a->ascii, &count) : NULL;
	if (!v->in_details) {
		devices_view_use(a);
		return;
	}
	if (v->detail >= count || !d[v->detail].alterable) {
		app_show_message(a, ROLE_DIM, "only constants of a software GPU can be changed");
		return;
	}
	d += v->detail;
	if (argument)
		devices_view_set_constant(a, argument);
	else
		input_line_open(a, devices_view_set_constant, "", "%s (%s..%s) = ", d->name, d->low, d->high);
}

static bool take_device_name(struct app *a, const char *text)
{
	int at = devices_view_add(a, text);
	if (at >= 0)
		devices_view_of(a)->chosen = at;
	return at >= 0;
}

void act_device_add(struct app *a, const char *argument)
{
	if (argument)
		take_device_name(a, argument);
	else
		input_line_open(a, take_device_name, "", "device (soft:MODEL,NAME=VALUE hip:N replay:FILE) = ");
}

/* --- search --- */
static bool detail_matches(const struct device_detail *d, const char *text)
{
	return strcasestr(d->name, text) || strcasestr(d->help, text);
}

/* Names first: help texts mention many constants. Begins after the selected line if `next`. */
static int find_detail(const struct device_detail *d, int count, int from, const char *text, bool next)
{
	for (int i = 0; i < count; i++) {
		int at = (from + i + next) % count;
		if (strcasestr(d[at].name, text))
			return at;
	}
	for (int i = 0; i < count; i++) {
		int at = (from + i + next) % count;
		if (detail_matches(&d[at], text))
			return at;
	}
	return -1;
}

static void search_details(struct app *a, const char *text, bool next)
{
	struct device_view *v = devices_view_of(a);
	int count = 0;
	const struct device_detail *d =
		devices_view_selected(a) ? devices_view_details(devices_view_selected(a), a->ascii, &count) : NULL;
	snprintf(v->search, sizeof v->search, "%s", text);
	int at = *text ? find_detail(d, count, v->in_details ? v->detail : 0, text, next && v->in_details) : -1;
	if (at >= 0) {
		v->detail = at;
		v->in_details = true;
	} else if (*text)
		app_show_message(a, ROLE_DIM, "no property or constant of this device contains '%s'", text);
}

static void device_search_typed(struct app *a)
{
	search_details(a, a->input.text, false);
}

/* Enter on the text of the last search goes to the next match. */
static bool take_device_search(struct app *a, const char *text)
{
	if (!a->input.changed)
		search_details(a, text, true);
	return true;
}

void act_device_search(struct app *a, const char *argument)
{
	if (argument) {
		search_details(a, argument, true);
		return;
	}
	input_line_open(a, take_device_search, devices_view_of(a)->search, "/");
	a->input.typed = device_search_typed;
}

void act_device_test(struct app *a)
{
	devices_view_self_test(a);
}
void act_device_pin(struct app *a)
{
	const struct device_row *r = devices_view_selected(a);
	if (r)
		devices_view_measure_and_pin(a, r->device);
}

void act_pin_device(struct app *a, const char *name)
{
	struct err e = {0};
	if (!devices_view_of(a))
		devices_view_enter(a);
	if (name && device_check_name(name, &e))
		devices_view_measure_and_pin(a, name);
	else
		app_show_message(a, ROLE_BAD, "%s", name ? e.text : "pin-device needs a device: soft:mi60");
}

void act_device_again(struct app *a)
{
	devices_view_refresh(a);
}

bool devices_view_go_back(struct app *a)
{
	if (devices_view_is_busy(a))
		devices_view_cancel(a);
	else if (devices_view_of(a)->in_details)
		devices_view_of(a)->in_details = false;
	else
		return false;
	return true;
}
