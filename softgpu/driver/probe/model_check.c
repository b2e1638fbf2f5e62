/* Check a model's text, or that of a machine with several GPUs, without opening a device. */
#include "softgpu/core/model_config.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/probe.h"

__attribute__((visibility("default"))) int softgpu_check(const char *model, char *why, size_t size)
{
	struct model m;

	return model_parse(&m, model, why, size) ? 0 : -1;
}

__attribute__((visibility("default"))) int softgpu_check_gpus(const char *text, char *why, size_t size)
{
	struct host_machine m;

	return machine_parse(&m, text, "", why, size) ? 0 : -1;
}
