/* The HIP runtime as a struct gpu_runtime. The library is loaded with dlopen. */
#define __HIP_PLATFORM_AMD__ 1
#include "gpu/backends/hip_runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <hip/hip_runtime_api.h>
#pragma GCC diagnostic pop

#include "base/buf.h"
#include "base/host/package_advice.h"
#include "base/host/sysfs_mount.h"
#include "base/units.h"
#include "gpu/backends/rocblas.h"
#include "gpu/backends/stream_hold.h"
#include "gpu/protocol/job_record.h"
#include "gpu/softgpu-link/softprobe.h"

const struct shared_library hip_library = {"libamdhip64.so", "7 6 5", NULL}; /* 7: also that of ROCm 10 */

/* All functions used. A library that lacks one of them is an error. hipGetDeviceProperties is not in the list: its
 * structure changed in 6.0, the attributes did not. */
/* clang-format off */
#define HIP_FUNCTIONS(F) \
	F(hipInit) F(hipGetDeviceCount) F(hipSetDevice) F(hipDeviceGet) F(hipDeviceGetName) F(hipDeviceGetAttribute) F(hipDeviceTotalMem) \
	F(hipDeviceGetPCIBusId) F(hipRuntimeGetVersion) F(hipDriverGetVersion) F(hipGetErrorString) F(hipGetLastError) \
	F(hipMalloc) F(hipFree) F(hipMemcpy) F(hipMemGetInfo) F(hipModuleLoadData) F(hipModuleUnload) F(hipModuleGetFunction) \
	F(hipModuleLaunchKernel) F(hipEventCreateWithFlags) F(hipEventRecord) F(hipEventQuery) F(hipEventElapsedTime) \
	F(hipStreamCreateWithFlags) F(hipStreamWaitEvent) F(hipMemcpyAsync) F(hipHostMalloc) F(hipHostFree)
/* Those that may be missing. */
#define HIP_OPTIONAL(F) F(hipStreamWaitValue32) F(hipExtMallocWithFlags) F(hipHostGetFlags)
/* clang-format on */

#define DECLARE(name) __typeof__(name) *name;
static struct {
	HIP_FUNCTIONS(DECLARE)
	HIP_OPTIONAL(DECLARE)
} hip;

/* Commands that the GPU waits for: HIP waits for a signal if all are in use, 32 by default, and a command takes up to
 * two (ROCclr, rocvirtual.cpp). */
enum { HIP_HELD_MOST = 16 };

struct hip_device {
	hipStream_t stream[STREAMS_MAX];
	hipEvent_t start, stop;
	hipEvent_t done[STREAMS_MAX]; /* for one stream to wait for another; recorded again for each wait */
	int made;                     /* number of streams created */
	unsigned used;                /* number of streams in the current sequence */
	int index;
	bool may_hold;
	struct stream_hold hold;
};

/* --- the library --- */
bool hip_is_installed(void)
{
	char why[200];
	return shared_library_open(&hip_library, RTLD_NOW | RTLD_GLOBAL, why, sizeof why) || *why;
}

static bool load_library(char *path, size_t size, struct err *e)
{
	char why[200], command[200];
	void *lib = shared_library_open(&hip_library, RTLD_NOW | RTLD_GLOBAL, why, sizeof why);
	if (!lib)
		package_install_command(*why ? "hsa" : "hip", 0, command, sizeof command);
	if (!lib && *why)
		return err_set(e, ST_FAILED,
			"cannot load the HIP runtime: %s; install the missing library, for example: %s", why, command);
	if (!lib)
		return err_set(e, ST_FAILED,
			"HIP runtime not found (libamdhip64.so, version 5 or later); install it: %s", command);
	const char *missing = NULL;
#define RESOLVE(name)                                              \
	if (!(hip.name = (__typeof__(hip.name))dlsym(lib, #name))) \
		missing = #name;
#define RESOLVE_OPTIONAL(name) hip.name = (__typeof__(hip.name))dlsym(lib, #name);
	HIP_FUNCTIONS(RESOLVE)
	HIP_OPTIONAL(RESOLVE_OPTIONAL)
	char version[32];
	shared_library_describe(lib, path, size, version, sizeof version);
	if (missing)
		return err_set(e, ST_FAILED, "%s does not provide %s; install HIP runtime 5.0 or later", path, missing);
	return true;
}

static bool fail_hip(struct err *e, hipError_t r, const char *what)
{
	hip.hipGetLastError(); /* otherwise the next call reports the error again */
	return err_set(e, ST_FAILED, "%s: %s (HIP error %d)", what, hip.hipGetErrorString(r), (int)r);
}

static bool check_hip(hipError_t r, const char *what, struct err *e)
{
	return r == hipSuccess || fail_hip(e, r, what);
}

/* --- device properties --- */
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

static int read_hip_attribute(hipDeviceAttribute_t a, int index, int fallback)
{
	int v = fallback;
	if (hip.hipDeviceGetAttribute(&v, a, index) != hipSuccess) {
		hip.hipGetLastError();
		v = fallback;
	}
	return v;
}

static json_t *read_properties(int index, int count)
{
	json_t *o = json_object();
	size_t total = 0;
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
		int v = read_hip_attribute(properties[i].attribute, index, -1);
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

/* "gfx900" from "gfx900:sramecc-:xnack-". The layout of the properties structure depends on the library's version, but
 * every version contains this text: search for it. */
static bool find_arch(int index, char *out, size_t size)
{
	union {
		int words[2048];
		char text[8192];
	} structure;
	static const char *const names[] = {
		"hipGetDevicePropertiesR0600", "hipGetDevicePropertiesR0000", "hipGetDeviceProperties"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		int (*get)(void *, int) = (int (*)(void *, int))dlsym(RTLD_DEFAULT, names[i]);
		memset(&structure, 0, sizeof structure);
		if (!get || get(&structure, index))
			continue;
		char *at = memmem(structure.text, sizeof structure.text - 32, "gfx", 3);
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

/* 50221153 is 5.2.21153 (HIP_VERSION in hip_version.h). */
static json_t *format_version(int v)
{
	char text[48];
	snprintf(text, sizeof text, "%d.%d.%d", v / 10000000, v / 100000 % 100, v % 100000);
	return json_string(text);
}

static void describe_device(int index, int count, const char *library, struct device_info *info)
{
	int v = 0;
	*info = (struct device_info){.properties = read_properties(index, count), .versions = json_object()};
	hip.hipDeviceGetName(info->name, sizeof info->name, index);
	if (!find_arch(index, info->arch, sizeof info->arch))
		snprintf(info->arch, sizeof info->arch, "unknown");
	read_pci(index, info);
	info->max_block_threads = (unsigned)read_hip_attribute(hipDeviceAttributeMaxThreadsPerBlock, index, 1024);
	if (hip.hipRuntimeGetVersion(&v) == hipSuccess)
		json_object_set_new(info->versions, "hip", format_version(v));
	json_object_set_new(info->versions, "hip_library", json_string(library));
}

/* --- open --- */
static bool fail_without_gpu(struct err *e)
{
	if (!sysfs_is_mounted())
		return err_set(e, ST_FAILED, "HIP finds no GPU: /sys is not mounted; %s", sysfs_mount_advice);
	return err_set(e, ST_FAILED, "HIP finds no GPU; see `wavedeck doctor`");
}

static bool select_device(int index, int *count, struct err *e)
{
	hipError_t r = hip.hipInit(0);
	if (r == hipSuccess)
		r = hip.hipGetDeviceCount(count);
	/* hipInit of 5.2 returns "invalid device" on a machine without a GPU. */
	if (r == hipErrorNoDevice || r == hipErrorInvalidDevice || (r == hipSuccess && *count == 0))
		return fail_without_gpu(e);
	if (r != hipSuccess)
		return fail_hip(e, r, "cannot initialize HIP; run `wavedeck doctor` to find the cause");
	if (index >= *count)
		return err_set(e, ST_REQUEST, "no GPU hip:%d; the last GPU is hip:%d", index, *count - 1);
	return true;
}

static void *hip_open(int index, struct device_info *info, struct err *e)
{
	char library[512];
	int count = 0;
	if (!load_library(library, sizeof library, e) || !select_device(index, &count, e) ||
		!check_hip(hip.hipSetDevice(index), "cannot select the GPU", e))
		return NULL;
	describe_device(index, count, library, info);
	softprobe_select((unsigned)info->pci_bus);
	struct hip_device *d = xcalloc(1, sizeof *d);
	d->index = index;
	return d;
}

void hip_hold_launches(void *device)
{
	struct hip_device *d = device;
	d->may_hold = true;
}

static bool make_streams(struct hip_device *d, unsigned count, struct err *e)
{
	for (; d->made < (int)count; d->made++)
		if (!check_hip(hip.hipStreamCreateWithFlags(&d->stream[d->made], hipStreamNonBlocking),
			    "cannot create a stream", e) ||
			!check_hip(hip.hipEventCreateWithFlags(&d->done[d->made], hipEventDisableTiming),
				"cannot create an event", e))
			return false;
	return true;
}

/* Memory of a signal: HIP takes no other where the GPU's command processor waits, without a kernel. */
static void prepare_to_hold(struct hip_device *d)
{
	void *go = NULL;
	if (!d->may_hold || !hip.hipStreamWaitValue32 || !hip.hipExtMallocWithFlags ||
		read_hip_attribute(hipDeviceAttributeCanUseStreamWaitValue, d->index, 0) != 1)
		return;
	if (hip.hipExtMallocWithFlags(&go, sizeof(uint64_t), hipMallocSignalMemory) != hipSuccess) {
		hip.hipGetLastError();
		return;
	}
	hold_prepare(&d->hold, go, HIP_HELD_MOST, HOLD_LIMIT_MS);
}

static bool hip_start(void *device, struct err *e)
{
	struct hip_device *d = device;
	prepare_to_hold(d);
	return make_streams(d, 1, e) &&
		check_hip(hip.hipEventCreateWithFlags(&d->start, hipEventDefault), "cannot create an event", e) &&
		check_hip(hip.hipEventCreateWithFlags(&d->stop, hipEventDefault), "cannot create an event", e);
}

/* --- memory --- */
static void *hip_alloc(void *device, size_t bytes, struct err *e)
{
	(void)device;
	void *p = NULL;
	hipError_t r = hip.hipMalloc(&p, bytes);
	if (r == hipSuccess)
		return p;
	char requested[40], available[40];
	size_t free_bytes = 0, total = 0;
	hip.hipMemGetInfo(&free_bytes, &total);
	if (r == hipErrorOutOfMemory)
		err_set(e, ST_FAILED, "out of device memory: %s requested, %s free; choose a smaller size",
			units_format(requested, sizeof requested, (double)bytes, "B", 4),
			units_format(available, sizeof available, (double)free_bytes, "B", 4));
	else
		fail_hip(e, r, "cannot allocate device memory");
	hip.hipGetLastError();
	return NULL;
}

static void hip_release(void *device, void *pointer)
{
	struct hip_device *d = device;
	hold_let_go(&d->hold);
	hip.hipFree(pointer);
}

static void *hip_alloc_host(void *device, size_t bytes, struct err *e)
{
	(void)device;
	void *p = NULL;
	return check_hip(hip.hipHostMalloc(&p, bytes, hipHostMallocDefault), "cannot allocate pinned memory", e) ? p
														 : NULL;
}

static void hip_release_host(void *device, void *pointer)
{
	struct hip_device *d = device;
	hold_let_go(&d->hold);
	hip.hipHostFree(pointer);
}

static bool hip_write(void *device, void *to, const void *from, size_t bytes, struct err *e)
{
	(void)device;
	return check_hip(hip.hipMemcpy(to, from, bytes, hipMemcpyHostToDevice), "cannot copy to the device", e);
}

static bool hip_read(void *device, void *to, const void *from, size_t bytes, struct err *e)
{
	(void)device;
	return check_hip(hip.hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost), "cannot copy from the device", e);
}

/* --- kernels --- */
static void *hip_load_module(void *device, const struct code_object *object, struct err *e)
{
	(void)device;
	size_t size;
	hipModule_t m = NULL;
	return check_hip(hip.hipModuleLoadData(&m, code_object_bytes(object, &size)), "HIP rejects the code object", e)
		? m
		: NULL;
}

static void hip_unload_module(void *device, void *module)
{
	struct hip_device *d = device;
	hold_forget_kernels(&d->hold);
	hip.hipModuleUnload(module);
}

static void *hip_find_kernel(void *device, void *module, const char *entry, struct err *e)
{
	(void)device;
	hipFunction_t f = NULL;
	hipError_t r = hip.hipModuleGetFunction(&f, module, entry);
	if (r == hipSuccess)
		return f;
	fail_hip(e, r, "HIP cannot find the kernel in the code object");
	return NULL;
}

/* --- between two events --- */
static bool record_event(hipEvent_t event, hipStream_t stream, struct err *e)
{
	return check_hip(hip.hipEventRecord(event, stream), "cannot record an event", e);
}

static bool wait_event(hipStream_t stream, hipEvent_t event, struct err *e)
{
	return check_hip(hip.hipStreamWaitEvent(stream, event, 0), "cannot wait for an event", e);
}

static bool wait_for_host(void *stream, void *at, uint32_t turn)
{
	if (hip.hipStreamWaitValue32(stream, at, turn, hipStreamWaitValueGte, 0xffffffff) == hipSuccess)
		return true;
	hip.hipGetLastError();
	return false;
}

static bool hip_begin(void *device, unsigned streams, struct err *e)
{
	struct hip_device *d = device;
	if (!make_streams(d, streams, e))
		return false;
	hold_begin(&d->hold, wait_for_host, d->stream[0]);
	bool ok = record_event(d->start, d->stream[0], e);
	d->used = streams;
	for (unsigned i = 1; ok && i < streams; i++)
		ok = wait_event(d->stream[i], d->start, e);
	return hold_count(&d->hold, ok);
}

static bool hip_launch(void *device, unsigned stream, void *kernel, const struct launch_shape *s, unsigned lds_bytes,
	void **args, struct err *e)
{
	struct hip_device *d = device;
	hold_before_launch(&d->hold, kernel);
	hipError_t r = hip.hipModuleLaunchKernel(kernel, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1],
		s->block[2], lds_bytes, d->stream[stream], args, NULL);
	return hold_count(&d->hold, check_hip(r, "launch failed", e));
}

static bool hip_call(void *device, unsigned stream, enum library_call call, void **args, struct err *e)
{
	static bool (*const functions[LIBRARY_CALL_COUNT])(void *stream, void **args, struct err *e) = {
#define LIBRARY_CALL(name, ...) call_##name,
#include "gpu/protocol/library_calls.def"
#undef LIBRARY_CALL
	};
	struct hip_device *d = device;
	hold_let_go(&d->hold);
	return functions[call](d->stream[stream], args, e);
}

static const char *hip_library_description(enum library_call call)
{
	(void)call; /* all are functions of rocBLAS */
	return rocblas_description();
}

/* HIP copies other memory through its own, and waits for that. */
static bool is_pinned(void *on_host)
{
	unsigned flags;
	bool pinned = hip.hipHostGetFlags && hip.hipHostGetFlags(&flags, on_host) == hipSuccess;
	if (!pinned)
		hip.hipGetLastError();
	return pinned;
}

static bool hip_copy(
	void *device, unsigned stream, bool to_device, void *on_device, void *on_host, size_t bytes, struct err *e)
{
	struct hip_device *d = device;
	if (d->hold.go && !is_pinned(on_host))
		hold_let_go(&d->hold);
	hipError_t r = to_device
		? hip.hipMemcpyAsync(on_device, on_host, bytes, hipMemcpyHostToDevice, d->stream[stream])
		: hip.hipMemcpyAsync(on_host, on_device, bytes, hipMemcpyDeviceToHost, d->stream[stream]);
	return hold_count(&d->hold, check_hip(r, "copy failed", e));
}

static bool hip_wait(void *device, unsigned stream, unsigned on, struct err *e)
{
	struct hip_device *d = device;
	bool ok = record_event(d->done[on], d->stream[on], e) && wait_event(d->stream[stream], d->done[on], e);
	return hold_count(&d->hold, ok);
}

static bool hip_end(void *device, struct err *e)
{
	struct hip_device *d = device;
	for (unsigned i = 1; i < d->used; i++)
		if (!hip_wait(device, 0, i, e))
			return false;
	bool ok = record_event(d->stop, d->stream[0], e);
	hold_let_go(&d->hold);
	return ok;
}

static enum poll_state hip_poll(void *device, double *seconds, struct err *e)
{
	struct hip_device *d = device;
	float ms = 0;
	hipError_t r = hip.hipEventQuery(d->stop);
	if (r == hipErrorNotReady)
		return POLL_BUSY;
	if (!check_hip(r, "kernel failed", e) ||
		!check_hip(
			hip.hipEventElapsedTime(&ms, d->start, d->stop), "cannot read the time between the events", e))
		return POLL_FAILED;
	*seconds = (double)ms * 1e-3;
	return POLL_DONE;
}

const struct gpu_runtime hip_runtime = {
	.open = hip_open,
	.start = hip_start,
	.alloc = hip_alloc,
	.release = hip_release,
	.write = hip_write,
	.read = hip_read,
	.load = hip_load_module,
	.unload = hip_unload_module,
	.kernel = hip_find_kernel,
	.alloc_host = hip_alloc_host,
	.release_host = hip_release_host,
	.begin = hip_begin,
	.launch = hip_launch,
	.call = hip_call,
	.library_description = hip_library_description,
	.copy = hip_copy,
	.wait = hip_wait,
	.end = hip_end,
	.poll = hip_poll,
};
