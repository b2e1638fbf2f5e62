/* Readings of clocks, temperature and power through rocm-smi-lib. */
#include "gpu/backends/smi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* rocm_smi.h is not included: the layout of rsmi_frequencies_t changed in 6.0 without a new soname, so the structure is
 * read by offsets that are chosen at run time. Names, numbers and layouts below are from rocm_smi.h 5.2 and 6.0. */
const char *const smi_sonames[] = {
	"librocm_smi64.so.1",
	"librocm_smi64.so.7",
	"librocm_smi64.so.6",
	"librocm_smi64.so.5",
	"/opt/rocm/lib/librocm_smi64.so.1",
	"/opt/rocm/lib/librocm_smi64.so.7",
	"/opt/rocm/lib/librocm_smi64.so.6",
	NULL,
};

enum { RSMI_STATUS_SUCCESS = 0, RSMI_STATUS_INIT_ERROR = 8 };
enum { RSMI_CLK_TYPE_SYS = 0, RSMI_CLK_TYPE_MEM = 4 };
enum { RSMI_TEMP_TYPE_EDGE = 0, RSMI_TEMP_TYPE_JUNCTION = 1, RSMI_TEMP_CURRENT = 0 };
enum { RSMI_SW_COMP_DRIVER = 0 };
enum { STRUCTURE_MAX = 8192 }; /* larger than any version of any structure */
struct version {
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
	int (*version)(struct version *);
	int (*version_text)(int, char *, uint32_t);
} rsmi;

static uint32_t device;
static size_t current_at, frequencies_at; /* in rsmi_frequencies_t */
static atomic_bool ready;

static const struct {
	const char *name;
	void *slot;
	bool optional;
} symbols[] = {
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

static bool load_smi(struct err *e)
{
	void *lib = NULL;
	for (int i = 0; !lib && smi_sonames[i]; i++)
		lib = dlopen(smi_sonames[i], RTLD_NOW);
	if (!lib)
		return err_set(e, ST_FAILED,
			"no clock readings: librocm_smi64.so.1 not found; install it: sudo apt-get install librocm-smi64-1");
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		void *f = dlsym(lib, symbols[i].name);
		if (!f && !symbols[i].optional)
			return err_set(e, ST_FAILED,
				"no clock readings: librocm_smi64 does not provide %s; install version 5 or later",
				symbols[i].name);
		memcpy(symbols[i].slot, &f, sizeof f);
	}
	/* rsmi_frequencies_t: {num @0, current @4, frequency[32] @8} up to 5.7; {has_deep_sleep @0, num @4, current @8,
	 * frequency[33] @16} from 6.0. Neither the soname nor the version number shows which one it is; this function
	 * was added together with the new layout. */
	bool new = dlsym(lib, "rsmi_dev_activity_metric_get") != NULL;
	current_at = new ? 8 : 4;
	frequencies_at = new ? 16 : 8;
	return true;
}

/* --- start --- */
struct starter {
	pthread_mutex_t lock;
	pthread_cond_t done;
	bool ended, ok;
	uint64_t pci;
	struct err why;
};
static struct starter starter = {.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

static bool find_smi_device(uint64_t pci, struct err *e)
{
	uint32_t n = 0;
	rsmi.count(&n);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t id = 0;
		if (!rsmi.pci_id(i, &id) && (id & 0xffffffff0000fff8) == pci) {
			device = i;
			return true;
		}
	}
	return err_set(e, ST_FAILED, "no clock readings: rocm-smi does not list the GPU at PCI bus %x",
		(unsigned)(pci >> 8) & 0xff);
}

static bool initialize_smi(struct err *e)
{
	int r = rsmi.init(0);
	if (r == RSMI_STATUS_INIT_ERROR)
		return err_set(e, ST_FAILED,
			"no clock readings: a killed program left the lock of rocm-smi behind; remove it: rm /dev/shm/rocm_smi_card*");
	if (r != RSMI_STATUS_SUCCESS)
		return err_set(e, ST_FAILED, "no clock readings: cannot initialize rocm-smi (code %d)", r);
	return find_smi_device(starter.pci, e);
}

static void *run_starter(void *unused)
{
	(void)unused;
	struct err why = {0};
	bool ok = initialize_smi(&why);
	pthread_mutex_lock(&starter.lock);
	starter.ok = ok;
	starter.why = why;
	starter.ended = true;
	atomic_store(&ready, ok); /* even after the wait has timed out */
	pthread_cond_signal(&starter.done);
	pthread_mutex_unlock(&starter.lock);
	return NULL;
}

static bool wait_for_starter(int limit_ms, struct err *e)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += limit_ms / 1000;
	until.tv_nsec += limit_ms % 1000 * 1000000L;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&starter.lock);
	while (!starter.ended && !pthread_cond_timedwait(&starter.done, &starter.lock, &until))
		;
	bool ended = starter.ended, ok = starter.ok;
	if (ended && !ok && e)
		*e = starter.why;
	pthread_mutex_unlock(&starter.lock);
	return ended
		? ok
		: err_set(e, ST_FAILED,
			  "no clock readings yet: rocm-smi did not start within %d ms, probably because a killed program left its lock "
			  "behind; remove it: rm /dev/shm/rocm_smi_card*",
			  limit_ms);
}

bool smi_open(const struct device_info *info, int limit_ms, struct err *e)
{
	pthread_t thread;
	if (!load_smi(e))
		return false;
	/* Layout of rsmi_dev_pci_id_get: domain << 32 | bus << 8 | device << 3 | function. */
	starter.pci = (uint64_t)info->pci_domain << 32 | (uint64_t)info->pci_bus << 8 | (uint64_t)info->pci_device << 3;
	if (pthread_create(&thread, NULL, run_starter, NULL))
		return err_set(e, ST_FAILED, "no clock readings: cannot create a thread for rocm-smi");
	pthread_detach(thread);
	return wait_for_starter(limit_ms, e);
}

/* --- readings --- */
static struct reading read_clock(int type)
{
	union {
		uint8_t bytes[STRUCTURE_MAX];
		uint64_t align;
	} f;
	uint32_t current;
	uint64_t hz;
	memset(&f, 0, sizeof f);
	if (rsmi.clock(device, type, &f))
		return (struct reading){0};
	memcpy(&current, f.bytes + current_at, sizeof current);
	if (current >= 32) /* out of range if no level is marked as current */
		return (struct reading){0};
	memcpy(&hz, f.bytes + frequencies_at + 8 * current, sizeof hz);
	return (struct reading){hz > 0, (double)hz / 1e6};
}

static struct reading read_temperature(void)
{
	static const uint32_t sensors[] = {RSMI_TEMP_TYPE_JUNCTION, RSMI_TEMP_TYPE_EDGE};
	for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++) {
		int64_t milli = 0;
		if (!rsmi.temperature(device, sensors[i], RSMI_TEMP_CURRENT, &milli))
			return (struct reading){true, (double)milli / 1e3};
	}
	return (struct reading){0};
}

static struct reading read_power(void)
{
	uint64_t micro = 0;
	int kind = 0;
	if (rsmi.power_average && !rsmi.power_average(device, 0, &micro))
		return (struct reading){true, (double)micro / 1e6};
	if (rsmi.power && !rsmi.power(device, &micro, &kind))
		return (struct reading){true, (double)micro / 1e6};
	return (struct reading){0};
}

struct clocks smi_read(void)
{
	if (!atomic_load(&ready))
		return (struct clocks){0};
	return (struct clocks){
		read_clock(RSMI_CLK_TYPE_SYS), read_clock(RSMI_CLK_TYPE_MEM), read_temperature(), read_power()};
}

void smi_versions(char *library, size_t library_size, char *driver, size_t driver_size)
{
	struct version v = {0};
	*library = *driver = 0;
	if (!atomic_load(&ready))
		return;
	if (rsmi.version && !rsmi.version(&v))
		snprintf(library, library_size, "%u.%u.%u", v.major, v.minor, v.patch);
	if (rsmi.version_text)
		rsmi.version_text(RSMI_SW_COMP_DRIVER, driver, (uint32_t)driver_size);
	driver[strcspn(driver, "\n")] = 0;
}
