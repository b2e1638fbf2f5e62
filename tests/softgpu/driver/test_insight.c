/* A job that asks to see the inside of its launch: the record has what was asked for, and what the other parts say of
 * the same launch agrees. */
#include "gpu/worker/launch_profile.h"
#include "tests/softgpu/driver/talk.h"

#define CHASE_1024 "'file':'chase.hip','entry':'chase_range'", CHASE_BUFFERS, CHASE_ARGS("1024", "2000"), ONE, "null"
static const struct job_text plain = {CHASE_1024, NULL};
static const struct job_text looked = {
	CHASE_1024,
	",'counters':['TCP_HIT_sum','TCP_MISS_sum'],'inside':{'waves':{'cu':0,'from':0,'to':5000},'sets':{'cache':'L1','instance':0},"
	"'trace':{'wave':0,'from':100,'steps':50}}",
};
static const struct job_text later = {CHASE_1024, ",'inside':{'trace':{'wave':0,'from':149,'steps':1}}"};
static const struct job_text never = {CHASE_1024, ",'inside':{'trace':{'wave':1,'from':0,'steps':1}}"};
static const struct job_text greedy = {
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

/* Set by set it is what the counters say. */
static void sets_sum_to_the_counters(void **state)
{
	(void)state;
	json_t *p = run(w, 1, &looked),
	       *sets = json_object_get(json_object_get(json_object_get(p, "inside"), "sets"), "sets");
	json_int_t hits = 0, misses = 0;
	assert_text(p, "status", "ok");
	assert_int_equal(json_array_size(sets), 64); /* 4 KiB are 64 lines, a set each */
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
	json_t *p = run(w, 2, &looked), *inside = json_object_get(p, "inside"),
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

/* The registers after 49 steps of one trace are those that a trace which begins there starts with. */
static void a_trace_goes_on_where_another_was(void **state)
{
	(void)state;
	json_t *p = run(w, 3, &looked), *trace = json_object_get(json_object_get(p, "inside"), "trace");
	assert_int_equal(number(trace, "first"), 100);
	assert_int_equal(json_array_size(json_object_get(trace, "steps")), 50);
	json_int_t cycle = at(json_array_get(json_object_get(trace, "steps"), 49), 0),
		   offset = at(json_array_get(json_object_get(trace, "steps"), 49), 1);
	json_t *q = run(w, 4, &later), *next = json_object_get(json_object_get(q, "inside"), "trace");
	assert_int_equal(number(next, "first"), 149);
	assert_int_equal(at(json_array_get(json_object_get(next, "steps"), 0), 0), cycle);
	assert_int_equal(at(json_array_get(json_object_get(next, "steps"), 0), 1), offset);
	assert_int_equal(strlen(json_string_value(json_object_get(next, "s"))), 8 * SOFTGPU_SGPRS);
	json_decref(p);
	json_decref(q);
}

static void looking_changes_nothing(void **state)
{
	(void)state;
	json_t *p = run(w, 5, &looked), *q = run(w, 6, &plain);
	assert_true(seconds_of(p) == seconds_of(q));
	assert_null(json_object_get(q, "inside"));
	json_decref(p);
	json_decref(q);
}

static void what_never_came_is_null(void **state)
{
	(void)state;
	json_t *p = run(w, 7, &never);
	assert_true(json_is_null(json_object_get(json_object_get(p, "inside"), "trace")));
	json_decref(p);
}

static void records_stay_small(void **state)
{
	(void)state;
	json_t *p = run(w, 8, &greedy), *inside = json_object_get(p, "inside"),
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
		cmocka_unit_test(sets_sum_to_the_counters),
		cmocka_unit_test(spans_lie_in_the_window),
		cmocka_unit_test(a_trace_goes_on_where_another_was),
		cmocka_unit_test(looking_changes_nothing),
		cmocka_unit_test(what_never_came_is_null),
		cmocka_unit_test(records_stay_small),
	};
	talk_to_our_worker();
	return cmocka_run_group_tests(tests, open_worker, close_worker);
}
