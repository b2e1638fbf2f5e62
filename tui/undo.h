/* Undo and redo of what is set on a bench: values, ranges, x axis, preset. The curves are no part of it; one that is
 * still known comes back. */
#ifndef TUI_UNDO_H
#define TUI_UNDO_H

#include "tui/app.h"

struct settings {
	double values[PARAMS_MAX];
	int axis, preset;
	char ranges[PARAMS_MAX][sizeof((struct bench *)0)->ranges[0]];
};

void settings_take(const struct bench *b, struct settings *out);
/* Keeps `before` for undo when the bench stands differently now, and forgets what could be done again. `joined`: it
 * goes on with the change kept last, as a knob does that is turned step by step before anything is measured. */
void undo_note(struct bench *b, const struct settings *before, bool joined);
/* Back (-1) or forward (+1) by one change; false when there is none. */
bool undo_step(struct bench *b, int by);
void undo_free(struct bench *b);

#endif
