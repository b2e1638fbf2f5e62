/* What the user can do: every action with its name (for scripts and the palette), scope, keys, hint for the key line,
 * help text and function. Each view has a table of its own, tui/views/NAME/NAME_keys.def; general_keys.def has the
 * actions of the whole program. Key dispatch, help page, hints and manual are generated from these tables.
 *
 * A row of a table:
 *   ACTION(kind, id, name, where, key, other key, hint, help)
 * `id` selects the function act_ID, which may stand in several rows; `kind` says what it gets besides the app:
 *   PLAIN       nothing
 *   TEXT        the argument, NULL for a key
 *   NUMBER(n)   n; FIRST and LAST: as far back or on as any list goes
 *   STEPS(n)    n times the number in the argument, n without one
 *   EITHER(n)   n and the argument: goes to the one that the argument names, or without one n further
 * `where` is EVERYWHERE, PAGES, VIEWS, or a set of the view's places (bit i for its i-th place, ALL_PLACES for all). A
 * key TK_NONE: the action is only for the palette and scripts. One name may stand in several rows with different
 * places: the row of the current place applies. The status line shows the key of the action "cancel" while a sweep
 * runs. */
#ifndef TUI_SHELL_KEYMAP_H
#define TUI_SHELL_KEYMAP_H

#include <stdbool.h>
#include <stdint.h>
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

typedef void action_plain(struct app *a);
typedef void action_text(struct app *a, const char *argument);
typedef void action_number(struct app *a, int n);
typedef void action_either(struct app *a, int by, const char *argument);

struct action {
	const char *name;
	uint64_t where; /* in a table as above; from action_at() on a scope: a bit per place of the program */
	int key, other;
	const char *hint, *help;
	enum { ACTION_PLAIN, ACTION_TEXT, ACTION_NUMBER, ACTION_STEPS, ACTION_EITHER } kind;
	int n;
	union {
		action_plain *plain;
		action_text *text;
		action_number *number; /* and of ACTION_STEPS */
		action_either *either;
	} run;
};

/* `argument`: NULL for a key, otherwise what a script, the palette, the mouse or a key binding gives. */
void action_call(const struct action *k, struct app *a, const char *argument);

/* How a row declares its function, and how it fills a struct action. */
#define ACTION_FUNCTION(kind, id, ...) ACTION_TYPE_##kind act_##id;
#define ACTION_TYPE_PLAIN              action_plain
#define ACTION_TYPE_TEXT               action_text
#define ACTION_TYPE_NUMBER(n)          action_number
#define ACTION_TYPE_FIRST              action_number
#define ACTION_TYPE_LAST               action_number
#define ACTION_TYPE_STEPS(n)           action_number
#define ACTION_TYPE_EITHER(n)          action_either

#define ACTION_ROW(kind, id, name, where, key, other, hint, help) \
	{name, where, key, other, hint, help, ACTION_CALL_##kind = act_##id},
#define ACTION_CALL_PLAIN     ACTION_PLAIN, 0, .run.plain
#define ACTION_CALL_TEXT      ACTION_TEXT, 0, .run.text
#define ACTION_CALL_NUMBER(n) ACTION_NUMBER, n, .run.number
#define ACTION_CALL_FIRST     ACTION_NUMBER, -ACTION_STEPS_MAX, .run.number
#define ACTION_CALL_LAST      ACTION_NUMBER, ACTION_STEPS_MAX, .run.number
#define ACTION_CALL_STEPS(n)  ACTION_STEPS, n, .run.number
#define ACTION_CALL_EITHER(n) ACTION_EITHER, n, .run.either

/* How far an action goes by its argument: 1 without. Limited, so that it can be added to any index. */
enum { ACTION_STEPS_MAX = 1000000 };
int action_step_count(const char *argument);

/* Those of all views in the order of `views`, then the general ones. */
size_t action_count(void);
const struct action *action_at(size_t i);
/* By the tables alone; bindings.h has the user's own bindings. NULL: the key has no meaning in that scope. */
const struct action *action_for_key(int key, uint64_t scope);
const struct action *action_by_name(const char *name);                    /* the first of that name */
const struct action *action_by_name_at(const char *name, uint64_t scope); /* the one that works there, else the first */
bool action_report_unknown(const char *name, struct err *e); /* sets the error, with the nearest name; false */

/* Scopes: one bit for each place of each view. */
uint64_t view_scope(const struct view *v); /* all its places */
uint64_t view_place_scope(const struct view *v, int place);
uint64_t scope_everywhere(void);

/* "Left", "Space", "Ctrl-L", "q" and back; TK_NONE for an unknown name. */
const char *key_format_name(int key, char out[16]);
int key_parse(const char *name);

#endif
