#include "gpu/backends/gpu_backend.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/softgpu-link/model_table.h"

static const char *const kinds[DEVICE_KINDS] = {
	[DEVICE_SOFT] = "soft", [DEVICE_HIP] = "hip", [DEVICE_REPLAY] = "replay"};

const char *device_kind_name(enum device_kind kind)
{
	return kinds[kind];
}

static bool unknown(const char *name, struct err *e)
{
	struct soft_model soft[SOFT_MODELS_MAX];
	const char *examples[SOFT_MODELS_MAX + 3] = {"hip:0", "hip:1", "replay:FILE"};
	int count = 3;
	char models[400];
	for (size_t i = 0, n = softgpu_list_models(soft); i < n; i++)
		examples[count++] = soft[i].device;
	const char *near = find_nearest_name(name, examples, count);
	softgpu_join_model_names(models, sizeof models);
	return err_set(e, ST_REQUEST,
		"there is no device '%s'; %s%s%sdevices are %s, hip:0, replay:FILE (wavedeck devices lists them)", name,
		near ? "did you mean " : "", near ? near : "", near ? "? " : "", models);
}

static bool parse_index(const char *text, int *out)
{
	char *end;
	long v = strtol(text, &end, 10);
	*out = (int)v;
	return *text >= '0' && *text <= '9' && !*end && v < 1024;
}

bool device_name_parse(const char *name, struct device_name *out, struct err *e)
{
	for (int k = 0; k < DEVICE_KINDS; k++) {
		size_t n = strlen(kinds[k]);
		if (strncmp(name, kinds[k], n) || name[n] != ':' || !name[n + 1])
			continue;
		*out = (struct device_name){.kind = (enum device_kind)k, .rest = name + n + 1};
		if (k == DEVICE_HIP && !parse_index(out->rest, &out->index))
			break;
		return true;
	}
	return unknown(name, e);
}
