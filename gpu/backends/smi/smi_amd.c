/* amd-smi, which replaces rocm-smi-lib from ROCm 10 on: clocks, temperature and power. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/backends/smi/hwmon.h"
#include "gpu/backends/smi/kfd_users.h"
#include "gpu/backends/smi/smi_library.h"

/* amdsmi.h is not included, so that the program builds without it. Names, numbers and layouts below are from amdsmi.h
 * 26.0 and 27.1. */
enum { AMDSMI_INIT_AMD_GPUS = 1 << 1, AMDSMI_STATUS_SUCCESS = 0 };
enum { AMDSMI_CLK_TYPE_SYS = 0, AMDSMI_CLK_TYPE_MEM = 4 };
enum { AMDSMI_TEMPERATURE_TYPE_EDGE = 0, AMDSMI_TEMPERATURE_TYPE_HOTSPOT = 1, AMDSMI_TEMP_CURRENT = 0 };
enum { FREQUENCIES = 33, POWER_MAX = 100000 /* W; unsupported values have all bits set */ };

struct amdsmi_frequencies {
	bool has_deep_sleep;
	uint32_t num_supported, current;
	uint64_t frequency[FREQUENCIES]; /* Hz */
};

/* Structures that grow from version to version are read from a buffer larger than all. */
union amdsmi_power {
	struct {
		uint64_t socket; /* W */
		uint32_t current_socket, average_socket;
	};
	uint8_t bytes[8192];
};
union amdsmi_driver {
	char version[256];
	uint8_t bytes[8192];
};
union amdsmi_version {
	struct {
		uint32_t major, minor, release;
	};
	uint8_t bytes[64];
};

static struct {
	int (*init)(uint64_t);
	int (*sockets)(uint32_t *, void **);
	int (*processors)(void *socket, uint32_t *, void **);
	int (*pci)(void *processor, uint64_t *);
	int (*clock)(void *processor, int, struct amdsmi_frequencies *);
	int (*temperature)(void *processor, int, int, int64_t *); /* degrees Celsius */
	int (*power)(void *processor, union amdsmi_power *);
	int (*version)(union amdsmi_version *);
	int (*driver)(void *processor, union amdsmi_driver *);
} amdsmi;

static const struct smi_symbol symbols[] = {
	{"amdsmi_init", &amdsmi.init, false},
	{"amdsmi_get_socket_handles", &amdsmi.sockets, false},
	{"amdsmi_get_processor_handles", &amdsmi.processors, false},
	{"amdsmi_get_gpu_device_bdf", &amdsmi.pci, false},
	{"amdsmi_get_clk_freq", &amdsmi.clock, false},
	{"amdsmi_get_temp_metric", &amdsmi.temperature, false},
	{"amdsmi_get_power_info", &amdsmi.power, false},
	{"amdsmi_get_lib_version", &amdsmi.version, true},
	{"amdsmi_get_gpu_driver_info", &amdsmi.driver, true},
};

static void *amdsmi_device;
static char *hwmon; /* for GPUs whose power amd-smi does not report: those without gpu_metrics, such as Vega 10 */

static bool resolve_amd_smi(void *handle, struct err *e)
{
	return smi_resolve_symbols(handle, symbols, sizeof symbols / sizeof *symbols, "libamd_smi", e);
}

/* The GPU of this socket at a PCI address; NULL: not here. */
static void *find_in_socket(void *socket, uint64_t pci)
{
	uint32_t n = 0;
	void *match = NULL;
	if (amdsmi.processors(socket, &n, NULL) || !n)
		return NULL;
	void **list = xcalloc(n, sizeof *list);
	if (amdsmi.processors(socket, &n, list))
		n = 0;
	for (uint32_t i = 0; !match && i < n; i++) {
		uint64_t id = 0;
		if (!amdsmi.pci(list[i], &id) && (id & ~(uint64_t)7) == pci)
			match = list[i];
	}
	free(list);
	return match;
}

static bool find_amd_smi_device(const struct device_info *info, struct err *e)
{
	/* amdsmi_bdf_t: domain << 16 | bus << 8 | device << 3 | function. */
	uint64_t pci =
		(uint64_t)info->pci_domain << 16 | (uint64_t)info->pci_bus << 8 | (uint64_t)info->pci_device << 3;
	uint32_t n = 0;
	amdsmi.sockets(&n, NULL);
	void **list = xcalloc(n + 1, sizeof *list);
	if (amdsmi.sockets(&n, list))
		n = 0;
	for (uint32_t i = 0; !amdsmi_device && i < n; i++)
		amdsmi_device = find_in_socket(list[i], pci);
	free(list);
	return amdsmi_device ||
		err_set(e, ST_FAILED, "no clock readings: amd-smi does not list the GPU at PCI bus %x",
			(unsigned)info->pci_bus & 0xff);
}

static bool start_amd_smi(const struct device_info *info, struct err *e)
{
	int r = amdsmi.init(AMDSMI_INIT_AMD_GPUS);
	if (r != AMDSMI_STATUS_SUCCESS)
		return err_set(e, ST_FAILED, "no clock readings: cannot initialize amd-smi (code %d)", r);
	hwmon = hwmon_find(info);
	kfd_users_find(KFD_NODES, info);
	return find_amd_smi_device(info, e);
}

static struct reading read_amd_clock(int type)
{
	struct amdsmi_frequencies f = {0};
	if (amdsmi.clock(amdsmi_device, type, &f) || f.current >= FREQUENCIES) /* out of range: not known */
		return (struct reading){0};
	uint64_t hz = f.frequency[f.current];
	return (struct reading){hz > 0, (double)hz / 1e6};
}

static struct reading read_amd_temperature(void)
{
	static const int sensors[] = {AMDSMI_TEMPERATURE_TYPE_HOTSPOT, AMDSMI_TEMPERATURE_TYPE_EDGE};
	for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++) {
		int64_t degrees = 0;
		if (!amdsmi.temperature(amdsmi_device, sensors[i], AMDSMI_TEMP_CURRENT, &degrees))
			return (struct reading){true, (double)degrees};
	}
	return (struct reading){0};
}

static struct reading read_amd_power(void)
{
	union amdsmi_power p;
	memset(&p, 0, sizeof p);
	if (amdsmi.power(amdsmi_device, &p))
		return hwmon_read(hwmon, "power1_average", 1e-6); /* from uW */
	const uint64_t values[] = {p.socket, p.current_socket, p.average_socket};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (values[i] && values[i] < POWER_MAX)
			return (struct reading){true, (double)values[i]};
	return (struct reading){0};
}

static struct clocks read_amd_smi(void)
{
	return (struct clocks){.sclk_mhz = read_amd_clock(AMDSMI_CLK_TYPE_SYS),
		.mclk_mhz = read_amd_clock(AMDSMI_CLK_TYPE_MEM),
		.temp_c = read_amd_temperature(),
		.power_w = read_amd_power()};
}

static void read_amd_version(char *out, size_t size)
{
	union amdsmi_version v;
	memset(&v, 0, sizeof v);
	*out = 0;
	if (amdsmi.version && !amdsmi.version(&v))
		snprintf(out, size, "%u.%u.%u", v.major, v.minor, v.release);
}

static void read_amd_driver(char *out, size_t size)
{
	union amdsmi_driver d;
	memset(&d, 0, sizeof d);
	*out = 0;
	if (amdsmi.driver && !amdsmi.driver(amdsmi_device, &d))
		snprintf(out, size, "%.*s", (int)strcspn(d.version, "\n"), d.version);
}

extern const struct smi_library smi_amd;
const struct smi_library smi_amd = {
	.name = "amd-smi",
	.key = "amd_smi",
	.library = {"libamd_smi.so", "27 26", NULL},
	.resolve = resolve_amd_smi,
	.start = start_amd_smi,
	.read = read_amd_smi,
	.count_others = kfd_count_others,
	.version = read_amd_version,
	.driver = read_amd_driver,
};
