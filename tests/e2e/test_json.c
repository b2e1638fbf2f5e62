/* What the program prints as JSON is JSON, and says what its other formats say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* The output of `wavedeck ARGUMENTS`, parsed; NULL when it is no JSON. */
static json_t *json_of(const char *arguments)
{
	const char *build = getenv("BUILD");
	char *command = xasprintf("'%s/wavedeck' %s </dev/null", build ? build : "build", arguments);
	FILE *in = popen(command, "r");
	assert_non_null(in);
	json_error_t error;
	json_t *v = json_loadf(in, JSON_REJECT_DUPLICATES, &error);
	if (!v)
		print_error("%s: line %d: %s\n", arguments, error.line, error.text);
	assert_int_equal(pclose(in), 0);
	free(command);
	return v;
}

static void list_is_an_array_of_experiments(void **state)
{
	(void)state;
	json_t *v = json_of("list --json");
	assert_true(json_array_size(v) >= 8);
	for (size_t i = 0; i < json_array_size(v); i++) {
		static const char *const keys[] = {"id", "chapter", "title", "question"};
		for (int k = 0; k < 4; k++)
			assert_true(json_string_length(json_object_get(json_array_get(v, i), keys[k])) > 0);
	}
	json_decref(v);
}

static void every_experiment_shows_its_parameters_and_metrics(void **state)
{
	(void)state;
	json_t *list = json_of("list --json");
	for (size_t i = 0; i < json_array_size(list); i++) {
		char *arguments =
			xasprintf("show %s --json", json_string_value(json_object_get(json_array_get(list, i), "id")));
		json_t *v = json_of(arguments);
		size_t k;
		json_t *p;
		assert_true(json_array_size(json_object_get(v, "params")) > 0 &&
			json_array_size(json_object_get(v, "metrics")) > 0);
		json_array_foreach(json_object_get(v, "params"), k, p)
		{
			assert_true(json_is_string(json_object_get(p, "id")) && json_object_get(p, "default") &&
				json_object_get(p, "soft"));
			assert_true(json_is_array(json_object_get(p, "choices")) ||
				json_is_number(json_object_get(p, "min")));
		}
		json_decref(v);
		free(arguments);
	}
	json_decref(list);
}

static void devices_and_constants(void **state)
{
	(void)state;
	json_t *v = json_of("devices --json");
	assert_string_equal(json_string_value(json_object_get(json_array_get(v, 0), "device")), "soft:mi25");
	json_decref(v);
	v = json_of("devices --model mi25 --json");
	const json_t *all = json_object_get(v, "constants");
	assert_true(json_array_size(all) > 20);
	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *c = json_array_get(all, i);
		json_int_t value = json_integer_value(json_object_get(c, "value"));
		assert_true(value >= json_integer_value(json_object_get(c, "min")) &&
			value <= json_integer_value(json_object_get(c, "max")));
		assert_true(json_string_length(json_object_get(c, "source")) > 0 &&
			json_string_length(json_object_get(c, "help")) > 0);
	}
	json_decref(v);
}

static void a_run_is_a_header_and_its_points(void **state)
{
	(void)state;
	json_t *v = json_of("run lds-bank-conflict stride=1,2,4 --device soft:mi25 --format json");
	const json_t *header = json_object_get(v, "header"), *points = json_object_get(v, "points");
	assert_string_equal(json_string_value(json_object_get(header, "type")), "session");
	assert_int_equal(json_array_size(points), 3);
	for (size_t i = 0; i < 3; i++) {
		const json_t *p = json_array_get(points, i);
		assert_true(json_number_value(json_object_get(json_object_get(p, "params"), "stride")) == 1 << i);
		assert_true(json_is_number(json_object_get(json_object_get(p, "metrics"), "latency")));
		assert_true(json_array_size(json_object_get(p, "seconds")) > 0);
		assert_string_equal(json_string_value(json_object_get(p, "verify")), "ok");
	}
	json_decref(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list_is_an_array_of_experiments),
		cmocka_unit_test(every_experiment_shows_its_parameters_and_metrics),
		cmocka_unit_test(devices_and_constants),
		cmocka_unit_test(a_run_is_a_header_and_its_points),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
