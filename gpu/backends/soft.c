/* The backend "soft:MODEL": the software GPU. HIP runs on top of libsoftgpu.so, which is preloaded into the worker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "gpu/backends/aql/aql_runtime.h"
#include "gpu/backends/faulty_runtime.h"
#include "gpu/backends/hip.h"
#include "gpu/backends/hip_runtime.h"
#include "gpu/backends/hsa_targets.h"
#include "gpu/backends/noisy_runtime.h"
#include "gpu/backends/smi/smi.h"
#include "gpu/protocol/worker_protocol.h"
#include "gpu/softgpu-link/model_table.h"
#include "gpu/softgpu-link/soft_name.h"
#include "gpu/softgpu-link/softenv.h"
#include "gpu/softgpu-link/softprobe.h"

/* A software GPU keeps a processor busy; the screen must get it at once when a key is pressed. */
enum { SOFT_NICE = 5, SMI_LIMIT_MS = 1500 };

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

static void read_model_arch(const char *rest, char arch[DEVICE_ARCH])
{
	struct soft_model models[SOFT_MODELS_MAX];
	const struct soft_model *m = softgpu_find_model(rest, models);
	if (m)
		snprintf(arch, DEVICE_ARCH, "%s", m->arch);
}

static const char *default_model(void)
{
	return "soft:mi25";
}

static bool preload_softgpu(const char *rest, struct err *e)
{
	char *plain = softgpu_check_model(rest, e) ? soft_name_remove_disturbances(rest) : NULL;
	bool ok = plain && softgpu_env_apply(plain, e);
	free(plain);
	if (!ok)
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

static void describe_missing_hip(const struct soft_model *model, char *out, size_t size)
{
	if (hip_is_installed())
		snprintf(out, size,
			"kernel driver, without HIP: ROCm here does not know %s; HIP programs and libraries need Debian 13 or AMD's packages",
			model->arch);
	else
		snprintf(out, size,
			"kernel driver, without HIP: it is not installed here; HIP programs, vendor libraries and printf need it");
}

/* The kernel driver knows every model, and needs no library. */
static bool open_without_hip(const struct soft_model *model, struct opened_device *out, struct err *e)
{
	struct err why;
	char remark[200];
	out->rt = &aql_runtime;
	out->handle = aql_runtime.open(0, &out->info, e);
	if (!out->handle)
		return false;
	snprintf(out->info.name, sizeof out->info.name, "%s", model->name);
	describe_missing_hip(model, remark, sizeof remark);
	json_object_set_new(out->info.versions, "runtime", json_string(remark));
	out->has_sensors = smi_open(smi_libraries, &out->info, SMI_LIMIT_MS, &why);
	if (!out->has_sensors)
		protocol_log("warning", "%s", why.text);
	out->read_clocks = smi_read;
	return true;
}

/* All that is shown of the device says it, by its name. A device with faults is measured as one with noise, which may
 * be none. */
static void add_disturbances(
	const char *rest, const struct noise_model *noise, const struct fault_model *faults, struct opened_device *out)
{
	const char *remark = !device_has_faults(rest) ? ", with noise"
		: device_has_noise(rest)              ? ", with noise and faults"
						      : ", with faults";
	if (strlen(out->info.name) + strlen(remark) < sizeof out->info.name)
		strcat(out->info.name, remark);
	noisy_runtime_wrap(out, noise);
	if (device_has_faults(rest))
		faulty_runtime_wrap(out, faults);
}

/* libsoftgpu.so has read the model from the environment. */
static bool open_model(const char *rest, struct opened_device *out, struct err *e)
{
	struct soft_model list[SOFT_MODELS_MAX];
	const struct soft_model *model = softgpu_find_model(rest, list);
	bool with_hip = !model || (hip_is_installed() && hsa_knows_target(model->arch));
	struct noise_model noise;
	struct fault_model faults;
	if (!noise_parse(rest, &noise, e) || !fault_parse(rest, &faults, e) ||
		!(with_hip ? hip_open_device(0, out, e) : open_without_hip(model, out, e)))
		return false;
	if (soft_name_is_disturbed(rest))
		add_disturbances(rest, &noise, &faults, out);
	return true;
}

const struct backend backend_soft = {
	.prefix = "soft",
	.remark = "in software",
	.capabilities = DEVICE_SIMULATED | DEVICE_DETERMINISTIC | DEVICE_COUNTERS | DEVICE_STALLS | DEVICE_INSPECTOR |
		DEVICE_TUNABLE | DEVICE_REDUCED_SIZES,
	.clock_advice =
		"a software GPU has the clock of its model; remove --lock-clocks, or choose another one: --device soft:mi25,sclk_khz=1200000",
	.check = softgpu_check_model,
	.check_counters = softgpu_check_counters,
	.list = list_models,
	.read_arch = read_model_arch,
	.default_device = default_model,
	.set_environment = preload_softgpu,
	.clear_environment = confirm_preload,
	.open = open_model,
};
