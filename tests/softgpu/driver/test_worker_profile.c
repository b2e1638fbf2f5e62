/* Jobs that request a profile of their launch: the record contains it and agrees with the counters and the time. */
#include "gpu/worker/inside/launch_profile.h"
#include "tests/softgpu/driver/worker_session.h"

#define CHASE_1024 "'file':'chase.hip','entry':'chase_range'", CHASE_BUFFERS, CHASE_ARGS("1024", "2000"), ONE, "null"
static const struct job_text plain = {CHASE_1024, NULL};
static const struct job_text profiled = {
	CHASE_1024,
	",'counters':['TCP_HIT_sum','TCP_MISS_sum'],'inside':{'waves':{'cu':0,'from':0,'to':5000},'sets':{'cache':'L1','instance':0},"
	"'trace':{'wave':0,'from':100,'steps':50}}",
};
static const struct job_text later_trace = {CHASE_1024, ",'inside':{'trace':{'wave':0,'from':149,'steps':1}}"};
static const struct job_text missing_wave = {CHASE_1024, ",'inside':{'trace':{'wave':1,'from':0,'steps':1}}"};
static const struct job_text oversized = {
	CHASE_1024, ",'inside':{'waves':{},'trace':{'wave':0,'from':0,'steps':1000000}}"};

static struct worker_controller *w;

static int open_worker(void **state)
{
	(void)state;
	w = open_device("soft:mi25");
	return 0;
}

static int close_worker(void **state)
{
	(void)state;
	worker_controller_close(w);
	return 0;
}

static json_int_t number(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}
static json_int_t at(const json_t *row, size_t i)
{
	return json_integer_value(json_array_get(row, i));
}

/* The sum over all sets equals the counters. */
static void cache_sets_sum_to_the_counters(void **state)
{
	(void)state;
	json_t *p = run_job(w, 1, &profiled),
	       *sets = json_object_get(json_object_get(json_object_get(p, "inside"), "sets"), "sets");
	json_int_t hits = 0, misses = 0;
	assert_text(p, "status", "ok");
	assert_int_equal(json_array_size(sets), 64); /* 4 KiB are 64 lines, one per set */
	for (size_t k = 0; k < 64; k++) {
		assert_int_equal(at(json_array_get(sets, k), 1), k);
		hits += at(json_array_get(sets, k), 2);
		misses += at(json_array_get(sets, k), 3);
	}
	assert_int_equal(hits, number(json_object_get(p, "counters"), "TCP_HIT_sum"));
	assert_int_equal(misses, number(json_object_get(p, "counters"), "TCP_MISS_sum"));
	assert_int_equal(misses, 64);
	json_decref(p);
}

static void spans_lie_in_the_window(void **state)
{
	(void)state;
	json_t *p = run_job(w, 2, &profiled), *inside = json_object_get(p, "inside"),
	       *waves = json_object_get(inside, "waves"), *spans = json_object_get(waves, "spans");
	json_int_t end = 0;
	assert_true(number(inside, "cycles") > 5000 && number(waves, "grain") == 0 && number(waves, "to") == 5000);
	assert_true(json_array_size(spans) > 20);
	for (size_t k = 0; k < json_array_size(spans); k++) {
		const json_t *s = json_array_get(spans, k);
		assert_true(at(s, 3) < 5000 && at(s, 4) > at(s, 3));
		assert_true(!end || at(s, 3) == end);
		assert_true(at(s, 5) >= 0 && at(s, 5) < (json_int_t)json_array_size(json_object_get(inside, "causes")));
		end = at(s, 4);
	}
	assert_true(end >= 5000);
	assert_int_equal(at(json_object_get(waves, "by_cu"), 0), 1);
	json_decref(p);
}

/* A trace that starts at step 149 begins with the 50th step of a trace that starts at step 100. */
static void trace_continues_where_another_ended(void **state)
{
	(void)state;
	json_t *p = run_job(w, 3, &profiled), *trace = json_object_get(json_object_get(p, "inside"), "trace");
	assert_int_equal(number(trace, "first"), 100);
	assert_int_equal(json_array_size(json_object_get(trace, "steps")), 50);
	json_int_t cycle = at(json_array_get(json_object_get(trace, "steps"), 49), 0),
		   offset = at(json_array_get(json_object_get(trace, "steps"), 49), 1);
	json_t *q = run_job(w, 4, &later_trace), *next = json_object_get(json_object_get(q, "inside"), "trace");
	assert_int_equal(number(next, "first"), 149);
	assert_int_equal(at(json_array_get(json_object_get(next, "steps"), 0), 0), cycle);
	assert_int_equal(at(json_array_get(json_object_get(next, "steps"), 0), 1), offset);
	assert_int_equal(strlen(json_string_value(json_object_get(next, "s"))), 8 * SOFTGPU_SGPRS);
	json_decref(p);
	json_decref(q);
}

static void profiling_does_not_change_the_time(void **state)
{
	(void)state;
	json_t *p = run_job(w, 5, &profiled), *q = run_job(w, 6, &plain);
	assert_true(seconds_of(p) == seconds_of(q));
	assert_null(json_object_get(q, "inside"));
	json_decref(p);
	json_decref(q);
}

static void trace_of_a_missing_wave_is_null(void **state)
{
	(void)state;
	json_t *p = run_job(w, 7, &missing_wave);
	assert_true(json_is_null(json_object_get(json_object_get(p, "inside"), "trace")));
	json_decref(p);
}

static void records_stay_small(void **state)
{
	(void)state;
	json_t *p = run_job(w, 8, &oversized), *inside = json_object_get(p, "inside"),
	       *waves = json_object_get(inside, "waves");
	assert_int_equal(
		json_array_size(json_object_get(json_object_get(inside, "trace"), "steps")), PROFILE_STEPS_MAX);
	assert_true(json_array_size(json_object_get(waves, "spans")) <= PROFILE_SPANS_DEFAULT);
	assert_true(number(waves, "to") == number(inside, "cycles"));
	char *line = record_format_line(p);
	assert_true(strlen(line) < 2 << 20);
	free(line);
	json_decref(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cache_sets_sum_to_the_counters),
		cmocka_unit_test(spans_lie_in_the_window),
		cmocka_unit_test(trace_continues_where_another_ended),
		cmocka_unit_test(profiling_does_not_change_the_time),
		cmocka_unit_test(trace_of_a_missing_wave_is_null),
		cmocka_unit_test(records_stay_small),
	};
	use_worker_of_this_build();
	return cmocka_run_group_tests(tests, open_worker, close_worker);
}
