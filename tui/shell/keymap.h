/* What the user can do: every action with its name (for scripts and the palette), scope, keys, hint for the key line,
 * help text and function. Each view has a table of its own, tui/views/NAME/NAME_keys.def; general_keys.def has the
 * actions of the whole program. Key dispatch, help page, hints and manual are generated from these tables.
 *
 * A row of a table:
 *   ACTION(id, name, where, key, other key, hint, help)
 * `id` selects the function act_ID. `where` is EVERYWHERE, PAGES, VIEWS, or a set of the view's places (bit i for its
 * i-th place, ALL_PLACES for all). A key TK_NONE: the action is only for the palette and scripts. One name may stand in
 * several rows with different places: the row of the current place applies. The status line shows the key of the action
 * "cancel" while a sweep runs. */
#ifndef TUI_SHELL_KEYMAP_H
#define TUI_SHELL_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tui/lab/view.h"
#include "tui/toolkit/key_codes.h"

/* `where` in a table. */
enum {
	ALL_PLACES = (1 << VIEW_PLACES_MAX) - 1,
	EVERYWHERE = 1 << 28,
	PAGES = 1 << 29, /* views with is_page */
	VIEWS = 1 << 30, /* all views but the home view */
};

/* `argument`: NULL for a key, otherwise what a script, the palette, the mouse or a key binding gives. */
typedef void action_run(struct app *a, const char *argument);

struct action {
	const char *name;
	unsigned where; /* in a table as above; from action_at() on a scope: a bit per place of the program */
	int key, other;
	const char *hint, *help;
	action_run *run;
};

#define ACTION_FUNCTION(id, ...)                            action_run act_##id;
#define ACTION_ROW(id, name, where, key, other, hint, help) {name, where, key, other, hint, help, act_##id},

#define UNUSED_ARGUMENT (void)argument

/* How far an action goes by its argument: 1 without. Limited, so that it can be added to any index. */
enum { ACTION_STEPS_MAX = 1000000 };
int action_step_count(const char *argument);

/* Those of all views in the order of `views`, then the general ones. */
size_t action_count(void);
const struct action *action_at(size_t i);
/* By the tables alone; bindings.h has the user's own bindings. NULL: the key has no meaning in that scope. */
const struct action *action_for_key(int key, unsigned scope);
const struct action *action_by_name(const char *name);                    /* the first of that name */
const struct action *action_by_name_at(const char *name, unsigned scope); /* the one that works there, else the first */
bool action_report_unknown(const char *name, struct err *e); /* sets the error, with the nearest name; false */

/* Scopes: one bit for each place of each view. */
unsigned view_scope(const struct view *v); /* all its places */
unsigned view_place_scope(const struct view *v, int place);
unsigned scope_everywhere(void);

/* "Left", "Space", "Ctrl-L", "q" and back; TK_NONE for an unknown name. */
const char *key_format_name(int key, char out[16]);
int key_parse(const char *name);

#endif
