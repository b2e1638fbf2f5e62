/* Looks for programs and folders on this machine, or below $WAVEDECK_SYSROOT. */
#include "base/host/host_paths.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

const char *host_root(void)
{
	const char *set = getenv("WAVEDECK_SYSROOT");
	return set ? set : "";
}

char *host_path(const char *path)
{
	return xasprintf("%s%s", host_root(), path);
}

static bool is_executable(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

char *host_find_program(const char *name)
{
	const char *folders = getenv("PATH");
	if (strchr(name, '/'))
		return is_executable(name) ? xstrdup(name) : NULL;
	for (const char *s = folders ? folders : "/usr/bin:/bin"; *s;) {
		size_t n = strcspn(s, ":");
		char *path = xasprintf("%.*s/%s", (int)n, s, name);
		if (n && is_executable(path))
			return path;
		free(path);
		s += n + (s[n] != 0);
	}
	return NULL;
}

void text_list_add(struct text_list *l, char *owned)
{
	l->items = xrealloc(l->items, (l->count + 1) * sizeof *l->items);
	l->items[l->count++] = owned;
}

void text_list_free(struct text_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->items[i]);
	free(l->items);
	*l = (struct text_list){0};
}

static int compare_newest_first(const void *a, const void *b)
{
	return strverscmp(*(char *const *)b, *(char *const *)a);
}

void host_list_newest(struct text_list *l, const char *pattern)
{
	glob_t found;
	if (glob(pattern, 0, NULL, &found))
		return;
	qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, compare_newest_first);
	for (size_t i = 0; i < found.gl_pathc; i++)
		text_list_add(l, xstrdup(found.gl_pathv[i]));
	globfree(&found);
}

/* ROCm up to 7: /opt/rocm-6.4.1 and a link /opt/rocm. From 10 on: /opt/rocm/core-10.0. */
void host_list_rocm(struct text_list *l)
{
	static const char *const patterns[] = {"/opt/rocm/core-[0-9]*", "/opt/rocm-[0-9]*"};
	text_list_add(l, host_path("/opt/rocm"));
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		char *pattern = host_path(patterns[i]);
		host_list_newest(l, pattern);
		free(pattern);
	}
}
