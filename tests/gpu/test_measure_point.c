/* The parts of a measurement that need no GPU: jobs, buffers (with a runtime in host memory), sampling, times, clocks.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/worker/buffers/job_buffers.h"
#include "gpu/protocol/job_record.h"
#include "gpu/softgpu-link/exact_time.h"
#include "gpu/worker/measure_point.h"
#include "gpu/worker/buffers/compare_buffers.h"
#include "gpu/worker/buffers/fill_pages.h"
#include "gpu/controller/selftest.h"
#include "gpu/worker/selftest_run.h"
#include "gpu/worker/samples/telemetry_sampler.h"

/* --- jobs --- */
static const char good[] =
	"{'type':'job','job':7,'point':3,'experiment':'range-latency','params':{'rangesize':4096},"
	"'kernel':{'file':'chase.hip','defines':'-DX=1','entry':'chase_range'},"
	"'buffers':[{'name':'buf','type':'int','count':1000,'fill':'index'},{'name':'out','type':'float','count':2}],"
	"'args':[{'type':'const int *','buffer':'buf'},{'type':'unsigned','value':3},{'type':'float *','buffer':'out'}],"
	"'grid':[2,3],'block':[64,1,1],'dynamic_lds':256,'reference':'chase_range','tolerance':0.5,"
	"'samples':{'min':3,'max':9,'target':0.01,'seconds':1},"
	"'contract':[{'isa':'gfx9','instruction':'global_load_dword','count':1,'where':'hot_loop'},{'isa':'gfx9','instruction':'s_nop','where':'kernel'}],"
	"'counters':['SQ_WAVES']}";

/* `text` with ' replaced by \", and the first `from` (if not NULL) by `to`. */
static bool parse(const char *from, const char *to, struct job *j, struct err *e)
{
	char text[4096] = "";
	const char *at = from ? strstr(good, from) : NULL;
	assert_true(!from || at);
	size_t head = at ? (size_t)(at - good) : sizeof good - 1;
	memcpy(text, good, head);
	if (at) {
		strcat(text, to);
		strcat(text, at + strlen(from));
	}
	for (char *p = text; *p; p++)
		if (*p == '\'')
			*p = '"';
	json_t *r = json_loads(text, 0, NULL);
	assert_non_null(r);
	*e = (struct err){0};
	return job_parse(r, j, e);
}

static void a_job_is_read(void **state)
{
	(void)state;
	struct job j;
	struct err e;
	assert_true(parse(NULL, NULL, &j, &e));
	assert_int_equal(j.job, 7);
	assert_int_equal(j.point, 3);
	assert_string_equal(j.entry, "chase_range");
	assert_string_equal(j.defines, "-DX=1");
	assert_int_equal(j.buffer_count, 2);
	assert_int_equal(j.buffers[0].bytes, 4000);
	assert_int_equal(j.arg_count, 3);
	assert_int_equal(j.args[2].buffer, 1);
	assert_int_equal(j.args[1].value[0], 3);
	assert_int_equal(j.shape.grid[1], 3);
	assert_int_equal(j.shape.grid[2], 1);
	assert_int_equal(j.lds_bytes, 256);
	assert_int_equal(j.contract[0].count, 1);
	assert_int_equal(j.contract[1].count, -1);
	assert_int_equal(j.counter_count, 1);
	assert_false(j.buffers[0].written); /* pointed to as const */
	assert_true(j.buffers[1].written);
	assert_true(j.verify && !j.reset && j.buffers[0].tolerance.relative == 0.5 && j.launches == 1 &&
		j.kind == JOB_LAUNCH && j.samples.max == 9 && !j.samples.entropy && !j.flush_l2);
	job_free(&j);
	assert_true(parse("'min':3,", "'min':3,'rule':'entropy',", &j, &e) && j.samples.entropy);
	job_free(&j);
	assert_true(parse("'dynamic_lds':256", "'flush_l2':true", &j, &e) && j.flush_l2);
	job_free(&j);
}

static void a_wrong_job_is_rejected_with_its_reason(void **state)
{
	(void)state;
	static const struct {
		const char *from, *to, *error;
	} rows[] = {
		{"'type':'int','count'", "'type':'itn','count'", "unknown type 'itn'"},
		{"'count':1000", "'count':0", "at least 1"},
		{"'fill':'index'", "'fill':'indices'", "fill"},
		{"'buffer':'out'", "'buffer':'uot'", "unknown buffer 'uot'"},
		{"{'type':'unsigned','value':3}", "{'type':'unsigned','value':-3}", "argument 2: -3 does not fit"},
		{"{'type':'unsigned','value':3}", "{'type':'unsigned *','value':3}",
			"argument 2 (unsigned *) needs a buffer"},
		{"{'type':'unsigned','value':3}", "{'type':'unsigned','buffer':'buf'}",
			"argument 2 (unsigned) needs a value"},
		{"'grid':[2,3]", "'grid':[0]", "grid dimension 1"},
		{"'grid':[2,3]", "'grid':[4294967295]", "fewer than 2^32"},
		{"'grid':[2,3]", "'grid':[2097152,2097152,4194304]", "at most 2^53 workgroups"},
		{"'block':[64,1,1]", "'block':[64,64,1]", "at most 1024"},
		{"'dynamic_lds':256", "'dynamic_lds':1099511627776", "from 0 to 4294967295"},
		{"'dynamic_lds':256", "'launches':-1", "launches is -1; it must be a whole number from 1 to 100000"},
		{"'entry':'chase_range'", "'e':0", "or an entry"},
		{"'dynamic_lds':256", "'flush_l2':true,'captured':{'file':'1.launch'}", "not for captured launches"},
		{"'dynamic_lds':256", "'flush_l2':true,'program':{'words':['./a'],'folder':'/'}",
			"not for captured launches"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct job j;
		struct err e;
		assert_false(parse(rows[i].from, rows[i].to, &j, &e));
		if (!strstr(e.text, rows[i].error))
			fail_msg("%s -> '%s', expected '%s'", rows[i].to, e.text, rows[i].error);
		assert_int_equal(e.status, ST_REQUEST);
		assert_int_equal(j.job, 7);
		job_free(&j);
	}
}

static void a_rejected_point_keeps_its_numbers(void **state)
{
	(void)state;
	struct job j;
	struct err e;
	assert_true(parse(NULL, NULL, &j, &e));
	json_t *p = point_make_unmeasured(&j, "failed", &(struct err){ST_REQUEST, "wh\xff\xc3\xa4y \xe2\x82"});
	assert_int_equal(json_integer_value(json_object_get(p, "job")), 7);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(p, "params"), "rangesize")), 4096);
	assert_string_equal(json_string_value(json_object_get(p, "error")),
		"wh?\xc3\xa4y ??"); /* invalid UTF-8 does not lose the record */
	assert_int_equal(json_integer_value(json_object_get(p, "error_status")), ST_REQUEST);
	json_decref(p);
	p = point_make_unmeasured(&j, "failed", &(struct err){ST_FAILED, "why"});
	assert_int_equal(json_integer_value(json_object_get(p, "error_status")), ST_FAILED);
	json_decref(p);
	p = point_make_unmeasured(&j, "cancelled", NULL);
	assert_null(json_object_get(p, "error"));
	json_decref(p);
	job_free(&j);
}

/* --- buffers on host memory --- */
static int allocations, allocations_left;

static void *host_alloc(void *device, size_t bytes, struct err *e)
{
	(void)device;
	if (!allocations_left--) {
		err_set(e, ST_FAILED, "out of device memory");
		return NULL;
	}
	allocations++;
	return malloc(bytes);
}

static void host_release(void *device, void *p)
{
	(void)device;
	allocations--;
	free(p);
}

static bool host_copy(void *device, void *to, const void *from, size_t bytes, struct err *e)
{
	(void)device;
	(void)e;
	memcpy(to, from, bytes);
	return true;
}

static const struct gpu_runtime host = {
	.alloc = host_alloc, .release = host_release, .write = host_copy, .read = host_copy};

/* Fills the buffers of the job on the device and on the host with equal content. */
static void fill_both_sides(struct buffers *b, const struct job *j)
{
	struct err e;
	size_t differences;
	char text[256];
	allocations_left = 10;
	assert_true(buffers_alloc(b, &host, NULL, j, &e));
	assert_true(buffers_fill(b, &e));
	assert_true(buffers_copy_to_host(b));
	assert_true(buffers_compare(b, &differences, text, sizeof text, &e));
	assert_int_equal(differences, 0);
}

static void buffers_are_filled_passed_and_compared(void **state)
{
	(void)state;
	struct job j;
	struct err e;
	struct buffers b;
	size_t differences;
	char text[256];
	assert_true(parse("'count':1000", "'count':9000000", &j, &e)); /* more than one chunk */
	fill_both_sides(&b, &j);
	int *ints = b.on_device[0];
	assert_int_equal(ints[8999999], 8999999);
	void *vector[KERNEL_ARGS_MAX], *room[KERNEL_ARGS_MAX];
	buffers_build_args(&b, false, vector, room);
	assert_ptr_equal(*(void **)vector[0], b.on_device[0]);
	assert_int_equal(*(unsigned *)vector[1], 3);
	buffers_build_args(&b, true, vector, room);
	assert_ptr_equal(*(void **)vector[2], b.on_host[1]);
	ints[8000000] = 5;
	ints[8000001] = 6;
	assert_true(buffers_compare(&b, &differences, text, sizeof text, &e));
	assert_int_equal(differences, 2);
	assert_true(
		b.compared && b.difference[0].unequal == 2 && b.difference[0].ulp == 0 && b.difference[1].unequal == 0);
	assert_string_equal(
		text, "buf[8000000] is 5, expected 8000000; buf[8000001] is 6, expected 8000001; 2 of 9000000 differ");
	buffers_free(&b);
	assert_int_equal(allocations, 0);
	job_free(&j);
}

/* A buffer of one number that only const pointers use has a host copy of one repeated block. It must still be writable.
 */
static void a_host_copy_of_one_repeated_block_can_be_written(void **state)
{
	(void)state;
	struct job j;
	struct err e;
	struct buffers b;
	size_t differences;
	char text[256];
	assert_true(parse("'count':1000,'fill':'index'", "'count':1000001,'fill':7", &j, &e));
	fill_both_sides(&b, &j);
	int *copy = b.on_host[0];
	copy[600000] = 8;
	assert_int_equal(copy[600000 - FILL_PAGES_BLOCK / sizeof(int)], 7);
	assert_true(buffers_compare(&b, &differences, text, sizeof text, &e));
	assert_int_equal(differences, 1);
	assert_string_equal(text, "buf[600000] is 7, expected 8; 1 of 1000001 differs");
	buffers_free(&b);
	assert_int_equal(allocations, 0);
	job_free(&j);
}

static void out_of_memory_names_the_buffer_and_leaks_nothing(void **state)
{
	(void)state;
	struct job j;
	struct err e;
	struct buffers b;
	assert_true(parse(NULL, NULL, &j, &e));
	allocations_left = 1;
	assert_false(buffers_alloc(&b, &host, NULL, &j, &e));
	assert_string_equal(e.text, "buffer out: out of device memory");
	buffers_free(&b);
	assert_int_equal(allocations, 0);
	job_free(&j);
}

/* --- a device that is lost during the self-test --- */
static int token;

static void *load(void *device, const struct code_object *object, struct err *e)
{
	(void)device;
	(void)object;
	(void)e;
	return &token;
}
static void *kernel(void *device, void *module, const char *entry, struct err *e)
{
	(void)device;
	(void)module;
	(void)entry;
	(void)e;
	return &token;
}
static bool begin(void *device, unsigned streams, struct err *e)
{
	(void)device;
	(void)streams;
	(void)e;
	return true;
}
static bool end(void *device, struct err *e)
{
	(void)device;
	(void)e;
	return true;
}

static bool copy(
	void *device, unsigned stream, bool to_device, void *on_device, void *on_host, size_t bytes, struct err *e)
{
	(void)device, (void)stream, (void)to_device, (void)on_device, (void)on_host, (void)bytes, (void)e;
	return true;
}

static char *lost_memory[8]; /* never freed */
static int lost_memory_count;

static void *alloc_kept(void *device, size_t bytes, struct err *e)
{
	(void)device, (void)e;
	return lost_memory[lost_memory_count++] = malloc(bytes);
}

static enum poll_state poll_lost(void *device, double *seconds, struct err *e)
{
	(void)device, (void)seconds;
	err_set(e, ST_FAILED, "memory fault");
	return POLL_FAILED;
}

static int releases;
static void count_release(void *device, void *p)
{
	(void)device;
	(void)p;
	releases++;
}

static bool not_cancelled(void *ctx)
{
	(void)ctx;
	return false;
}
static void no_phase(void *ctx, enum job_phase p)
{
	(void)ctx;
	(void)p;
}
static void no_state(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
}
static void no_sampled(void *ctx, int done, int total)
{
	(void)ctx;
	(void)done;
	(void)total;
}

static void a_lost_device_is_not_used_again(void **state)
{
	(void)state;
	static const struct gpu_runtime faulty = {
		.alloc = alloc_kept,
		.release = count_release,
		.write = host_copy,
		.read = host_copy,
		.load = load,
		.kernel = kernel,
		.alloc_host = alloc_kept,
		.release_host = count_release,
		.begin = begin,
		.copy = copy,
		.end = end,
		.poll = poll_lost,
	};
	const struct measure_callbacks m = {NULL, not_cancelled, no_phase, no_state, no_sampled};
	const struct opened_device d = {.rt = &faulty, .info = {.arch = "gfx900"}};
	struct job j;
	struct err e = {0};
	bool lost = false;
	assert_true(job_parse(selftest_make_job(SELFTEST_TO_DEVICE, 1, true), &j, &e));
	json_t *point = selftest_run(&d, &j, &m, &lost);
	assert_string_equal(json_string_value(json_object_get(point, "error")), "memory fault");
	assert_true(lost);
	assert_int_equal(lost_memory_count, 3);
	assert_int_equal(releases, 0);
	while (lost_memory_count)
		free(lost_memory[--lost_memory_count]);
	json_decref(point);
	job_free(&j);
}

/* Also of a job that names no target: another program's list may have numbers. */
static void a_job_for_another_target_is_not_measured(void **state)
{
	(void)state;
	static const struct {
		const char *needs, *error;
	} cases[] = {
		{"'needs':['gfx11'],", "the experiment needs a gfx11 device; this device is gfx900"},
		{"'needs':[5],", "the experiment needs a different device; this device is gfx900"},
	};
	const struct measure_callbacks m = {NULL, not_cancelled, no_phase, no_state, no_sampled};
	const struct opened_device d = {.info = {.arch = "gfx900"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char begin[64];
		struct job j;
		struct err e;
		bool lost = false;
		snprintf(begin, sizeof begin, "{%s'type'", cases[i].needs);
		assert_true(parse("{'type'", begin, &j, &e));
		json_t *point = measure_job_point(&d, &j, &m, &lost);
		assert_string_equal(json_string_value(json_object_get(point, "status")), "failed");
		assert_string_equal(json_string_value(json_object_get(point, "error")), cases[i].error);
		assert_false(lost);
		json_decref(point);
		job_free(&j);
	}
}

/* --- statistics, times, clocks --- */
static void exact_time_is_used_only_if_the_events_agree(void **state)
{
	(void)state;
	bool agree;
	assert_true(launch_exact_seconds(1.0001e-3, 1e-3, &agree) == 1e-3);
	assert_true(agree);
	assert_true(launch_exact_seconds(2e-3, 1e-3, &agree) == 2e-3);
	assert_false(agree);
	assert_true(launch_exact_seconds(1.5e-6, 1e-6, &agree) == 1e-6); /* within 1 us */
	assert_true(agree);
}

static void clocks_are_averaged_and_changes_detected(void **state)
{
	(void)state;
	bool moved;
	struct telemetry_sum s = {0};
	struct clocks c = telemetry_sum_mean(&s, &moved);
	assert_false(c.sclk_mhz.valid || c.power_w.valid || moved);
	telemetry_sum_add(&s, (struct clocks){.sclk_mhz = {true, 1500}, .power_w = {true, 100}});
	telemetry_sum_add(&s, (struct clocks){.sclk_mhz = {true, 1520}});
	c = telemetry_sum_mean(&s, &moved);
	assert_true(c.sclk_mhz.value == 1510 && c.power_w.value == 100 && !c.mclk_mhz.valid);
	assert_false(moved);
	telemetry_sum_add(&s, (struct clocks){.sclk_mhz = {true, 1532}}); /* 2.1 % */
	telemetry_sum_mean(&s, &moved);
	assert_true(moved);
	telemetry_sum_add(&s, (struct clocks){.sclk_mhz = {true, 1400}});
	telemetry_sum_mean(&s, &moved);
	assert_true(moved);
	s = (struct telemetry_sum){0};
	for (int i = 0; i < 7; i++)
		telemetry_sum_add(&s, (struct clocks){.power_w = {true, 25.275}});
	assert_true(telemetry_sum_mean(&s, &moved).power_w.value == 25.275); /* exactly */
}

/* Host copies for the reference count like the buffers. */
static void buffers_beyond_the_memory_budget_are_rejected(void **state)
{
	(void)state;
	struct err e = {0};
	struct job j = {.buffer_count = 1};
	j.buffers[0].bytes = 60;
	assert_true(job_fits_memory(&j, 100, &e));
	assert_true(job_fits_memory(&j, 0, &e)); /* hardware: no budget */
	assert_false(job_fits_memory(&j, 59, &e));
	assert_non_null(strstr(e.text, "choose a smaller size or raise host_memory_percent"));
	j.verify = true;
	j.reference = (struct job_reference){.kind = REFERENCE_BUILT_IN, .name = "dispatch"};
	assert_false(job_fits_memory(&j, 100, &e));
	assert_non_null(strstr(e.text, "--no-verify"));
	assert_true(job_fits_memory(&j, 120, &e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_is_read),
		cmocka_unit_test(a_wrong_job_is_rejected_with_its_reason),
		cmocka_unit_test(a_rejected_point_keeps_its_numbers),
		cmocka_unit_test(buffers_are_filled_passed_and_compared),
		cmocka_unit_test(a_host_copy_of_one_repeated_block_can_be_written),
		cmocka_unit_test(out_of_memory_names_the_buffer_and_leaks_nothing),
		cmocka_unit_test(a_lost_device_is_not_used_again),
		cmocka_unit_test(a_job_for_another_target_is_not_measured),
		cmocka_unit_test(exact_time_is_used_only_if_the_events_agree),
		cmocka_unit_test(clocks_are_averaged_and_changes_detected),
		cmocka_unit_test(buffers_beyond_the_memory_budget_are_rejected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
