/* The backend "soft:MODEL": the software GPU. HIP runs on top of libsoftgpu.so, which is preloaded into the worker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "gpu/backends/hip.h"
#include "gpu/backends/hsa_targets.h"
#include "gpu/softgpu-link/model_table.h"
#include "gpu/softgpu-link/softenv.h"
#include "gpu/softgpu-link/softprobe.h"

/* A software GPU keeps a processor busy; the screen must get it at once when a key is pressed. */
enum { SOFT_NICE = 5 };

/* HIP waits for the oldest signal of a stream when all are in use, 32 by default. A sequence that is held back until it
 * is complete (gpu/worker/stream_sequence.h) would then wait forever. Its steps need at most two signals each. */
static const char SIGNAL_POOL[] = "16384";

static size_t list_models(char names[][DEVICE_SHORT_NAME], size_t max)
{
	struct soft_model models[SOFT_MODELS_MAX];
	size_t count = softgpu_list_models(models);
	count = count < max ? count : max;
	for (size_t i = 0; i < count; i++)
		snprintf(names[i], DEVICE_SHORT_NAME, "%.23s", models[i].device);
	return count;
}

static const char *default_model(void)
{
	return "soft:mi25";
}

static bool preload_softgpu(const char *rest, struct err *e)
{
	if (!softgpu_env_apply(rest, e))
		return false;
	setenv("ROC_SIGNAL_POOL_SIZE", SIGNAL_POOL, 1);
	setpriority(PRIO_PROCESS, 0, SOFT_NICE);
	return true;
}

static bool confirm_preload(struct err *e)
{
	softgpu_env_remove();
	return softprobe_is_present() ||
		err_set(e, ST_FAILED, "libsoftgpu.so was not loaded into the worker; build it again: make");
}

/* The target of "mi25,l1_bytes=65536"; "" for an unknown model. */
static const char *target_of_model(const char *rest, struct soft_model list[SOFT_MODELS_MAX])
{
	size_t count = softgpu_list_models(list), length = strcspn(rest, ",");
	for (size_t i = 0; i < count; i++)
		if (strlen(device_rest(list[i].device)) == length &&
			!strncmp(device_rest(list[i].device), rest, length))
			return list[i].arch;
	return "";
}

/* libsoftgpu.so has read the model from the environment. */
static bool open_model(const char *rest, struct opened_device *out, struct err *e)
{
	struct soft_model list[SOFT_MODELS_MAX];
	const char *target = target_of_model(rest, list);
	if (*target && !hsa_knows_target(target))
		return err_set(e, ST_FAILED, "the ROCm runtime here does not know %s; use Debian 13 or AMD's packages",
			target);
	return hip_open_device(0, out, e);
}

const struct backend backend_soft = {
	.prefix = "soft",
	.remark = "in software",
	.capabilities = DEVICE_SIMULATED | DEVICE_DETERMINISTIC | DEVICE_COUNTERS | DEVICE_STALLS | DEVICE_INSPECTOR |
		DEVICE_TUNABLE | DEVICE_REDUCED_SIZES,
	.check = softgpu_check_model,
	.check_counters = softgpu_check_counters,
	.list = list_models,
	.default_device = default_model,
	.set_environment = preload_softgpu,
	.clear_environment = confirm_preload,
	.open = open_model,
};
