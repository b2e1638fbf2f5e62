#include "gpu/softgpu-link/captured_file.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

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

/* Profiled, a launch takes up to five times as long. */
static bool is_short(const char *file)
{
	enum { INSTRUCTIONS_MAX = 20000000 };
	struct softgpu_captured c;
	struct err unused;
	return captured_file_read(file, &c, &unused) && c.instructions <= INSTRUCTIONS_MAX;
}

static void read_main_stall(struct captured_stall *out)
{
	static const char prefix[] = "CYCLES_";
	softgpu_account_fn *account = (softgpu_account_fn *)dlsym(lib, "softgpu_account");
	struct softgpu_cycles list[SOFTGPU_STALL_REASONS];
	double all = 0, most = 0;
	if (!account || account(list, SOFTGPU_STALL_REASONS) != SOFTGPU_STALL_REASONS)
		return;
	for (int i = 0; i < SOFTGPU_STALL_REASONS; i++) {
		all += (double)list[i].cycles;
		if ((double)list[i].cycles <= most)
			continue;
		most = (double)list[i].cycles;
		snprintf(out->name, sizeof out->name, "%s", list[i].name + strlen(prefix));
	}
	out->share = all > 0 ? most / all : 0;
}

bool captured_file_replay(const char *file, struct captured_stall *stall, char *why, size_t size)
{
	softgpu_open_captured_fn *open = (softgpu_open_captured_fn *)dlsym(lib, "softgpu_open_captured");
	softgpu_run_captured_fn *run = (softgpu_run_captured_fn *)dlsym(lib, "softgpu_run_captured");
	softgpu_look_fn *look = (softgpu_look_fn *)dlsym(lib, "softgpu_look");
	struct softgpu_replayed now = {.size = sizeof now};
	bool profiled = look && is_short(file);
	uint32_t alike;
	*stall = (struct captured_stall){.name = ""};
	if (!open || !run || open(file, NULL, &alike, why, size))
		return false;
	if (profiled)
		look(SOFTGPU_PROFILE_CYCLES);
	run(SOFTGPU_CACHES_CAPTURED, &now);
	snprintf(why, size, "%s", now.why);
	if (profiled)
		read_main_stall(stall);
	return now.same;
}
