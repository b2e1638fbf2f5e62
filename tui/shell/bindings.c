#include "tui/shell/bindings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"

struct binding {
	int key;
	uint64_t where;
	const struct action *action;
	char *argument;
}; /* action NULL: the key is unbound */
static struct binding *bound;
static size_t count;

/* --- scopes by name --- */
/* Names a view or a place of one; the scope goes to *out. */
static const char *scope_at(int i, uint64_t *out)
{
	for (int v = 0; views[v]; v++) {
		*out = view_scope(views[v]);
		if (!i--)
			return views[v]->name;
		for (int p = 0; p < views[v]->place_count; p++) {
			*out = view_place_scope(views[v], p);
			if (!i--)
				return views[v]->places[p].name;
		}
	}
	return NULL;
}

const char *scope_name(int i)
{
	uint64_t scope;
	return scope_at(i, &scope);
}

/* 0: unknown name. */
static uint64_t scope_by_name(const char *name)
{
	uint64_t scope;
	for (int i = 0; scope_at(i, &scope); i++)
		if (!strcmp(name, scope_at(i, &scope)))
			return scope;
	return 0;
}

/* --- lookup --- */
static const struct binding *find_binding(int key, uint64_t where)
{
	for (size_t i = count; i--;)
		if (bound[i].key == key && bound[i].where & where &&
			(!bound[i].action || bound[i].action->where & where))
			return &bound[i];
	return NULL;
}

const struct action *binding_for_key(int key, uint64_t where, const char **argument)
{
	const struct binding *b = find_binding(key, where);
	*argument = b ? b->argument : NULL;
	return b ? b->action : action_for_key(key, where);
}

/* In at least one place of the mask; places differ in what a key does. */
static bool key_means_action(int key, const struct action *k, uint64_t where)
{
	const char *argument;
	for (uint64_t place = 1; place && place <= where; place <<= 1)
		if (where & place && binding_for_key(key, place, &argument) == k && !argument)
			return true;
	return false;
}

const char *binding_format_keys(const struct action *k, uint64_t where, int most, char *out, size_t size)
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
		if (key == TK_NONE || again || !key_means_action(key, k, where) || used >= size)
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
			"not a key: '%.40s'; write for example x, Ctrl-R, F5, Left, Space or Shift-Tab", name);
	for (size_t i = 0; i < sizeof taken / sizeof *taken && !strncasecmp(name, "Ctrl-", 5); i++)
		if (*out == taken[i].key)
			return err_set(e, ST_REQUEST, "%s %s; use another key", name, taken[i].why);
	return true;
}

static bool add_binding(int key, uint64_t where, const struct action *k, const char *argument)
{
	bound = xrealloc(bound, (count + 1) * sizeof *bound);
	bound[count++] = (struct binding){key, where, k, argument && *argument ? xstrdup(argument) : NULL};
	return true;
}

/* "plot: n": takes the scope off the front. */
static bool take_scope(const char **key, uint64_t *where, struct err *e)
{
	const char *colon = strstr(*key, ": ");
	*where = scope_everywhere();
	if (!colon || colon == *key)
		return true;
	char *name = xasprintf("%.*s", (int)(colon - *key), *key);
	*where = scope_by_name(name);
	if (!*where)
		err_set(e, ST_REQUEST, "unknown scope '%.40s'; use experiments, parameters, plot or the name of a view",
			name);
	free(name);
	*key = colon + 2 + strspn(colon + 2, " \t");
	return *where != 0;
}

bool binding_add(const char *key, const char *action, struct err *e)
{
	uint64_t where;
	int code;
	const struct action *k = NULL;
	if (!take_scope(&key, &where, e))
		return false;
	if (!strncmp(key, "unbind ", 7))
		return find_key(key + 7 + strspn(key + 7, " \t"), &code, e) && add_binding(code, where, NULL, NULL);
	size_t n = strcspn(action, " \t");
	char *name = xasprintf("%.*s", (int)n, action);
	k = n ? action_by_name_at(name, where) : NULL;
	bool ok = n ? find_key(key, &code, e) && (k || action_report_unknown(name, e))
		    : err_set(e, ST_REQUEST, "key '%.40s' has no action; write KEY = ACTION, or unbind KEY", key);
	if (ok && k && !(k->where & where))
		ok = err_set(e, ST_REQUEST, "action '%s' does not work in this scope", name);
	free(name);
	return ok && add_binding(code, where, k, action + n + strspn(action + n, " \t"));
}

static bool take_config_line(void *ctx, char *name, char *value, struct err *e)
{
	(void)ctx;
	return binding_add(name, value, e);
}

static void clear_bindings(void)
{
	for (size_t i = 0; i < count; i++)
		free(bound[i].argument);
	free(bound);
	bound = NULL;
	count = 0;
}

bool bindings_read(conf_error_handler *bad, void *ctx)
{
	clear_bindings();
	char *path = path_user_config("keys");
	bool there = conf_read(path, take_config_line, NULL, bad ? bad : conf_log_error, ctx);
	free(path);
	return there;
}
