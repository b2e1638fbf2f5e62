/* Undo and redo of what keys change: an experiment's settings (values, ranges, x axis, preset), its pinned curves, and
 * the device with its constants. Curves are not part of it; a curve of earlier settings that is still kept is shown
 * again. What only changes the picture (zoom, axes, themes) is left out: the same keys take it back. */
#ifndef TUI_LAB_UNDO_H
#define TUI_LAB_UNDO_H

#include "tui/lab/app.h"

struct lab_settings {
	double values[PARAMS_MAX];
	int axis, preset;
	char ranges[PARAMS_MAX][sizeof((struct lab *)0)->ranges[0]];
};

/* What a move in the history changed, as bits. */
enum { UNDONE_SETTINGS = 1, UNDONE_PINS = 2, UNDONE_DEVICE = 4 };

void lab_settings_capture(const struct lab *b, struct lab_settings *out);
/* The changes between these two are one for undo, for example all that one key does. False, without effect, inside
 * another group, which the caller then must not close. */
bool undo_open_group(struct app *a);
void undo_close_group(struct app *a);
/* Adds `before` to the undo list if the settings have changed since, and clears the redo list. `joined`: the change
 * belongs to the last one, as when a value is changed step by step before anything is measured. */
void undo_push(struct app *a, const struct lab *b, const struct lab_settings *before, bool joined);
/* Keeps the pinned curves as they are; call it before they change. */
void undo_keep_pins(struct app *a, const struct lab *b);
/* Pins a curve (lab_pin_curve) as a change for undo. */
bool undo_pin_curve(struct app *a, struct lab *b, const struct measured_curve *c, const char *label);
/* After a change of device: the name of the one before, the experiment that was shown and its settings then. */
void undo_push_device(
	struct app *a, const char *device, const struct experiment *shown, const struct lab_settings *before);
/* Whether the group that is open has a change of the device. */
bool undo_group_has_device(const struct app *a);
/* Undo (-1) or redo (+1) of the last change of the current experiment or of the device, as UNDONE_ bits; 0 when there
 * is none. A change of the device starts a measurement. */
unsigned undo_move(struct app *a, int by);
/* The experiment's parameters are others now: drops its changes. */
void undo_forget_lab(struct app *a, const struct lab *b);
void undo_free(struct app *a);

#endif
