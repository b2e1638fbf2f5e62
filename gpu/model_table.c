#include "gpu/model_table.h"

#include <dlfcn.h>
#include <stdlib.h>

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
