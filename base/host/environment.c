#include "base/host/environment.h"

#include <stddef.h>
#include <string.h>

#include "base/buf.h"

extern char **environ;

static size_t count_variables(char *const *list)
{
	size_t n = 0;
	while (list && list[n])
		n++;
	return n;
}

static bool is_replaced(const char *variable, char *const *added)
{
	size_t n = strcspn(variable, "=");
	for (; *added; added++)
		if (!strncmp(*added, variable, n) && (*added)[n] == '=')
			return true;
	return false;
}

char **environment_make(bool (*keep)(const char *variable), char *const *added)
{
	size_t kept = 0;
	char **env = xcalloc(count_variables(environ) + count_variables(added) + 1, sizeof *env);
	for (char **p = environ; p && *p; p++)
		if ((!keep || keep(*p)) && !is_replaced(*p, added))
			env[kept++] = *p;
	for (; *added; added++)
		env[kept++] = *added;
	return env;
}
