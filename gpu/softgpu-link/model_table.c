/* Queries the software GPU library for its models, constants and counters. */
#include "gpu/softgpu-link/model_table.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/softgpu-link/soft_name.h"
#include "gpu/softgpu-link/softenv.h"
#include "gpu/softgpu-link/softlib.h"
#include "softgpu/probe.h"

static char *describe_model(void *lib, const char *model)
{
	softgpu_describe_fn *describe = (softgpu_describe_fn *)dlsym(lib, "softgpu_describe");
	size_t length = describe ? describe(model, NULL, 0) : 0;
	if (!length)
		return NULL;
	char *text = xmalloc(length + 1);
	describe(model, text, length + 1);
	return text;
}

char *softgpu_read_model_table(const char *model, struct err *e)
{
	if (!softgpu_check_model(model, e))
		return NULL;
	void *lib = softlib_open(e);
	char *plain = soft_name_remove_disturbances(model), *text = lib ? describe_model(lib, plain) : NULL;
	if (lib && !text)
		err_set(e, ST_FAILED, "libsoftgpu.so does not describe the model %s; rebuild it: make", model);
	if (lib)
		dlclose(lib);
	free(plain);
	return text;
}

void softgpu_split_constant(char *line, char *field[CONSTANT_FIELDS])
{
	for (int i = 0; i < CONSTANT_FIELDS; i++) {
		field[i] = line ? line : "";
		line = line ? strchr(line, '\t') : NULL;
		if (line)
			*line++ = 0;
	}
}

/* --- models --- */
static char *read_models(void *lib)
{
	softgpu_models_fn *models = (softgpu_models_fn *)dlsym(lib, "softgpu_models");
	size_t length = models ? models(NULL, 0) : 0;
	char *text = xmalloc(length + 1);
	*text = 0;
	if (length)
		models(text, length + 1);
	return text;
}

static char *models_text(void)
{
	void *lib = softlib_open(NULL);
	char *text = lib ? read_models(lib) : xstrdup("");
	if (lib)
		dlclose(lib);
	return text;
}

size_t softgpu_list_models(struct soft_model out[SOFT_MODELS_MAX])
{
	char *text = models_text(), *save = NULL;
	size_t count = 0;
	for (char *line = strtok_r(text, "\n", &save); line && count < SOFT_MODELS_MAX;
		line = strtok_r(NULL, "\n", &save)) {
		struct soft_model *m = &out[count];
		char name[16];
		if (sscanf(line, "%15[^\t]\t%15[^\t]\t%63[^\n]", name, m->arch, m->name) != 3)
			continue;
		snprintf(m->device, sizeof m->device, "soft:%s", name);
		count++;
	}
	if (!count)
		out[count++] = (struct soft_model){.device = "soft:mi25"};
	free(text);
	return count;
}

const struct soft_model *softgpu_find_model(const char *constants, struct soft_model list[SOFT_MODELS_MAX])
{
	size_t count = softgpu_list_models(list), length = strcspn(constants, ",");
	for (size_t i = 0; i < count; i++) {
		const char *name = strchr(list[i].device, ':') + 1;
		if (strlen(name) == length && !strncmp(name, constants, length))
			return &list[i];
	}
	return NULL;
}

enum { NAMES_MAX = 256 };

static bool check_counter_names(const struct softgpu_counter *list, size_t n, const char *const *names, struct err *e)
{
	const char *all[NAMES_MAX + 1] = {NULL};
	int count = 0;
	for (size_t i = 0; i < n && i < NAMES_MAX; i++)
		all[count++] = list[i].name;
	for (; *names; names++) {
		if (name_list_index(*names, all) >= 0)
			continue;
		const char *near = find_nearest_name(*names, all, count);
		return err_set(e, ST_REQUEST, "unknown counter '%.60s'; %s%s%s", *names, near ? "did you mean " : "",
			near ? near : "`wavedeck devices --json` lists all counters", near ? "?" : "");
	}
	return true;
}

bool softgpu_check_counters(const char *const *names, struct err *e)
{
	struct softgpu_counter list[NAMES_MAX];
	void *lib = softlib_open(e);
	if (!lib)
		return false;
	softgpu_counter_names_fn *all = (softgpu_counter_names_fn *)dlsym(lib, "softgpu_counter_names");
	bool ok = all ? check_counter_names(list, all(list, NAMES_MAX), names, e)
		      : err_set(e, ST_FAILED, "libsoftgpu.so does not list its counters; rebuild it: make");
	dlclose(lib);
	return ok;
}
