/* The real worker on the software GPU with the real HIP and rocm-smi libraries, driven through the worker controller.
 */
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/log.h"
#include "gpu/controller/device_list.h"
#include "gpu/controller/doctor/doctor.h"
#include "gpu/protocol/record.h"
#include "tests/softgpu/driver/worker_session.h"
#include "tests/scratch.h"

/* --- jobs --- */
static const struct job_text empty = {
	"'file':'dispatch.hip','entry':'dispatch'",
	"{'name':'unused','type':'int','count':64}",
	"{'type':'int *','buffer':'unused'}",
	"'grid':[4096,1,1],'block':[256,1,1]",
	"'dispatch'",
	NULL,
};
static const struct job_text chase = {
	CHASE,
	CHASE_BUFFERS,
	CHASE_ARGS("1024", "20000"),
	ONE,
	"'chase_range'",
	",'counters':['SQ_WAVES','GRBM_GUI_ACTIVE','NO_SUCH_COUNTER'],'contract':[{'isa':'gfx9','instruction':'global_load_dword','count':1,'where':'hot_loop'}]",
};
#define MULTIPLY(blocks)                                                                            \
	"'file':'fma_published.s','entry':'fma_2c'", "{'name':'out','type':'float','count':65536}", \
		"{'type':'float *','buffer':'out'},{'type':'int','value':100000}",                  \
		"'grid':[" blocks ",1,1],'block':[1024,1,1]", "null", NULL
static const struct job_text multiply = {MULTIPLY("1")}, multiply_on_all_cus = {MULTIPLY("64")};
static const struct job_text long_chase = {CHASE, CHASE_BUFFERS, CHASE_ARGS("1024", "2000000000"), ONE, "null", NULL};
/* The last element read is 8 GiB past the end of the buffer. */
static const struct job_text out_of_bounds_chase = {
	"'file':'chase.hip','entry':'chase_stride'",
	CHASE_BUFFERS,
	CHASE_ARGS("2000000000", "3"),
	ONE,
	"null",
	NULL,
};

/* --- tests --- */
static void device_record_describes_the_device(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	const json_t *d = worker_controller_device_record(w);
	assert_text(d, "kind", "soft");
	assert_text(d, "arch", "gfx900");
	assert_true(json_is_true(json_object_get(d, "deterministic")));
	const json_t *p = json_object_get(d, "properties"), *v = json_object_get(d, "versions"),
		     *c = json_object_get(d, "constants");
	assert_int_equal(json_integer_value(json_object_get(p, "compute_units")), 64);
	assert_int_equal(json_integer_value(json_object_get(p, "lanes_per_wave")), 64);
	assert_non_null(strstr(record_get_text(v, "hip_library"), "libamdhip64.so"));
	assert_string_not_equal(record_get_text(v, "rocm_smi"), "");
	assert_int_equal(json_integer_value(json_object_get(c, "l1_bytes")), 16384);
	json_t *t = wait_for_record(w, "telemetry");
	assert_true(record_get_clocks(t).sclk_mhz.valid && record_get_clocks(t).power_w.valid &&
		record_get_clocks(t).temp_c.valid);
	json_decref(t);
	worker_controller_close(w);
}

static bool process_maps_library(int pid, const char *library)
{
	char path[64], line[1024];
	bool found = false;
	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	FILE *in = fopen(path, "r");
	while (in && fgets(line, sizeof line, in))
		found |= strstr(line, library) != NULL;
	if (in)
		fclose(in);
	return found;
}

static void worker_loads_the_real_rocm_libraries(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	assert_true(process_maps_library(worker_controller_pid(w), "libamdhip64.so.5"));
	assert_true(process_maps_library(worker_controller_pid(w), "libhsa-runtime64.so"));
	assert_true(process_maps_library(worker_controller_pid(w), "librocm_smi64.so"));
	assert_true(process_maps_library(worker_controller_pid(w), "libsoftgpu.so"));
	assert_false(process_maps_library(getpid(), "libamdhip64"));
	worker_controller_close(w);
}

static void constant_in_the_device_name_takes_effect(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25,sclk_khz=1000000");
	json_t *p = run_job(w, 1, &empty);
	assert_text(p, "status", "ok");
	assert_true(record_get_clocks(p).sclk_mhz.value == 1002); /* a lightly loaded clock is 1953 ppm higher */
	json_decref(p);
	worker_controller_close(w);
}

static void bad_device_name_is_explained(void **state)
{
	(void)state;
	static const struct {
		const char *device, *expected;
	} rows[] = {
		{"soft:mi25,l1_byte=65536", "l1_bytes"},
		{"soft:mi26", "mi25"},
		{"soft:mi25,l1_bytes=3", "l1_bytes"},
		{"nonsense", "soft:mi25"},
		{"replay:/proc/none", "/proc/none"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err e;
		enum status s = ST_OK;
		struct worker_controller *w =
			worker_controller_start(&(struct worker_place){.device = rows[i].device}, &e);
		assert_true(wait_for_death(w));
		assert_true(worker_controller_open_failed(w, &s));
		assert_int_equal(s, ST_REQUEST);
		assert_non_null(strstr(worker_controller_crash_text(w), rows[i].expected));
		worker_controller_close(w);
	}
}

static void point_is_measured_exactly_and_verified(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	json_t *p = run_job(w, 1, &chase);
	assert_text(p, "status", "ok");
	assert_text(p, "verify", "ok");
	assert_text(p, "contract", "ok");
	assert_int_equal(json_array_size(json_object_get(p, "seconds")), 1);
	const json_t *c = json_object_get(p, "counters");
	double cycles = (double)json_integer_value(json_object_get(c, "GRBM_GUI_ACTIVE"));
	double mhz = cycles / seconds_of(p) * 1e-6, ps = seconds_of(p) * 1e12;
	assert_true(cycles > 20000 * 100.0 && cycles < 20000 * 2000.0);
	assert_true(mhz > 1538.9 && mhz < 1539);
	assert_true(record_get_clocks(p).sclk_mhz.value == 1539);
	assert_true(fabs(ps - rint(ps)) < 0.01 &&
		fabs(ps / 1000 - rint(ps / 1000)) > 1e-3); /* finer than the resolution of events, 1 ns */
	assert_int_equal(json_integer_value(json_object_get(c, "SQ_WAVES")), 1);
	assert_true(json_is_null(json_object_get(c, "NO_SUCH_COUNTER")));
	assert_true(json_integer_value(json_object_get(json_object_get(p, "kernel"), "vgprs")) > 0);
	json_decref(p);
	worker_controller_close(w);
}

/* All CUs multiply: the same number of cycles as one CU, and 3 % more time. The reported clock matches. */
static void clock_drops_when_all_cus_multiply(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	json_t *one = run_job(w, 1, &multiply), *all = run_job(w, 2, &multiply_on_all_cus);
	assert_text(one, "status", "ok");
	assert_text(all, "status", "ok");
	assert_true(record_get_clocks(one).sclk_mhz.value > 1537 && record_get_clocks(one).sclk_mhz.value <= 1539);
	assert_true(record_get_clocks(all).sclk_mhz.value > 1485 && record_get_clocks(all).sclk_mhz.value < 1500);
	assert_true(record_get_clocks(all).power_w.value > 250 && record_get_clocks(one).power_w.value < 35);
	double time = seconds_of(all) / seconds_of(one);
	double clock = record_get_clocks(one).sclk_mhz.value / record_get_clocks(all).sclk_mhz.value;
	assert_true(time > 1.02 && fabs(time / clock - 1) < 0.005);
	json_decref(one);
	json_decref(all);
	worker_controller_close(w);
}

static char *two_points(void)
{
	struct worker_controller *w = open_device("soft:mi25");
	json_t *a = run_job(w, 1, &empty), *b = run_job(w, 2, &chase);
	char *first = record_format_line(a), *second = record_format_line(b), *both = xasprintf("%s%s", first, second);
	free(first);
	free(second);
	json_decref(a);
	json_decref(b);
	worker_controller_close(w);
	return both;
}

static void same_jobs_give_identical_records(void **state)
{
	(void)state;
	char *first = two_points();
	for (int i = 0; i < 2; i++) {
		char *again = two_points();
		assert_string_equal(first, again);
		free(again);
	}
	free(first);
}

static void verification_does_not_change_the_time(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	struct job_text without = chase;
	without.more = ",'verify':false";
	json_t *a = run_job(w, 1, &chase), *b = run_job(w, 2, &without);
	assert_text(b, "verify", "none");
	assert_true(seconds_of(a) == seconds_of(b));
	json_decref(a);
	json_decref(b);
	worker_controller_close(w);
}

static void wrong_result_is_detected(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	struct job_text other = chase; /* the kernel stores a value; the reference of `dispatch` does not */
	other.reference = "'dispatch'";
	json_t *p = run_job(w, 1, &other);
	assert_text(p, "status", "ok");
	assert_text(p, "verify", "failed");
	assert_text(p, "verify_text", "out[0] is 1, expected 0; 1 of 1 differs");
	json_decref(p);
	worker_controller_close(w);
}

static void failed_job_is_explained_and_the_next_one_works(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	struct job_text entry = empty, file = empty, large = chase, block = empty;
	entry.kernel = "'file':'dispatch.hip','entry':'dispatsch'";
	file.kernel = "'file':'no-such.hip','entry':'dispatch'";
	large.buffers = "{'name':'buf','type':'int','count':8589934592},{'name':'out','type':'int','count':1}";
	block.shape = "'grid':[1,1,1],'block':[2000,1,1]";
	const struct {
		const struct job_text *job;
		const char *expected;
	} rows[] = {
		{&entry, "dispatsch"},
		{&file, "no-such.hip"},
		{&large, "choose a smaller size"},
		{&block, "at most 1024"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		json_t *p = run_job(w, (int)i, rows[i].job);
		assert_text(p, "status", "failed");
		if (!strstr(record_get_text(p, "error"), rows[i].expected))
			fail_msg("'%s' does not contain '%s'", record_get_text(p, "error"), rows[i].expected);
		json_decref(p);
	}
	json_t *p = run_job(w, 9, &empty);
	assert_text(p, "status", "ok");
	json_decref(p);
	worker_controller_close(w);
}

/* CPU time in seconds of a process, all its threads and its finished child processes. */
static double cpu_seconds(int pid)
{
	char path[64], text[1024] = "";
	unsigned long user = 0, sys = 0, children = 0, children_sys = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *in = fopen(path, "r");
	if (in) {
		if (fgets(text, sizeof text, in))
			sscanf(strrchr(text, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu",
				&user, &sys, &children, &children_sys);
		fclose(in);
	}
	return (double)(user + sys + children + children_sys) / (double)sysconf(_SC_CLK_TCK);
}

/* Waits until the running kernel has executed instructions. */
static void wait_for_progress(struct worker_controller *w)
{
	json_t *p = wait_for_record(w, "progress");
	assert_non_null(p);
	json_decref(p);
}

static void canceled_kernel_stops_within_a_second_and_the_worker_survives(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	json_decref(run_job(w, 1, &empty));
	send_job(w, 2, &long_chase);
	send_job(w, 3, &empty);
	wait_for_progress(w);
	double before = cpu_seconds(worker_controller_pid(w));
	worker_controller_cancel(w);
	for (int i = 0; i < 2; i++) {
		json_t *p = wait_for_record(w, "point");
		assert_non_null(p);
		assert_text(p, "status", "cancelled");
		json_decref(p);
	}
	assert_true(cpu_seconds(worker_controller_pid(w)) - before < 1);
	json_t *p = run_job(w, 4, &empty);
	assert_text(p, "status", "ok");
	json_decref(p);
	worker_controller_close(w);
}

/* 8^6 statements keep the compiler busy for a long time. */
static char *slow_kernel(const char *folder)
{
	char *path = xasprintf("%s/slow.hip", folder);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs("#include <hip/hip_runtime.h>\n#define E(x) x x x x x x x x\n"
	      "extern \"C\" __global__ void dispatch(int *p) { int a = p[0], b = p[1]; E(E(E(E(E(E(a = a * b + (b ^= a >> 1);)))))) p[0] = a; }\n",
		f);
	fclose(f);
	return path;
}

/* True if `find` with these conditions finds something in the folder other than the source. */
static bool folder_has(const char *folder, const char *conditions)
{
	char *command = xasprintf("[ -n \"$(find '%s' %s ! -name slow.hip -print -quit)\" ]", folder, conditions);
	bool something = system(command) == 0;
	free(command);
	return something;
}

/* Folders in each other: the test's, the worker's, the compilation's with clang's files. */
#define OF_COMPILATION "-mindepth 2 -path '*/wavedeck-*/wavedeck-*'"

static void wait_for_compiler_files(struct worker_controller *w, const char *folder)
{
	double end = now() + PATIENCE;
	while (!folder_has(folder, "-mindepth 3 -path '*/wavedeck-*/wavedeck-*/*'") && now() < end)
		pump_worker(w);
	assert_true(now() < end);
}

/* The compiler, its child processes and its files are removed, and the same worker measures the next job. */
static void canceled_compile_stops_and_the_next_job_works(void **state)
{
	(void)state;
	char folder[SCRATCH_PATH];
	const char *old_tmpdir = getenv("TMPDIR");
	char *saved_tmpdir = old_tmpdir ? xstrdup(old_tmpdir) : NULL;
	assert_non_null(mkdtemp(scratch_path(folder, "cancel-XXXXXX")));
	setenv("TMPDIR", folder, 1);
	struct worker_controller *w = open_device("soft:mi25");
	char *path = slow_kernel(folder), *kernel = xasprintf("'file':'%s','entry':'dispatch'", path);
	struct job_text slow = empty;
	slow.kernel = kernel;
	int pid = worker_controller_pid(w);
	for (int round = 0; round < 2; round++) {
		send_job(w, 1, &slow);
		double before = cpu_seconds(pid);
		json_t *s = wait_for_record(w, "state");
		assert_text(s, "state", "compiling");
		json_decref(s);
		if (round) /* once right after the start, once while it writes */
			wait_for_compiler_files(w, folder);
		worker_controller_cancel(w);
		json_t *p = wait_for_record(w, "point");
		assert_non_null(p);
		assert_text(p, "status", "cancelled");
		json_decref(p);
		assert_true(cpu_seconds(pid) - before < 2); /* including the compiler's */
		p = run_job(w, 2, &empty);
		assert_text(p, "status", "ok");
		json_decref(p);
		assert_int_equal(worker_controller_pid(w), pid);
		assert_false(folder_has(folder, OF_COMPILATION));
	}
	send_job(w, 3, &slow); /* closing the worker during a compile leaves nothing either */
	wait_for_compiler_files(w, folder);
	worker_controller_close(w);
	assert_false(folder_has(folder, "-mindepth 1"));
	if (saved_tmpdir)
		setenv("TMPDIR", saved_tmpdir, 1);
	else
		unsetenv("TMPDIR");
	unlink(path);
	rmdir(folder);
	free(saved_tmpdir);
	free(kernel);
	free(path);
}

/* With one workgroup, progress shows only in the time on the GPU and the number of instructions. */
static void launch_of_one_workgroup_reports_progress(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	double seconds = 0, instructions = 0;
	json_decref(run_job(w, 1, &empty));
	send_job(w, 2, &long_chase);
	for (int reports = 0; reports < 3;) {
		json_t *p = wait_for_record(w, "progress");
		assert_non_null(p);
		double s = json_number_value(json_object_get(p, "gpu_seconds")),
		       n = json_number_value(json_object_get(p, "instructions"));
		bool started = json_integer_value(json_object_get(p, "done")) ==
			0; /* earlier records are about the previous launch */
		assert_true(!started || (s > seconds && n > instructions));
		seconds = started ? s : seconds;
		instructions = started ? n : instructions;
		reports += started;
		json_decref(p);
	}
	worker_controller_cancel(w);
	json_decref(wait_for_record(w, "point"));
	worker_controller_close(w);
}

static void access_outside_of_a_buffer_fails_the_point_and_the_worker_stays(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	for (int i = 1; i < 80; i += 2) { /* more than there are slots for bounded buffers */
		json_t *p = run_job(w, i, &out_of_bounds_chase);
		assert_text(p, "status", "failed");
		assert_non_null(
			strstr(record_get_text(p, "error"), "reads 4 bytes at buf[1999999999]; buffer buf has "));
		json_decref(p);
		p = run_job(w, i + 1, &empty);
		assert_text(p, "status", "ok");
		json_decref(p);
	}
	worker_controller_close(w);
}

/* A kernel that writes to an address which is not in any buffer. */
static void memory_fault_kills_the_worker_and_is_reported(void **state)
{
	char path[SCRATCH_PATH], kernel[SCRATCH_PATH + 40];
	(void)state;
	FILE *f = fopen(scratch_path(path, "wild.hip"), "w");
	assert_non_null(f);
	fputs("extern \"C\" __attribute__((global)) void wild(int *out)\n"
	      "{\n\t*(volatile int *)0x7000dead0000 = *out;\n}\n",
		f);
	assert_int_equal(fclose(f), 0);
	snprintf(kernel, sizeof kernel, "'file':'%s','entry':'wild'", path);
	const struct job_text wild = {
		kernel, "{'name':'out','type':'int','count':1}", "{'type':'int *','buffer':'out'}", ONE, "null", NULL};
	struct worker_controller *w = open_device("soft:mi25");
	send_job(w, 1, &wild);
	bool died = wait_for_death(w);
	unlink(path);
	assert_true(died);
	print_message("%s\n", worker_controller_crash_text(w));
	assert_non_null(strstr(worker_controller_crash_text(w), "emory fault"));
	assert_non_null(strstr(worker_controller_crash_text(w), " 0x7000dead0"));
	assert_non_null(strstr(worker_controller_crash_text(w), "while running point 2"));
	assert_false(worker_controller_open_failed(w, NULL));
	worker_controller_close(w);
}

static void worker_killed_by_sigsegv_is_reported_and_a_new_one_works(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	send_job(w, 1, &long_chase);
	wait_for_progress(w);
	kill(worker_controller_pid(w), SIGSEGV);
	assert_true(wait_for_death(w));
	const char *mode = getenv("MODE"); /* the address sanitizer handles the signal and ends the program */
	assert_non_null(strstr(worker_controller_crash_text(w),
		mode && !strcmp(mode, "asan") ? "AddressSanitizer" : "SIGSEGV while running point 2"));
	worker_controller_close(w);
	w = open_device("soft:mi25");
	json_t *p = run_job(w, 2, &empty);
	assert_text(p, "status", "ok");
	json_decref(p);
	worker_controller_close(w);
}

static bool has_running_thread(int pid)
{
	char *command = xasprintf("cat /proc/%d/task/*/stat | sed 's/.*) //' | grep -q '^[RD]'", pid);
	bool any = system(command) == 0;
	free(command);
	return any;
}

static void idle_worker_uses_no_cpu_time(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	json_decref(run_job(w, 1, &empty));
	for (double end = now() + PATIENCE; has_running_thread(worker_controller_pid(w)) && now() < end;)
		pump_worker(w);
	double before = cpu_seconds(worker_controller_pid(w));
	assert_true(before > 0);
	for (double end = now() + 2; now() < end;)
		pump_worker(w);
	assert_true(cpu_seconds(worker_controller_pid(w)) - before <= 0.02);
	worker_controller_close(w);
}

static void waiting_for_a_kernel_uses_little_cpu_time(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	json_decref(run_job(w, 1, &empty));
	send_job(w, 2, &long_chase);
	wait_for_progress(w);
	double before = cpu_seconds(worker_controller_pid(w)), began = now();
	for (double end = now() + 2; now() < end;)
		pump_worker(w);
	double share = (cpu_seconds(worker_controller_pid(w)) - before) / (now() - began);
	print_message("%.2f CPUs used while a kernel runs\n", share);
	assert_true(share < 1.2); /* one CPU simulates */
	worker_controller_cancel(w);
	json_decref(wait_for_record(w, "point"));
	worker_controller_close(w);
}

static void listing_devices_loads_no_vendor_library_here(void **state)
{
	(void)state;
	struct device_entry *list;
	size_t n = device_probe_all(&list), i = 0;
	while (i < n && strcmp(list[i].device, "soft:mi25"))
		i++;
	assert_true(i < n);
	assert_string_equal(list[i].state, "ready");
	assert_text(list[i].record, "arch", "gfx900");
	device_entries_free(list, n);
	struct device_entry unknown = {.device = "soft:mi99"};
	device_probe(&unknown, 1);
	assert_string_equal(unknown.state, "missing");
	assert_null(unknown.record);
	assert_non_null(strstr(unknown.text, "mi25"));
	assert_false(process_maps_library(getpid(), "libamdhip64"));
}

static void doctor_reports_no_problem_on_this_machine(void **state)
{
	(void)state;
	struct doctor_check *list;
	size_t n = doctor_run_checks(&list);
	for (size_t i = 0; i < n; i++) {
		assert_true(*list[i].text);
		assert_true(list[i].state == CHECK_OK || *list[i].fix);
		if (!strcmp(list[i].name, "libamdhip64") || !strcmp(list[i].name, "soft:mi25"))
			assert_int_equal(list[i].state, CHECK_OK);
	}
	free(list);
	assert_false(process_maps_library(getpid(), "libamdhip64"));
	assert_false(process_maps_library(getpid(), "librocm_smi64"));
}

int main(void)
{
	use_worker_of_this_build();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(device_record_describes_the_device),
		cmocka_unit_test(worker_loads_the_real_rocm_libraries),
		cmocka_unit_test(constant_in_the_device_name_takes_effect),
		cmocka_unit_test(bad_device_name_is_explained),
		cmocka_unit_test(point_is_measured_exactly_and_verified),
		cmocka_unit_test(same_jobs_give_identical_records),
		cmocka_unit_test(clock_drops_when_all_cus_multiply),
		cmocka_unit_test(verification_does_not_change_the_time),
		cmocka_unit_test(wrong_result_is_detected),
		cmocka_unit_test(failed_job_is_explained_and_the_next_one_works),
		cmocka_unit_test(canceled_kernel_stops_within_a_second_and_the_worker_survives),
		cmocka_unit_test(canceled_compile_stops_and_the_next_job_works),
		cmocka_unit_test(launch_of_one_workgroup_reports_progress),
		cmocka_unit_test(access_outside_of_a_buffer_fails_the_point_and_the_worker_stays),
		cmocka_unit_test(memory_fault_kills_the_worker_and_is_reported),
		cmocka_unit_test(worker_killed_by_sigsegv_is_reported_and_a_new_one_works),
		cmocka_unit_test(idle_worker_uses_no_cpu_time),
		cmocka_unit_test(waiting_for_a_kernel_uses_little_cpu_time),
		cmocka_unit_test(listing_devices_loads_no_vendor_library_here),
		cmocka_unit_test(doctor_reports_no_problem_on_this_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
