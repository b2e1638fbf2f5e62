/* Check a model's text, or that of a machine with several GPUs, without opening a device. */
#include <stdbool.h>
#include <stdio.h>

#include "softgpu/core/model_config.h"
#include "softgpu/core/softgpu.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/probe.h"

static int check_built(const struct model *m, char *why, size_t size)
{
	if (gpu_is_built(m))
		return 0;
	snprintf(why, size,
		"this build cannot run %s code yet; `make run` builds that in the background (a minute or two); or run: make",
		m->arch);
	return -1;
}

__attribute__((visibility("default"))) int softgpu_check(const char *model, char *why, size_t size)
{
	struct model m;

	return model_parse(&m, model, why, size) ? check_built(&m, why, size) : -1;
}

__attribute__((visibility("default"))) int softgpu_check_gpus(const char *text, char *why, size_t size)
{
	struct host_machine m;

	if (!machine_parse(&m, text, "", why, size))
		return -1;
	for (unsigned i = 0; i < m.count; i++)
		if (check_built(&m.gpu[i], why, size))
			return -1;
	return 0;
}
