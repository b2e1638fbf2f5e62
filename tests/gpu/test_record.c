#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/backends/backend.h"
#include "gpu/protocol/header_record.h"
#include "gpu/protocol/record.h"

static void a_line_is_compact_and_exact_and_ends_with_a_newline(void **state)
{
	(void)state;
	json_t *o = json_pack("{s:s,s:f,s:f,s:i,s:n,s:b,s:[f,f]}", "type", "point", "a", 0.1, "b", 1536.0, "c", 7, "d",
		"e", 1, "seconds", 1.0 / 3, 4.36e-5);
	char *line = record_format_line(o);
	assert_string_equal(line,
		"{\"type\":\"point\",\"a\":0.1,\"b\":1536,\"c\":7,\"d\":null,\"e\":true,\"seconds\":[0.3333333333333333,4.36e-05]}\n");
	json_t *back = json_loads(line, 0, NULL);
	assert_true(json_real_value(json_array_get(json_object_get(back, "seconds"), 0)) == 1.0 / 3);
	json_decref(back);
	json_decref(o);
	free(line);
}

static void numbers_use_a_decimal_point_in_any_locale(void **state)
{
	(void)state;
	static const char *const commas[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
	for (size_t i = 0; i < sizeof commas / sizeof *commas; i++)
		if (setlocale(LC_NUMERIC, commas[i]))
			break;
	json_t *o = json_pack("{s:f}", "x", 2.5);
	char *line = record_format_line(o);
	assert_string_equal(line, "{\"x\":2.5}\n");
	setlocale(LC_NUMERIC, "C");
	json_decref(o);
	free(line);
}

static void strings_are_escaped(void **state)
{
	(void)state;
	json_t *o = json_pack("{s:s}", "text", "a \"b\"\n\t\\ \xc3\xa4");
	char *line = record_format_line(o);
	json_t *back = json_loads(line, 0, NULL);
	assert_non_null(back);
	assert_true(json_equal(o, back));
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	json_decref(back);
	json_decref(o);
	free(line);
}

/* The shortest text that gives the same number, at the limits of the digits that a double has. */
static void numbers_have_their_shortest_text(void **state)
{
	(void)state;
	static const struct {
		double value;
		const char *text;
	} numbers[] = {{0.1, "0.1"}, {0.1 + 0.2, "0.30000000000000004"}, {1.0 / 3, "0.3333333333333333"},
		{123456.5, "123456.5"}, {1e20, "1e+20"}, {1.5e-7, "1.5e-07"}, {5e-324, "4.94066e-324"},
		{2.5e-310, "2.5e-310"}, {1.7976931348623157e308, "1.7976931348623157e+308"},
		{123456789012345.5, "123456789012345.5"}, {0.123456789012345, "0.123456789012345"}};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		json_t *o = json_pack("[f]", numbers[i].value);
		char *line = record_format_line(o), want[60];
		snprintf(want, sizeof want, "[%s]\n", numbers[i].text);
		assert_string_equal(line, want);
		free(line);
		json_decref(o);
	}
}

/* Names of members, too, and a NUL within a text. */
static void names_are_escaped(void **state)
{
	(void)state;
	json_t *o = json_pack("{s:s, s:s#}", "a\"b\\\x7f", "plain", "k", "x\0y", 3);
	char *line = record_format_line(o);
	assert_string_equal(line, "{\"a\\\"b\\\\\\u007f\":\"plain\",\"k\":\"x\\u0000y\"}\n");
	free(line);
	json_decref(o);
}

static void a_missing_reading_is_null(void **state)
{
	(void)state;
	json_t *o = json_object();
	record_set_clocks(o, (struct clocks){.sclk_mhz = {true, 1536}, .power_w = {true, 0}, .temp_c = {true, NAN}});
	struct clocks c = record_get_clocks(o);
	assert_true(c.sclk_mhz.valid && c.sclk_mhz.value == 1536);
	assert_false(c.mclk_mhz.valid);
	assert_true(json_is_null(json_object_get(o, "mclk_mhz")));
	assert_false(c.temp_c.valid); /* not a JSON number */
	assert_true(c.power_w.valid && c.power_w.value == 0);
	assert_false(record_get_reading(o, "absent").valid);
	json_decref(o);
}

static void text_and_type_are_never_null(void **state)
{
	(void)state;
	json_t *o = json_pack("{s:i,s:s}", "type", 3, "device", "soft:mi25");
	assert_string_equal(record_get_type(o), "");
	assert_string_equal(record_get_text(o, "device"), "soft:mi25");
	assert_string_equal(record_get_text(o, "nothing"), "");
	json_decref(o);
}

static void sessions_do_not_have_the_slot_of_the_gpu(void **state)
{
	(void)state;
	json_t *device =
		json_pack("{s:s, s:{s:s, s:i}}", "device", "hip:0", "properties", "pci", "0000:03:00.0", "devices", 1);
	json_t *copy = device_copy_for_session(device);
	assert_null(json_object_get(json_object_get(copy, "properties"), "pci"));
	assert_int_equal(json_integer_value(json_object_get(json_object_get(copy, "properties"), "devices")), 1);
	assert_string_equal(device_get_id(copy), "hip:0");
	assert_non_null(json_object_get(json_object_get(device, "properties"), "pci"));
	json_decref(copy);
	json_decref(device);
	assert_null(device_copy_for_session(NULL));
}

static void device_names_select_their_backend(void **state)
{
	(void)state;
	struct err e;
	const char *rest = NULL;
	assert_true(device_name_check("soft:mi25,l1_bytes=65536", &e));
	assert_string_equal(backend_find("soft:mi25,l1_bytes=65536", &rest)->prefix, "soft");
	assert_string_equal(rest, "mi25,l1_bytes=65536");
	assert_true(device_name_check("hip:12", &e));
	assert_string_equal(device_rest("hip:12"), "12");
	assert_string_equal(device_rest("mi25"), "mi25");
	static const char *const wrong[] = {"", "soft", "soft:", "hip:", "hip:x", "hip:-1", "hip:1x", "hip:99999",
		"cuda:", "cuda:x", "vulkan:0", "sofd:mi25"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		e = (struct err){0};
		assert_false(device_name_check(wrong[i], &e));
		assert_int_equal(e.status, ST_REQUEST);
	}
	assert_non_null(strstr(e.text, "did you mean soft:mi25"));
}

static void capabilities_follow_from_the_device_name(void **state)
{
	(void)state;
	assert_true(device_can("soft:mi60", DEVICE_DETERMINISTIC | DEVICE_COUNTERS | DEVICE_TUNABLE));
	assert_false(device_can("soft:mi60", DEVICE_HARDWARE));
	assert_true(device_can("hip:0", DEVICE_HARDWARE));
	assert_false(device_can("hip:0", DEVICE_COUNTERS));
	assert_true(device_can("replay:a.wbs", DEVICE_RECORDING | DEVICE_DETERMINISTIC));
	assert_true(device_can("cuda:0", DEVICE_HARDWARE));
	assert_false(device_can("cuda:0", DEVICE_COUNTERS));
	assert_false(device_can("vulkan:0", 0));
	json_t *record = json_pack("{s:s}", "kind", "soft");
	assert_true(device_record_can(record, DEVICE_STALLS));
	assert_false(device_record_can(NULL, DEVICE_STALLS));
	assert_string_equal(device_record_remark(record), "in software");
	assert_string_equal(device_record_remark(NULL), "");
	json_decref(record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_compact_and_exact_and_ends_with_a_newline),
		cmocka_unit_test(numbers_use_a_decimal_point_in_any_locale),
		cmocka_unit_test(strings_are_escaped),
		cmocka_unit_test(numbers_have_their_shortest_text),
		cmocka_unit_test(names_are_escaped),
		cmocka_unit_test(a_missing_reading_is_null),
		cmocka_unit_test(text_and_type_are_never_null),
		cmocka_unit_test(sessions_do_not_have_the_slot_of_the_gpu),
		cmocka_unit_test(device_names_select_their_backend),
		cmocka_unit_test(capabilities_follow_from_the_device_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
