/* rocm-smi-lib: clocks, temperature and power. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gpu/backends/smi/kfd_users.h"
#include "gpu/backends/smi/smi_library.h"

/* rocm_smi.h is not included: the layout of rsmi_frequencies_t changed in 6.0 without a new soname, so the structure is
 * read by offsets that are chosen at run time. Names, numbers and layouts below are from rocm_smi.h 5.2 and 6.0. */
enum { RSMI_STATUS_SUCCESS = 0, RSMI_STATUS_INIT_ERROR = 8 };
enum { RSMI_CLK_TYPE_SYS = 0, RSMI_CLK_TYPE_MEM = 4 };
enum { RSMI_TEMP_TYPE_EDGE = 0, RSMI_TEMP_TYPE_JUNCTION = 1, RSMI_TEMP_CURRENT = 0 };
enum { RSMI_SW_COMP_DRIVER = 0 };
enum { STRUCTURE_MAX = 8192 }; /* larger than any version of any structure */
struct rsmi_version {
	uint32_t major, minor, patch;
	const char *build;
};

static struct {
	int (*init)(uint64_t);
	int (*count)(uint32_t *);
	int (*pci_id)(uint32_t, uint64_t *);
	int (*clock)(uint32_t, int, void *);
	int (*temperature)(uint32_t, uint32_t, int, int64_t *);
	int (*power_average)(uint32_t, uint32_t, uint64_t *);
	int (*power)(uint32_t, uint64_t *, int *); /* from 6.0: average or socket power, depending on the GPU */
	int (*version)(struct rsmi_version *);
	int (*version_text)(int, char *, uint32_t);
} rsmi;

static uint32_t rsmi_device;
static size_t current_at, frequencies_at; /* in rsmi_frequencies_t */

static const struct smi_symbol symbols[] = {
	{"rsmi_init", &rsmi.init, false},
	{"rsmi_num_monitor_devices", &rsmi.count, false},
	{"rsmi_dev_pci_id_get", &rsmi.pci_id, false},
	{"rsmi_dev_gpu_clk_freq_get", &rsmi.clock, false},
	{"rsmi_dev_temp_metric_get", &rsmi.temperature, false},
	{"rsmi_dev_power_ave_get", &rsmi.power_average, true},
	{"rsmi_dev_power_get", &rsmi.power, true},
	{"rsmi_version_get", &rsmi.version, true},
	{"rsmi_version_str_get", &rsmi.version_text, true},
};

static bool resolve_rocm_smi(void *handle, struct err *e)
{
	if (!smi_resolve_symbols(handle, symbols, sizeof symbols / sizeof *symbols, "librocm_smi64", e))
		return false;
	/* rsmi_frequencies_t: {num @0, current @4, frequency[32] @8} up to 5.7; {has_deep_sleep @0, num @4, current @8,
	 * frequency[33] @16} from 6.0. Neither the soname nor the version number shows which one it is; this function
	 * was added together with the new layout. */
	bool new = dlsym(handle, "rsmi_dev_activity_metric_get") != NULL;
	current_at = new ? 8 : 4;
	frequencies_at = new ? 16 : 8;
	return true;
}

static bool find_rocm_smi_device(const struct device_info *info, struct err *e)
{
	/* Layout of rsmi_dev_pci_id_get: domain << 32 | bus << 8 | device << 3 | function. */
	uint64_t pci =
		(uint64_t)info->pci_domain << 32 | (uint64_t)info->pci_bus << 8 | (uint64_t)info->pci_device << 3;
	uint32_t n = 0;
	rsmi.count(&n);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t id = 0;
		if (!rsmi.pci_id(i, &id) && (id & 0xffffffff0000fff8) == pci) {
			rsmi_device = i;
			return true;
		}
	}
	return err_set(e, ST_FAILED, "no clock readings: rocm-smi does not list the GPU at PCI bus %x",
		(unsigned)info->pci_bus & 0xff);
}

static bool start_rocm_smi(const struct device_info *info, struct err *e)
{
	int r = rsmi.init(0);
	if (r == RSMI_STATUS_INIT_ERROR)
		return err_set(e, ST_FAILED,
			"no clock readings: a killed program left the lock of rocm-smi behind; remove it: rm /dev/shm/rocm_smi_card*");
	if (r != RSMI_STATUS_SUCCESS)
		return err_set(e, ST_FAILED, "no clock readings: cannot initialize rocm-smi (code %d)", r);
	kfd_users_find(KFD_NODES, info);
	return find_rocm_smi_device(info, e);
}

static struct reading read_rocm_clock(int type)
{
	union {
		uint8_t bytes[STRUCTURE_MAX];
		uint64_t align;
	} f;
	uint32_t current;
	uint64_t hz;
	memset(&f, 0, sizeof f);
	if (rsmi.clock(rsmi_device, type, &f))
		return (struct reading){0};
	memcpy(&current, f.bytes + current_at, sizeof current);
	if (current >= 32) /* out of range if no level is marked as current */
		return (struct reading){0};
	memcpy(&hz, f.bytes + frequencies_at + 8 * current, sizeof hz);
	return (struct reading){hz > 0, (double)hz / 1e6};
}

static struct reading read_rocm_temperature(void)
{
	static const uint32_t sensors[] = {RSMI_TEMP_TYPE_JUNCTION, RSMI_TEMP_TYPE_EDGE};
	for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++) {
		int64_t milli = 0;
		if (!rsmi.temperature(rsmi_device, sensors[i], RSMI_TEMP_CURRENT, &milli))
			return (struct reading){true, (double)milli / 1e3};
	}
	return (struct reading){0};
}

static struct reading read_rocm_power(void)
{
	uint64_t micro = 0;
	int kind = 0;
	if (rsmi.power_average && !rsmi.power_average(rsmi_device, 0, &micro))
		return (struct reading){true, (double)micro / 1e6};
	if (rsmi.power && !rsmi.power(rsmi_device, &micro, &kind))
		return (struct reading){true, (double)micro / 1e6};
	return (struct reading){0};
}

static struct clocks read_rocm_smi(void)
{
	return (struct clocks){.sclk_mhz = read_rocm_clock(RSMI_CLK_TYPE_SYS),
		.mclk_mhz = read_rocm_clock(RSMI_CLK_TYPE_MEM),
		.temp_c = read_rocm_temperature(),
		.power_w = read_rocm_power()};
}

static void read_rocm_version(char *out, size_t size)
{
	struct rsmi_version v = {0};
	*out = 0;
	if (rsmi.version && !rsmi.version(&v))
		snprintf(out, size, "%u.%u.%u", v.major, v.minor, v.patch);
}

static void read_rocm_driver(char *out, size_t size)
{
	*out = 0;
	if (rsmi.version_text)
		rsmi.version_text(RSMI_SW_COMP_DRIVER, out, (uint32_t)size);
	out[strcspn(out, "\n")] = 0;
}

extern const struct smi_library smi_rocm;
const struct smi_library smi_rocm = {
	.name = "rocm-smi",
	.key = "rocm_smi",
	.library = {"librocm_smi64.so", "1 7 6 5", NULL}, /* 1: the distributions' packages */
	.resolve = resolve_rocm_smi,
	.start = start_rocm_smi,
	.read = read_rocm_smi,
	.count_others = kfd_count_others,
	.version = read_rocm_version,
	.driver = read_rocm_driver,
};
