/* Looks for the versions of a library and loads one. */
#include "base/host/shared_library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/host_paths.h"

/* The folders that the loader searches, without its cache. */
static void list_loader_folders(struct text_list *l)
{
	Dl_serinfo size, *info;
	void *self = dlopen(NULL, RTLD_LAZY);
	if (!self || dlinfo(self, RTLD_DI_SERINFOSIZE, &size))
		return;
	info = xcalloc(1, size.dls_size);
	dlinfo(self, RTLD_DI_SERINFOSIZE, info);
	for (unsigned i = 0; !dlinfo(self, RTLD_DI_SERINFO, info) && i < info->dls_cnt; i++)
		text_list_add(l, xstrdup(info->dls_serpath[i].dls_name));
	free(info);
	dlclose(self);
}

static void list_library_folders(struct text_list *l)
{
	static const char *const common[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"};
	struct text_list rocm = {0};
	if (!*host_root())
		list_loader_folders(l);
	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		text_list_add(l, host_path(common[i]));
	host_list_rocm(&rocm);
	for (size_t i = 0; i < rocm.count; i++) {
		text_list_add(l, xasprintf("%s/lib", rocm.items[i]));
		text_list_add(l, xasprintf("%s/lib64", rocm.items[i]));
	}
	text_list_free(&rocm);
	char *cuda = host_path("/usr/local/cuda*/lib64");
	host_list_newest(l, cuda);
	free(cuda);
}

/* Adds "FOLDER/libamdhip64.so.7", ... for the known versions; without a folder, the names for the loader's search. */
static void list_known_versions(struct text_list *l, const struct shared_library *library, const char *folder)
{
	for (const char *v = library->versions; *v; v += strspn(v, " ")) {
		int n = (int)strcspn(v, " ");
		char *path = xasprintf("%s%s%s.%.*s", folder ? folder : "", folder ? "/" : "", library->name, n, v);
		if (!folder || !access(path, F_OK))
			text_list_add(l, path);
		else
			free(path);
		v += n;
	}
}

static bool has_version_only(const char *path)
{
	const char *dot = strrchr(path, '.');
	size_t digits = dot ? strspn(dot + 1, "0123456789") : 0;
	return digits && !dot[1 + digits] && dot - path > 3 && !strncmp(dot - 3, ".so", 3);
}

/* "libamdhip64.so.8", not "libamdhip64.so.8.1.40": that is the same library. */
static void list_other_versions(struct text_list *l, const struct shared_library *library, const char *folder)
{
	struct text_list all = {0};
	char *pattern = xasprintf("%s/%s.[0-9]*", folder, library->name);
	host_list_newest(&all, pattern);
	free(pattern);
	for (size_t i = 0; i < all.count; i++)
		if (has_version_only(all.items[i]))
			text_list_add(l, xstrdup(all.items[i]));
	text_list_free(&all);
}

static void list_candidates(struct text_list *l, const struct shared_library *library)
{
	struct text_list folders = {0};
	list_library_folders(&folders);
	if (!*host_root())
		list_known_versions(l, library, NULL);
	for (size_t i = 0; i < folders.count; i++)
		list_known_versions(l, library, folders.items[i]);
	for (size_t i = 0; i < folders.count; i++)
		list_other_versions(l, library, folders.items[i]);
	text_list_free(&folders);
}

/* Whether the loader's message is not just "no such file": the library exists, but a library that it needs does not. */
static bool is_other_error(const char *name, const char *message)
{
	size_t n = strlen(name);
	return strncmp(message, name, n) || strncmp(message + n, ": cannot open", 13);
}

static void *open_candidate(const char *path, const char *symbol, int flags, char *why, size_t size)
{
	void *library = dlopen(path, flags);
	const char *message = library ? NULL : dlerror();
	if (!*why && message && is_other_error(path, message))
		snprintf(why, size, "%s", message);
	if (library && symbol && !dlsym(library, symbol)) {
		if (!*why)
			snprintf(why, size, "%s does not provide %s", path, symbol);
		dlclose(library);
		return NULL;
	}
	return library;
}

void *shared_library_open(const struct shared_library *l, int flags, char *why, size_t size)
{
	struct text_list candidates = {0};
	void *library = NULL;
	*why = 0;
	list_candidates(&candidates, l);
	for (size_t i = 0; !library && i < candidates.count; i++)
		library = open_candidate(candidates.items[i], l->symbol, flags, why, size);
	text_list_free(&candidates);
	return library;
}

const char *shared_library_find(void *handle, const struct library_function *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		void *found = dlsym(handle, list[i].name);
		if (!found)
			return list[i].name;
		memcpy(list[i].to, &found, sizeof found);
	}
	return NULL;
}

void shared_library_describe(void *handle, char *path, size_t path_size, char *version, size_t version_size)
{
	struct link_map *map = NULL;
	*path = *version = 0;
	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) || !map)
		return;
	snprintf(path, path_size, "%s", map->l_name);
	char *file = realpath(map->l_name, NULL), *at = file ? strstr(file, ".so.") : NULL;
	if (at && isdigit((unsigned char)at[4]))
		snprintf(version, version_size, "%s", at + 4);
	free(file);
}
