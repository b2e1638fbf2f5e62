#include "tui/lab/undo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/backends/backend.h"
#include "tui/lab/device_switch.h"
#include "tui/lab/lab.h"

enum { UNDO_DEPTH = 64 };

struct change {
	unsigned what, group;
	char lab[sizeof((struct experiment *)0)->id]; /* the experiment; of a device: the one that was shown */
	struct lab_settings settings;                 /* UNDONE_SETTINGS, UNDONE_DEVICE */
	struct pinned_curve pins[PINS_MAX];           /* UNDONE_PINS; owned */
	int pin_count;
	char device[DEVICE_NAME_MAX]; /* UNDONE_DEVICE */
};

/* The latest change is last. */
struct change_stack {
	struct change *list[UNDO_DEPTH];
	int count;
};
struct undo_history {
	struct change_stack back, forward;
	unsigned group; /* number of the current one */
	bool open, moving;
};

/* --- stacks --- */
static void free_change(struct change *c)
{
	for (int i = 0; i < c->pin_count; i++)
		measured_curve_free(&c->pins[i].curve);
	free(c);
}

static struct change *take_change(struct change_stack *s, int at)
{
	struct change *c = s->list[at];
	memmove(&s->list[at], &s->list[at + 1], (size_t)(--s->count - at) * sizeof *s->list);
	return c;
}

static void clear_stack(struct change_stack *s)
{
	while (s->count)
		free_change(s->list[--s->count]);
}

static struct change *add_change(struct change_stack *s, unsigned what, unsigned group, const struct experiment *x)
{
	if (s->count == UNDO_DEPTH)
		free_change(take_change(s, 0));
	struct change *c = xcalloc(1, sizeof *c);
	c->what = what;
	c->group = group;
	snprintf(c->lab, sizeof c->lab, "%s", x ? x->id : "");
	return s->list[s->count++] = c;
}

static struct undo_history *history_of(struct app *a)
{
	if (!a->history)
		a->history = xcalloc(1, sizeof *a->history);
	return a->history;
}

/* A new change: nothing can be redone. NULL while changes are undone. */
static struct change *add_new_change(struct app *a, unsigned what, const struct experiment *x)
{
	struct undo_history *h = history_of(a);
	if (h->moving)
		return NULL;
	h->group += !h->open;
	clear_stack(&h->forward);
	return add_change(&h->back, what, h->group, x);
}

/* --- groups --- */
bool undo_open_group(struct app *a)
{
	if (history_of(a)->open)
		return false;
	a->history->group++;
	return a->history->open = true;
}

void undo_close_group(struct app *a)
{
	history_of(a)->open = false;
}

bool undo_group_has_device(const struct app *a)
{
	const struct undo_history *h = a->history;
	for (int i = 0; h && h->open && i < h->back.count; i++)
		if (h->back.list[i]->group == h->group && h->back.list[i]->what == UNDONE_DEVICE)
			return true;
	return false;
}

/* --- settings --- */
void lab_settings_capture(const struct lab *b, struct lab_settings *out)
{
	memset(out, 0, sizeof *out);
	memcpy(out->values, b->values, sizeof out->values);
	memcpy(out->ranges, b->ranges, sizeof out->ranges);
	out->axis = b->axis;
	out->preset = b->preset;
}

static void restore_settings(struct lab *b, const struct lab_settings *from)
{
	memcpy(b->values, from->values, sizeof b->values);
	memcpy(b->ranges, from->ranges, sizeof b->ranges);
	b->axis = from->axis;
	b->preset = from->preset;
}

/* The preset alone is not a change. */
static bool settings_differ(const struct lab_settings *x, const struct lab *b)
{
	bool same = x->axis == b->axis;
	for (int i = 0; same && i < b->x->param_count; i++)
		same = x->values[i] == b->values[i] && !strcmp(x->ranges[i], b->ranges[i]);
	return !same;
}

void undo_push(struct app *a, const struct lab *b, const struct lab_settings *before, bool joined)
{
	if (!settings_differ(before, b))
		return;
	if (joined && history_of(a)->back.count) {
		clear_stack(&a->history->forward);
		return;
	}
	struct change *c = add_new_change(a, UNDONE_SETTINGS, b->x);
	if (c)
		c->settings = *before;
}

/* --- pins, device --- */
static void copy_pins(struct change *c, const struct lab *b)
{
	c->pin_count = b->pin_count;
	for (int i = 0; i < b->pin_count; i++) {
		memcpy(c->pins[i].label, b->pins[i].label, sizeof c->pins[i].label);
		measured_curve_copy(&c->pins[i].curve, &b->pins[i].curve);
	}
}

void undo_keep_pins(struct app *a, const struct lab *b)
{
	struct change *c = add_new_change(a, UNDONE_PINS, b->x);
	if (c)
		copy_pins(c, b);
}

bool undo_pin_curve(struct app *a, struct lab *b, const struct measured_curve *c, const char *label)
{
	if (!lab_can_pin(b, c, label))
		return false;
	undo_keep_pins(a, b);
	return lab_pin_curve(b, c, label);
}

static void restore_pins(struct lab *b, struct change *from)
{
	while (b->pin_count)
		lab_unpin_curve(b, b->pin_count - 1);
	memcpy(b->pins, from->pins, sizeof b->pins);
	b->pin_count = from->pin_count;
	from->pin_count = 0;
}

void undo_push_device(
	struct app *a, const char *device, const struct experiment *shown, const struct lab_settings *before)
{
	struct change *c = add_new_change(a, UNDONE_DEVICE, shown);
	if (!c)
		return;
	c->settings = *before;
	snprintf(c->device, sizeof c->device, "%s", device);
}

/* --- undo, redo --- */
static struct lab *find_changed_lab(const struct app *a, const struct change *c)
{
	for (int i = 0; i < a->lab_count; i++)
		if (!strcmp(a->labs[i].x->id, c->lab))
			return &a->labs[i];
	return NULL;
}

/* The opposite of the change, for the other list; the lab is the one that is shown where the device changes. */
static void keep_opposite(const struct app *a, struct change_stack *to, const struct change *c, const struct lab *b)
{
	const struct lab *shown = c->what == UNDONE_DEVICE ? app_current_lab(a) : b;
	if (!shown)
		return;
	struct change *now = add_change(to, c->what, c->group, shown->x);
	lab_settings_capture(shown, &now->settings);
	if (c->what == UNDONE_PINS)
		copy_pins(now, shown);
	if (c->what == UNDONE_DEVICE)
		snprintf(now->device, sizeof now->device, "%s", a->device);
}

/* A recording chooses its experiment: the one before comes back with its device. */
static void restore_change(struct app *a, struct change *c, struct lab *b)
{
	bool chose = device_can(a->device, DEVICE_RECORDING) || device_can(c->device, DEVICE_RECORDING);
	if (c->what == UNDONE_DEVICE && !app_switch_device(a, c->device))
		return;
	if (c->what == UNDONE_DEVICE && chose && b)
		a->current = (int)(b - a->labs);
	if (b && c->what == UNDONE_PINS) {
		restore_pins(b, c);
		a->pin_view = b->pin_count ? a->pin_view : PINS_AS_CURVES;
	} else if (b && (c->what != UNDONE_DEVICE || b == app_current_lab(a)))
		restore_settings(b, &c->settings);
}

/* -1: none. */
static int find_last_change(const struct app *a, const struct change_stack *s,
	bool (*fits)(const struct app *, const struct change *, unsigned), unsigned group)
{
	int i = s->count - 1;
	while (i >= 0 && !fits(a, s->list[i], group))
		i--;
	return i;
}

static bool is_of_current_lab(const struct app *a, const struct change *c, unsigned group)
{
	const struct lab *b = app_current_lab(a);
	(void)group;
	return c->what == UNDONE_DEVICE || (b && !strcmp(c->lab, b->x->id));
}

static bool is_of_group(const struct app *a, const struct change *c, unsigned group)
{
	(void)a;
	return c->group == group;
}

unsigned undo_move(struct app *a, int by)
{
	struct undo_history *h = history_of(a);
	struct change_stack *from = by < 0 ? &h->back : &h->forward, *to = by < 0 ? &h->forward : &h->back;
	unsigned done = 0;
	int at = find_last_change(a, from, is_of_current_lab, 0);
	if (at < 0)
		return 0;
	unsigned group = from->list[at]->group;
	h->moving = true;
	for (; at >= 0; at = find_last_change(a, from, is_of_group, group)) {
		struct change *c = take_change(from, at);
		struct lab *b = find_changed_lab(a, c);
		keep_opposite(a, to, c, b);
		restore_change(a, c, b);
		done |= c->what;
		free_change(c);
	}
	h->moving = false;
	return done;
}

/* --- forget --- */
static void forget_lab_changes(struct change_stack *s, const struct lab *b)
{
	for (int i = s->count - 1; i >= 0; i--) {
		if (strcmp(s->list[i]->lab, b->x->id))
			continue;
		if (s->list[i]->what == UNDONE_DEVICE)
			s->list[i]->lab[0] = 0;
		else
			free_change(take_change(s, i));
	}
}

void undo_forget_lab(struct app *a, const struct lab *b)
{
	forget_lab_changes(&history_of(a)->back, b);
	forget_lab_changes(&history_of(a)->forward, b);
}

void undo_free(struct app *a)
{
	if (!a->history)
		return;
	clear_stack(&a->history->back);
	clear_stack(&a->history->forward);
	free(a->history);
	a->history = NULL;
}
