#include "cli/run/device_choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/cli_support.h"

static bool add_device(struct device_choice *c, const char *name, struct err *e)
{
	for (int i = 0; i < c->count; i++)
		if (!strcmp(c->names[i], name))
			return err_set(e, ST_REQUEST, "--device %.100s is there twice; remove one", name);
	if (c->count == CHOICE_MAX)
		return err_set(e, ST_REQUEST, "more than %d devices; remove some", CHOICE_MAX);
	c->names[c->count++] = xstrdup(name);
	return device_name_check(name, e);
}

/* "hip" for "hip:*", which the caller frees; NULL for another name. */
static char *find_wildcard_prefix(const char *name)
{
	size_t n = strlen(name);
	return n > 2 && !strcmp(name + n - 2, ":*") ? xasprintf("%.*s", (int)n - 2, name) : NULL;
}

static bool has_prefix(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);
	return !strncmp(name, prefix, n) && name[n] == ':';
}

/* The devices that the machine has: those with this prefix, or with NULL its GPUs. */
static bool add_devices_found(struct device_choice *c, const char *prefix, struct err *e)
{
	char names[CHOICE_MAX][DEVICE_SHORT_NAME];
	size_t n = backends_list_devices(names, CHOICE_MAX, false);
	bool ok = true;
	for (size_t i = 0; ok && i < n; i++)
		if (prefix ? has_prefix(names[i], prefix) : device_can(names[i], DEVICE_HARDWARE))
			ok = add_device(c, names[i], e);
	return ok;
}

static bool add_named(struct device_choice *c, const char *name, struct err *e)
{
	char *prefix = find_wildcard_prefix(name);
	int before = c->count;
	bool ok = prefix ? add_devices_found(c, prefix, e) : add_device(c, name, e);
	if (ok && c->count == before)
		ok = err_set(e, ST_REQUEST, "this machine has no device %.60s; `wavedeck devices` lists them", name);
	free(prefix);
	return ok;
}

bool device_choice_make(struct device_choice *c, const char *const *named, bool all, struct err *e)
{
	bool ok = true;
	*c = (struct device_choice){.count = 0};
	for (int i = 0; ok && named[i]; i++)
		ok = add_named(c, named[i], e);
	if (ok && !c->count && all)
		ok = add_devices_found(c, NULL, e);
	return ok && (c->count || add_device(c, command_default_device(NULL), e));
}

void device_choice_free(struct device_choice *c)
{
	for (int i = 0; i < c->count; i++)
		free(c->names[i]);
	*c = (struct device_choice){.count = 0};
}
