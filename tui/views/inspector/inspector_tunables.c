/* Changes tunable constants: the device is reopened shortly after the last change. */
#include <stdio.h>
#include <string.h>

#include "base/host_clock.h"
#include "tui/lab/device_switch.h"
#include "tui/views/inspector/inspector.h"

enum { PAUSE_KNOB_MS = 300 };

static void open_soon(struct app *a, struct inspector *v)
{
	snprintf(v->next_device, sizeof v->next_device, "%s", "");
	tunables_format_device(&v->tunables, -1, 0, v->next_device, sizeof v->next_device);
	v->next_at = now_ms() + PAUSE_KNOB_MS;
	app_request_redraw(a);
}

/* The software GPU checks the combination of constants before the current device is closed. */
void inspector_set_tunable(struct app *a, int i, long long value)
{
	struct inspector *v = inspector_get(a);
	char device[DEVICE_NAME_MAX];
	struct err e = {0};
	if (i < 0 || i >= v->tunables.count || v->tunables.list[i].value == value)
		return;
	tunables_format_device(&v->tunables, i, value, device, sizeof device);
	if (!device_check_name(device, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	v->tunables.list[i].value = value;
	open_soon(a, v);
}

void inspector_reset_tunables(struct app *a, bool all)
{
	struct inspector *v = inspector_get(a);
	struct tunables *k = &v->tunables;
	for (int i = 0; all && i < k->count; i++)
		k->list[i].value = k->list[i].standard;
	if (all)
		open_soon(a, v);
	else if (k->selected < k->count)
		inspector_set_tunable(a, k->selected, k->list[k->selected].standard);
}

void inspector_pump(struct app *a)
{
	struct inspector *v = inspector_of(a);
	char device[DEVICE_NAME_MAX];
	if (!v || !*v->next_device || now_ms() < v->next_at)
		return;
	snprintf(device, sizeof device, "%s", v->next_device);
	v->next_device[0] = 0;
	if (strcmp(device, a->device))
		app_switch_device(a, device);
	app_request_redraw(a);
}
