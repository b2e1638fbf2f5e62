/* Changes tunable constants: the device is reopened shortly after the last change. */
#include <stdio.h>

#include "tui/lab/device_switch.h"
#include "tui/views/inspector/inspector.h"

enum { PAUSE_KNOB_MS = 300 };

static void open_soon(struct app *a, const struct inspector *v)
{
	char device[DEVICE_NAME_MAX];
	tunables_format_device(&v->tunables, -1, 0, device, sizeof device);
	app_switch_device_after(a, device, PAUSE_KNOB_MS);
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
	else if (tunables_selected(k))
		inspector_set_tunable(a, k->selected, k->list[k->selected].standard);
}
