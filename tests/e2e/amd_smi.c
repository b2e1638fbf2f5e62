/* A libamd_smi with the interface and layouts of amdsmi.h 27.1: one GPU at PCI address 0000:03:00.0 with fixed
 * readings. It gives the power only if AMD_SMI_POWER is set, as the real one does for GPUs with gpu_metrics. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, INVALID = 1, NOT_SUPPORTED = 2, NOT_INITIALIZED = 32 };
static int socket_handle, other_handle, gpu_handle;
static bool initialized;

struct frequencies {
	bool has_deep_sleep;
	uint32_t num_supported, current;
	uint64_t frequency[33];
};
struct power {
	uint64_t socket_power;
	uint32_t current_socket_power, average_socket_power;
	uint64_t gfx_voltage, soc_voltage, mem_voltage;
	uint32_t power_limit, ubb_power;
	uint64_t reserved[18];
};
struct version {
	uint32_t major, minor, release;
	const char *build;
};

int amdsmi_init(uint64_t flags)
{
	initialized = flags == 2; /* AMDSMI_INIT_AMD_GPUS */
	return initialized ? SUCCESS : INVALID;
}

static int give_handles(uint32_t *count, void **out, void **list, uint32_t n)
{
	if (!initialized)
		return NOT_INITIALIZED;
	for (uint32_t i = 0; out && i < n && i < *count; i++)
		out[i] = list[i];
	*count = n;
	return SUCCESS;
}

int amdsmi_get_socket_handles(uint32_t *count, void **out)
{
	return give_handles(count, out, (void *[]){&socket_handle}, 1);
}

int amdsmi_get_processor_handles(void *socket, uint32_t *count, void **out)
{
	return socket == &socket_handle ? give_handles(count, out, (void *[]){&other_handle, &gpu_handle}, 2) : INVALID;
}

int amdsmi_get_gpu_device_bdf(void *gpu, uint64_t *out)
{
	*out = gpu == &gpu_handle ? 3 << 8 : 5 << 8; /* domain << 16 | bus << 8 | device << 3 | function */
	return SUCCESS;
}

int amdsmi_get_clk_freq(void *gpu, int type, struct frequencies *out)
{
	if (gpu != &gpu_handle || (type != 0 && type != 4))
		return NOT_SUPPORTED;
	*out = (struct frequencies){false, 3, 1, {1, type ? 876000000 : 1234000000, 2}};
	return SUCCESS;
}

int amdsmi_get_temp_metric(void *gpu, int sensor, int metric, int64_t *out)
{
	*out = 61;
	return gpu == &gpu_handle && sensor == 1 && metric == 0 ? SUCCESS : NOT_SUPPORTED;
}

int amdsmi_get_power_info(void *gpu, struct power *out)
{
	memset(out, 0xff, sizeof *out);
	if (gpu != &gpu_handle || !getenv("AMD_SMI_POWER"))
		return NOT_SUPPORTED;
	out->average_socket_power = 87;
	return SUCCESS;
}

int amdsmi_get_lib_version(struct version *out)
{
	*out = (struct version){27, 1, 0, "test"};
	return SUCCESS;
}
