#include "tui/shell/bindings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "tui/shell/app.h"

struct binding {
	int key;
	unsigned where;
	const struct action *action;
	char *argument;
}; /* action NULL: unbound */
static struct binding *bound;
static size_t count;

/* --- places --- */
static const struct {
	const char *name;
	unsigned where;
} panes[] = {
	{"experiments", IN_LIST},
	{"parameters", IN_PARAMS},
	{"plot", IN_PLOT},
};
enum { PANES = sizeof panes / sizeof *panes };

const char *scope_name(int i)
{
	if (i < PANES)
		return panes[i].name;
	return i - PANES < VIEW_COUNT ? view_get_info(i - PANES)->name : NULL;
}

/* 0: none of that name. */
static unsigned place_by_name(const char *name)
{
	for (int i = 0; scope_name(i); i++)
		if (!strcmp(name, scope_name(i)))
			return i < PANES ? panes[i].where : view_get_info(i - PANES)->place;
	return 0;
}

/* --- asking --- */
static const struct binding *newest(int key, unsigned where)
{
	for (size_t i = count; i--;)
		if (bound[i].key == key && bound[i].where & where &&
			(!bound[i].action || bound[i].action->where & where))
			return &bound[i];
	return NULL;
}

const struct action *binding_for_key(int key, unsigned where, const char **argument)
{
	const struct binding *b = newest(key, where);
	*argument = b ? b->argument : NULL;
	return b ? b->action : action_for_key(key, where);
}

/* At one place of the mask: those that follow may have other ideas of the key. */
static bool means(int key, const struct action *k, unsigned where)
{
	const char *argument;
	for (unsigned place = 1; place <= where; place <<= 1)
		if (where & place && binding_for_key(key, place, &argument) == k && !argument)
			return true;
	return false;
}

const char *binding_format_keys(const struct action *k, unsigned where, int most, char *out, size_t size)
{
	char name[16];
	size_t used = 0;
	int shown = 0;
	out[0] = 0;
	for (size_t i = 0; i < count + 2 && shown < most; i++) {
		int key = i < count ? bound[count - 1 - i].key : i == count ? k->key : k->other;
		bool again = false;
		for (size_t j = 0; j < i && j < count; j++)
			again |= bound[count - 1 - j].key == key;
		if (key == TK_NONE || again || !means(key, k, where) || used >= size)
			continue;
		used += (size_t)snprintf(
			out + used, size - used, "%s%s", shown++ ? " or " : "", key_format_name(key, name));
	}
	return out;
}

/* --- reading --- */
static bool find_key(const char *name, int *out, struct err *e)
{
	static const struct {
		int key;
		const char *why;
	} taken[] = {
		{'C' - '@', "interrupts the program"},
		{'Z' - '@', "suspends the program"},
		{'H' - '@', "is Backspace in terminals"},
		{'I' - '@', "is Tab in terminals"},
		{'J' - '@', "is Enter in terminals"},
		{'M' - '@', "is Enter in terminals"},
	};
	*out = key_parse(name);
	if (*out == TK_NONE || *out == TK_MOUSE)
		return err_set(e, ST_REQUEST,
			"'%.40s' is no key; write for example x, Ctrl-R, F5, Left, Space or Shift-Tab", name);
	for (size_t i = 0; i < sizeof taken / sizeof *taken && !strncasecmp(name, "Ctrl-", 5); i++)
		if (*out == taken[i].key)
			return err_set(e, ST_REQUEST, "%s %s; take another key", name, taken[i].why);
	return true;
}

static bool find_action(const char *name, const struct action **out, struct err *e)
{
	if ((*out = action_by_name(name)))
		return true;
	const char **names = xmalloc(action_count() * sizeof *names);
	for (size_t i = 0; i < action_count(); i++)
		names[i] = action_at(i)->name;
	const char *near = find_nearest_name(name, names, (int)action_count());
	err_set(e, ST_REQUEST, "there is no action '%.40s'%s%s; `wavedeck help keys` lists them", name,
		near ? ", did you mean " : "", near ? near : "");
	free(names);
	return false;
}

static bool add(int key, unsigned where, const struct action *k, const char *argument)
{
	bound = xrealloc(bound, (count + 1) * sizeof *bound);
	bound[count++] = (struct binding){key, where, k, argument && *argument ? xstrdup(argument) : NULL};
	return true;
}

/* "plot: n": the place is cut off. */
static bool take_place(const char **key, unsigned *where, struct err *e)
{
	const char *colon = strstr(*key, ": ");
	*where = IN_ALL;
	if (!colon || colon == *key)
		return true;
	char *name = xasprintf("%.*s", (int)(colon - *key), *key);
	*where = place_by_name(name);
	if (!*where)
		err_set(e, ST_REQUEST,
			"there is no place '%.40s'; there are experiments, parameters, plot and the views by their names",
			name);
	free(name);
	*key = colon + 2 + strspn(colon + 2, " \t");
	return *where != 0;
}

bool binding_add(const char *key, const char *action, struct err *e)
{
	unsigned where;
	int code;
	const struct action *k = NULL;
	if (!take_place(&key, &where, e))
		return false;
	if (!strncmp(key, "unbind ", 7))
		return find_key(key + 7 + strspn(key + 7, " \t"), &code, e) && add(code, where, NULL, NULL);
	size_t n = strcspn(action, " \t");
	char *name = xasprintf("%.*s", (int)n, action);
	bool ok = n ? find_key(key, &code, e) && find_action(name, &k, e)
		    : err_set(e, ST_REQUEST, "'%.40s' has no action; write KEY = ACTION, or unbind KEY", key);
	if (ok && k && !(k->where & where))
		ok = err_set(e, ST_REQUEST, "'%s' means nothing at this place", name);
	free(name);
	return ok && add(code, where, k, action + n + strspn(action + n, " \t"));
}

static bool take(void *ctx, char *name, char *value, struct err *e)
{
	(void)ctx;
	return binding_add(name, value, e);
}

bool bindings_read(conf_error_handler *bad, void *ctx)
{
	char *path = path_user_config("keys");
	bool there = conf_read(path, take, NULL, bad ? bad : conf_log_error, ctx);
	free(path);
	return there;
}

void bindings_clear(void)
{
	for (size_t i = 0; i < count; i++)
		free(bound[i].argument);
	free(bound);
	bound = NULL;
	count = 0;
}
