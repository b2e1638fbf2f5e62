/* Undo and redo of an experiment's settings: values, ranges, x axis, preset. Curves are not part of them; a curve of
 * earlier settings that is still kept is shown again. */
#ifndef TUI_LAB_UNDO_H
#define TUI_LAB_UNDO_H

#include "tui/lab/app.h"

struct lab_settings {
	double values[PARAMS_MAX];
	int axis, preset;
	char ranges[PARAMS_MAX][sizeof((struct lab *)0)->ranges[0]];
};

void lab_settings_capture(const struct lab *b, struct lab_settings *out);
/* Adds `before` to the undo list if the settings have changed since, and clears the redo list. `joined`: the change
 * belongs to the last one, as when a value is changed step by step before anything is measured. */
void undo_push(struct lab *b, const struct lab_settings *before, bool joined);
/* Undo (-1) or redo (+1) of one change; false when the list is empty. */
bool undo_move(struct lab *b, int by);
void undo_free(struct lab *b);

#endif
