#define __HIP_PLATFORM_AMD__ 1
#include "gpu/backends/hip_runtime.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <hip/hip_runtime_api.h>
#pragma GCC diagnostic pop

#include "base/buf.h"
#include "base/units.h"
#include "gpu/protocol/job_record.h"

const char *const hip_sonames[] = {
	"libamdhip64.so.7",
	"libamdhip64.so.6",
	"libamdhip64.so.5",
	"/opt/rocm/lib/libamdhip64.so.7",
	"/opt/rocm/lib/libamdhip64.so.6",
	"/opt/rocm/lib/libamdhip64.so.5",
	NULL,
};

/* Every function used; one that is missing from the library is an error, except where hip_open says otherwise.
 * hipGetDeviceProperties is not among them: its structure changed in 6.0, the attributes did not. */
/* clang-format off */
#define HIP_FUNCTIONS(F) \
	F(hipInit) F(hipGetDeviceCount) F(hipSetDevice) F(hipDeviceGet) F(hipDeviceGetName) F(hipDeviceGetAttribute) F(hipDeviceTotalMem) \
	F(hipDeviceGetPCIBusId) F(hipRuntimeGetVersion) F(hipDriverGetVersion) F(hipGetErrorString) F(hipGetLastError) \
	F(hipMalloc) F(hipFree) F(hipMemcpy) F(hipMemGetInfo) F(hipModuleLoadData) F(hipModuleUnload) F(hipModuleGetFunction) \
	F(hipModuleLaunchKernel) F(hipEventCreateWithFlags) F(hipEventRecord) F(hipEventQuery) F(hipEventElapsedTime) \
	F(hipStreamCreateWithFlags) F(hipStreamWaitEvent) F(hipMemcpyAsync) F(hipHostMalloc) F(hipHostFree)
/* clang-format on */

#define DECLARE(name) __typeof__(name) *name;
static struct {
	HIP_FUNCTIONS(DECLARE)
} hip;

struct hip_device {
	hipStream_t stream[STREAMS_MAX];
	hipEvent_t start, stop,
		done[STREAMS_MAX]; /* done: what a stream waits for on another; recorded anew each time */
	int made;                  /* streams */
	unsigned used;             /* by the sequence under way */
};

/* --- the library --- */
/* Whether the loader's complaint is about something else than that there is no such file, such as a library it needs in
 * turn. */
static bool is_there(const char *soname, const char *complaint)
{
	size_t n = strlen(soname);
	return strncmp(complaint, soname, n) || strncmp(complaint + n, ": cannot open", 13);
}

/* `why` gets what the loader said about the first one that is there; "" when none is. */
static void *open_library(char *why, size_t size)
{
	*why = 0;
	for (int i = 0; hip_sonames[i]; i++) {
		void *lib = dlopen(hip_sonames[i], RTLD_NOW | RTLD_GLOBAL);
		if (lib)
			return lib;
		const char *complaint = dlerror();
		if (!*why && complaint && is_there(hip_sonames[i], complaint))
			snprintf(why, size, "%s", complaint);
	}
	return NULL;
}

static bool load(char *path, size_t size, struct err *e)
{
	char why[200];
	void *lib = open_library(why, sizeof why);
	if (!lib && *why)
		return err_set(e, ST_FAILED,
			"the HIP runtime cannot be loaded: %s; install what it names, for example: sudo apt-get install libhsa-runtime64-1",
			why);
	if (!lib)
		return err_set(e, ST_FAILED,
			"the HIP runtime (libamdhip64.so.5, .6 or .7) is not there; install it: sudo apt-get install libamdhip64-5");
	const char *missing = NULL;
#define RESOLVE(name)                                              \
	if (!(hip.name = (__typeof__(hip.name))dlsym(lib, #name))) \
		missing = #name;
	HIP_FUNCTIONS(RESOLVE)
	struct link_map *map = NULL;
	dlinfo(lib, RTLD_DI_LINKMAP, &map);
	snprintf(path, size, "%s", map ? map->l_name : "");
	if (missing)
		return err_set(e, ST_FAILED, "%s has no %s; install a HIP runtime from 5.0 on", path, missing);
	return true;
}

static bool fail(struct err *e, hipError_t r, const char *what)
{
	hip.hipGetLastError(); /* or the next call reports it again */
	return err_set(e, ST_FAILED, "%s: %s (HIP error %d)", what, hip.hipGetErrorString(r), (int)r);
}

static bool check(hipError_t r, const char *what, struct err *e)
{
	return r == hipSuccess || fail(e, r, what);
}

/* --- what the device is --- */
static const struct {
	const char *key;
	hipDeviceAttribute_t attribute;
	double scale;
} properties[] = {
	{"compute_units", hipDeviceAttributeMultiprocessorCount, 1},
	{"lanes_per_wave", hipDeviceAttributeWarpSize, 1},
	{"max_threads_per_block", hipDeviceAttributeMaxThreadsPerBlock, 1},
	{"max_threads_per_cu", hipDeviceAttributeMaxThreadsPerMultiProcessor, 1},
	{"lds_per_block_bytes", hipDeviceAttributeMaxSharedMemoryPerBlock, 1},
	{"lds_per_cu_bytes", hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, 1},
	{"registers_per_block", hipDeviceAttributeMaxRegistersPerBlock, 1},
	{"l2_bytes", hipDeviceAttributeL2CacheSize, 1},
	{"sclk_mhz", hipDeviceAttributeClockRate, 1e-3},
	{"mclk_mhz", hipDeviceAttributeMemoryClockRate, 1e-3},
	{"memory_bus_bits", hipDeviceAttributeMemoryBusWidth, 1},
	{"timer_khz", hipDeviceAttributeClockInstructionRate, 1},
};

static int attribute(hipDeviceAttribute_t a, int index, int otherwise)
{
	int v = otherwise;
	if (hip.hipDeviceGetAttribute(&v, a, index) != hipSuccess) {
		hip.hipGetLastError();
		v = otherwise;
	}
	return v;
}

static json_t *read_properties(int index, int count)
{
	json_t *o = json_object();
	size_t total = 0;
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
		int v = attribute(properties[i].attribute, index, -1);
		json_object_set_new(o, properties[i].key,
			v < 0                              ? json_null()
				: properties[i].scale == 1 ? json_integer(v)
							   : json_real(v * properties[i].scale));
	}
	if (hip.hipDeviceTotalMem(&total, index) == hipSuccess)
		json_object_set_new(o, "memory_bytes", json_integer((json_int_t)total));
	json_object_set_new(o, "devices", json_integer(count));
	return o;
}

/* "gfx900:sramecc-:xnack-" to "gfx900". hipDeviceAttributeGcnArchName fills 256 bytes where it is known; the properties
 * structure, whichever version this library has, holds the same text somewhere in it. */
static bool find_arch(int index, char *out, size_t size)
{
	union {
		int words[2048];
		char text[8192];
	} room;
	static const char *const names[] = {
		"hipGetDevicePropertiesR0600", "hipGetDevicePropertiesR0000", "hipGetDeviceProperties"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		int (*get)(void *, int) = (int (*)(void *, int))dlsym(RTLD_DEFAULT, names[i]);
		memset(&room, 0, sizeof room);
		if (!get || get(&room, index))
			continue;
		char *at = memmem(room.text, sizeof room.text - 32, "gfx", 3);
		if (!at)
			continue;
		snprintf(out, size, "%.*s", (int)strcspn(at, ":"), at);
		return true;
	}
	hip.hipGetLastError();
	return false;
}

static void read_pci(int index, struct device_info *info)
{
	char text[64] = "";
	if (hip.hipDeviceGetPCIBusId(text, sizeof text, index) == hipSuccess)
		sscanf(text, "%x:%x:%x", &info->pci_domain, &info->pci_bus, &info->pci_device);
}

/* 50221153 is 5.2.21153 (HIP_VERSION of hip_version.h). */
static json_t *version(int v)
{
	char text[48];
	snprintf(text, sizeof text, "%d.%d.%d", v / 10000000, v / 100000 % 100, v % 100000);
	return json_string(text);
}

static void describe(int index, int count, const char *library, struct device_info *info)
{
	int v = 0;
	*info = (struct device_info){.properties = read_properties(index, count), .versions = json_object()};
	hip.hipDeviceGetName(info->name, sizeof info->name, index);
	if (!find_arch(index, info->arch, sizeof info->arch))
		snprintf(info->arch, sizeof info->arch, "unknown");
	read_pci(index, info);
	info->max_block_threads = (unsigned)attribute(hipDeviceAttributeMaxThreadsPerBlock, index, 1024);
	if (hip.hipRuntimeGetVersion(&v) == hipSuccess)
		json_object_set_new(info->versions, "hip", version(v));
	json_object_set_new(info->versions, "hip_library", json_string(library));
}

/* --- open --- */
static bool find_device(int index, int *count, struct err *e)
{
	hipError_t r = hip.hipInit(0);
	if (r == hipSuccess)
		r = hip.hipGetDeviceCount(count);
	/* hipInit of 5.2 says "invalid device" where there is none. */
	if (r == hipErrorNoDevice || r == hipErrorInvalidDevice || (r == hipSuccess && *count == 0))
		return err_set(e, ST_FAILED, "HIP finds no GPU; wavedeck doctor tells what is missing");
	if (r != hipSuccess)
		return fail(e, r, "HIP cannot be initialised; wavedeck doctor tells what is missing");
	if (index >= *count)
		return err_set(e, ST_REQUEST, "there is no hip:%d; the last GPU is hip:%d", index, *count - 1);
	return true;
}

static void *open_device(int index, struct device_info *info, struct err *e)
{
	char library[512];
	int count = 0;
	if (!load(library, sizeof library, e) || !find_device(index, &count, e) ||
		!check(hip.hipSetDevice(index), "cannot select the GPU", e))
		return NULL;
	describe(index, count, library, info);
	return xcalloc(1, sizeof(struct hip_device));
}

static bool make_streams(struct hip_device *d, unsigned count, struct err *e)
{
	for (; d->made < (int)count; d->made++)
		if (!check(hip.hipStreamCreateWithFlags(&d->stream[d->made], hipStreamNonBlocking),
			    "cannot create a stream", e) ||
			!check(hip.hipEventCreateWithFlags(&d->done[d->made], hipEventDisableTiming),
				"cannot create an event", e))
			return false;
	return true;
}

static bool start_device(void *device, struct err *e)
{
	struct hip_device *d = device;
	return make_streams(d, 1, e) &&
		check(hip.hipEventCreateWithFlags(&d->start, hipEventDefault), "cannot create an event", e) &&
		check(hip.hipEventCreateWithFlags(&d->stop, hipEventDefault), "cannot create an event", e);
}

/* --- memory --- */
static void *alloc(void *device, size_t bytes, struct err *e)
{
	(void)device;
	void *p = NULL;
	hipError_t r = hip.hipMalloc(&p, bytes);
	if (r == hipSuccess)
		return p;
	char want[40], have[40];
	size_t free_bytes = 0, total = 0;
	hip.hipMemGetInfo(&free_bytes, &total);
	if (r == hipErrorOutOfMemory)
		err_set(e, ST_FAILED, "out of device memory: %s wanted, %s free; choose a smaller size",
			units_format(want, sizeof want, (double)bytes, "B", 4),
			units_format(have, sizeof have, (double)free_bytes, "B", 4));
	else
		fail(e, r, "cannot allocate device memory");
	hip.hipGetLastError();
	return NULL;
}

static void release(void *device, void *pointer)
{
	(void)device;
	hip.hipFree(pointer);
}

static void *alloc_host(void *device, size_t bytes, struct err *e)
{
	(void)device;
	void *p = NULL;
	return check(hip.hipHostMalloc(&p, bytes, hipHostMallocDefault), "cannot allocate pinned memory", e) ? p : NULL;
}

static void release_host(void *device, void *pointer)
{
	(void)device;
	hip.hipHostFree(pointer);
}

static bool write_device(void *device, void *to, const void *from, size_t bytes, struct err *e)
{
	(void)device;
	return check(hip.hipMemcpy(to, from, bytes, hipMemcpyHostToDevice), "cannot copy to the device", e);
}

static bool read_device(void *device, void *to, const void *from, size_t bytes, struct err *e)
{
	(void)device;
	return check(hip.hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost), "cannot copy from the device", e);
}

/* --- kernels --- */
static void *load_module(void *device, const void *image, struct err *e)
{
	(void)device;
	hipModule_t m = NULL;
	return check(hip.hipModuleLoadData(&m, image), "HIP refuses the code object", e) ? m : NULL;
}

static void unload_module(void *device, void *module)
{
	(void)device;
	hip.hipModuleUnload(module);
}

static void *find_kernel(void *device, void *module, const char *entry, struct err *e)
{
	(void)device;
	hipFunction_t f = NULL;
	hipError_t r = hip.hipModuleGetFunction(&f, module, entry);
	if (r == hipSuccess)
		return f;
	fail(e, r, "HIP cannot find the kernel in its code object");
	return NULL;
}

/* --- between two events --- */
static bool record(hipEvent_t event, hipStream_t stream, struct err *e)
{
	return check(hip.hipEventRecord(event, stream), "cannot record an event", e);
}

static bool wait_event(hipStream_t stream, hipEvent_t event, struct err *e)
{
	return check(hip.hipStreamWaitEvent(stream, event, 0), "cannot wait for an event", e);
}

static bool begin(void *device, unsigned streams, struct err *e)
{
	struct hip_device *d = device;
	bool ok = make_streams(d, streams, e) && record(d->start, d->stream[0], e);
	d->used = streams;
	for (unsigned i = 1; ok && i < streams; i++)
		ok = wait_event(d->stream[i], d->start, e);
	return ok;
}

static bool launch(void *device, unsigned stream, void *kernel, const struct launch_shape *s, unsigned lds_bytes,
	void **args, struct err *e)
{
	struct hip_device *d = device;
	return check(hip.hipModuleLaunchKernel(kernel, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1],
			     s->block[2], lds_bytes, d->stream[stream], args, NULL),
		"the launch was refused", e);
}

static bool copy(
	void *device, unsigned stream, bool to_device, void *on_device, void *on_host, size_t bytes, struct err *e)
{
	struct hip_device *d = device;
	hipError_t r = to_device
		? hip.hipMemcpyAsync(on_device, on_host, bytes, hipMemcpyHostToDevice, d->stream[stream])
		: hip.hipMemcpyAsync(on_host, on_device, bytes, hipMemcpyDeviceToHost, d->stream[stream]);
	return check(r, "the copy was refused", e);
}

static bool wait(void *device, unsigned stream, unsigned on, struct err *e)
{
	struct hip_device *d = device;
	return record(d->done[on], d->stream[on], e) && wait_event(d->stream[stream], d->done[on], e);
}

static bool end(void *device, struct err *e)
{
	struct hip_device *d = device;
	for (unsigned i = 1; i < d->used; i++)
		if (!wait(device, 0, i, e))
			return false;
	return record(d->stop, d->stream[0], e);
}

static enum poll_state poll_launch(void *device, double *seconds, struct err *e)
{
	struct hip_device *d = device;
	float ms = 0;
	hipError_t r = hip.hipEventQuery(d->stop);
	if (r == hipErrorNotReady)
		return POLL_BUSY;
	if (!check(r, "the kernel failed", e) ||
		!check(hip.hipEventElapsedTime(&ms, d->start, d->stop), "the events gave no time", e))
		return POLL_FAILED;
	*seconds = (double)ms * 1e-3;
	return POLL_DONE;
}

const struct gpu_runtime hip_runtime = {
	.open = open_device,
	.start = start_device,
	.alloc = alloc,
	.release = release,
	.write = write_device,
	.read = read_device,
	.load = load_module,
	.unload = unload_module,
	.kernel = find_kernel,
	.alloc_host = alloc_host,
	.release_host = release_host,
	.begin = begin,
	.launch = launch,
	.copy = copy,
	.wait = wait,
	.end = end,
	.poll = poll_launch,
};
