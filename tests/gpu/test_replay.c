/* A recorded session as a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gpu/protocol/record.h"
#include "gpu/backends/replay.h"
#include "tests/scratch.h"

static const char recording[] =
	"{\"type\":\"session\",\"schema\":1,\"experiment\":\"x\",\"device\":{\"device\":\"soft:mi25\",\"name\":\"MI25\",\"kind\":\"soft\"}}\n"
	"{\"type\":\"point\",\"job\":4,\"point\":0,\"experiment\":\"x\",\"params\":{\"size\":64,\"variant\":\"a\"},\"status\":\"ok\",\"seconds\":[1],"
	"\"metrics\":{\"latency\":3}}\n"
	"{\"type\":\"point\",\"job\":4,\"point\":1,\"experiment\":\"x\",\"params\":{\"size\":128,\"variant\":\"a\"},\"status\":\"ok\",\"seconds\":[2]}\n"
	"no record at all\n"
	"{\"type\":\"point\",\"job\":5,\"point\":0,\"experiment\":\"x\",\"params\":{\"size\":64,\"variant\":\"a\"},\"status\":\"ok\",\"seconds\":[3]}\n"
	"{\"type\":\"point\",\"job\":5,\"po";

static struct replay *open_text(const char *text, size_t size, struct err *e)
{
	char path[SCRATCH_PATH];
	int fd = mkstemp(scratch_path(path, "replay-XXXXXX"));
	assert_true(fd >= 0 && write(fd, text, size) == (ssize_t)size);
	close(fd);
	struct replay *r = replay_open(path, e);
	unlink(path);
	return r;
}

static json_t *ask(const struct replay *r, const char *experiment, double size, const char *variant)
{
	json_t *job = json_pack("{s:s,s:i,s:i,s:s,s:{s:f,s:s}}", "type", "job", "job", 77, "point", 9, "experiment",
		experiment, "params", "size", size, "variant", variant);
	json_t *p = replay_point_record(r, job);
	json_decref(job);
	return p;
}

static double seconds_of(const json_t *p)
{
	return json_number_value(json_array_get(json_object_get(p, "seconds"), 0));
}

static void a_job_is_answered_with_its_recorded_point(void **state)
{
	(void)state;
	struct err e;
	struct replay *r = open_text(recording, sizeof recording - 1, &e);
	assert_non_null(r);
	json_t *p = ask(r, "x", 128, "a");
	assert_true(seconds_of(p) == 2);
	assert_int_equal(json_integer_value(json_object_get(p, "job")), 77);
	assert_int_equal(json_integer_value(json_object_get(p, "point")), 9);
	json_decref(p);
	p = ask(r, "x", 64, "a"); /* measured twice: the later point counts */
	assert_true(seconds_of(p) == 3);
	assert_null(json_object_get(p, "metrics"));
	json_decref(p);
	replay_close(r);
}

static void a_point_that_was_not_recorded_fails(void **state)
{
	(void)state;
	struct err e;
	struct replay *r = open_text(recording, sizeof recording - 1, &e);
	static const struct {
		const char *experiment;
		double size;
		const char *variant;
	} rows[] = {{"x", 256, "a"}, {"x", 64, "b"}, {"y", 64, "a"}};
	for (size_t i = 0; i < 3; i++) {
		json_t *p = ask(r, rows[i].experiment, rows[i].size, rows[i].variant);
		assert_string_equal(record_get_text(p, "status"), "failed");
		assert_int_equal(json_integer_value(json_object_get(p, "job")), 77);
		json_decref(p);
	}
	replay_close(r);
}

static json_t *ask_with_later_param(const struct replay *r, int later)
{
	json_t *job = json_pack("{s:s,s:s,s:{s:i,s:s,s:i},s:{s:i}}", "type", "job", "experiment", "x", "params", "size",
		128, "variant", "a", "later", later, "defaults", "later", 5);
	json_t *p = replay_point_record(r, job);
	json_decref(job);
	return p;
}

static void a_later_parameter_has_its_default(void **state)
{
	(void)state;
	struct err e;
	struct replay *r = open_text(recording, sizeof recording - 1, &e);
	json_t *p = ask_with_later_param(r, 5);
	assert_true(seconds_of(p) == 2);
	json_decref(p);
	p = ask_with_later_param(r, 6); /* another value than its default was not recorded */
	assert_string_equal(record_get_text(p, "status"), "failed");
	json_decref(p);
	replay_close(r);
}

/* In files of schema 2 points refer to their code. Workers send it whole. */
static void points_have_the_code_that_they_refer_to(void **state)
{
	(void)state;
	static const char text[] =
		"{\"type\":\"session\",\"schema\":2,\"experiment\":\"x\"}\n{\"type\":\"code\",\"hash\":\"1a\",\"code\":{\"valu\":7}}\n"
		"{\"type\":\"point\",\"experiment\":\"x\",\"params\":{\"size\":1,\"variant\":\"a\"},\"code\":\"1a\"}\n"
		"{\"type\":\"point\",\"experiment\":\"x\",\"params\":{\"size\":2,\"variant\":\"a\"},\"code\":\"2b\"}\n";
	struct err e = {0};
	struct replay *r = open_text(text, sizeof text - 1, &e);
	assert_non_null(r);
	json_t *p = ask(r, "x", 1, "a"), *q = ask(r, "x", 2, "a");
	assert_int_equal(record_get_integer(json_object_get(p, "code"), "valu"), 7);
	assert_null(json_object_get(q, "code"));
	json_decref(p);
	json_decref(q);
	replay_close(r);
}

static void a_newer_recording_is_refused(void **state)
{
	(void)state;
	static const char text[] = "{\"type\":\"session\",\"schema\":99,\"experiment\":\"x\"}\n";
	struct err e = {0};
	assert_null(open_text(text, sizeof text - 1, &e));
	assert_int_equal(e.status, ST_REQUEST);
	assert_non_null(strstr(e.text, "newer wavedeck (schema 99, this version reads 2); update wavedeck"));
}

static void another_experiment_is_rejected_by_name(void **state)
{
	(void)state;
	static const char headless[] =
		"{\"type\":\"session\",\"schema\":1}\n{\"type\":\"point\",\"experiment\":\"y\",\"params\":{}}\n"
		"{\"type\":\"point\",\"experiment\":\"z\",\"params\":{}}\n";
	struct err e = {0};
	struct replay *r = open_text(recording, sizeof recording - 1, &e);
	assert_true(replay_has_experiment(r, "x", &e));
	assert_string_equal(e.text, "");
	assert_false(replay_has_experiment(r, "y", &e));
	assert_int_equal(e.status, ST_REQUEST);
	assert_string_equal(e.text, "the recording is of x, not y; run x on it");
	assert_false(replay_has_experiment(r, "", &e));
	replay_close(r);
	r = open_text(headless, sizeof headless - 1, &e); /* the experiment is known from the points */
	assert_true(replay_has_experiment(r, "y", &e) && replay_has_experiment(r, "z", &e));
	assert_false(replay_has_experiment(r, "x", &e));
	assert_string_equal(e.text, "the recording is of y, not x; run y on it");
	replay_close(r);
}

static void the_device_is_the_recorded_one(void **state)
{
	(void)state;
	struct err e;
	struct replay *r = open_text(recording, sizeof recording - 1, &e);
	json_t *d = replay_device_record(r);
	assert_string_equal(record_get_text(d, "name"), "MI25");
	json_decref(d);
	replay_close(r);
}

static void a_file_without_a_session_is_rejected(void **state)
{
	(void)state;
	struct err e = {0};
	static const char noise[] = "\x00\xff\x01{{{\n\n\"type\"\n[]\n{\"type\":\"point\"}\n";
	assert_null(open_text(noise, sizeof noise - 1, &e));
	assert_int_equal(e.status, ST_REQUEST);
	assert_null(open_text("", 0, &e));
	assert_null(replay_open("/proc/none/file", &e));
	assert_non_null(strstr(e.text, "/proc/none/file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_is_answered_with_its_recorded_point),
		cmocka_unit_test(a_point_that_was_not_recorded_fails),
		cmocka_unit_test(a_later_parameter_has_its_default),
		cmocka_unit_test(another_experiment_is_rejected_by_name),
		cmocka_unit_test(points_have_the_code_that_they_refer_to),
		cmocka_unit_test(a_newer_recording_is_refused),
		cmocka_unit_test(the_device_is_the_recorded_one),
		cmocka_unit_test(a_file_without_a_session_is_rejected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
