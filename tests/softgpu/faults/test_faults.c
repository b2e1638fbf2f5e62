/* Mistakes that kernels make: each is reported with its kind and line, in every order of the waves, and the same kernel
 * without the mistake has no report. */
#include "tests/softgpu/core/device.h"

#include "kernels/inspect/debug_lines.h"
#include "softgpu/core/check_report.h"

#define HIP       "-O2 -g -I. -x hip -nogpuinc -nogpulib --offload-device-only --no-gpu-bundle-output --offload-arch="
#define GAP_BYTES UINT64_C(65536)
enum {
	SIZE = 256,
	GROUPS = 3,
	ELEMENTS = 700,
	BUFFER_BYTES = 4096,
	REPORTS = 256,
	LINES_MAX = 4,
	ALL_CHECKS = CHECK_MEMORY | CHECK_RACE | CHECK_BARRIER | CHECK_INIT | CHECK_ALIGN
};

/* --- what is expected --- */
enum when { ALWAYS, SOMETIMES };
static struct fault {
	const char *file, *kernel;
	enum check_kind kind;
	enum when when;
	uint32_t dynamic;
	int line[LINES_MAX]; /* where it may be reported; 0: no more */
	bool found;          /* in some order */
} faults[] = {
#define FAULT(file, kernel, kind, when, dynamic) \
	{"tests/softgpu/faults/" #file "_faults.hip", #kernel, CHECK_KIND_##kind, when, dynamic, {0}, false},
#include "tests/softgpu/faults/faults.def"
#undef FAULT
};
enum { FAULTS = sizeof faults / sizeof *faults };
static const char *const kind_names[] = {
#define CHECK_KIND(id, check, name, text) name,
#include "softgpu/check_kinds.def"
#undef CHECK_KIND
};

static void note_line(struct fault *f, const char *text, int line)
{
	const char *at = strstr(text, "// FAULT ");
	const size_t length = strlen(f->kernel);
	size_t k = 0;

	if (!at || strncmp(at + 9, f->kernel, length) || at[9 + length] != '\n')
		return;
	while (k < LINES_MAX && f->line[k])
		k++;
	assert_true(k < LINES_MAX);
	f->line[k] = line;
}

static int read_lines(void **state)
{
	char text[512];

	(void)state;
	for (size_t k = 0; k < FAULTS; k++) {
		FILE *f = fopen(faults[k].file, "r");
		assert_non_null(f);
		for (int line = 1; fgets(text, sizeof text, f); line++)
			note_line(&faults[k], text, line);
		fclose(f);
		assert_true(faults[k].line[0]);
	}
	return 0;
}

/* --- the device --- */
static struct device d;
static struct debug_lines *lines;
static uint64_t out_va, in_va, fresh_va, freed_va, host_va;
static uint32_t *host_memory[5];
static uint32_t fresh_number = 10; /* another one for each launch: then nothing is written */

/* A buffer of `bytes` bytes is followed by a gap, and has one before it. */
static bool find_in(uint64_t va, uint64_t start, struct check_extent whole, struct check_extent *out)
{
	if (va - start < whole.bytes)
		*out = (struct check_extent){start, whole.bytes, whole.state, whole.allocation};
	else if (va - (start + whole.bytes) < GAP_BYTES)
		*out = (struct check_extent){start + whole.bytes, GAP_BYTES, EXTENT_GAP, whole.allocation};
	else if (start - va <= GAP_BYTES)
		*out = (struct check_extent){start - GAP_BYTES, GAP_BYTES, EXTENT_GAP, whole.allocation};
	else
		return false;
	return true;
}

static bool find_extent(uint64_t va, struct check_extent *out)
{
	return find_in(va, out_va, (struct check_extent){0, 4 * ELEMENTS, EXTENT_LIVE, 1}, out) ||
		find_in(va, in_va, (struct check_extent){0, 4 * ELEMENTS, EXTENT_LIVE, 2}, out) ||
		find_in(va, fresh_va, (struct check_extent){0, BUFFER_BYTES, EXTENT_LIVE, fresh_number}, out) ||
		find_in(va, freed_va, (struct check_extent){0, BUFFER_BYTES, EXTENT_FREED, 3}, out) ||
		find_in(va, host_va, (struct check_extent){0, BUFFER_BYTES, EXTENT_LIVE, 4}, out);
}

static uint64_t map_buffer(unsigned k, uint64_t phys, bool values)
{
	const uint64_t va = BUFFER_VA + (uint64_t)k * (UINT64_C(1) << 24);

	if (!host_memory[k])
		host_memory[k] = pages(BUFFER_BYTES);
	memset(host_memory[k], 0, BUFFER_BYTES);
	for (uint32_t i = 0; values && i < ELEMENTS; i++)
		host_memory[k][i] = i * 7;
	gpu_unmap(d.gpu, va, BUFFER_BYTES);
	assert_true(gpu_map(d.gpu, va, BUFFER_BYTES, host_memory[k], phys, VM_READ | VM_WRITE));
	return va;
}

static void push_arguments(void)
{
	const uint32_t n = ELEMENTS;

	device_args(&d);
	out_va = map_buffer(0, 0, true);
	in_va = map_buffer(1, BUFFER_BYTES, true);
	fresh_va = map_buffer(2, 2 * BUFFER_BYTES, false);
	freed_va = map_buffer(3, 3 * BUFFER_BYTES, true);
	host_va = map_buffer(4, VM_SYSTEM | UINT64_C(1) << 30, false);
	fresh_number++;
	push(&d, &out_va, 8);
	push_int(&d, n);
	push(&d, &in_va, 8);
	push(&d, &fresh_va, 8);
	push(&d, &freed_va, 8);
	push(&d, &host_va, 8);
}

static void open_code(const char *model, const char *path)
{
	char why[256];

	memset(&d, 0, sizeof d);
	d.gpu = open_gpu(model);
	assert_true(loaded_object_open(&d.object, d.gpu, path, CODE_VA, UINT64_C(1) << 37, why, sizeof why));
	device_map(&d);
	launch_log_open(&d.log, d.gpu);
	assert_true(gpu_set_checks(d.gpu, ALL_CHECKS, find_extent));
}

static bool stops_launch(enum check_kind kind)
{
	return kind == CHECK_KIND_UNMAPPED || kind == CHECK_KIND_MISALIGNED_ATOMIC;
}

static size_t launch(const struct fault *f, bool right, struct check_report *out)
{
	static const uint32_t grid[] = {GROUPS * SIZE, 1, 1};
	static const uint16_t block[] = {SIZE, 1, 1};
	char name[64];

	snprintf(name, sizeof name, "%s%s", f->kernel, right ? "_ok" : "");
	push_arguments();
	const enum launch_status status = device_launch_3d(&d, name, grid, block, f->dynamic);
	if (status != LAUNCH_OK && (right || !stops_launch(f->kind)))
		fail_msg("%s: %s", name, d.out.message);
	const size_t count = gpu_read_check_reports(d.gpu, out, REPORTS);
	if (f->kind != CHECK_KIND_UNDEFINED_COPY || count >= REPORTS)
		return count;
	return count + gpu_take_undefined(d.gpu, fresh_va, BUFFER_BYTES, out + count, REPORTS - count);
}

/* --- what is reported --- */
/* The lines of the place in the file, with those into which it was inlined. */
static bool is_at_line(const struct fault *f, uint64_t pc)
{
	struct source_frames s;
	bool found = false;

	debug_lines_find(lines, pc - CODE_VA, &s);
	for (size_t k = 0; k < s.count; k++)
		for (size_t n = 0; n < LINES_MAX && f->line[n]; n++)
			found |= s.list[k].line == f->line[n] && strstr(s.list[k].file, strrchr(f->file, '/'));
	source_frames_free(&s);
	return found;
}

static bool is_at_lines(const struct fault *f, const struct check_report *r)
{
	return is_at_line(f, r->at.pc) || (r->has_other && is_at_line(f, r->other.pc));
}

static void print_reports(const struct check_report *r, size_t count)
{
	struct source_frames s;

	for (size_t k = 0; k < count; k++) {
		debug_lines_find(lines, r[k].at.pc - CODE_VA, &s);
		print_message("%s at line %d\n", kind_names[r[k].kind], s.count ? s.list[0].line : 0);
		source_frames_free(&s);
	}
}

/* What a fault leads to may be reported, too, at the same lines. */
static void try_fault(const char *model, struct fault *f)
{
	static struct check_report found[REPORTS];
	const size_t count = launch(f, false, found);
	bool reported = false, elsewhere = false;

	for (size_t k = 0; k < count; k++) {
		reported |= found[k].kind == f->kind && is_at_lines(f, &found[k]);
		elsewhere |= !is_at_lines(f, &found[k]);
	}
	f->found |= reported;
	if (!elsewhere && (reported || f->when == SOMETIMES))
		return;
	print_reports(found, count);
	fail_msg("%s: %s of %s was not reported at line %d, or something else was", model, kind_names[f->kind],
		f->kernel, f->line[0]);
}

static void try_right(const char *model, const struct fault *f)
{
	static struct check_report found[REPORTS];
	const size_t count = launch(f, true, found);

	print_reports(found, count);
	if (count)
		fail_msg("%s: %s_ok has a report", model, f->kernel);
}

static void try_file(const char *model, const char *file, const char *path)
{
	open_code(model, path);
	for (size_t k = 0; k < FAULTS; k++)
		if (!strcmp(faults[k].file, file)) {
			try_fault(model, &faults[k]);
			try_right(model, &faults[k]);
		}
	device_close(&d);
}

static void build_file(const char *file, const char *flags, char path[SCRATCH_PATH])
{
	char source[SCRATCH_PATH];

	snprintf(source, sizeof source, "../../../%s", file);
	build(source, flags, path);
	lines = debug_lines_open(path);
	assert_non_null(lines);
}

static bool is_first_of_file(size_t k)
{
	return k == 0 || strcmp(faults[k].file, faults[k - 1].file);
}

/* --- tests --- */
/* The waves come in other orders with other numbers of CUs and engines, and with other latencies. */
static const char *const orders[] = {"compute_units=1,shader_engines=1", "compute_units=2,shader_engines=1",
	"compute_units=3,shader_engines=1", "compute_units=5,shader_engines=1", "compute_units=2,shader_engines=2",
	"compute_units=4,shader_engines=2", "compute_units=4", "compute_units=8", "compute_units=64", "timing=0",
	"timing=0,compute_units=1,shader_engines=1", "compute_units=4,lds_latency=1", "compute_units=4,lds_latency=700",
	"compute_units=1,shader_engines=1,lds_latency=9000", "compute_units=4,wave_start_cycles=0",
	"compute_units=4,wave_start_cycles=500", "compute_units=1,shader_engines=1,wave_start_cycles=9000",
	"compute_units=4,l1_latency=1", "compute_units=4,l1_latency=9000",
	"compute_units=1,shader_engines=1,l1_latency=5000,wave_start_cycles=1000"};

static void each_target(void **state)
{
	static const struct {
		const char *model, *flags;
	} targets[] = {
		{"mi25", HIP "gfx900"},
		{"mi60", HIP "gfx906"},
		{"rx7900xtx", HIP "gfx1100"},
		{"rx7900xtx", HIP "gfx1100 -mwavefrontsize64"},
	};
	char path[SCRATCH_PATH];

	(void)state;
	for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
		for (size_t k = 0; k < FAULTS; k++) {
			if (!is_first_of_file(k))
				continue;
			build_file(faults[k].file, targets[t].flags, path);
			try_file(targets[t].model, faults[k].file, path);
			debug_lines_close(lines);
		}
}

static void each_order(void **state)
{
	char path[SCRATCH_PATH], model[SCRATCH_PATH];

	(void)state;
	for (size_t k = 0; k < FAULTS; k++) {
		if (!is_first_of_file(k))
			continue;
		build_file(faults[k].file, HIP "gfx900", path);
		for (size_t n = 0; n < sizeof orders / sizeof *orders; n++) {
			snprintf(model, sizeof model, "mi25,%s", orders[n]);
			try_file(model, faults[k].file, path);
		}
		debug_lines_close(lines);
	}
	for (size_t k = 0; k < FAULTS; k++)
		if (!faults[k].found)
			fail_msg("%s was reported in no order", faults[k].kernel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_target),
		cmocka_unit_test(each_order),
	};

	return cmocka_run_group_tests(tests, read_lines, NULL);
}
