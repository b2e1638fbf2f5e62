/* A software GPU for tests: assembles or compiles sources at run time, creates buffers, launches kernels. */
#ifndef TESTS_SOFTGPU_CORE_DEVICE_H
#define TESTS_SOFTGPU_CORE_DEVICE_H

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "softgpu/core/softgpu.h"
#include "softgpu/core/model_config.h"
#include "softgpu/run/loaded_object.c" /* softgpu-run is a program, not a library */
#include "tests/softgpu/core/launch_log.h"
#include "tests/toolchain.h"
#include "tests/scratch.h"

#define CODE_VA    UINT64_C(0x100000000)
#define KERNARG_VA UINT64_C(0x200000000)
#define SCRATCH_VA UINT64_C(0x300000000)
#define BUFFER_VA  UINT64_C(0x1000000000)
enum { KERNARG_BYTES = 4096, SCRATCH_WAVE = 1 << 20, SCRATCH_WAVES = 128 * 4 * 10 /* waves of the largest model */ };

struct device {
	struct gpu *gpu;
	struct loaded_object object;
	uint8_t *kernarg;
	uint32_t used;
	uint64_t next;                  /* va of the next buffer */
	uint64_t start_cycle, start_ns; /* of the next launch */
	cycle_t piece;                  /* device_launch pauses after so many cycles; 0: it does not */
	struct launch_result out;
	struct launch_log log;
};

static inline void within(double value, double low, double high)
{
	if (value < low || value > high)
		fail_msg("%.3f is not within %.3f and %.3f", value, low, high);
}

static inline void *pages(uint64_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_true(p != MAP_FAILED);
	return p;
}

static inline struct gpu *open_gpu(const char *model)
{
	struct model m;
	char why[256], name[256];

	assert_true(model_parse(&m, launch_log_model(model, name), why, sizeof why));
	struct gpu *g = gpu_open(&m);
	assert_non_null(g);
	return g;
}

static inline bool is_newer(const char *file, const char *than)
{
	struct stat a, b;

	return !stat(file, &a) && !stat(than, &b) &&
		(a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
			(a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec > b.st_mtim.tv_nsec));
}

/* Runs the compiler on a file, relative to tests/softgpu/core, with these flags. The tests share the object, below
 * $BUILD, until the source changes. A source of another folder may include other files and is always compiled. */
static inline void build(const char *source, const char *flags, char out[SCRATCH_PATH])
{
	char command[1024], path[SCRATCH_PATH], temporary[SCRATCH_PATH + 16];
	const char *folder = getenv("BUILD");

	snprintf(command, sizeof command, IN_SCRATCH "%s %s tests/softgpu/core/%s", toolchain_value("CLANG"), flags,
		source);
	snprintf(path, sizeof path, "tests/softgpu/core/%s", source);
	snprintf(out, SCRATCH_PATH, "%s/tests/core-objects", folder ? folder : "build");
	assert_true(mkdir(out, 0777) == 0 || errno == EEXIST);
	snprintf(out + strlen(out), SCRATCH_PATH - strlen(out), "/%016" PRIx64 ".co", hash_text(HASH_START, command));
	if (!strchr(source, '/') && is_newer(out, path) && is_newer(out, "tests/softgpu/core/program.h"))
		return;
	snprintf(temporary, sizeof temporary, "%s.%d", out, (int)getpid());
	snprintf(command + strlen(command), sizeof command - strlen(command), " -o %s", temporary);
	assert_int_equal(system(command), 0);
	assert_int_equal(rename(temporary, out), 0); /* another program may read the old one */
}

/* Maps kernel arguments and scratch. */
static inline void device_map(struct device *d)
{
	d->kernarg = pages(KERNARG_BYTES);
	assert_true(gpu_map(d->gpu, KERNARG_VA, KERNARG_BYTES, d->kernarg, VM_SYSTEM, VM_READ));
	assert_true(gpu_map(d->gpu, SCRATCH_VA, (uint64_t)SCRATCH_WAVE * SCRATCH_WAVES,
		pages((uint64_t)SCRATCH_WAVE * SCRATCH_WAVES), UINT64_C(1) << 38, VM_READ | VM_WRITE));
	d->next = BUFFER_VA;
}

/* Takes the GPU. */
static inline void device_open_gpu(struct device *d, struct gpu *gpu, const char *source, const char *flags)
{
	char path[SCRATCH_PATH], why[256];

	memset(d, 0, sizeof *d);
	d->gpu = gpu;
	build(source, flags, path);
	bool loaded = loaded_object_open(&d->object, d->gpu, path, CODE_VA, UINT64_C(1) << 37, why, sizeof why);
	assert_true(loaded);
	device_map(d);
	launch_log_open(&d->log, d->gpu);
}

static inline void device_open(struct device *d, const char *model, const char *source, const char *flags)
{
	device_open_gpu(d, open_gpu(model), source, flags);
}

#define ASSEMBLE "-x assembler -target amdgcn-amd-amdhsa -mcpu=gfx900"

static inline void device_close(struct device *d)
{
	loaded_object_close(&d->object);
	gpu_close(d->gpu);
}

/* Forgets the arguments and pushes new ones, in the kernel's order. */
static inline void device_args(struct device *d)
{
	d->used = 0;
	memset(d->kernarg, 0, KERNARG_BYTES);
}

static inline void push(struct device *d, const void *value, uint32_t bytes)
{
	d->used = (d->used + bytes - 1) / bytes * bytes;
	memcpy(d->kernarg + d->used, value, bytes);
	d->used += bytes;
}

static inline void push_int(struct device *d, uint32_t v)
{
	push(d, &v, 4);
}

/* Maps memory with a hole behind it at this physical address; its address becomes the next argument. */
static inline uint32_t *push_memory(struct device *d, uint64_t bytes, uint32_t fill, uint64_t phys)
{
	uint32_t *host = pages(bytes);

	for (uint64_t k = 0; fill && k < bytes / 4; k++)
		host[k] = fill;
	assert_true(gpu_map(d->gpu, d->next, bytes, host, phys, VM_READ | VM_WRITE));
	push(d, &d->next, 8);
	launch_log_add_buffer(&d->log, host, bytes);
	d->next += bytes + (UINT64_C(1) << 24);
	return host;
}

static inline uint32_t *push_buffer(struct device *d, uint64_t bytes, uint32_t fill)
{
	return push_memory(d, bytes, fill, d->next - BUFFER_VA);
}

/* grid in work-items; dynamic LDS comes on top of what the kernel declares. */
static inline struct dispatch device_dispatch(
	struct device *d, const char *kernel, const uint32_t grid[3], const uint16_t block[3], uint32_t dynamic)
{
	struct dispatch p = {.workgroup = {block[0], block[1], block[2]},
		.grid = {grid[0], grid[1], grid[2]},
		.kernel_object = loaded_object_find_kernel(&d->object, kernel),
		.kernarg = KERNARG_VA,
		.packet_va = KERNARG_VA + KERNARG_BYTES / 2,
		.scratch_base = SCRATCH_VA,
		.scratch_wave_bytes = SCRATCH_WAVE,
		.shared_aperture = UINT64_C(1) << 48,
		.private_aperture = UINT64_C(2) << 48,
		.start_cycle = d->start_cycle,
		.start_ns = d->start_ns,
		.scratch_srd = {(uint32_t)SCRATCH_VA, (uint32_t)(SCRATCH_VA >> 32) | 1u << 31, 0xffffffff,
			1u << 23 | 3u << 21 | 1u << 19}};

	const uint32_t *declared = gpu_host_pointer(d->gpu, p.kernel_object, 64, VM_READ);

	assert_true(p.kernel_object && declared);
	p.group_bytes = dynamic ? *declared + dynamic : 0;
	memcpy(d->kernarg + KERNARG_BYTES / 2 + 4, p.workgroup, sizeof p.workgroup);
	memcpy(d->kernarg + KERNARG_BYTES / 2 + 12, p.grid, sizeof p.grid);
	return p;
}

static inline enum launch_status device_launch_in_pieces(struct device *d, const struct dispatch *p)
{
	gpu_begin_launch(d->gpu, p, &d->out);
	for (cycle_t until = d->piece; !gpu_run_until(d->gpu, until); until += d->piece)
		;
	return gpu_end_launch(d->gpu, &d->out);
}

static inline enum launch_status device_launch_3d(
	struct device *d, const char *kernel, const uint32_t grid[3], const uint16_t block[3], uint32_t dynamic)
{
	struct dispatch p = device_dispatch(d, kernel, grid, block, dynamic);

	enum launch_status status = d->piece ? device_launch_in_pieces(d, &p) : gpu_launch(d->gpu, &p, &d->out);
	launch_log_write(&d->log, kernel, &d->out);
	return status;
}

static inline enum launch_status device_launch(struct device *d, const char *kernel, uint32_t grid, uint32_t block)
{
	return device_launch_3d(d, kernel, (const uint32_t[3]){grid, 1, 1}, (const uint16_t[3]){block, 1, 1}, 0);
}

static inline uint64_t device_counter(const struct device *d, const char *name)
{
	struct gpu_counter c[64];
	size_t n = gpu_read_counters(d->gpu, c, 64);

	for (size_t k = 0; k < n; k++)
		if (!strcmp(c[k].name, name))
			return c[k].value;
	fail_msg("no counter %s", name);
	return 0;
}

#endif
