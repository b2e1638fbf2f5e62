#include "gpu/backends/cuda/nvml_clock.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/host/shared_library.h"
#include "gpu/backends/cuda/cuda_driver.h"

/* NVML API Reference. */
enum { NVML_NOT_SUPPORTED = 3, NVML_NO_PERMISSION = 4, NVML_INSUFFICIENT_SIZE = 7 };
enum { CLOCKS_MAX = 512, MEMORY_CLOCKS_MAX = 32, PROCESSES_MAX = 64, PROCESS_BYTES = 64 /* of any version */ };

typedef void *nvml_device;
static struct {
	int (*init)(void);
	int (*find)(const char *pci, nvml_device *d);
	int (*memory_clocks)(nvml_device d, unsigned *count, unsigned *mhz);
	int (*clocks)(nvml_device d, unsigned memory_mhz, unsigned *count, unsigned *mhz);
	int (*lock)(nvml_device d, unsigned low, unsigned high);
	int (*unlock)(nvml_device d);
	int (*compute)(nvml_device d, unsigned *count, void *list),
		(*graphics)(nvml_device d, unsigned *count, void *list);
	const char *(*describe_error)(int r);
} nvml;
static nvml_device device;
static int number;   /* of the GPU, for texts */
static char pci[32]; /* as nvidia-smi takes it */

static bool load_nvml(struct err *e)
{
	static const struct shared_library library = {"libnvidia-ml.so", "1", NULL};
	static const struct library_function functions[] = {
		{"nvmlInit_v2", &nvml.init},
		{"nvmlDeviceGetHandleByPciBusId_v2", &nvml.find},
		{"nvmlDeviceGetSupportedMemoryClocks", &nvml.memory_clocks},
		{"nvmlDeviceGetSupportedGraphicsClocks", &nvml.clocks},
		{"nvmlDeviceSetGpuLockedClocks", &nvml.lock},
		{"nvmlDeviceResetGpuLockedClocks", &nvml.unlock},
		{"nvmlDeviceGetComputeRunningProcesses_v3", &nvml.compute},
		{"nvmlDeviceGetGraphicsRunningProcesses_v3", &nvml.graphics},
		{"nvmlErrorString", &nvml.describe_error},
	};
	char why[200];
	void *handle = shared_library_open(&library, RTLD_NOW, why, sizeof why);
	const char *missing =
		handle ? shared_library_find(handle, functions, sizeof functions / sizeof *functions) : NULL;
	if (!handle)
		return err_set(e, ST_FAILED,
			"cannot lock the clock: NVML (libnvidia-ml.so.1) %s%s; it is part of NVIDIA's driver, install that again",
			*why ? "does not load: " : "not found", why);
	return !missing ||
		err_set(e, ST_FAILED, "cannot lock the clock: NVML does not provide %s; install a newer driver",
			missing);
}

/* The PCI address of a GPU by its number among those of CUDA, which may hide some and order them in its own way. */
static bool find_address(int index, struct err *e)
{
	cu_device d;
	int count = 0, domain = 0, bus = 0, slot = 0;
	if (!cuda_driver_load(e) || !cuda_check(cu.count_devices(&count), "cannot count the GPUs", e))
		return false;
	if (index >= count)
		return err_set(e, ST_REQUEST, "no GPU cuda:%d; the last GPU is cuda:%d", index, count - 1);
	if (!cuda_check(cu.find_device(&d, index), "cannot select the GPU", e) ||
		!cuda_check(cu.read_attribute(&domain, CU_PCI_DOMAIN, d), "cannot find the GPU", e) ||
		!cuda_check(cu.read_attribute(&bus, CU_PCI_BUS, d), "cannot find the GPU", e) ||
		!cuda_check(cu.read_attribute(&slot, CU_PCI_DEVICE, d), "cannot find the GPU", e))
		return false;
	snprintf(pci, sizeof pci, "%08x:%02x:%02x.0", (unsigned)domain, (unsigned)bus & 0xff, (unsigned)slot & 0x1f);
	return true;
}

static bool start_nvml_of(struct err *e)
{
	int r = nvml.init();
	if (!r)
		r = nvml.find(pci, &device);
	return !r ||
		err_set(e, ST_FAILED, "cannot lock the clock: NVML does not open the GPU at %s: %s", pci,
			nvml.describe_error(r));
}

static unsigned distance(unsigned a, unsigned b)
{
	return a > b ? a - b : b - a;
}

/* With the highest clock of the memory, the first in the list. A GPU that lists none is asked to lock it all the same.
 */
static bool check_clock(unsigned mhz, struct err *e)
{
	unsigned memory[MEMORY_CLOCKS_MAX], clock[CLOCKS_MAX], memories = MEMORY_CLOCKS_MAX, count = CLOCKS_MAX;
	if (nvml.memory_clocks(device, &memories, memory) || !memories ||
		nvml.clocks(device, memory[0], &count, clock) || !count)
		return true;
	unsigned nearest = clock[0];
	for (unsigned i = 1; i < count; i++)
		nearest = distance(clock[i], mhz) < distance(nearest, mhz) ? clock[i] : nearest;
	return nearest == mhz ||
		err_set(e, ST_REQUEST, "cuda:%d has no clock of %u MHz; the nearest is %u MHz", number, mhz, nearest);
}

/* This process has no context. A GPU without a display may not support to ask for graphics. */
static bool count_processes(int (*read)(nvml_device d, unsigned *count, void *list), unsigned *out, struct err *e)
{
	static char list[PROCESSES_MAX * PROCESS_BYTES];
	unsigned count = PROCESSES_MAX;
	int r = read(device, &count, list);
	*out += r && r != NVML_INSUFFICIENT_SIZE ? 0 : count;
	return !r || r == NVML_INSUFFICIENT_SIZE || r == NVML_NOT_SUPPORTED ||
		err_set(e, ST_FAILED, "the clock of cuda:%d is not locked: NVML does not say who uses the GPU: %s",
			number, nvml.describe_error(r));
}

static bool check_alone(struct err *e)
{
	unsigned others = 0;
	if (!count_processes(nvml.compute, &others, e) || !count_processes(nvml.graphics, &others, e))
		return false;
	return !others ||
		err_set(e, ST_FAILED,
			"the clock of cuda:%d is not locked, because %u other process%s the GPU open, and would get it, too; "
			"wait until %s, or remove --lock-clocks",
			number, others, others == 1 ? " has" : "es have", others == 1 ? "it ends" : "they end");
}

bool nvml_clock_prepare(int index, unsigned mhz, char give_back[CLOCK_COMMAND], struct err *e)
{
	number = index;
	if (!find_address(index, e) || !load_nvml(e) || !start_nvml_of(e))
		return false;
	snprintf(give_back, CLOCK_COMMAND, "nvidia-smi -i %s -rgc", pci);
	return check_clock(mhz, e) && check_alone(e);
}

bool nvml_clock_lock(unsigned mhz, struct err *e)
{
	int r = nvml.lock(device, mhz, mhz);
	if (r == NVML_NO_PERMISSION)
		return err_set(e, ST_FAILED,
			"locking the clock of cuda:%d needs root; remove --lock-clocks, and let an administrator run: "
			"nvidia-smi -i %s -lgc %u, and after the measurement: nvidia-smi -i %s -rgc",
			number, pci, mhz, pci);
	if (r == NVML_NOT_SUPPORTED)
		return err_set(e, ST_FAILED, "cuda:%d cannot lock its clock; remove --lock-clocks", number);
	return !r ||
		err_set(e, ST_FAILED, "cannot lock the clock of cuda:%d at %u MHz: %s", number, mhz,
			nvml.describe_error(r));
}

bool nvml_clock_unlock(struct err *e)
{
	int r = nvml.unlock(device);
	return !r || err_set(e, ST_FAILED, "NVML does not unlock it: %s", nvml.describe_error(r));
}
