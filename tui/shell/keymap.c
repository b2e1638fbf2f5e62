#include "tui/shell/keymap.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/units.h"
#include "tui/shell/general_actions.h"

static const struct action general_actions[] = {
#define ACTION ACTION_ROW
#include "tui/shell/general_keys.def"
#undef ACTION
};

static const struct {
	int key;
	const char *name;
} key_names[] = {
	{TK_UP, "Up"},
	{TK_DOWN, "Down"},
	{TK_LEFT, "Left"},
	{TK_RIGHT, "Right"},
	{TK_HOME, "Home"},
	{TK_END, "End"},
	{TK_PAGE_UP, "PgUp"},
	{TK_PAGE_DOWN, "PgDn"},
	{TK_TAB, "Tab"},
	{TK_BACKTAB, "Shift-Tab"},
	{TK_ENTER, "Enter"},
	{TK_ESC, "Esc"},
	{TK_SPACE, "Space"},
	{TK_BACKSPACE, "Backspace"},
	{TK_DELETE, "Delete"},
	{TK_INSERT, "Insert"},
	{TK_SHIFT_LEFT, "Shift-Left"},
	{TK_SHIFT_RIGHT, "Shift-Right"},
	{TK_MOUSE, "Mouse"},
};

/* --- scopes --- */
static int places_of(const struct view *v)
{
	return v->place_count ? v->place_count : 1;
}

static int first_place(const struct view *v)
{
	int bit = 0;
	for (int i = 0; views[i] && views[i] != v; i++)
		bit += places_of(views[i]);
	return bit;
}

uint64_t view_scope(const struct view *v)
{
	return ((UINT64_C(1) << places_of(v)) - 1) << first_place(v);
}

uint64_t view_place_scope(const struct view *v, int place)
{
	return UINT64_C(1) << (first_place(v) + place);
}

uint64_t scope_everywhere(void)
{
	uint64_t scope = 0;
	for (int i = 0; views[i]; i++)
		scope |= view_scope(views[i]);
	return scope;
}

/* From a table's `where`; `v` NULL: of the general table. */
static uint64_t resolve_scope(const struct view *v, uint64_t where)
{
	if (where == EVERYWHERE)
		return scope_everywhere();
	if (!(where & (PAGES | VIEWS)))
		return (where << first_place(v)) & view_scope(v);
	uint64_t scope = 0;
	for (int i = 1; views[i]; i++)
		if (where & VIEWS || views[i]->is_page)
			scope |= view_scope(views[i]);
	return scope;
}

/* --- the actions of all tables --- */
static struct action *actions; /* made once, kept until the program ends */
static size_t actions_made;

static void add_table(const struct view *v, const struct action *table, size_t count)
{
	actions = xrealloc(actions, (actions_made + count) * sizeof *actions);
	for (size_t i = 0; i < count; i++) {
		actions[actions_made] = table[i];
		actions[actions_made++].where = resolve_scope(v, table[i].where);
	}
}

size_t action_count(void)
{
	if (actions)
		return actions_made;
	for (int i = 0; views[i]; i++)
		add_table(views[i], views[i]->actions, (size_t)views[i]->action_count);
	add_table(NULL, general_actions, sizeof general_actions / sizeof *general_actions);
	return actions_made;
}

const struct action *action_at(size_t i)
{
	return i < action_count() ? &actions[i] : NULL;
}

const struct action *action_for_key(int key, uint64_t scope)
{
	for (size_t i = 0; key != TK_NONE && i < action_count(); i++)
		if ((actions[i].where & scope) && (actions[i].key == key || actions[i].other == key))
			return &actions[i];
	return NULL;
}

const struct action *action_by_name(const char *name)
{
	return action_by_name_at(name, 0);
}

const struct action *action_by_name_at(const char *name, uint64_t scope)
{
	const struct action *first = NULL;
	for (size_t i = 0; i < action_count(); i++) {
		if (strcmp(actions[i].name, name))
			continue;
		if (actions[i].where & scope)
			return &actions[i];
		first = first ? first : &actions[i];
	}
	return first;
}

bool action_report_unknown(const char *name, struct err *e)
{
	const char **names = xmalloc(action_count() * sizeof *names);
	for (size_t i = 0; i < action_count(); i++)
		names[i] = actions[i].name;
	const char *near = find_nearest_name(name, names, (int)action_count());
	err_set(e, ST_REQUEST, "unknown action '%.40s'; %s%s%s", name,
		near ? "did you mean '" : "see `wavedeck help keys`", near ? near : "", near ? "'?" : "");
	free(names);
	return false;
}

int action_step_count(const char *argument)
{
	return argument ? count_parse(argument, ACTION_STEPS_MAX) : 1;
}

void action_call(const struct action *k, struct app *a, const char *argument)
{
	switch (k->kind) {
	case ACTION_PLAIN: k->run.plain(a); break;
	case ACTION_TEXT: k->run.text(a, argument); break;
	case ACTION_NUMBER: k->run.number(a, k->n); break;
	case ACTION_STEPS: k->run.number(a, k->n * action_step_count(argument)); break;
	case ACTION_EITHER: k->run.either(a, k->n, argument); break;
	}
}

const char *key_format_name(int key, char out[16])
{
	for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++)
		if (key_names[i].key == key)
			return key_names[i].name;
	if (key >= TK_F1 && key <= TK_F12)
		snprintf(out, 16, "F%d", key - TK_F1 + 1);
	else if (key > 0 && key < ' ')
		snprintf(out, 16, "Ctrl-%c", key + '@');
	else
		snprintf(out, 16, "%c", key > ' ' && key < 127 ? key : '?');
	return out;
}

int key_parse(const char *name)
{
	char *end;
	for (size_t i = 0; i < sizeof key_names / sizeof *key_names; i++)
		if (!strcasecmp(key_names[i].name, name))
			return key_names[i].key;
	if (!strncasecmp(name, "Ctrl-", 5) && isalpha((unsigned char)name[5]) && !name[6])
		return toupper((unsigned char)name[5]) - '@';
	if ((name[0] == 'F' || name[0] == 'f') && isdigit((unsigned char)name[1])) {
		long n = strtol(name + 1, &end, 10);
		return !*end && n >= 1 && n <= 12 ? TK_F1 + (int)n - 1 : TK_NONE;
	}
	return name[0] > ' ' && !name[1] ? name[0] : TK_NONE;
}
