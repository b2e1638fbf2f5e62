/* What the actions of the inspector's pages share. */
#ifndef TUI_VIEWS_INSPECTOR_INSPECTOR_PAGES_H
#define TUI_VIEWS_INSPECTOR_INSPECTOR_PAGES_H

#include "tui/shell/keymap.h"
#include "tui/views/inspector/inspector.h"

/* `where` in the pages' key tables. */
enum {
	ON_TIMELINE = 1 << INSPECTOR_TIMELINE,
	ON_LANES = 1 << INSPECTOR_LANES,
	ON_SETS = 1 << INSPECTOR_SETS,
	ON_STEPS = 1 << INSPECTOR_STEPS,
	ON_HARDWARE = 1 << INSPECTOR_HARDWARE,
};

int inspector_index_of(const char *argument); /* a script's number; negative without */
int inspector_next_lane(int lane, int by, const char *argument);
int inspector_clamp(int v, int low, int high);
/* Opens a line for `take`; an argument is taken at once. */
void inspector_type(struct app *a, bool (*take)(struct app *a, const char *text), const char *argument,
	const char *text, const char *prompt);

/* --- actions --- */
#define ACTION ACTION_FUNCTION
#include "tui/views/inspector/inspector_keys.def"
#include "tui/views/inspector/pages/timeline_keys.def"
#include "tui/views/inspector/pages/lanes_keys.def"
#include "tui/views/inspector/pages/sets_keys.def"
#include "tui/views/inspector/pages/steps_keys.def"
#include "tui/views/inspector/pages/hardware_keys.def"
#undef ACTION

#endif
