/* The real worker on the software GPU, under the real HIP and rocm-smi libraries, driven through the client. */
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
#include "gpu/controller/doctor.h"
#include "gpu/protocol/record.h"
#include "tests/softgpu/driver/talk.h"

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
static const struct job_text multiply = {MULTIPLY("1")}, multiply_everywhere = {MULTIPLY("64")};
static const struct job_text long_chase = {CHASE, CHASE_BUFFERS, CHASE_ARGS("1024", "2000000000"), ONE, "null", NULL};
/* The last element read lies 8 GiB behind the buffer. */
static const struct job_text wild = {
	"'file':'chase.hip','entry':'chase_stride'",
	CHASE_BUFFERS,
	CHASE_ARGS("2000000000", "3"),
	ONE,
	"null",
	NULL,
};

enum { PATIENCE = 60 /* seconds, however busy the host */ };

/* --- tests --- */
static void the_device_says_what_it_is(void **state)
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
	json_t *t = await_record(w, "telemetry", 5);
	assert_true(record_get_clocks(t).sclk_mhz.valid && record_get_clocks(t).power_w.valid &&
		record_get_clocks(t).temp_c.valid);
	json_decref(t);
	worker_controller_close(w);
}

static bool maps_hold(int pid, const char *library)
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

static void the_libraries_are_the_real_ones(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	assert_true(maps_hold(worker_controller_pid(w), "libamdhip64.so.5"));
	assert_true(maps_hold(worker_controller_pid(w), "libhsa-runtime64.so"));
	assert_true(maps_hold(worker_controller_pid(w), "librocm_smi64.so"));
	assert_true(maps_hold(worker_controller_pid(w), "libsoftgpu.so"));
	assert_false(maps_hold(getpid(), "libamdhip64"));
	worker_controller_close(w);
}

static void a_constant_in_the_name_changes_the_device(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25,sclk_khz=1000000");
	json_t *p = run(w, 1, &empty);
	assert_text(p, "status", "ok");
	assert_true(record_get_clocks(p).sclk_mhz.value == 1002); /* what runs light runs 1953 ppm faster */
	json_decref(p);
	worker_controller_close(w);
}

static void what_is_wrong_with_a_device_name_is_told(void **state)
{
	(void)state;
	static const struct {
		const char *device, *says;
	} rows[] = {
		{"soft:mi25,l1_byte=65536", "l1_bytes"},
		{"soft:mi26", "mi25"},
		{"soft:mi25,l1_bytes=3", "l1_bytes"},
		{"nonsense", "soft:mi25"},
		{"replay:/nonexistent", "/nonexistent"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err e;
		enum status s = ST_OK;
		struct worker_controller *w = worker_controller_start(rows[i].device, &e);
		assert_true(await_death(w, 10));
		assert_true(worker_controller_open_failed(w, &s));
		assert_int_equal(s, ST_REQUEST);
		assert_non_null(strstr(worker_controller_crash_text(w), rows[i].says));
		worker_controller_close(w);
	}
}

static void a_point_is_measured_verified_and_exact(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	json_t *p = run(w, 1, &chase);
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
	assert_true(
		fabs(ps - rint(ps)) < 0.01 && fabs(ps / 1000 - rint(ps / 1000)) > 1e-3); /* finer than the events' ns */
	assert_int_equal(json_integer_value(json_object_get(c, "SQ_WAVES")), 1);
	assert_true(json_is_null(json_object_get(c, "NO_SUCH_COUNTER")));
	assert_true(json_integer_value(json_object_get(json_object_get(p, "kernel"), "vgprs")) > 0);
	json_decref(p);
	worker_controller_close(w);
}

/* Every CU multiplies: as many cycles as for one of them, and 3 % more time. The clock that is read was in force. */
static void the_clock_yields_to_multiplying_cus(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	json_t *one = run(w, 1, &multiply), *all = run(w, 2, &multiply_everywhere);
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
	json_t *a = run(w, 1, &empty), *b = run(w, 2, &chase);
	char *first = record_format_line(a), *second = record_format_line(b), *both = xasprintf("%s%s", first, second);
	free(first);
	free(second);
	json_decref(a);
	json_decref(b);
	worker_controller_close(w);
	return both;
}

static void the_same_jobs_give_the_same_bytes(void **state)
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

static void verifying_does_not_change_the_time(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	struct job_text without = chase;
	without.more = ",'verify':false";
	json_t *a = run(w, 1, &chase), *b = run(w, 2, &without);
	assert_text(b, "verify", "none");
	assert_true(seconds_of(a) == seconds_of(b));
	json_decref(a);
	json_decref(b);
	worker_controller_close(w);
}

static void a_wrong_result_is_found(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	struct job_text other = chase; /* the kernel stores, the reference of `dispatch` does not */
	other.reference = "'dispatch'";
	json_t *p = run(w, 1, &other);
	assert_text(p, "status", "ok");
	assert_text(p, "verify", "failed");
	assert_text(p, "verify_text", "out[0]: 1, the reference has 0");
	json_decref(p);
	worker_controller_close(w);
}

static void what_cannot_be_measured_says_why_and_the_next_works(void **state)
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
		const char *says;
	} rows[] = {
		{&entry, "dispatsch"},
		{&file, "no-such.hip"},
		{&large, "choose a smaller size"},
		{&block, "at most 1024"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		json_t *p = run(w, (int)i, rows[i].job);
		assert_text(p, "status", "failed");
		if (!strstr(record_get_text(p, "error"), rows[i].says))
			fail_msg("'%s' does not say '%s'", record_get_text(p, "error"), rows[i].says);
		json_decref(p);
	}
	json_t *p = run(w, 9, &empty);
	assert_text(p, "status", "ok");
	json_decref(p);
	worker_controller_close(w);
}

/* Processor time of a process in seconds, all threads, and of the processes that it has started and seen end. Other
 * work on the host does not add to it. */
static double cpu_seconds(int pid)
{
	char path[64], text[1024] = "";
	unsigned long user = 0, sys = 0, theirs = 0, their_sys = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *in = fopen(path, "r");
	if (in) {
		if (fgets(text, sizeof text, in))
			sscanf(strrchr(text, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu",
				&user, &sys, &theirs, &their_sys);
		fclose(in);
	}
	return (double)(user + sys + theirs + their_sys) / (double)sysconf(_SC_CLK_TCK);
}

static void a_long_kernel_is_cancelled_within_a_second_and_the_worker_lives(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	json_decref(run(w, 1, &empty));
	send_job(w, 2, &long_chase);
	send_job(w, 3, &empty);
	for (double end = now() + 1; now() < end;)
		step(w);
	double before = cpu_seconds(worker_controller_pid(w));
	worker_controller_cancel(w);
	for (int i = 0; i < 2; i++) {
		json_t *p = await_record(w, "point", PATIENCE);
		assert_non_null(p);
		assert_text(p, "status", "cancelled");
		json_decref(p);
	}
	assert_true(cpu_seconds(worker_controller_pid(w)) - before < 1);
	json_t *p = run(w, 4, &empty);
	assert_text(p, "status", "ok");
	json_decref(p);
	worker_controller_close(w);
}

/* 8^6 statements keep a compiler busy for long. */
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

static bool is_empty(const char *folder)
{
	char *command = xasprintf("[ -z \"$(find '%s' -mindepth 1 ! -name slow.hip -print -quit)\" ]", folder);
	bool nothing = system(command) == 0;
	free(command);
	return nothing;
}

/* A compiler is ended with all it has started and written, and the next job is measured by the same worker. */
static void a_compile_is_cancelled_and_the_next_job_works(void **state)
{
	(void)state;
	char folder[] = "/tmp/wavedeck-test-cancel-XXXXXX";
	const char *was = getenv("TMPDIR");
	char *kept = was ? xstrdup(was) : NULL;
	assert_non_null(mkdtemp(folder));
	setenv("TMPDIR", folder, 1);
	struct worker_controller *w = open_device("soft:mi25");
	char *path = slow_kernel(folder), *kernel = xasprintf("'file':'%s','entry':'dispatch'", path);
	struct job_text slow = empty;
	slow.kernel = kernel;
	int pid = worker_controller_pid(w);
	for (int round = 0; round < 2; round++) {
		send_job(w, 1, &slow);
		double before = cpu_seconds(pid);
		json_t *s = await_record(w, "state", PATIENCE);
		assert_text(s, "state", "compiling");
		json_decref(s);
		for (double end = now() + (round ? 0.6 : 0.05);
			now() < end;) /* when it has hardly begun, and in the middle of it */
			step(w);
		worker_controller_cancel(w);
		json_t *p = await_record(w, "point", PATIENCE);
		assert_non_null(p);
		assert_text(p, "status", "cancelled");
		json_decref(p);
		assert_true(cpu_seconds(pid) - before < 2); /* with the compiler's */
		p = run(w, 2, &empty);
		assert_text(p, "status", "ok");
		json_decref(p);
		assert_int_equal(worker_controller_pid(w), pid);
		assert_true(is_empty(folder));
	}
	send_job(w, 3, &slow); /* and a worker that is closed meanwhile leaves nothing either */
	for (double end = now() + 0.4; now() < end;)
		step(w);
	worker_controller_close(w);
	assert_true(is_empty(folder));
	if (kept)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
	unlink(path);
	rmdir(folder);
	free(kept);
	free(kernel);
	free(path);
}

/* A launch of one workgroup has no workgroups to count; its time on the GPU and its instructions grow. */
static void a_long_launch_of_one_workgroup_shows_that_it_goes_on(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	double seconds = 0, instructions = 0;
	json_decref(run(w, 1, &empty));
	send_job(w, 2, &long_chase);
	for (int told = 0; told < 3;) {
		json_t *p = await_record(w, "progress", 30);
		assert_non_null(p);
		double s = json_number_value(json_object_get(p, "gpu_seconds")),
		       n = json_number_value(json_object_get(p, "instructions"));
		bool begun = json_integer_value(json_object_get(p, "done")) ==
			0; /* before, the device still tells of the launch before */
		assert_true(!begun || (s > seconds && n > instructions));
		seconds = begun ? s : seconds;
		instructions = begun ? n : instructions;
		told += begun;
		json_decref(p);
	}
	worker_controller_cancel(w);
	json_decref(await_record(w, "point", PATIENCE));
	worker_controller_close(w);
}

static void a_memory_fault_kills_the_worker_and_is_told(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	send_job(w, 1, &wild);
	assert_true(await_death(w, 20));
	print_message("%s\n", worker_controller_crash_text(w));
	assert_non_null(strstr(worker_controller_crash_text(w), "emory fault"));
	assert_non_null(strstr(worker_controller_crash_text(w), " 0x7"));
	assert_non_null(strstr(worker_controller_crash_text(w), "while running point 2"));
	assert_false(worker_controller_open_failed(w, NULL));
	worker_controller_close(w);
}

static void killed_by_segv_in_the_middle_of_a_job_is_told_and_a_new_one_works(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	send_job(w, 1, &long_chase);
	for (double end = now() + 0.5; now() < end;)
		step(w);
	double began = now();
	kill(worker_controller_pid(w), SIGSEGV);
	assert_true(await_death(w, PATIENCE));
	const char *mode = getenv("MODE"); /* the address sanitizer takes the signal and ends the program itself */
	assert_non_null(strstr(worker_controller_crash_text(w),
		mode && !strcmp(mode, "asan") ? "AddressSanitizer" : "SIGSEGV while running point 2"));
	worker_controller_close(w);
	w = open_device("soft:mi25");
	json_t *p = run(w, 2, &empty);
	assert_text(p, "status", "ok");
	assert_true(now() - began < 120); /* no hang, however busy the host */
	json_decref(p);
	worker_controller_close(w);
}

static void an_idle_worker_uses_no_processor(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	json_decref(run(w, 1, &empty));
	double before = cpu_seconds(worker_controller_pid(w));
	assert_true(before > 0);
	for (double end = now() + 2; now() < end;)
		step(w);
	assert_true(cpu_seconds(worker_controller_pid(w)) - before <= 0.02);
	worker_controller_close(w);
}

static void waiting_costs_little_beside_the_simulation(void **state)
{
	(void)state;
	struct worker_controller *w = open_device("soft:mi25");
	json_decref(run(w, 1, &empty));
	send_job(w, 2, &long_chase);
	for (double end = now() + 0.3; now() < end;)
		step(w);
	double before = cpu_seconds(worker_controller_pid(w)), began = now();
	for (double end = now() + 2; now() < end;)
		step(w);
	double share = (cpu_seconds(worker_controller_pid(w)) - before) / (now() - began);
	print_message("%.2f processors while a kernel runs\n", share);
	assert_true(share < 1.2); /* one simulates */
	worker_controller_cancel(w);
	json_decref(await_record(w, "point", PATIENCE));
	worker_controller_close(w);
}

static void devices_are_listed_without_vendor_libraries_here(void **state)
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
	assert_false(maps_hold(getpid(), "libamdhip64"));
}

static void the_doctor_finds_this_machine_able(void **state)
{
	(void)state;
	struct doctor_check *list;
	size_t n = doctor_run_checks(&list);
	for (size_t i = 0; i < n; i++) {
		assert_true(*list[i].text);
		assert_true(list[i].state == CHECK_OK || *list[i].mend);
		if (!strcmp(list[i].name, "libamdhip64") || !strcmp(list[i].name, "soft:mi25"))
			assert_int_equal(list[i].state, CHECK_OK);
	}
	free(list);
	assert_false(maps_hold(getpid(), "libamdhip64"));
	assert_false(maps_hold(getpid(), "librocm_smi64"));
}

int main(void)
{
	talk_to_our_worker();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_device_says_what_it_is),
		cmocka_unit_test(the_libraries_are_the_real_ones),
		cmocka_unit_test(a_constant_in_the_name_changes_the_device),
		cmocka_unit_test(what_is_wrong_with_a_device_name_is_told),
		cmocka_unit_test(a_point_is_measured_verified_and_exact),
		cmocka_unit_test(the_same_jobs_give_the_same_bytes),
		cmocka_unit_test(the_clock_yields_to_multiplying_cus),
		cmocka_unit_test(verifying_does_not_change_the_time),
		cmocka_unit_test(a_wrong_result_is_found),
		cmocka_unit_test(what_cannot_be_measured_says_why_and_the_next_works),
		cmocka_unit_test(a_long_kernel_is_cancelled_within_a_second_and_the_worker_lives),
		cmocka_unit_test(a_compile_is_cancelled_and_the_next_job_works),
		cmocka_unit_test(a_long_launch_of_one_workgroup_shows_that_it_goes_on),
		cmocka_unit_test(a_memory_fault_kills_the_worker_and_is_told),
		cmocka_unit_test(killed_by_segv_in_the_middle_of_a_job_is_told_and_a_new_one_works),
		cmocka_unit_test(an_idle_worker_uses_no_processor),
		cmocka_unit_test(waiting_costs_little_beside_the_simulation),
		cmocka_unit_test(devices_are_listed_without_vendor_libraries_here),
		cmocka_unit_test(the_doctor_finds_this_machine_able),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
