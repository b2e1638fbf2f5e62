/* Check a model's text without opening a device. */
#include "softgpu/core/model_config.h"
#include "softgpu/probe.h"

__attribute__((visibility("default"))) int softgpu_check(const char *model, char *why, size_t size)
{
	struct model m;

	return model_parse(&m, model, why, size) ? 0 : -1;
}
