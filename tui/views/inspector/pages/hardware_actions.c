/* Actions of the hardware page. */
#include <stdio.h>
#include <string.h>

#include "tui/shell/keymap.h"
#include "tui/views/inspector/inspector_pages.h"

void act_hardware_select(struct app *a, int by)
{
	struct tunables *k = &inspector_get(a)->tunables;
	for (; by; by -= by > 0 ? 1 : -1)
		k->selected = tunables_next_match(k, k->selected, by > 0 ? 1 : -1);
}

static int hardware_page_rows(const struct app *a)
{
	return a->height > 10 ? a->height / 2 : 5;
}

void act_hardware_forward(struct app *a)
{
	act_hardware_select(a, hardware_page_rows(a));
}
void act_hardware_back(struct app *a)
{
	act_hardware_select(a, -hardware_page_rows(a));
}
void act_hardware_first(struct app *a)
{
	act_hardware_select(a, -inspector_get(a)->tunables.count);
}
void act_hardware_last(struct app *a)
{
	act_hardware_select(a, inspector_get(a)->tunables.count);
}

static void say_none_is_selected(struct app *a)
{
	app_show_message(a, ROLE_DIM, "no constant is selected; / changes the filter");
}

/* False at the end of the constant's range. */
static bool step_tunable(struct app *a, int by)
{
	struct inspector *v = inspector_get(a);
	const struct tunable *k = tunables_selected(&v->tunables);
	if (!k) {
		say_none_is_selected(a);
		return false;
	}
	long long value = tunable_step_value(k, by);
	bool changes = value != k->value;
	if (!changes)
		app_show_message(a, ROLE_DIM, "%s is at the %s of its range", k->name, by > 0 ? "maximum" : "minimum");
	inspector_set_tunable(a, v->tunables.selected, value);
	return changes;
}

void act_hardware_adjust(struct app *a, int by)
{
	int one = by > 0 ? 1 : -1;
	while (by && step_tunable(a, one))
		by -= one;
}

void act_hardware_reset(struct app *a)
{
	if (!tunables_selected(&inspector_get(a)->tunables))
		say_none_is_selected(a);
	inspector_reset_tunables(a, false);
}
void act_hardware_reset_all(struct app *a)
{
	inspector_reset_tunables(a, true);
}

static int find_tunable(const struct tunables *k, const char *name, size_t length)
{
	int i = 0;
	while (i < k->count && (strlen(k->list[i].name) != length || strncmp(k->list[i].name, name, length) != 0))
		i++;
	return i;
}

/* "64 KiB" for the selected constant, or "l1_bytes=64 KiB". */
static bool take_tunable(struct app *a, const char *text)
{
	struct tunables *k = &inspector_get(a)->tunables;
	const char *equals = strchr(text, '=');
	int length = (int)(equals ? equals - text : 0),
	    i = equals ? find_tunable(k, text, (size_t)length) : k->selected;
	long long value;
	struct err e = {0};
	if (!equals && !tunables_selected(k)) {
		say_none_is_selected(a);
		return true;
	}
	if (i >= k->count) {
		app_show_message(a, ROLE_BAD, "unknown constant '%.*s'; / filters the list", length, text);
		return false;
	}
	k->selected = i;
	if (!tunable_parse_value(&k->list[i], equals ? equals + 1 : text, &value, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return false;
	}
	inspector_set_tunable(a, i, value);
	return true;
}

void act_hardware_set(struct app *a, const char *argument)
{
	const struct tunables *k = &inspector_get(a)->tunables;
	char prompt[80];
	if (!argument && !tunables_selected(k)) {
		say_none_is_selected(a);
		return;
	}
	snprintf(prompt, sizeof prompt, "%s = ", argument ? "" : tunables_selected(k)->name);
	inspector_type(a, take_tunable, argument, "", prompt);
}

static bool take_tunable_filter(struct app *a, const char *text)
{
	struct tunables *k = &inspector_get(a)->tunables;
	snprintf(k->filter, sizeof k->filter, "%s", text);
	if (!tunables_match_filter(k, k->selected)) {
		int first = tunables_next_match(k, -1, 1);
		k->selected = first < 0 ? k->selected : first; /* without a match it stays, hidden */
	}
	return true;
}

void act_hardware_filter(struct app *a, const char *argument)
{
	inspector_type(a, take_tunable_filter, argument, inspector_get(a)->tunables.filter, "/");
}
