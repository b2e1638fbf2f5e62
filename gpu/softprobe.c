#include "gpu/softprobe.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "base/buf.h"

enum { COUNTERS = 256 };

static void *find(const char *name) { return dlsym(RTLD_DEFAULT, name); }

bool softprobe_present(void) { return find("softgpu_version") != NULL; }

void softprobe_stop(void)
{
	softgpu_stop_fn *f = (softgpu_stop_fn *)find("softgpu_stop");
	if (f)
		f();
}

bool softprobe_progress(struct softgpu_progress *out)
{
	softgpu_progress_fn *f = (softgpu_progress_fn *)find("softgpu_progress");
	if (f)
		f(out);
	return f != NULL;
}

bool softprobe_last_launch(struct softgpu_launch *out)
{
	softgpu_last_launch_fn *f = (softgpu_last_launch_fn *)find("softgpu_last_launch");
	*out = (struct softgpu_launch){ .size = sizeof *out };
	return f && f(out) == 0;
}

bool softprobe_counter(const char *name, double *out)
{
	softgpu_counters_fn *f = (softgpu_counters_fn *)find("softgpu_counters");
	struct softgpu_counter list[COUNTERS];
	size_t n = f ? f(list, COUNTERS) : 0;
	for (size_t i = 0; i < n && i < COUNTERS; i++)
		if (!strcmp(list[i].name, name)) {
			*out = (double)list[i].value;
			return true;
		}
	return false;
}

json_t *softprobe_constants(void)
{
	softgpu_constants_fn *f = (softgpu_constants_fn *)find("softgpu_constants");
	if (!f)
		return NULL;
	size_t need = f(NULL, 0) + 1;
	char *text = xcalloc(1, need), *rest = text;
	f(text, need);
	json_t *o = json_object();
	for (char *line; (line = strsep(&rest, "\n"));) {
		char *value = strchr(line, '=');
		if (!value)
			continue;
		*value++ = 0;
		json_object_set_new(o, line, json_integer(strtoll(value, NULL, 10)));
	}
	free(text);
	return o;
}

uint64_t softprobe_memory_budget(void)
{
	struct sysinfo info;
	json_t *constants = softprobe_constants();
	uint64_t percent = (uint64_t)json_integer_value(json_object_get(constants, "host_memory_percent"));
	json_decref(constants);
	return sysinfo(&info) ? 0 : (uint64_t)info.totalram * info.mem_unit / 100 * percent;
}
