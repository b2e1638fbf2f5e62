/* softgpu-run: launches a kernel of a code object on the software GPU, without ROCm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <time.h>

#include "softgpu/isa/isa_family.h"
#include "softgpu/core/softgpu.h"
#include "softgpu/core/state/machine_limits.h"
#include "softgpu/core/model_config.h"
#include "softgpu/run/loaded_object.h"
#include "softgpu/run/replay_files.h"
#include "softgpu/run/checked_run.h"
#include "softgpu/probe.h"

static const char usage[] =
	"usage: softgpu-run [OPTION]... FILE [KERNEL] [ARGUMENT]...\n"
	"       softgpu-run FILE.launch...\n"
	"Runs a kernel of a code object on the software GPU and prints its cycles. The default kernel is the first one.\n"
	"  -m MODEL      model and constants, e.g. mi25 (gfx900), mi60,l1_bytes=65536 (gfx906), mi100 (gfx908),\n"
	"                rx7900xtx (gfx1100)\n"
	"  -g X[,Y,Z]    size of the grid in threads (default 64)\n"
	"  -b X[,Y,Z]    size of a workgroup in threads (default 64)\n"
	"  -l BYTES      LDS in addition to what the kernel declares\n"
	"  -r N          launch N times (default 1)\n"
	"  -t            also print CPU time, millions of wave instructions and of waves in a second of it, and elapsed time\n"
	"  -c            print performance counters\n"
	"  -p            print the cycle breakdown and a profile of every instruction\n"
	"  -d N          print the first N dwords of each buffer\n"
	"  -k CHECKS     check each launch, e.g. memory,init,race,barrier; the status is 1 if something is found\n"
	"  -h            print this help\n"
	"FILE.launch is a launch that was kept of a program: it runs again, and is compared with what it did then.\n"
	"Arguments: i:INT  q:INT64  f:FLOAT  buf:BYTES[=DWORD] (a buffer filled with that dword, default 0)\n";

enum { MAX_BUFFERS = 16, KERNARG_BYTES = 4096, PAGE = 4096 };
#define CODE_VA    UINT64_C(0x100000000)
#define KERNARG_VA UINT64_C(0x200000000)
#define SCRATCH_VA UINT64_C(0x300000000)
#define BUFFER_VA  UINT64_C(0x1000000000)

struct buffer {
	uint64_t va, bytes;
	uint32_t *host;
};

struct run {
	const char *model, *kernel, *checks;
	uint32_t grid[3], block[3], lds, repeat, dump;
	bool time, counters, profile;
	uint8_t kernarg[KERNARG_BYTES];
	uint32_t kernarg_used;
	struct buffer buffer[MAX_BUFFERS];
	unsigned buffers;
	struct gpu *gpu;
};

static void exit_with_error(const char *text, const char *more)
{
	fprintf(stderr, "softgpu-run: %s%s\n", text, more);
	exit(2);
}

static void *map_host_memory(uint64_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		exit_with_error("out of memory", "");
	return p;
}

static void parse_size(const char *text, uint32_t *out)
{
	int n = sscanf(text, "%u,%u,%u", &out[0], &out[1], &out[2]);

	if (n < 1)
		exit_with_error(text, ": not a size; write X[,Y[,Z]], such as 64 or 16,16");
	for (int k = n; k < 3; k++)
		out[k] = 1;
}

/* --- arguments --- */
static void push_argument(struct run *r, const void *value, uint32_t bytes)
{
	r->kernarg_used = (r->kernarg_used + bytes - 1) / bytes * bytes;
	if (r->kernarg_used + bytes > KERNARG_BYTES)
		exit_with_error("too many arguments", "");
	memcpy(r->kernarg + r->kernarg_used, value, bytes);
	r->kernarg_used += bytes;
}

static void push_buffer(struct run *r, const char *text)
{
	char *end;
	struct buffer *b = &r->buffer[r->buffers];

	if (r->buffers == MAX_BUFFERS)
		exit_with_error("too many buffers", "");
	b->bytes = strtoull(text, &end, 0);
	b->bytes = (b->bytes + PAGE - 1) / PAGE * PAGE;
	b->va = r->buffers ? b[-1].va + b[-1].bytes + (UINT64_C(1) << 30) : BUFFER_VA;
	b->host = map_host_memory(b->bytes);
	uint32_t fill = *end == '=' ? strtoul(end + 1, NULL, 0) : 0;
	for (uint64_t k = 0; fill && k < b->bytes / 4; k++)
		b->host[k] = fill;
	if (!gpu_map(r->gpu, b->va, b->bytes, b->host, b->va - BUFFER_VA, VM_READ | VM_WRITE))
		exit_with_error("cannot map a buffer of this size: ", text);
	r->buffers++;
	push_argument(r, &b->va, 8);
}

static void parse_argument(struct run *r, const char *text)
{
	if (!strncmp(text, "i:", 2)) {
		int32_t v = strtoll(text + 2, NULL, 0);
		push_argument(r, &v, 4);
	} else if (!strncmp(text, "q:", 2)) {
		int64_t v = strtoll(text + 2, NULL, 0);
		push_argument(r, &v, 8);
	} else if (!strncmp(text, "f:", 2)) {
		float v = strtof(text + 2, NULL);
		push_argument(r, &v, 4);
	} else if (!strncmp(text, "buf:", 4)) {
		push_buffer(r, text + 4);
	} else {
		exit_with_error(text, ": unknown argument type; use i:, q:, f: or buf:");
	}
}

/* --- launch --- */
static double read_clock_seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t count_wave_slots(const struct model *m)
{
	return m->compute_units / model_cus_per_processor(m) * SIMDS * m->waves_per_simd;
}

/* Sets up scratch like ROCr: swizzled by dword, 64 lanes, lane offset added (Vega ISA 8.1.5). gfx11 reads only the base
 * and the size of a wave. */
static void set_up_scratch(struct run *r, struct dispatch *d, uint32_t private_bytes)
{
	uint64_t wave = ((uint64_t)private_bytes * 64 + 1023) / 1024 * 1024,
		 bytes = wave * count_wave_slots(gpu_model(r->gpu));

	d->private_bytes = private_bytes;
	if (!bytes)
		return;
	bytes = (bytes + PAGE - 1) / PAGE * PAGE;
	if (!gpu_map(r->gpu, SCRATCH_VA, bytes, map_host_memory(bytes), UINT64_C(1) << 36, VM_READ | VM_WRITE))
		exit_with_error("cannot map scratch", "");
	d->scratch_base = SCRATCH_VA;
	d->scratch_wave_bytes = wave;
	d->scratch_srd[0] = (uint32_t)SCRATCH_VA;
	d->scratch_srd[1] = (uint32_t)(SCRATCH_VA >> 32) | 1u << 31;
	d->scratch_srd[2] = bytes > UINT32_MAX ? UINT32_MAX : bytes;
	d->scratch_srd[3] = 1u << 23 | 3u << 21 | 1u << 19;
}

static void print_counters(const struct run *r)
{
	struct gpu_counter c[64];
	size_t n = gpu_read_counters(r->gpu, c, 64);

	for (size_t k = 0; k < n && k < 64; k++)
		printf("%-24s %llu %s\n", c[k].name, (unsigned long long)c[k].value, c[k].unit);
}

/* The cycle breakdown, then each instruction with its issue count, issue cycles and stalls by reason. */
static void print_profile(const struct run *r)
{
	struct softgpu_cycles breakdown[SOFTGPU_STALL_REASONS];
	size_t reasons = gpu_read_breakdown(r->gpu, breakdown, SOFTGPU_STALL_REASONS),
	       n = gpu_read_profile(r->gpu, NULL, 0);
	struct softgpu_instruction *list = calloc(n + 1, sizeof *list);

	for (size_t k = 0; k < reasons; k++)
		if (breakdown[k].cycles)
			printf("%-24s %llu\n", breakdown[k].name, (unsigned long long)breakdown[k].cycles);
	n = list ? gpu_read_profile(r->gpu, list, n) : 0;
	for (size_t k = 0; k < n; k++) {
		printf("%+6lld %10llu x %-40s issue %llu", (long long)list[k].offset, (unsigned long long)list[k].count,
			list[k].text, (unsigned long long)list[k].issue);
		for (size_t c = 0; c < reasons; c++)
			if (list[k].stall[c])
				printf(" %s %llu", breakdown[c].name + 7, (unsigned long long)list[k].stall[c]);
		printf("\n");
	}
	free(list);
}

static void print_buffers(const struct run *r)
{
	for (unsigned k = 0; k < r->buffers; k++) {
		const struct buffer *b = &r->buffer[k];
		uint32_t hash = 2166136261u; /* FNV-1a over dwords */
		for (uint64_t n = 0; n < b->bytes / 4; n++)
			hash = (hash ^ b->host[n]) * 16777619u;
		printf("buffer %u %llu bytes checksum %08x\n", k, (unsigned long long)b->bytes, hash);
		for (uint32_t n = 0; n < r->dump && n < b->bytes / 4; n++)
			printf("%08x%c", b->host[n], n % 8 == 7 || n + 1 == r->dump ? '\n' : ' ');
	}
}

/* Checks know buffers, and the variables of the code. */
static void begin_checks(const struct run *r, const struct loaded_object *o)
{
	char why[256];

	if (!r->checks)
		return;
	if (!checked_run_begin(r->gpu, r->checks, why, sizeof why))
		exit_with_error("-k: ", why);
	checked_run_add_memory(r->gpu, o->va, o->size);
	for (unsigned k = 0; k < r->buffers; k++)
		checked_run_add_memory(r->gpu, r->buffer[k].va, r->buffer[k].bytes);
}

/* False: the launch failed. Adds the number of places where checks found something. */
static bool launch_once(const struct run *r, const struct dispatch *d, size_t *places)
{
	struct launch_result out;
	const double cpu = read_clock_seconds(CLOCK_PROCESS_CPUTIME_ID), start = read_clock_seconds(CLOCK_MONOTONIC);

	gpu_launch(r->gpu, d, &out);
	const double took = read_clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu,
		     elapsed = read_clock_seconds(CLOCK_MONOTONIC) - start;
	printf("cycles %llu waves %llu instructions %llu\n", (unsigned long long)out.cycles,
		(unsigned long long)out.waves, (unsigned long long)out.instructions);
	if (r->time)
		printf("host %.3f s, %.1f M wave-instructions/s, %.2f M waves/s, %.3f s elapsed\n", took,
			out.instructions / took * 1e-6, out.waves / took * 1e-6, elapsed);
	if (r->checks)
		*places += checked_run_report(r->gpu);
	if (out.status)
		fprintf(stderr, "softgpu-run: %s\n", out.message);
	return !out.status;
}

static int launch_kernel(struct run *r, struct loaded_object *o)
{
	uint32_t *arguments = map_host_memory(KERNARG_BYTES);
	struct dispatch d = {.kernel_object = loaded_object_find_kernel(o, r->kernel),
		.kernarg = KERNARG_VA,
		.packet_va = KERNARG_VA + KERNARG_BYTES / 2,
		.group_bytes = r->lds,
		.shared_aperture = UINT64_C(1) << 48,
		.private_aperture = UINT64_C(2) << 48};

	if (!d.kernel_object)
		exit_with_error("kernel not found: ", r->kernel ? r->kernel : "the file contains none");
	memcpy(arguments, r->kernarg, r->kernarg_used);
	gpu_map(r->gpu, KERNARG_VA, KERNARG_BYTES, arguments, VM_SYSTEM, VM_READ);
	for (unsigned k = 0; k < 3; k++) {
		d.workgroup[k] = r->block[k];
		d.grid[k] = r->grid[k];
	}
	/* sizes in the AQL packet, which kernels read through the dispatch pointer */
	uint16_t *packet = (uint16_t *)((uint8_t *)arguments + KERNARG_BYTES / 2);
	memcpy(packet + 2, d.workgroup, sizeof d.workgroup);
	memcpy(packet + 6, d.grid, sizeof d.grid);
	const uint32_t *descriptor = gpu_host_pointer(r->gpu, d.kernel_object, 64, VM_READ);
	set_up_scratch(r, &d, descriptor ? descriptor[1] : 0);
	begin_checks(r, o);
	gpu_set_profiling(r->gpu, r->profile ? SOFTGPU_PROFILE_CYCLES : 0);
	size_t places = 0;
	for (uint32_t k = 0; k < r->repeat; k++)
		if (!launch_once(r, &d, &places))
			return 1;
	if (r->counters)
		print_counters(r);
	if (r->profile)
		print_profile(r);
	print_buffers(r);
	return places != 0;
}

/* A target of another family, or none of these. Within a family most code runs on each model. */
static void refuse_other_families(const struct model *m, const struct loaded_object *o)
{
	enum isa_target code = isa_target_by_name(loaded_object_target(o)), own = isa_target_by_name(m->arch);
	char text[128];

	if (code && isa_family_of(code) == isa_family_of(own))
		return;
	snprintf(text, sizeof text, "the file has code for %s, but %s is %s; choose another model with -m",
		loaded_object_target(o), m->name, m->arch);
	exit_with_error(text, "");
}

static int parse_options(struct run *r, int argc, char **argv)
{
	int k = 1;

	for (; k < argc && argv[k][0] == '-' && argv[k][1]; k++) {
		const char *value = k + 1 < argc ? argv[k + 1] : "";
		switch (argv[k][1]) {
		case 't': r->time = true; continue;
		case 'c': r->counters = true; continue;
		case 'p': r->profile = true; continue;
		case 'h': fputs(usage, stdout); exit(0);
		case 'm': r->model = value; break;
		case 'g': parse_size(value, r->grid); break;
		case 'b': parse_size(value, r->block); break;
		case 'l': r->lds = strtoul(value, NULL, 0); break;
		case 'r': r->repeat = strtoul(value, NULL, 0); break;
		case 'd': r->dump = strtoul(value, NULL, 0); break;
		case 'k': r->checks = value; break;
		default: exit_with_error(argv[k], ": unknown option; softgpu-run -h lists the options");
		}
		k++;
	}
	return k;
}

int main(int argc, char **argv)
{
	static struct run r = {.model = "mi25", .grid = {64, 1, 1}, .block = {64, 1, 1}, .repeat = 1};
	struct model model;
	struct loaded_object o;
	char why[256];
	int k = parse_options(&r, argc, argv);

	if (k >= argc) {
		fputs(usage, stderr);
		return 2;
	}
	if (is_captured_launch(argv[k]))
		return replay_files(argv + k);
	if (!model_parse(&model, r.model, why, sizeof why))
		exit_with_error(why, "");
	if (!gpu_is_built(&model))
		exit_with_error("this build has no executor for the model; run: make", "");
	r.gpu = gpu_open(&model);
	if (!r.gpu)
		exit_with_error("out of memory", "");
	if (!loaded_object_open(&o, r.gpu, argv[k++], CODE_VA, UINT64_C(1) << 37, why, sizeof why))
		exit_with_error(why, "");
	refuse_other_families(&model, &o);
	if (k < argc && !strchr(argv[k], ':'))
		r.kernel = argv[k++];
	for (; k < argc; k++)
		parse_argument(&r, argv[k]);
	int status = launch_kernel(&r, &o);
	loaded_object_close(&o);
	gpu_close(r.gpu);
	return status;
}
