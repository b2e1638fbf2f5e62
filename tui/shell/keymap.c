#include "tui/shell/keymap.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

#define ACTION_ROW(id, name, where, key, other, hint, help) {name, where, key, other, hint, help, act_##id},
static const struct action actions[] = {ACTIONS(ACTION_ROW)};
#undef ACTION_ROW

static const struct {
	int key;
	const char *name;
} names[] = {
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

size_t action_count(void)
{
	return sizeof actions / sizeof *actions;
}

const struct action *action_at(size_t i)
{
	return i < action_count() ? &actions[i] : NULL;
}

const struct action *action_for_key(int key, unsigned where)
{
	for (size_t i = 0; key != TK_NONE && i < action_count(); i++)
		if ((actions[i].where & where) && (actions[i].key == key || actions[i].other == key))
			return &actions[i];
	return NULL;
}

const struct action *action_by_name(const char *name)
{
	for (size_t i = 0; i < action_count(); i++)
		if (!strcmp(actions[i].name, name))
			return &actions[i];
	return NULL;
}

int action_step_count(const char *argument)
{
	return argument ? count_parse(argument, ACTION_STEPS_MAX) : 1;
}

const char *key_format_name(int key, char out[16])
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].key == key)
			return names[i].name;
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
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcasecmp(names[i].name, name))
			return names[i].key;
	if (!strncasecmp(name, "Ctrl-", 5) && isalpha((unsigned char)name[5]) && !name[6])
		return toupper((unsigned char)name[5]) - '@';
	if ((name[0] == 'F' || name[0] == 'f') && isdigit((unsigned char)name[1])) {
		long n = strtol(name + 1, &end, 10);
		return !*end && n >= 1 && n <= 12 ? TK_F1 + (int)n - 1 : TK_NONE;
	}
	return name[0] > ' ' && !name[1] ? name[0] : TK_NONE;
}
