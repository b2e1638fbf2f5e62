/* The backend "hip:N": GPU number N through the HIP runtime. */
#include "gpu/backends/hip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "gpu/backends/hip_runtime.h"
#include "gpu/backends/kfd_topology.h"
#include "gpu/backends/smi/smi.h"
#include "gpu/protocol/worker_protocol.h"

enum { SMI_LIMIT_MS = 1500, GPUS_MAX = 16, INDEX_LIMIT = 1024 };

static bool parse_index(const char *text, int *out)
{
	char *end;
	long v = strtol(text, &end, 10);
	*out = (int)v;
	return *text >= '0' && *text <= '9' && !*end && v < INDEX_LIMIT;
}

static bool is_index(const char *rest)
{
	int unused;
	return parse_index(rest, &unused);
}

/* --- list --- */
static size_t count_kfd_gpus(void)
{
	struct kfd_gpu list[GPUS_MAX];
	return kfd_list_gpus(KFD_NODES, list, GPUS_MAX);
}

static size_t list_gpus(char names[][DEVICE_SHORT_NAME], size_t max)
{
	size_t count = count_kfd_gpus();
	count = count < max ? count : max;
	for (size_t i = 0; i < count; i++)
		snprintf(names[i], DEVICE_SHORT_NAME, "hip:%zu", i);
	return count;
}

static const char *find_default_gpu(void)
{
	return !access("/dev/kfd", R_OK | W_OK) && count_kfd_gpus() > 0 ? "hip:0" : NULL;
}

/* Variables of ROCm and HIP that hide GPUs, so that the others are numbered differently. */
static bool are_gpus_hidden(void)
{
	static const char *const names[] = {
		"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (getenv(names[i]))
			return true;
	return false;
}

static void read_gpu_arch(const char *rest, char arch[DEVICE_ARCH])
{
	struct kfd_gpu list[GPUS_MAX];
	size_t count = kfd_list_gpus(KFD_NODES, list, GPUS_MAX);
	int index;
	if (parse_index(rest, &index) && (size_t)index < count && !are_gpus_hidden())
		snprintf(arch, DEVICE_ARCH, "%s", list[index].arch);
}

/* --- open --- */
static void add_driver_versions(json_t *versions)
{
	const struct smi_library *smi = smi_current();
	char library[64] = "", driver[128] = "";
	struct utsname u;
	if (smi) {
		smi->version(library, sizeof library);
		smi->driver(driver, sizeof driver);
	}
	json_object_set_new(versions, smi ? smi->key : "rocm_smi", *library ? json_string(library) : json_null());
	json_object_set_new(versions, "driver", *driver ? json_string(driver) : json_null());
	json_object_set_new(versions, "kernel", json_string(uname(&u) ? "" : u.release));
}

bool hip_open_device(int index, struct opened_device *out, struct err *e)
{
	struct err why;
	out->rt = &hip_runtime;
	out->handle = hip_runtime.open(index, &out->info, e);
	if (!out->handle)
		return false;
	out->has_sensors = smi_open(smi_libraries, &out->info, SMI_LIMIT_MS, &why);
	if (!out->has_sensors)
		protocol_log("warning", "%s", why.text);
	out->read_clocks = smi_read;
	add_driver_versions(out->info.versions);
	return true;
}

static bool open_gpu(const char *rest, struct opened_device *out, struct err *e)
{
	int index = 0;
	parse_index(rest, &index);
	if (hip_open_device(index, out, e)) {
		hip_hold_launches(out->handle);
		return true;
	}
	if (strlen(e->text) + 40 < sizeof e->text)
		strcat(e->text, ", or use soft:mi25, which needs no GPU");
	return false;
}

const struct backend backend_hip = {
	.prefix = "hip",
	.form = "hip:0",
	.clock_advice =
		"wavedeck does not lock the clocks of AMD's GPUs; on an MI200 or later, an administrator does, for GPU 0: "
		"rocm-smi -d 0 --setperfdeterminism 1500, and gives them back: rocm-smi -d 0 --resetperfdeterminism",
	.offer_form = true,
	.capabilities = DEVICE_HARDWARE,
	.accepts = is_index,
	.list = list_gpus,
	.read_arch = read_gpu_arch,
	.default_device = find_default_gpu,
	.open = open_gpu,
};
