/* The backend "cuda:N": GPU number N of NVIDIA, through CUDA's driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/host/host_paths.h"
#include "gpu/backends/backend.h"
#include "gpu/backends/cuda/cuda_runtime.h"
#include "gpu/backends/cuda/nvml_clock.h"
#include "gpu/backends/smi/smi.h"
#include "gpu/protocol/worker_protocol.h"

enum { NVML_LIMIT_MS = 5000, CUDA_INDEX_LIMIT = 1024 };

static bool parse_number(const char *text, int *out)
{
	char *end;
	long v = strtol(text, &end, 10);
	*out = (int)v;
	return *text >= '0' && *text <= '9' && !*end && v < CUDA_INDEX_LIMIT;
}

static bool is_number(const char *rest)
{
	int unused;
	return parse_number(rest, &unused);
}

/* The driver makes a file for each GPU. Variables such as CUDA_VISIBLE_DEVICES may hide some: opening one of these is
 * an error. */
static size_t list_cuda_gpus(char names[][DEVICE_SHORT_NAME], size_t max)
{
	struct text_list files = {0};
	char *pattern = host_path("/dev/nvidia[0-9]*");
	host_list_newest(&files, pattern);
	size_t count = files.count < max ? files.count : max;
	for (size_t i = 0; i < count; i++)
		snprintf(names[i], DEVICE_SHORT_NAME, "cuda:%zu", i);
	text_list_free(&files);
	free(pattern);
	return count;
}

/* Which target it is, only the driver says. That it is one of NVIDIA's is enough to choose variants of kernels. */
static void read_cuda_arch(const char *rest, char arch[DEVICE_ARCH])
{
	(void)rest;
	snprintf(arch, DEVICE_ARCH, "sm");
}

static void add_cuda_versions(json_t *versions)
{
	const struct smi_library *smi = smi_current();
	char library[64] = "", driver[128] = "";
	struct utsname u;
	if (smi) {
		smi->version(library, sizeof library);
		smi->driver(driver, sizeof driver);
	}
	json_object_set_new(versions, "nvml", *library ? json_string(library) : json_null());
	json_object_set_new(versions, "driver", *driver ? json_string(driver) : json_null());
	json_object_set_new(versions, "kernel", json_string(uname(&u) ? "" : u.release));
}

static bool prepare_clock(const char *rest, unsigned mhz, char give_back[CLOCK_COMMAND], struct err *e)
{
	int index = 0;
	parse_number(rest, &index);
	return nvml_clock_prepare(index, mhz, give_back, e);
}

static const struct clock_locker clock_lock = {prepare_clock, nvml_clock_lock, nvml_clock_unlock};

static bool open_cuda_gpu(const char *rest, struct opened_device *out, struct err *e)
{
	struct err why;
	int index = 0;
	parse_number(rest, &index);
	out->rt = &cuda_runtime;
	out->handle = cuda_runtime.open(index, &out->info, e);
	if (!out->handle)
		return false;
	out->has_sensors = smi_open(smi_of_nvidia, &out->info, NVML_LIMIT_MS, &why);
	if (!out->has_sensors)
		protocol_log("warning", "%s", why.text);
	out->read_clocks = smi_read;
	add_cuda_versions(out->info.versions);
	return true;
}

const struct backend backend_cuda = {
	.prefix = "cuda",
	.form = "cuda:0",
	.capabilities = DEVICE_HARDWARE,
	.clock = &clock_lock,
	.accepts = is_number,
	.list = list_cuda_gpus,
	.read_arch = read_cuda_arch,
	.open = open_cuda_gpu,
};
