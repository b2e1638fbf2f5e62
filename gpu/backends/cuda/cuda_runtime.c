/* CUDA's driver API as a struct gpu_runtime. */
#include "gpu/backends/cuda/cuda_runtime.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/backends/cuda/cuda_driver.h"
#include "gpu/backends/stream_hold.h"
#include "gpu/protocol/job_record.h"

enum {
	SHARED_DEFAULT = 48 << 10, /* bytes of dynamic shared memory that a kernel may use without asking for more */
	/* As HIP's compiler does: without launch bounds, a kernel may be launched with 1024 work-items, which a
	 * multiprocessor with 64 Ki registers can do with this many for each. Launch bounds replace it. */
	REGISTERS_WITHOUT_BOUNDS = 64,
	LOG_MAX = 4096,
	HELD_MOST = 128, /* commands that the GPU waits for */
};

struct cuda_device {
	cu_stream stream[STREAMS_MAX];
	cu_event start, stop;
	cu_event done[STREAMS_MAX]; /* for one stream to wait for another; recorded again for each wait */
	unsigned made, used;        /* streams: created, in the current sequence */
	struct stream_hold hold;
	cu_function asked; /* the kernel that may use `shared` bytes of dynamic shared memory */
	unsigned shared;
};

/* --- open --- */
static const struct {
	const char *key;
	enum cu_attribute attribute;
	double scale;
} properties[] = {
	{"compute_units", CU_MULTIPROCESSORS, 1},
	{"lanes_per_wave", CU_WARP_SIZE, 1},
	{"max_threads_per_block", CU_MAX_THREADS_PER_BLOCK, 1},
	{"max_threads_per_cu", CU_THREADS_PER_MULTIPROCESSOR, 1},
	{"lds_per_block_bytes", CU_SHARED_PER_BLOCK, 1},
	{"lds_per_cu_bytes", CU_SHARED_PER_MULTIPROCESSOR, 1},
	{"registers_per_block", CU_REGISTERS_PER_BLOCK, 1},
	{"l2_bytes", CU_L2_BYTES, 1},
	{"sclk_mhz", CU_CLOCK_KHZ, 1e-3},
	{"mclk_mhz", CU_MEMORY_CLOCK_KHZ, 1e-3},
	{"memory_bus_bits", CU_MEMORY_BUS_BITS, 1},
};

static int read_number(cu_device d, enum cu_attribute a, int fallback)
{
	int v = fallback;
	return cu.read_attribute(&v, a, d) == CU_SUCCESS ? v : fallback;
}

/* A clock of 0 is one that this driver does not report. */
static json_t *read_properties_of(cu_device d, int count)
{
	json_t *o = json_object();
	size_t bytes;
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
		int v = read_number(d, properties[i].attribute, 0);
		json_object_set_new(o, properties[i].key,
			v <= 0                             ? json_null()
				: properties[i].scale == 1 ? json_integer(v)
							   : json_real(v * properties[i].scale));
	}
	if (cu.read_memory(&bytes, d) == CU_SUCCESS)
		json_object_set_new(o, "memory_bytes", json_integer((json_int_t)bytes));
	json_object_set_new(o, "devices", json_integer(count));
	return o;
}

static void describe_cuda_device(cu_device d, int count, struct device_info *info)
{
	int version = 0;
	*info = (struct device_info){.properties = read_properties_of(d, count), .versions = json_object()};
	if (cu.read_name(info->name, sizeof info->name, d))
		snprintf(info->name, sizeof info->name, "NVIDIA GPU");
	snprintf(info->arch, sizeof info->arch, "sm_%d%d", read_number(d, CU_CAPABILITY_MAJOR, 5),
		read_number(d, CU_CAPABILITY_MINOR, 0));
	info->pci_domain = (unsigned)read_number(d, CU_PCI_DOMAIN, 0);
	info->pci_bus = (unsigned)read_number(d, CU_PCI_BUS, 0);
	info->pci_device = (unsigned)read_number(d, CU_PCI_DEVICE, 0);
	info->max_block_threads = (unsigned)read_number(d, CU_MAX_THREADS_PER_BLOCK, 1024);
	if (cu.read_version(&version) == CU_SUCCESS) /* 13000 is 13.0 */
		json_object_set_new(info->versions, "cuda", json_sprintf("%d.%d", version / 1000, version % 1000 / 10));
}

static void *cuda_open(int index, struct device_info *info, struct err *e)
{
	cu_device d;
	cu_context context;
	int count = 0;
	if (!cuda_driver_load(e) || !cuda_check(cu.count_devices(&count), "cannot count the GPUs", e))
		return NULL;
	if (index >= count) {
		err_set(e, ST_REQUEST, "no GPU cuda:%d; the last GPU is cuda:%d", index, count - 1);
		return NULL;
	}
	if (!cuda_check(cu.find_device(&d, index), "cannot select the GPU", e) ||
		!cuda_check(cu.retain_context(&context, d), "cannot open the GPU", e) ||
		!cuda_check(cu.set_context(context), "cannot open the GPU", e))
		return NULL;
	describe_cuda_device(d, count, info);
	return xcalloc(1, sizeof(struct cuda_device));
}

static bool make_cuda_streams(struct cuda_device *d, unsigned count, struct err *e)
{
	for (; d->made < count; d->made++)
		if (!cuda_check(cu.create_stream(&d->stream[d->made], CU_STREAM_NON_BLOCKING), "cannot create a stream",
			    e) ||
			!cuda_check(cu.create_event(&d->done[d->made], CU_EVENT_DISABLE_TIMING),
				"cannot create an event", e))
			return false;
	return true;
}

static bool prepare_to_hold(struct cuda_device *d, struct err *e)
{
	void *p = NULL;
	if (!cu.wait_value)
		return true;
	if (!cuda_check(cu.alloc_host(&p, sizeof(uint32_t), 0), "cannot allocate pinned memory", e))
		return false;
	hold_prepare(&d->hold, p, HELD_MOST, HOLD_LIMIT_MS);
	return true;
}

static bool cuda_start(void *device, struct err *e)
{
	struct cuda_device *d = device;
	return make_cuda_streams(d, 1, e) &&
		cuda_check(cu.create_event(&d->start, CU_EVENT_DEFAULT), "cannot create an event", e) &&
		cuda_check(cu.create_event(&d->stop, CU_EVENT_DEFAULT), "cannot create an event", e) &&
		prepare_to_hold(d, e);
}

/* --- memory --- */
static cu_pointer device_address(const void *pointer)
{
	return (cu_pointer)(uintptr_t)pointer;
}

static void *cuda_alloc(void *device, size_t bytes, struct err *e)
{
	(void)device;
	cu_pointer p = 0;
	char requested[40], available[40];
	size_t free_bytes = 0, total = 0;
	cu_result r = cu.alloc(&p, bytes);
	if (r != CU_OUT_OF_MEMORY)
		return cuda_check(r, "cannot allocate device memory", e) ? (void *)(uintptr_t)p : NULL;
	cu.read_free_memory(&free_bytes, &total);
	err_set(e, ST_FAILED, "out of device memory: %s requested, %s free; choose a smaller size",
		units_format(requested, sizeof requested, (double)bytes, "B", 4),
		units_format(available, sizeof available, (double)free_bytes, "B", 4));
	return NULL;
}

static void cuda_release(void *device, void *pointer)
{
	struct cuda_device *d = device;
	hold_let_go(&d->hold);
	if (pointer)
		cu.free(device_address(pointer));
}

static void *cuda_alloc_host(void *device, size_t bytes, struct err *e)
{
	(void)device;
	void *p = NULL;
	return cuda_check(cu.alloc_host(&p, bytes, 0), "cannot allocate pinned memory", e) ? p : NULL;
}

static void cuda_release_host(void *device, void *pointer)
{
	(void)device;
	if (pointer)
		cu.free_host(pointer);
}

/* A copy from pageable memory returns when the driver has a copy of its own; work on our streams does not wait for the
 * stream of that copy. */
static bool cuda_write(void *device, void *to, const void *from, size_t bytes, struct err *e)
{
	(void)device;
	return cuda_check(cu.copy_to_device(device_address(to), from, bytes), "cannot copy to the device", e) &&
		cuda_check(cu.finish_stream(NULL), "cannot copy to the device", e);
}

static bool cuda_read(void *device, void *to, const void *from, size_t bytes, struct err *e)
{
	(void)device;
	return cuda_check(cu.copy_to_host(to, device_address(from), bytes), "cannot copy from the device", e);
}

/* --- kernels --- */
static bool refuse_module(cu_result r, char *log, struct err *e)
{
	if (r == CU_UNSUPPORTED_PTX_VERSION)
		return err_set(e, ST_FAILED,
			"the driver is older than the compiler of the kernel and does not know its PTX; update the driver, "
			"or use the compiler of an older CUDA");
	log[strcspn(log, "\n")] = 0;
	if (*log)
		return err_set(e, ST_FAILED, "the driver rejects the kernel: %.300s (CUDA error %d)", log, r);
	return cuda_check(r, "the driver rejects the kernel", e);
}

static void *cuda_load_module(void *device, const struct code_object *object, struct err *e)
{
	(void)device;
	size_t size;
	cu_module m = NULL;
	char log[LOG_MAX] = "";
	int options[] = {CU_JIT_MAX_REGISTERS, CU_JIT_LINE_INFO, CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_SIZE};
	void *values[] = {
		(void *)(uintptr_t)REGISTERS_WITHOUT_BOUNDS, (void *)1, log, (void *)(uintptr_t)(LOG_MAX - 1)};
	cu_result r =
		cu.load_module(&m, code_object_bytes(object, &size), sizeof options / sizeof *options, options, values);
	return r == CU_SUCCESS || refuse_module(r, log, e) ? m : NULL;
}

static void cuda_unload_module(void *device, void *module)
{
	struct cuda_device *d = device;
	hold_forget_kernels(&d->hold);
	d->asked = NULL; /* another module's kernel may get the same address */
	cu.unload_module(module);
}

static void *cuda_find_kernel(void *device, void *module, const char *entry, struct err *e)
{
	(void)device;
	cu_function f = NULL;
	return cuda_check(cu.find_function(&f, module, entry), "the driver cannot find the kernel", e) ? f : NULL;
}

static unsigned read_of_function(cu_function f, enum cu_function_attribute a)
{
	int v = 0;
	return cu.read_function(&v, a, f) == CU_SUCCESS && v > 0 ? (unsigned)v : 0;
}

static void cuda_describe_kernel(void *device, void *kernel, struct kernel_info *info)
{
	(void)device;
	info->vgprs = read_of_function(kernel, CU_FUNCTION_REGISTERS);
	info->lds_bytes = read_of_function(kernel, CU_FUNCTION_SHARED_BYTES);
	info->scratch_bytes = read_of_function(kernel, CU_FUNCTION_LOCAL_BYTES);
}

/* --- between two events --- */
static bool record_cuda_event(cu_event event, cu_stream stream, struct err *e)
{
	return cuda_check(cu.record_event(event, stream), "cannot record an event", e);
}

static bool wait_cuda_event(cu_stream stream, cu_event event, struct err *e)
{
	return cuda_check(cu.wait_event(stream, event, 0), "cannot wait for an event", e);
}

static bool wait_for_host(void *stream, void *at, uint32_t turn)
{
	return cu.wait_value(stream, device_address(at), turn, CU_WAIT_UNTIL_REACHED) == CU_SUCCESS;
}

static bool cuda_begin(void *device, unsigned streams, struct err *e)
{
	struct cuda_device *d = device;
	if (!make_cuda_streams(d, streams, e))
		return false;
	hold_begin(&d->hold, wait_for_host, d->stream[0]);
	bool ok = record_cuda_event(d->start, d->stream[0], e);
	d->used = streams;
	for (unsigned i = 1; ok && i < streams; i++)
		ok = wait_cuda_event(d->stream[i], d->start, e);
	return hold_count(&d->hold, ok);
}

static bool ask_for_shared(struct cuda_device *d, cu_function f, unsigned bytes, struct err *e)
{
	if (bytes <= SHARED_DEFAULT || (f == d->asked && bytes <= d->shared))
		return true;
	d->asked = f;
	d->shared = bytes;
	return cuda_check(cu.set_function(f, CU_FUNCTION_MAX_DYNAMIC_SHARED, (int)bytes),
		"the kernel cannot have that much LDS (shared memory); choose less", e);
}

static bool cuda_launch(void *device, unsigned stream, void *kernel, const struct launch_shape *s, unsigned lds_bytes,
	void **args, struct err *e)
{
	struct cuda_device *d = device;
	if (!ask_for_shared(d, kernel, lds_bytes, e))
		return hold_count(&d->hold, false);
	hold_before_launch(&d->hold, kernel);
	cu_result r = cu.launch(kernel, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1], s->block[2],
		lds_bytes, d->stream[stream], args, NULL);
	bool ok = cuda_check(r,
		r == CU_OUT_OF_RESOURCES
			? "launch failed; a block needs more registers than there are, choose a smaller one"
			: "launch failed",
		e);
	return hold_count(&d->hold, ok);
}

static bool cuda_call(void *device, unsigned stream, enum library_call call, void **args, struct err *e)
{
	struct cuda_device *d = device;
	(void)stream, (void)call, (void)args;
	hold_let_go(&d->hold);
	return err_set(e, ST_REQUEST, "the experiment calls rocBLAS, which is for AMD GPUs; this device is of NVIDIA");
}

static const char *cuda_library_description(enum library_call call)
{
	(void)call;
	return "";
}

/* The driver copies other memory through its own, and returns when that is done. */
static bool is_pinned(const void *on_host)
{
	int type = 0;
	return cu.read_pointer(&type, CU_POINTER_MEMORY_TYPE, device_address(on_host)) == CU_SUCCESS &&
		type == CU_MEMORY_OF_HOST;
}

static bool cuda_copy(
	void *device, unsigned stream, bool to_device, void *on_device, void *on_host, size_t bytes, struct err *e)
{
	struct cuda_device *d = device;
	cu_pointer at = device_address(on_device);
	if (!is_pinned(on_host))
		hold_let_go(&d->hold);
	bool ok = cuda_check(to_device ? cu.copy_to_device_on(at, on_host, bytes, d->stream[stream])
				       : cu.copy_to_host_on(on_host, at, bytes, d->stream[stream]),
		"copy failed", e);
	return hold_count(&d->hold, ok);
}

static bool cuda_wait(void *device, unsigned stream, unsigned on, struct err *e)
{
	struct cuda_device *d = device;
	bool ok =
		record_cuda_event(d->done[on], d->stream[on], e) && wait_cuda_event(d->stream[stream], d->done[on], e);
	return hold_count(&d->hold, ok);
}

static bool cuda_end(void *device, struct err *e)
{
	struct cuda_device *d = device;
	for (unsigned i = 1; i < d->used; i++)
		if (!cuda_wait(device, 0, i, e))
			return false;
	bool ok = record_cuda_event(d->stop, d->stream[0], e);
	hold_let_go(&d->hold);
	return ok;
}

static enum poll_state cuda_poll(void *device, double *seconds, struct err *e)
{
	struct cuda_device *d = device;
	float ms = 0;
	cu_result r = cu.query_event(d->stop);
	if (r == CU_NOT_READY)
		return POLL_BUSY;
	if (!cuda_check(r, "kernel failed", e) ||
		!cuda_check(cu.elapsed_ms(&ms, d->start, d->stop), "cannot read the time between the events", e))
		return POLL_FAILED;
	*seconds = (double)ms * 1e-3;
	return POLL_DONE;
}

const struct gpu_runtime cuda_runtime = {
	.open = cuda_open,
	.start = cuda_start,
	.alloc = cuda_alloc,
	.release = cuda_release,
	.write = cuda_write,
	.read = cuda_read,
	.load = cuda_load_module,
	.unload = cuda_unload_module,
	.kernel = cuda_find_kernel,
	.describe = cuda_describe_kernel,
	.alloc_host = cuda_alloc_host,
	.release_host = cuda_release_host,
	.begin = cuda_begin,
	.launch = cuda_launch,
	.call = cuda_call,
	.library_description = cuda_library_description,
	.copy = cuda_copy,
	.wait = cuda_wait,
	.end = cuda_end,
	.poll = cuda_poll,
};
