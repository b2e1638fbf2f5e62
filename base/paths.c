/* Finds the data files of the program and the folders of the user. */
#include "base/paths.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

/* A point asks for many paths: what does not change while the program runs is found once. */
static pthread_once_t found_once = PTHREAD_ONCE_INIT;
static char own_path[PATH_MAX], *source_root; /* source_root: NULL if there is none */

static void find_once(void);

char *path_self(void)
{
	pthread_once(&found_once, find_once);
	return xstrdup(own_path);
}

static char *cut_last_component(char *path)
{
	char *slash = strrchr(path, '/');
	if (slash && slash != path)
		*slash = 0;
	return path;
}

/* The nearest folder above the executable that contains experiments/catalog; NULL if there is none. */
static char *find_source_root(void)
{
	char *at = cut_last_component(xstrdup(own_path));
	for (int up = 0; up < 5; up++) {
		char *probe = xasprintf("%s/experiments/catalog", at);
		struct stat st;
		bool found = !stat(probe, &st) && S_ISDIR(st.st_mode);
		free(probe);
		if (found)
			return at;
		cut_last_component(at);
	}
	free(at);
	return NULL;
}

static void find_once(void)
{
	ssize_t n = readlink("/proc/self/exe", own_path, sizeof own_path - 1);
	if (n < 0)
		snprintf(own_path, sizeof own_path, "wavedeck");
	source_root = find_source_root();
}

static const char *get_source_root(void)
{
	pthread_once(&found_once, find_once);
	return source_root;
}

bool path_is_source_tree(void)
{
	return get_source_root();
}

/* PREFIX is derived from the executable (PREFIX/bin/wavedeck), so that an installation can be moved. */
static char *find_prefix(void)
{
	char *bin = cut_last_component(path_self());
	char *slash = strrchr(bin, '/');
	if (slash && !strcmp(slash, "/bin"))
		return cut_last_component(bin);
	free(bin);
	return xstrdup(WAVEDECK_PREFIX);
}

static char *join_path(char *base, const char *middle, const char *name)
{
	char *path = xasprintf("%s%s%s%s", base, middle, name && *name ? "/" : "", name ? name : "");
	free(base);
	return path;
}

char *path_build(const char *name)
{
	if (path_is_source_tree())
		return join_path(cut_last_component(path_self()), "", name);
	return join_path(find_prefix(), "/lib/wavedeck", name);
}

static char *data_path(const char *in_source, const char *installed, const char *name)
{
	const char *root = get_source_root();
	return root ? join_path(xstrdup(root), in_source, name) : join_path(find_prefix(), installed, name);
}

char *path_kernels(const char *name)
{
	return data_path("/kernels", "/share/wavedeck/kernels", name);
}
char *path_catalog(void)
{
	return data_path("/experiments/catalog", "/share/wavedeck/catalog", NULL);
}
char *path_published(void)
{
	return data_path("/sessions/published", "/share/wavedeck/published", NULL);
}
char *path_share(const char *name)
{
	return data_path("/share", "/share/wavedeck", name);
}

char *path_kernel_object(const char *arch, const char *name)
{
	char *tail = xasprintf("kernels/%s/%s", arch, name), *path = path_build(tail);
	free(tail);
	return path;
}

/* Where a user without a home folder would have one, as in Debian's passwd: it does not exist, so nothing is read from
 * it. A folder that others can write to, such as /tmp, would let them plant settings and compiled kernels. */
static const char no_home[] = "/nonexistent";

const char *path_home(void)
{
	static char found[PATH_MAX];
	const char *home = getenv("HOME");
	if (home && *home == '/')
		return home;
	const struct passwd *user = *found ? NULL : getpwuid(getuid());
	if (!*found)
		snprintf(found, sizeof found, "%s", user && *user->pw_dir == '/' ? user->pw_dir : no_home);
	return strcmp(found, no_home) ? found : NULL;
}

static char *user_path(const char *variable, const char *fallback, const char *name)
{
	const char *set = getenv(variable), *home = path_home();
	if (set && *set == '/')
		return join_path(xstrdup(set), "/wavedeck", name);
	return join_path(xasprintf("%s%s", home ? home : no_home, fallback), "/wavedeck", name);
}

char *path_user_data(const char *name)
{
	return user_path("XDG_DATA_HOME", "/.local/share", name);
}
char *path_user_cache(const char *name)
{
	return user_path("XDG_CACHE_HOME", "/.cache", name);
}
char *path_user_config(const char *name)
{
	return user_path("XDG_CONFIG_HOME", "/.config", name);
}

const char *path_basename(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool path_has_suffix(const char *path, const char *suffix)
{
	size_t n = strlen(path), k = strlen(suffix);
	return n > k && !strcmp(path + n - k, suffix);
}

char *path_copy_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? xasprintf("%.*s", (int)(slash - path), path) : xstrdup(".");
}

void path_abbreviate_home(char *text)
{
	const char *home = path_home();
	size_t n = home ? strlen(home) : 0;
	while (n && home[n - 1] == '/')
		n--;
	for (char *at = text; n && (at = strstr(at, home)); at++) {
		bool begins = at == text || strchr(" :,;='\"(", at[-1]), ends = at[n] == '/';
		if (!begins || !ends)
			continue;
		*at = '~';
		memmove(at + 1, at + n, strlen(at + n) + 1);
	}
}

bool path_make_directories(const char *folder, struct err *e)
{
	errno = ENOENT;
	if (!strncmp(folder, no_home, sizeof no_home - 1) && !path_home())
		return err_set(e, ST_REQUEST,
			"this user has no home folder; set HOME, or XDG_CONFIG_HOME, XDG_DATA_HOME and XDG_CACHE_HOME");
	char *path = xstrdup(folder);
	for (char *p = path + 1;; p++) {
		if (*p && *p != '/')
			continue;
		char kept = *p;
		*p = 0;
		if (mkdir(path, 0755) && errno != EEXIST) {
			err_set(e, ST_REQUEST,
				"cannot create the folder %s: %s; choose another one with --record FILE or XDG_DATA_HOME",
				path, strerror(errno));
			free(path);
			return false;
		}
		if (!kept)
			break;
		*p = kept;
	}
	free(path);
	return true;
}
