/* Turning knobs: the device follows when the person has stopped turning for a moment. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_clock.h"
#include "base/units.h"
#include "tui/lab/device_switch.h"
#include "tui/shell/input_line.h"
#include "tui/views/inspector/inspector.h"
#include "tui/lab/lab_measure.h"

enum { PAUSE_KNOB_MS = 300 };

static void open_soon(struct app *a, struct inspector *v)
{
	snprintf(v->next_device, sizeof v->next_device, "%s", "");
	tunables_format_device(&v->knobs, -1, 0, v->next_device, sizeof v->next_device);
	v->next_at = now_ms() + PAUSE_KNOB_MS;
	app_request_redraw(a);
}

/* The constants must fit together: the software GPU says whether they do before anything stops. */
void inspector_set_tunable(struct app *a, int knob, long long value)
{
	struct inspector *v = inspector_get(a);
	char device[DEVICE_NAME_MAX];
	struct err e = {0};
	if (knob < 0 || knob >= v->knobs.count || v->knobs.list[knob].value == value)
		return;
	tunables_format_device(&v->knobs, knob, value, device, sizeof device);
	if (!device_check_name(device, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return;
	}
	v->knobs.list[knob].value = value;
	open_soon(a, v);
}

void inspector_reset_tunables(struct app *a, bool all)
{
	struct inspector *v = inspector_get(a);
	struct tunables *k = &v->knobs;
	for (int i = 0; all && i < k->count; i++)
		k->list[i].value = k->list[i].standard;
	if (all)
		open_soon(a, v);
	else if (k->selected < k->count)
		inspector_set_tunable(a, k->selected, k->list[k->selected].standard);
}

void inspector_pump(struct app *a)
{
	struct inspector *v = a->inside;
	char device[DEVICE_NAME_MAX];
	if (!v || !*v->next_device || now_ms() < v->next_at)
		return;
	snprintf(device, sizeof device, "%s", v->next_device);
	v->next_device[0] = 0;
	if (strcmp(device, a->device))
		app_switch_device(a, device);
	app_request_redraw(a);
}

/* --- typed lines --- */
static bool typed_cycle(struct app *a, struct inspector *v, const char *text)
{
	struct err e = {0};
	double cycle;
	if (!units_parse(text, "", &cycle, &e) || cycle < 0) {
		app_show_message(a, ROLE_BAD, "%s", *e.text ? e.text : "cycles count from 0");
		return false;
	}
	wave_spans_move_to(&v->waves, (uint64_t)cycle, inspector_timeline_columns(a), v->code.cycles);
	inspector_load_timeline(a);
	return true;
}

/* "+000040" or "0x40": an instruction; "1200": a step. */
static bool typed_step(struct app *a, const char *text)
{
	char *end;
	bool offset = *text == '+' || !strncmp(text, "0x", 2);
	unsigned long long n = strtoull(text + (*text == '+'), &end, offset ? 16 : 10);
	if (end == text || *end) {
		app_show_message(a, ROLE_BAD, "'%s' is neither a step (1200) nor an address (+000040)", text);
		return false;
	}
	if (offset)
		inspector_run_to_offset(a, (int64_t)n);
	else
		inspector_seek_step(a, SEEK_STEP, n);
	return true;
}

static bool typed_nth(struct app *a, struct inspector *v, const char *text)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	if (end == text || *end || !n) {
		app_show_message(a, ROLE_BAD, "'%s' is no execution; the first is 1", text);
		return false;
	}
	inspector_select_instruction(a, v->line, n - 1);
	return true;
}

static bool typed_wave(struct app *a, struct inspector *v, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);
	if (end == text || *end || n > INT_MAX) {
		app_show_message(
			a, ROLE_BAD, "'%s' is no wave; they count from 0 in the order of their creation", text);
		return false;
	}
	inspector_follow_wave(a, (int)n, 0);
	inspector_show_page(a, v->page);
	return true;
}

static bool typed_set(struct app *a, struct inspector *v, const char *text)
{
	int sets = set_geometry_of(v->sets.cache, inspector_device_constants(a)).sets, n = count_parse(text, INT_MAX);
	if (n < 0 || n >= sets) {
		app_show_message(a, ROLE_BAD, "there are sets 0 to %d", sets - 1);
		return false;
	}
	v->sets.cursor = n;
	return true;
}

static bool typed_place(struct app *a, struct inspector *v, const char *text)
{
	switch (v->page) {
	case INSPECTOR_TIMELINE: return typed_cycle(a, v, text);
	case INSPECTOR_LANES: return typed_nth(a, v, text);
	case INSPECTOR_SETS: return typed_set(a, v, text);
	case INSPECTOR_STEPS: return typed_step(a, text);
	default: return true;
	}
}

/* "64 KiB" for the knob chosen, or "l1_bytes=64 KiB". */
static bool typed_knob(struct app *a, struct inspector *v, const char *text)
{
	const char *equals = strchr(text, '=');
	int i = v->knobs.selected;
	long long value;
	struct err e = {0};
	if (equals)
		for (i = 0; i < v->knobs.count &&
			(strlen(v->knobs.list[i].name) != (size_t)(equals - text) ||
				strncmp(v->knobs.list[i].name, text, (size_t)(equals - text)));)
			i++;
	if (i >= v->knobs.count) {
		app_show_message(a, ROLE_BAD, "there is no constant '%.*s'; / filters the list",
			(int)(equals ? equals - text : 0), text);
		return false;
	}
	v->knobs.selected = i;
	if (!tunable_parse_value(&v->knobs.list[i], equals ? equals + 1 : text, &value, &e)) {
		app_show_message(a, ROLE_BAD, "%s", e.text);
		return false;
	}
	inspector_set_tunable(a, i, value);
	return true;
}

static bool typed_filter(struct inspector *v, const char *text)
{
	snprintf(v->knobs.filter, sizeof v->knobs.filter, "%s", text);
	if (!tunables_match_filter(&v->knobs, v->knobs.selected))
		v->knobs.selected =
			tunables_next_match(&v->knobs, -1, 1) < 0 ? 0 : tunables_next_match(&v->knobs, -1, 1);
	return true;
}

bool inspector_handle_input(struct app *a, const char *text)
{
	struct inspector *v = inspector_get(a);
	switch (v->typing) {
	case INSPECTOR_INPUT_GOTO: return typed_place(a, v, text);
	case INSPECTOR_INPUT_WAVE: return typed_wave(a, v, text);
	case INSPECTOR_INPUT_TUNABLE: return typed_knob(a, v, text);
	default: return typed_filter(v, text);
	}
}
