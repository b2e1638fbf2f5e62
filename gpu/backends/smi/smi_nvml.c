/* Clocks, temperature and power through NVML, of NVIDIA's driver. Functions and numbers: NVML API Reference. */
#include <stdio.h>
#include <string.h>

#include "gpu/backends/smi/smi_library.h"

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_TEMPERATURE_GPU = 0, PROCESSES_MAX = 64 };

typedef void *nvml_device;
struct nvml_process { /* nvmlProcessInfo_v2_t, also of version 3 of the function */
	unsigned pid;
	unsigned long long bytes;
	unsigned instance, compute_instance;
};
static struct {
	int (*init)(void);
	int (*find)(const char *pci, nvml_device *d);
	int (*clock)(nvml_device d, int type, unsigned *mhz);
	int (*temperature)(nvml_device d, int sensor, unsigned *degrees);
	int (*power)(nvml_device d, unsigned *milliwatts);
	int (*reasons)(nvml_device d, unsigned long long *bits),
		(*older_reasons)(nvml_device d, unsigned long long *bits);
	int (*library_version)(char *text, unsigned size);
	int (*driver_version)(char *text, unsigned size);
	int (*processes)(nvml_device d, unsigned *count, struct nvml_process *list);
	const char *(*describe_error)(int r);
} nvml;
static nvml_device device;

static const struct smi_symbol symbols[] = {
	{"nvmlInit_v2", &nvml.init, false},
	{"nvmlDeviceGetHandleByPciBusId_v2", &nvml.find, false},
	{"nvmlDeviceGetClockInfo", &nvml.clock, false},
	{"nvmlDeviceGetTemperature", &nvml.temperature, false},
	{"nvmlDeviceGetPowerUsage", &nvml.power, false},
	{"nvmlDeviceGetCurrentClocksEventReasons", &nvml.reasons, true},
	{"nvmlDeviceGetCurrentClocksThrottleReasons", &nvml.older_reasons, true},
	{"nvmlSystemGetNVMLVersion", &nvml.library_version, true},
	{"nvmlSystemGetDriverVersion", &nvml.driver_version, true},
	{"nvmlDeviceGetComputeRunningProcesses_v3", &nvml.processes, true},
	{"nvmlErrorString", &nvml.describe_error, false},
};

static bool resolve_nvml(void *handle, struct err *e)
{
	return smi_resolve_symbols(handle, symbols, sizeof symbols / sizeof *symbols, "libnvidia-ml", e);
}

static bool start_nvml(const struct device_info *info, struct err *e)
{
	char pci[32];
	snprintf(pci, sizeof pci, "%08x:%02x:%02x.0", info->pci_domain, info->pci_bus, info->pci_device);
	int r = nvml.init();
	if (r)
		return err_set(e, ST_FAILED, "no clock readings: cannot initialize NVML: %s", nvml.describe_error(r));
	r = nvml.find(pci, &device);
	return !r ||
		err_set(e, ST_FAILED, "no clock readings: NVML does not list the GPU at %s: %s", pci,
			nvml.describe_error(r));
}

static struct reading read_nvml_clock(int type)
{
	unsigned mhz;
	return nvml.clock(device, type, &mhz) ? (struct reading){0} : (struct reading){true, mhz};
}

/* NVML calls them clock event reasons, before CUDA 12.2 throttle reasons. An idle GPU, and clocks that someone has set,
 * are none: they do not change during a point. */
static unsigned read_limits(void)
{
	static const struct {
		unsigned long long bits;
		enum clock_limit limit;
	} rows[] = {
		{0x4, CLOCK_LIMIT_POWER},               /* software power cap */
		{0x80, CLOCK_LIMIT_POWER},              /* power brake */
		{0x20 | 0x40, CLOCK_LIMIT_TEMPERATURE}, /* by software, by hardware */
		{0x8, CLOCK_LIMIT_HARDWARE},            /* slowdown, also by the two above */
		{0x10, CLOCK_LIMIT_OTHER_GPU},          /* sync boost */
	};
	unsigned long long bits = 0;
	unsigned limits = 0;
	int (*read)(nvml_device, unsigned long long *) = nvml.reasons ? nvml.reasons : nvml.older_reasons;
	if (!read || read(device, &bits))
		return 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		limits |= bits & rows[i].bits ? rows[i].limit : 0;
	return limits;
}

/* Processes with a context, without this one, which has one while a point is measured. An idle one counts, too. Numbers
 * are not compared: in a container, NVML may have those of the host. */
static unsigned count_nvml_others(void)
{
	struct nvml_process list[PROCESSES_MAX];
	unsigned count = PROCESSES_MAX;
	if (!nvml.processes || nvml.processes(device, &count, list) || !count)
		return 0;
	return count - 1;
}

static struct clocks read_nvml(void)
{
	struct clocks c = {.sclk_mhz = read_nvml_clock(NVML_CLOCK_SM), .mclk_mhz = read_nvml_clock(NVML_CLOCK_MEM)};
	unsigned v;
	if (!nvml.temperature(device, NVML_TEMPERATURE_GPU, &v))
		c.temp_c = (struct reading){true, v};
	if (!nvml.power(device, &v))
		c.power_w = (struct reading){true, v * 1e-3};
	c.limits = read_limits();
	return c;
}

static void read_nvml_version(char *out, size_t size)
{
	if (!nvml.library_version || nvml.library_version(out, (unsigned)size))
		*out = 0;
}

static void read_nvidia_driver(char *out, size_t size)
{
	if (!nvml.driver_version || nvml.driver_version(out, (unsigned)size))
		*out = 0;
}

extern const struct smi_library smi_nvml;
const struct smi_library smi_nvml = {
	.name = "NVML",
	.key = "nvml",
	.library = {"libnvidia-ml.so", "1", NULL},
	.resolve = resolve_nvml,
	.start = start_nvml,
	.read = read_nvml,
	.count_others = count_nvml_others,
	.version = read_nvml_version,
	.driver = read_nvidia_driver,
};
