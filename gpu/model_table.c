#include "gpu/model_table.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "gpu/softenv.h"
#include "softgpu/probe.h"

static char *table_of(void *lib, const char *model)
{
	softgpu_describe_fn *describe = (softgpu_describe_fn *)dlsym(lib, "softgpu_describe");
	size_t length = describe ? describe(model, NULL, 0) : 0;
	if (!length)
		return NULL;
	char *text = xmalloc(length + 1);
	describe(model, text, length + 1);
	return text;
}

char *softgpu_model_table(const char *model, struct err *e)
{
	if (!softgpu_model_check(model, e))
		return NULL;
	char *path = path_build("libsoftgpu.so");
	void *lib = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	char *text = lib ? table_of(lib, model) : NULL;
	if (!text)
		err_set(e, ST_FAILED, "%s does not describe the model %s; build it again: make", path, model);
	if (lib)
		dlclose(lib);
	free(path);
	return text;
}

enum { NAMES_MAX = 256 };

static bool is_one_of(const char *name, const char *const *list, int count)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

static bool known(const struct softgpu_counter *list, size_t n, const char *const *names, struct err *e)
{
	const char *all[NAMES_MAX];
	int count = 0;
	for (size_t i = 0; i < n && i < NAMES_MAX; i++)
		all[count++] = list[i].name;
	for (; *names; names++) {
		if (is_one_of(*names, all, count))
			continue;
		const char *near = nearest_name(*names, all, count);
		return err_set(e, ST_REQUEST, "the software GPU has no counter '%.60s'%s%s%s", *names, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	}
	return true;
}

bool softgpu_counters_check(const char *const *names, struct err *e)
{
	struct softgpu_counter list[NAMES_MAX];
	char *path = path_build("libsoftgpu.so");
	void *lib = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	softgpu_counter_names_fn *all = lib ? (softgpu_counter_names_fn *)dlsym(lib, "softgpu_counter_names") : NULL;
	bool ok = all ? known(list, all(list, NAMES_MAX), names, e) : err_set(e, ST_FAILED, "%s does not name its counters; build it again: make", path);
	if (lib)
		dlclose(lib);
	free(path);
	return ok;
}
