#include "gpu/softgpu-link/captured_file.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/paths.h"
#include "gpu/softgpu-link/softlib.h"

static void *lib; /* stays loaded: programs have thousands of launches */

bool captured_file_load_library(struct err *e)
{
	if (!lib)
		lib = softlib_open(e);
	return lib != NULL;
}

bool captured_file_read(const char *file, struct softgpu_captured *out, struct err *e)
{
	char why[300] = "";
	if (!captured_file_load_library(e))
		return false;
	softgpu_read_captured_fn *read = (softgpu_read_captured_fn *)dlsym(lib, "softgpu_read_captured");
	*out = (struct softgpu_captured){.size = sizeof *out};
	return (read && !read(file, out, why, sizeof why)) ||
		err_set(e, ST_FAILED, "%s: %s; capture it again", path_basename(file), why);
}

bool captured_file_replay(const char *file, char *why, size_t size)
{
	softgpu_open_captured_fn *open = lib ? (softgpu_open_captured_fn *)dlsym(lib, "softgpu_open_captured") : NULL;
	softgpu_run_captured_fn *run = lib ? (softgpu_run_captured_fn *)dlsym(lib, "softgpu_run_captured") : NULL;
	struct softgpu_replayed now = {.size = sizeof now};
	uint32_t as_then;
	if (!open || !run)
		snprintf(why, size, "libsoftgpu.so is not loaded");
	else if (!open(file, "", &as_then, why, size) && !run(SOFTGPU_CACHES_CAPTURED, &now))
		snprintf(why, size, "%s", now.why);
	return now.same;
}
