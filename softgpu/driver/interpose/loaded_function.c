#include "softgpu/driver/interpose/loaded_function.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/driver/interpose/strbuf.h"
#include "softgpu/driver/probe/driver_trace.h"

static bool is_in_this_library(const void *address)
{
	Dl_info of, self;

	return dladdr(address, &of) && dladdr(__func__, &self) && of.dli_fbase == self.dli_fbase;
}

/* In a loaded library and those that it needs. "" is the program, whose scope is the global one. */
static void *find_in_library(const char *path, const char *name)
{
	void *library = *path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	void *function = library ? dlsym(library, name) : NULL;

	if (library)
		dlclose(library);
	return function && !is_in_this_library(function) ? function : NULL;
}

static void *find_for_caller(const char *name, const void *caller)
{
	struct link_map *map;
	Dl_info info;

	return caller && dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) && map
		? find_in_library(map->l_name, name)
		: NULL;
}

static int append_path(struct dl_phdr_info *info, size_t size, void *paths)
{
	(void)size;
	if (info->dlpi_name)
		strbuf_append(paths, info->dlpi_name, strlen(info->dlpi_name) + 1);
	return 0;
}

/* The paths first: the loader holds a lock during the walk. */
static void *find_in_any_library(const char *name)
{
	struct strbuf paths = {0};
	void *function = NULL;

	dl_iterate_phdr(append_path, &paths);
	for (size_t at = 0; !function && at < paths.length; at += strlen(paths.data + at) + 1)
		function = find_in_library(paths.data + at, name);
	strbuf_free(&paths);
	return function;
}

static void keep_library_loaded(const void *function)
{
	Dl_info info;

	if (dladdr(function, &info) && info.dli_fname)
		dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void *loaded_function_find(const char *name, const void *caller)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		function = find_for_caller(name, caller);
	if (!function)
		function = find_in_any_library(name);
	if (function)
		keep_library_loaded(function);
	return function;
}

void *loaded_function_get(struct loaded_function *last, const char *name, const void *caller)
{
	if (!last->function || last->caller != caller) {
		last->function = loaded_function_find(name, caller);
		last->caller = caller;
	}
	return last->function;
}

void *loaded_function_require(struct loaded_function *last, const char *name, const void *caller)
{
	void *function = loaded_function_get(last, name, caller);

	if (!function) {
		driver_warn("the program calls %s, which no loaded library provides; load libamdhip64.so first", name);
		abort();
	}
	return function;
}
