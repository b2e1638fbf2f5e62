/* The kernel driver as a struct gpu_runtime. */
#include "gpu/backends/aql/aql_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/min_max.h"
#include "gpu/backends/aql/aql_code.h"
#include "gpu/backends/aql/aql_copy.h"
#include "gpu/backends/aql/aql_queue.h"
#include "gpu/backends/hip_runtime.h"
#include "gpu/backends/kfd_topology.h"
#include "gpu/protocol/job_record.h"

enum { PARALLEL_CUS = 2 /* of a WGP, which HIP counts */, VGPR_KIB_PER_SIMD = 192, CACHES_MAX = 8 };
enum { STAGING_BYTES = 4 << 20, COPY_WAIT_NS = 50000 };

struct aql_open {
	struct aql_device device; /* the first member: memory functions take it alone */
	struct aql_queue unused;  /* the driver serves the first queue like that of ROCm's own copies: last */
	struct aql_queue stream[STREAMS_MAX];
	unsigned made, used;         /* streams: created, in this sequence */
	struct aql_engine engine[2]; /* from the device, to it */
	struct aql_signals signals;
	struct amd_signal *start, *end;
	uint8_t *staging; /* for pageable memory */
};

/* A code object, and the kernel in it that was asked for last. */
struct aql_module {
	const struct code_object *object;
	uint8_t *at;
	const struct kernel_info *info;
};

/* --- the device --- */
static uint64_t node_property(const struct aql_device *d, const char *key)
{
	return aql_device_property(d, "properties", key);
}

static uint64_t l2_bytes(const struct aql_device *d)
{
	char file[40];
	for (int i = 0; i < CACHES_MAX; i++) {
		snprintf(file, sizeof file, "caches/%d/properties", i);
		if (aql_device_property(d, file, "level") == 2)
			return aql_device_property(d, file, "size") << 10;
	}
	return 0;
}

/* The keys of hip_runtime.c, with what HIP says about the same GPU. */
static json_t *read_properties(const struct aql_device *d)
{
	uint64_t simds = node_property(d, "simd_count"), per_cu = node_property(d, "simd_per_cu"),
		 waves = node_property(d, "max_waves_per_simd"), lanes = node_property(d, "wave_front_size"),
		 lds = node_property(d, "lds_size_in_kb") << 10;
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {
		{"compute_units", simds / per_cu / PARALLEL_CUS},
		{"lanes_per_wave", lanes},
		{"max_threads_per_block", 1024},
		{"max_threads_per_cu", waves * per_cu * lanes},
		{"lds_per_block_bytes", lds},
		{"lds_per_cu_bytes", lds},
		{"registers_per_block", per_cu * VGPR_KIB_PER_SIMD * 256},
		{"l2_bytes", l2_bytes(d)},
		{"sclk_mhz", node_property(d, "max_engine_clk_fcompute")},
		{"mclk_mhz", aql_device_property(d, "mem_banks/0/properties", "mem_clk_max")},
		{"memory_bus_bits", aql_device_property(d, "mem_banks/0/properties", "width")},
		{"timer_khz", (uint64_t)(1e-3 / d->tick_seconds + 0.5)},
		{"memory_bytes", node_property(d, "local_mem_size")},
		{"devices", 1},
	};
	json_t *o = json_object();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		json_object_set_new(
			o, rows[i].key, rows[i].value ? json_integer((json_int_t)rows[i].value) : json_null());
	return o;
}

static void describe_device(const struct aql_device *d, struct device_info *info)
{
	unsigned version = (unsigned)node_property(d, "gfx_target_version"),
		 location = (unsigned)node_property(d, "location_id");
	*info = (struct device_info){.properties = read_properties(d),
		.versions = json_object(),
		.pci_domain = (unsigned)node_property(d, "domain"),
		.pci_bus = location >> 8,
		.pci_device = location >> 3 & 31,
		.max_block_threads = 1024};
	kfd_format_arch(version, info->arch);
	snprintf(info->name, sizeof info->name, "%s", info->arch);
}

static void *aql_open(int index, struct device_info *info, struct err *e)
{
	(void)index;
	struct aql_open *o = xcalloc(1, sizeof *o);
	if (!aql_device_open(&o->device, e) || !aql_queue_open(&o->unused, &o->device, e) ||
		!aql_signals_open(&o->signals, &o->device, e))
		return NULL;
	describe_device(&o->device, info);
	return o;
}

static bool make_streams(struct aql_open *o, unsigned count, struct err *e)
{
	for (; o->made < count; o->made++)
		if (!aql_queue_open(&o->stream[o->made], &o->device, e))
			return false;
	return true;
}

static bool aql_start(void *device, struct err *e)
{
	struct aql_open *o = device;
	for (int i = 0; i < 2; i++)
		if (!aql_engine_open(&o->engine[i], &o->device, e))
			return false;
	o->staging = aql_device_alloc(&o->device, AQL_ON_HOST, STAGING_BYTES, e);
	return o->staging && make_streams(o, 1, e);
}

/* --- memory --- */
static void *aql_alloc(void *device, size_t bytes, struct err *e)
{
	return aql_device_alloc(device, AQL_ON_DEVICE, bytes, e);
}

static void *aql_alloc_host(void *device, size_t bytes, struct err *e)
{
	return aql_device_alloc(device, AQL_ON_HOST, bytes, e);
}

static void aql_release(void *device, void *pointer)
{
	aql_device_free(device, pointer);
}

/* The host sees all device memory at the same addresses. */
static bool aql_transfer(void *device, void *to, const void *from, size_t bytes, struct err *e)
{
	(void)device, (void)e;
	memcpy(to, from, bytes);
	return true;
}

/* --- kernels --- */
static void *aql_load(void *device, const struct code_object *object, struct err *e)
{
	struct aql_module *m = xcalloc(1, sizeof *m);
	m->object = object;
	m->at = aql_code_load(device, object, e);
	if (m->at)
		return m;
	free(m);
	return NULL;
}

static void aql_unload(void *device, void *module)
{
	struct aql_module *m = module;
	struct aql_open *o = device;
	for (unsigned i = 0; i < o->made; i++)
		aql_queue_release_scratch(&o->stream[i]);
	aql_device_free(&o->device, m->at);
	free(m);
}

static bool check_kernel(const struct kernel_info *k, struct err *e)
{
	if (k->calls_host && !hip_is_installed())
		return err_set(e, ST_REQUEST,
			"%s calls printf or assert, which need HIP, and it is not installed here; remove the calls, or install it: `wavedeck doctor` says how",
			k->name);
	if (k->calls_host)
		return err_set(e, ST_REQUEST,
			"%s calls printf or assert, which need HIP, and ROCm here does not know %s; remove the calls, or use Debian 13 or AMD's packages",
			k->name, k->arch);
	return (k->kernarg_bytes <= AQL_ARGUMENTS && k->parameter_count <= KERNEL_PARAMETERS_MAX) ||
		err_set(e, ST_REQUEST,
			"the arguments of %s take %u bytes, more than %d; pass a pointer to a buffer instead of large values",
			k->name, k->kernarg_bytes, AQL_ARGUMENTS);
}

static void *aql_find_kernel(void *device, void *module, const char *entry, struct err *e)
{
	struct aql_module *m = module;
	(void)device;
	m->info = code_object_find_kernel(m->object, entry, e);
	return m->info && check_kernel(m->info, e) ? m : NULL;
}

/* The hidden arguments of code object version 4 are offsets of the grid, and addresses for what check_kernel refuses:
 * all 0. */
static void place_arguments(const struct kernel_info *k, void **args, uint8_t out[AQL_ARGUMENTS])
{
	memset(out, 0, AQL_ARGUMENTS);
	for (int i = 0; i < k->parameter_count; i++) {
		const struct kernel_parameter *p = &k->parameters[i];
		if (p->offset + p->size <= AQL_ARGUMENTS)
			memcpy(out + p->offset, args[i], p->size);
	}
}

/* --- between two events --- */
/* Makes queue `q` wait for all packets of `on`. */
static bool join_queues(struct aql_open *o, struct aql_queue *q, struct aql_queue *on, struct err *e)
{
	const struct amd_signal *s = aql_signal_take(&o->signals, e);
	return s && aql_queue_barrier(on, NULL, s, e) && aql_queue_barrier(q, s, NULL, e);
}

static bool aql_begin(void *device, unsigned streams, struct err *e)
{
	struct aql_open *o = device;
	o->signals.used = 0;
	o->used = streams;
	o->start = aql_signal_take(&o->signals, e);
	o->end = aql_signal_take(&o->signals, e);
	bool ok = make_streams(o, streams, e) && aql_queue_barrier(&o->stream[0], NULL, o->start, e);
	for (unsigned i = 1; ok && i < streams; i++)
		ok = aql_queue_barrier(&o->stream[i], o->start, NULL, e);
	return ok;
}

static bool aql_launch(void *device, unsigned stream, void *kernel, const struct launch_shape *shape,
	unsigned lds_bytes, void **args, struct err *e)
{
	struct aql_open *o = device;
	const struct aql_module *m = kernel;
	const struct kernel_info *k = m->info;
	struct aql_kernel launched = {(uintptr_t)m->at + k->descriptor_va, k->lds_bytes + lds_bytes, k->scratch_bytes};
	uint8_t arguments[AQL_ARGUMENTS];
	place_arguments(k, args, arguments);
	return aql_queue_launch(&o->stream[stream], &launched, shape, arguments, e);
}

static bool aql_call(void *device, unsigned stream, enum library_call call, void **args, struct err *e)
{
	(void)device, (void)stream, (void)call, (void)args;
	return err_set(e, ST_FAILED, "vendor libraries need HIP, and %s",
		hip_is_installed() ? "the ROCm runtime here does not know this GPU; use Debian 13 or AMD's packages"
				   : "it is not installed here; `wavedeck doctor` says how to install it");
}

static const char *aql_library_description(enum library_call call)
{
	(void)call;
	return "";
}

/* Returns the signal that the copy reaches when it has ended. */
static const struct amd_signal *start_copy(struct aql_open *o, unsigned stream, bool to_device, void *on_device,
	void *on_host, size_t bytes, struct err *e)
{
	struct amd_signal *before = aql_signal_take(&o->signals, e),
			  *after = before ? aql_signal_take(&o->signals, e) : NULL;
	if (!after || !aql_queue_barrier(&o->stream[stream], NULL, before, e))
		return NULL;
	aql_engine_copy(&o->engine[to_device], before, to_device ? on_device : on_host, to_device ? on_host : on_device,
		bytes, after);
	return after;
}

static bool wait_for_signal(struct aql_open *o, unsigned stream, const struct amd_signal *s, struct err *e)
{
	struct timespec t = {0, COPY_WAIT_NS};
	while (!aql_signal_is_reached(s)) {
		if (!aql_queue_check(&o->stream[stream], e))
			return false;
		nanosleep(&t, NULL);
	}
	return true;
}

/* Through the staging buffer; returns when it is done. */
static bool copy_pageable(struct aql_open *o, unsigned stream, bool to_device, uint8_t *on_device, uint8_t *on_host,
	size_t bytes, struct err *e)
{
	for (size_t at = 0; at < bytes; at += STAGING_BYTES) {
		size_t n = min_u64(STAGING_BYTES, bytes - at);
		unsigned used = o->signals.used;
		if (to_device)
			memcpy(o->staging, on_host + at, n);
		const struct amd_signal *done = start_copy(o, stream, to_device, on_device + at, o->staging, n, e);
		if (!done || !wait_for_signal(o, stream, done, e))
			return false;
		o->signals.used = used;
		if (!to_device)
			memcpy(on_host + at, o->staging, n);
	}
	return true;
}

static bool aql_copy(
	void *device, unsigned stream, bool to_device, void *on_device, void *on_host, size_t bytes, struct err *e)
{
	struct aql_open *o = device;
	if (!aql_device_sees(&o->device, on_host))
		return copy_pageable(o, stream, to_device, on_device, on_host, bytes, e);
	const struct amd_signal *done = start_copy(o, stream, to_device, on_device, on_host, bytes, e);
	return done && aql_queue_barrier(&o->stream[stream], done, NULL, e);
}

static bool aql_wait(void *device, unsigned stream, unsigned on, struct err *e)
{
	struct aql_open *o = device;
	return join_queues(o, &o->stream[stream], &o->stream[on], e);
}

static bool aql_end(void *device, struct err *e)
{
	struct aql_open *o = device;
	for (unsigned i = 1; i < o->used; i++)
		if (!join_queues(o, &o->stream[0], &o->stream[i], e))
			return false;
	return aql_queue_barrier(&o->stream[0], NULL, o->end, e);
}

static enum poll_state aql_poll(void *device, double *seconds, struct err *e)
{
	struct aql_open *o = device;
	if (aql_signal_is_reached(o->end)) {
		*seconds = (double)(o->end->end - o->start->end) * o->device.tick_seconds;
		return POLL_DONE;
	}
	for (unsigned i = 0; i < o->used; i++)
		if (!aql_queue_check(&o->stream[i], e))
			return POLL_FAILED;
	return POLL_BUSY;
}

const struct gpu_runtime aql_runtime = {
	.open = aql_open,
	.start = aql_start,
	.alloc = aql_alloc,
	.release = aql_release,
	.write = aql_transfer,
	.read = aql_transfer,
	.load = aql_load,
	.unload = aql_unload,
	.kernel = aql_find_kernel,
	.alloc_host = aql_alloc_host,
	.release_host = aql_release,
	.begin = aql_begin,
	.launch = aql_launch,
	.call = aql_call,
	.library_description = aql_library_description,
	.copy = aql_copy,
	.wait = aql_wait,
	.end = aql_end,
	.poll = aql_poll,
};
