/* Undo and redo of what is set on a bench: values, ranges, x axis, preset. The curves are no part of it; one that is
 * still known comes back. */
#ifndef TUI_LAB_UNDO_H
#define TUI_LAB_UNDO_H

#include "tui/lab/app.h"

struct lab_settings {
	double values[PARAMS_MAX];
	int axis, preset;
	char ranges[PARAMS_MAX][sizeof((struct lab *)0)->ranges[0]];
};

void lab_settings_capture(const struct lab *b, struct lab_settings *out);
/* Keeps `before` for undo when the bench stands differently now, and forgets what could be done again. `joined`: it
 * goes on with the change kept last, as a knob does that is turned step by step before anything is measured. */
void undo_push(struct lab *b, const struct lab_settings *before, bool joined);
/* Back (-1) or forward (+1) by one change; false when there is none. */
bool undo_move(struct lab *b, int by);
void undo_free(struct lab *b);

#endif
