/* Checks of a launch: kernels with a fault, and the same without it, for each target and wave size. */
#include "tests/softgpu/core/device.h"

#include "softgpu/core/check_report.h"

#define HIP "-O2 -x hip -nogpuinc -nogpulib --offload-device-only --no-gpu-bundle-output --offload-arch="
enum { SIZE = 256, GROUPS = 3, BUFFER_BYTES = 4096, BUFFER_USED = 4 * SIZE, REPORTS = 64 };

static struct device d;
static uint64_t fresh_va;         /* of a buffer without any write */
static uint32_t fresh_number = 1; /* of its allocation: another one for each launch */

/* --- devices --- */
struct target {
	const char *model, *flags;
};
static const struct target targets[] = {
	{"mi25,compute_units=4", HIP "gfx900"},
	{"mi25,compute_units=4,shader_engines=1", HIP "gfx900"},
	{"mi25,timing=0", HIP "gfx900"},
	{"mi60", HIP "gfx906"},
	{"rx7900xtx", HIP "gfx1100"},
	{"rx7900xtx", HIP "gfx1100 -mwavefrontsize64"},
};

/* The first BUFFER_USED bytes of the buffer are an allocation; the rest is between allocations. */
static bool find_extent(uint64_t va, struct check_extent *out)
{
	const uint64_t offset = va - BUFFER_VA;

	if (va - fresh_va < BUFFER_BYTES) {
		*out = (struct check_extent){fresh_va, BUFFER_BYTES, EXTENT_LIVE, fresh_number};
		return true;
	}
	if (offset >= BUFFER_BYTES)
		return false;
	*out = offset < BUFFER_USED
		? (struct check_extent){BUFFER_VA, BUFFER_USED, EXTENT_LIVE, 1}
		: (struct check_extent){BUFFER_VA + BUFFER_USED, BUFFER_BYTES - BUFFER_USED, EXTENT_GAP, 1};
	return true;
}

static void open_target(const struct target *t, unsigned checks)
{
	device_open(&d, t->model, "checks.hip", t->flags);
	assert_true(gpu_set_checks(d.gpu, checks, find_extent));
}

static void set_arguments(uint32_t value)
{
	device_args(&d);
	d.next = BUFFER_VA;
	gpu_unmap(d.gpu, BUFFER_VA, BUFFER_BYTES);
	uint32_t *buffer = push_buffer(&d, BUFFER_BYTES, 0);
	for (unsigned k = 0; k < BUFFER_BYTES / 4; k++)
		buffer[k] = k * 7;
	push_int(&d, value);
	fresh_va = d.next;
	fresh_number++;
	gpu_unmap(d.gpu, fresh_va, BUFFER_BYTES);
	push_buffer(&d, BUFFER_BYTES, 0);
}

/* The waves that meet in the resource of all_groups. */
static struct dispatch dispatch_of(const char *kernel)
{
	static struct gws_resources gws;
	struct dispatch p = device_dispatch(
		&d, kernel, (const uint32_t[3]){GROUPS * SIZE, 1, 1}, (const uint16_t[3]){SIZE, 1, 1}, 0);

	gws.counter[3] = GROUPS - 1;
	p.gws = &gws;
	return p;
}

static size_t launch(const char *kernel, uint32_t value, struct check_report *out)
{
	set_arguments(value);
	struct dispatch p = dispatch_of(kernel);
	assert_int_equal(gpu_launch(d.gpu, &p, &d.out), LAUNCH_OK);
	launch_log_write(&d.log, kernel, &d.out);
	return gpu_read_check_reports(d.gpu, out, REPORTS);
}

/* --- faults --- */
struct fault {
	const char *kernel;
	enum check_kind kind;
	uint32_t value, right; /* the kernel's argument, and that of the kernel without the fault */
	bool in_time;          /* it can only be seen in some schedules: that of the timed device is one */
};
static const struct fault faults[] = {
	{.kernel = "neighbor", .kind = CHECK_KIND_LDS_RACE},
	{.kernel = "reduction", .kind = CHECK_KIND_LDS_RACE},
	{.kernel = "second_barrier", .kind = CHECK_KIND_LDS_RACE, .value = 5, .right = 5},
	{.kernel = "bytes", .kind = CHECK_KIND_LDS_RACE},
	{.kernel = "counter", .kind = CHECK_KIND_LDS_RACE},
	{.kernel = "one_cell", .kind = CHECK_KIND_LANE_RACE},
	{.kernel = "flag", .kind = CHECK_KIND_LDS_RACE, .in_time = true},
	{.kernel = "lds_end", .kind = CHECK_KIND_LDS_OUT_OF_BOUNDS},
	{.kernel = "buffer_end", .kind = CHECK_KIND_OUT_OF_BOUNDS, .value = 1},
	{.kernel = "scratch_end", .kind = CHECK_KIND_SCRATCH_OUT_OF_BOUNDS, .value = 64, .right = 8},
	{.kernel = "half_barrier", .kind = CHECK_KIND_DIVERGED_BARRIER},
	{.kernel = "fresh_branch", .kind = CHECK_KIND_UNDEFINED_BRANCH, .value = 3, .right = 3},
	{.kernel = "fresh_mask", .kind = CHECK_KIND_UNDEFINED_MASK, .value = 3, .right = 3},
	{.kernel = "fresh_address", .kind = CHECK_KIND_UNDEFINED_ADDRESS},
	{.kernel = "fresh_atomic", .kind = CHECK_KIND_UNDEFINED_ATOMIC},
	{.kernel = "fresh_lds", .kind = CHECK_KIND_UNDEFINED_MASK},
	{.kernel = "fresh_copied", .kind = CHECK_KIND_UNDEFINED_MASK},
	{.kernel = "fresh_scratch", .kind = CHECK_KIND_UNDEFINED_MASK, .value = 3, .right = 3},
	{.kernel = "fresh_scratch_bytes", .kind = CHECK_KIND_UNDEFINED_MASK},
	{.kernel = "fresh_spilled", .kind = CHECK_KIND_UNDEFINED_MASK},
};
static const char *const right[] = {"same_wave_ok", "histogram_ok", "last_wave_ok", "double_sum_ok", "early_return_ok",
	"fresh_copy_ok", "fresh_masked_ok", "stuck_ok", "gives_up_ok"};

/* With CHECK_GLOBAL alone. */
static const struct fault global_faults[] = {
	{.kernel = "next_group"},
	{.kernel = "stencil"},
	{.kernel = "next_wave"},
	{.kernel = "last_group"},
	{.kernel = "last_group_early"},
	{.kernel = "look_back_sum"},
	{.kernel = "through_middle"},
	{.kernel = "grid_barrier"},
	{.kernel = "stream_k"},
	{.kernel = "group_bytes"},
	{.kernel = "global_sum"},
	{.kernel = "locked_sum"},
	{.kernel = "uniform_load"},
	{.kernel = "lds_order"},
	{.kernel = "all_groups"},
};
/* With CHECK_PORTABLE alone; others do not report them. */
static const struct fault portable_faults[] = {
	{.kernel = "lanes_return", .kind = CHECK_KIND_EARLY_RETURN},
	{.kernel = "wave_returns", .kind = CHECK_KIND_EARLY_RETURN},
	{.kernel = "two_barriers", .kind = CHECK_KIND_DIFFERENT_BARRIERS},
};
enum { PORTABLE_FAULTS = sizeof portable_faults / sizeof *portable_faults };
static const char *const global_right[] = {
	"same_value_ok", "global_double_sum_ok", "exchanged_lock_ok", "ticket_lock_ok"};
enum {
	GLOBAL_FAULTS = sizeof global_faults / sizeof *global_faults,
	GLOBAL_RIGHT = sizeof global_right / sizeof *global_right
};
enum { FAULTS = sizeof faults / sizeof *faults, RIGHT = sizeof right / sizeof *right };

static const char *kind_name(enum check_kind kind)
{
	static const char *const names[] = {
#define CHECK_KIND(id, check, name, text) name,
#include "softgpu/check_kinds.def"
#undef CHECK_KIND
	};

	return names[kind];
}

static void expect_fault(const struct target *t, const struct fault *f)
{
	struct check_report found[REPORTS];
	const size_t count = launch(f->kernel, f->value, found);

	for (size_t k = 0; k < count; k++)
		if (found[k].kind == f->kind)
			return;
	for (size_t k = 0; k < count; k++)
		print_message("%s at +0x%llx\n", kind_name(found[k].kind), (unsigned long long)found[k].at.offset);
	fail_msg("%s %s: %s was not reported", t->model, f->kernel, kind_name(f->kind));
}

static void expect_nothing(const struct target *t, const char *kernel, uint32_t value)
{
	struct check_report found[REPORTS];

	if (launch(kernel, value, found))
		fail_msg("%s %s: %s at +0x%llx, other +0x%llx", t->model, kernel, kind_name(found[0].kind),
			(unsigned long long)(found[0].at.pc - CODE_VA),
			(unsigned long long)(found[0].other.pc - CODE_VA));
}

static void faults_are_reported(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
		open_target(&targets[k], CHECK_MEMORY | CHECK_RACE | CHECK_BARRIER | CHECK_INIT);
		for (size_t f = 0; f < FAULTS; f++)
			if (!faults[f].in_time || gpu_model(d.gpu)->timing)
				expect_fault(&targets[k], &faults[f]);
		device_close(&d);
	}
}

static void right_kernels_have_no_report(void **state)
{
	char name[64];

	(void)state;
	for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
		open_target(&targets[k], CHECK_MEMORY | CHECK_RACE | CHECK_BARRIER | CHECK_ALIGN | CHECK_INIT);
		for (size_t f = 0; f < FAULTS; f++) {
			snprintf(name, sizeof name, "%s_ok", faults[f].kernel);
			expect_nothing(&targets[k], name, faults[f].right);
		}
		for (size_t f = 0; f < RIGHT; f++)
			expect_nothing(&targets[k], right[f], 0);
		device_close(&d);
	}
}

static void races_in_global_memory_are_reported(void **state)
{
	char name[64];

	(void)state;
	for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
		open_target(&targets[k], CHECK_GLOBAL);
		for (size_t f = 0; f < GLOBAL_FAULTS; f++) {
			struct fault fault = global_faults[f];
			fault.kind = CHECK_KIND_GLOBAL_RACE;
			expect_fault(&targets[k], &fault);
			snprintf(name, sizeof name, "%s_ok", fault.kernel);
			expect_nothing(&targets[k], name, 0);
		}
		for (size_t f = 0; f < GLOBAL_RIGHT; f++)
			expect_nothing(&targets[k], global_right[f], 0);
		device_close(&d);
	}
}

static void barriers_that_only_amd_allows_are_reported(void **state)
{
	char name[64];

	(void)state;
	for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
		for (size_t f = 0; f < PORTABLE_FAULTS; f++) {
			open_target(&targets[k], CHECK_PORTABLE);
			expect_fault(&targets[k], &portable_faults[f]);
			snprintf(name, sizeof name, "%s_ok", portable_faults[f].kernel);
			expect_nothing(&targets[k], name, 0);
			gpu_set_checks(d.gpu, CHECK_MEMORY | CHECK_BARRIER | CHECK_RACE, find_extent);
			expect_nothing(&targets[k], portable_faults[f].kernel, 0);
			device_close(&d);
		}
}

/* The launch never ends: it is stopped when the report is there. */
static void waves_that_wait_forever_are_reported(void **state)
{
	enum { PIECE = 5000, PIECES_MAX = 1000 };

	(void)state;
	for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
		struct check_report found[REPORTS];
		bool ended = false;
		open_target(&targets[k], CHECK_BARRIER);
		set_arguments(0);
		struct dispatch p = device_dispatch(
			&d, "stuck", (const uint32_t[3]){GROUPS * SIZE, 1, 1}, (const uint16_t[3]){SIZE, 1, 1}, 0);
		assert_true(gpu_begin_launch(d.gpu, &p, &d.out));
		for (unsigned n = 1; n < PIECES_MAX && !ended && !gpu_read_check_reports(d.gpu, NULL, 0); n++)
			ended = gpu_run_until(d.gpu, n * PIECE);
		const size_t count = gpu_read_check_reports(d.gpu, found, REPORTS);
		assert_false(ended);
		gpu_stop_launch(d.gpu);
		assert_true(gpu_run_until(d.gpu, UINT64_MAX));
		assert_int_equal(gpu_end_launch(d.gpu, &d.out), LAUNCH_STOPPED);
		assert_int_equal(count, 1);
		assert_int_equal(found[0].kind, CHECK_KIND_STUCK_WAVE);
		assert_int_equal(found[0].at.wave, 0);
		assert_true(found[0].has_other && found[0].other.wave != 0);
		device_close(&d);
	}
}

/* Where barriers alone order the waves, each schedule gives the same answer; where flags do, one at least shows the
 * fault. */
static void expect_in_schedule(const struct target *t, const struct fault *f, unsigned *seen)
{
	struct check_report found[REPORTS];
	char name[64];

	*seen += launch(f->kernel, f->value, found) != 0;
	snprintf(name, sizeof name, "%s_ok", f->kernel);
	expect_nothing(t, name, f->right);
}

static bool is_about_order(const struct fault *f)
{
	return f->kind == CHECK_KIND_LDS_RACE || f->kind == CHECK_KIND_DIVERGED_BARRIER;
}

static void schedules_do_not_matter(void **state)
{
	enum { SCHEDULES = 20 };
	char model[64];
	unsigned seen[FAULTS] = {0}, global_seen[GLOBAL_FAULTS] = {0};

	(void)state;
	for (unsigned k = 1; k <= SCHEDULES; k++) {
		snprintf(model, sizeof model, "mi25,compute_units=%u,shader_engines=%u", k, k % 2 ? 1 : 2);
		const struct target t = {model, HIP "gfx900"};
		open_target(&t, CHECK_RACE | CHECK_BARRIER);
		for (size_t f = 0; f < FAULTS; f++)
			if (is_about_order(&faults[f]))
				expect_in_schedule(&t, &faults[f], &seen[f]);
		gpu_set_checks(d.gpu, CHECK_GLOBAL, find_extent);
		for (size_t f = 0; f < GLOBAL_FAULTS; f++)
			expect_in_schedule(&t, &global_faults[f], &global_seen[f]);
		device_close(&d);
	}
	for (size_t f = 0; f < FAULTS; f++)
		if (is_about_order(&faults[f]))
			assert_in_range(seen[f], faults[f].in_time ? 1 : SCHEDULES, SCHEDULES);
	for (size_t f = 0; f < GLOBAL_FAULTS; f++)
		assert_int_equal(global_seen[f], SCHEDULES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_reported),
		cmocka_unit_test(right_kernels_have_no_report),
		cmocka_unit_test(schedules_do_not_matter),
		cmocka_unit_test(races_in_global_memory_are_reported),
		cmocka_unit_test(barriers_that_only_amd_allows_are_reported),
		cmocka_unit_test(waves_that_wait_forever_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
