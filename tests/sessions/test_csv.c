/* The CSV of the design: columns, plain numbers, empty fields, choices by name, provenance; the same whatever the
 * user's locale. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sessions/export/csv_line.h"
#include "sessions/session.h"

static const char header_text[] =
	"{\"type\":\"session\",\"program\":\"wavedeck 0.1.0\",\"experiment\":\"chase\",\"title\":\"two\\nlines\",\"time\":\"2026-01-02T03:04:05Z\","
	"\"device\":{\"device\":\"soft:mi25\",\"name\":\"MI25\",\"arch\":\"gfx900\",\"versions\":{\"hip\":\"5.2\"},\"constants\":{\"l1_bytes\":16384}},"
	"\"params\":{\"stride\":64,\"variant\":\"published\"},\"sweep\":[{\"param\":\"stride\",\"values\":[16,32]}],"
	"\"columns\":{\"params\":[{\"id\":\"stride\",\"unit\":\"B\"},{\"id\":\"variant\",\"choices\":[\"published\",\"a,b\"]}],"
	"\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0},{\"id\":\"bandwidth\",\"unit\":\"GB/s\",\"axis\":1}]}}";

static void collect(void *ctx, const char *text)
{
	buf_puts(ctx, text);
}

static char *row_of(const char *point_text)
{
	json_t *h = json_loads(header_text, 0, NULL), *p = json_loads(point_text, 0, NULL);
	struct buf b = {0};
	assert_non_null(h);
	assert_non_null(p);
	csv_write_row(h, p, collect, &b);
	json_decref(h);
	json_decref(p);
	return b.data;
}

static void check_row(const char *point, const char *want)
{
	char *row = row_of(point);
	assert_string_equal(row, want);
	free(row);
}

static void the_header_names_the_columns(void **state)
{
	(void)state;
	json_t *h = json_loads(header_text, 0, NULL);
	struct buf b = {0};
	csv_write_header(h, collect, &b);
	assert_string_equal(
		b.data, "stride,variant,latency,bandwidth,sclk_mhz,mclk_mhz,temp_c,power_w,samples,status\n");
	buf_free(&b);
	json_object_set_new(json_object_get(h, "columns"), "counters", json_pack("[s]", "SQ_WAVES"));
	csv_write_header(h, collect, &b);
	assert_non_null(strstr(b.data, "samples,status,SQ_WAVES\n"));
	buf_free(&b);
	json_decref(h);
}

static void numbers_are_plain_and_missing_values_are_empty(void **state)
{
	(void)state;
	check_row(
		"{\"params\":{\"stride\":67108864,\"variant\":\"published\"},\"metrics\":{\"latency\":361.25,\"bandwidth\":0.1},"
		"\"sclk_mhz\":1536,\"mclk_mhz\":945.5,\"temp_c\":41,\"power_w\":96,\"seconds\":[1,2,3]}",
		"67108864,published,361.25,0.1,1536,945.5,41,96,3,ok\n");
	check_row(
		"{\"params\":{\"stride\":16,\"variant\":\"published\"},\"metrics\":{\"latency\":null},\"sclk_mhz\":null,\"seconds\":[]}",
		"16,published,,,,,,,0,ok\n");
	check_row("{\"params\":{},\"status\":\"failed\"}", ",,,,,,,,,failed\n");
	check_row(/* a metric's function failed: its samples gave no value */
		"{\"params\":{\"stride\":16},\"metrics\":{},\"status\":\"ok\",\"metric_error\":\"NaN\",\"seconds\":[1]}",
		"16,,,,,,,,,failed\n");
	check_row("{\"params\":{\"stride\":\"x\"},\"metrics\":[1],\"sclk_mhz\":\"fast\",\"seconds\":5}",
		"x,,,,,,,,0,ok\n");
}

/* The rows of a session of a device whose times vary. */
static char *noisy_lines(const char *point_text)
{
	json_t *h = json_loads(header_text, 0, NULL), *p = json_loads(point_text, 0, NULL);
	struct buf b = {0};
	json_object_set_new(json_object_get(h, "device"), "deterministic", json_false());
	csv_write_header(h, collect, &b);
	csv_write_row(h, p, collect, &b);
	json_decref(h);
	json_decref(p);
	return b.data;
}

static void check_noisy(const char *point, const char *want)
{
	static const char head[] = "stride,variant,latency,bandwidth,sclk_mhz,mclk_mhz,temp_c,power_w,samples,status,"
				   "latency_low,latency_high,bandwidth_low,bandwidth_high,outliers,drift,tries,marks\n";
	char *whole = xasprintf("%s%s", head, want), *got = noisy_lines(point);
	assert_string_equal(got, whole);
	free(whole);
	free(got);
}

static void noisy_points_have_intervals_outliers_and_marks(void **state)
{
	(void)state;
	check_noisy(
		"{\"params\":{\"stride\":16},\"metrics\":{\"latency\":10,\"bandwidth\":0.5},\"seconds\":[1,1,1,1,1,1],"
		"\"median_interval\":[0.9,1.1],\"intervals\":{\"latency\":[9,11],\"bandwidth\":[0.45,0.55]},\"outliers\":2,"
		"\"drift\":0.02,\"tries\":2,\"clocks_moved\":true,\"clock_limits\":[\"power\"]}",
		"16,,10,0.5,,,,,6,ok,9,11,0.45,0.55,2,0.02,2,"
		"\"clock limited by power; measured again; drifted by 2 % while it was measured; 2 of 6 samples are outliers\"\n");
	/* an older session has the interval of the times only */
	check_noisy("{\"params\":{\"stride\":16},\"metrics\":{\"latency\":10,\"bandwidth\":0.5},\"seconds\":[4,4,4],"
		    "\"median_interval\":[4,5],\"outliers\":0,\"tries\":2}",
		"16,,10,0.5,,,,,3,ok,8,12.5,0.4,0.625,0,,2,measured again: the clock had moved\n");
	check_noisy(
		"{\"params\":{\"stride\":16},\"metrics\":{\"latency\":10},\"seconds\":[4,4,4],\"outliers\":0,\"tries\":1}",
		"16,,10,,,,,,3,ok,,,,,0,,1,\n");
}

static void choices_are_written_as_names(void **state)
{
	(void)state;
	check_row("{\"params\":{\"stride\":16,\"variant\":0}}", "16,published,,,,,,,0,ok\n");
	check_row("{\"params\":{\"stride\":16,\"variant\":1}}", "16,\"a,b\",,,,,,,0,ok\n"); /* quoted: RFC 4180 */
	check_row("{\"params\":{\"stride\":16,\"variant\":\"say \\\"x\\\"\"}}", "16,\"say \"\"x\"\"\",,,,,,,0,ok\n");
	check_row("{\"params\":{\"stride\":16,\"variant\":-1}}", "16,-1,,,,,,,0,ok\n");
}

static void check_field(const char *text, const char *want)
{
	struct csv_line line = {0};
	struct buf got = {0};
	csv_add_number(&line, (struct reading){0});
	csv_add_text(&line, text);
	csv_add_number(&line, (struct reading){true, -5});
	csv_end_line(&line, collect, &got);
	char *whole = xasprintf(",%s,-5\n", want);
	assert_string_equal(got.data, whole);
	free(whole);
	buf_free(&got);
}

static void text_is_no_formula_and_numbers_stay(void **state)
{
	(void)state;
	check_field("=1+1", "'=1+1");
	check_field("+a", "'+a");
	check_field("-a", "'-a");
	check_field("@a", "'@a");
	check_field("\t=1", "' =1");
	check_field(" =1", "' =1");
	check_field("\n=1", "\"' =1\"");
	check_field("=HYPERLINK(\"a\",\"b\")", "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\"");
	check_field("a=1", "a=1");
	check_field("", "");
	check_field("#", "\"#\"");
	check_field("a;b", "\"a;b\"");
}

static void check_comment(const char *name, const char *text, const char *want)
{
	struct buf got = {0};
	csv_put_comment(name, text, collect, &got);
	assert_string_equal(got.data, want);
	buf_free(&got);
}

static void a_comment_is_no_formula(void **state)
{
	(void)state;
	check_comment("title", "a,=1+1", "# title: a,'=1+1\n");
	check_comment("title", "a, \"=1\";-2\t@x", "# title: a, ''=1';'-2 '@x\n");
	check_comment("title", "a,\"b", "# title: a,'b\n"); /* no cell that goes on over the lines after it */
	check_comment("a\nb", "c\r\nd", "# a b: c  d\n");
	check_comment("sweep", "x=1 2 -3", "# sweep: x=1 2 -3\n");
}

static void every_provenance_line_is_a_comment(void **state)
{
	(void)state;
	static const char *const want[] = {"# program: wavedeck 0.1.0\n", "# title: two lines\n",
		"# device: soft:mi25  MI25 gfx900\n", "# versions: hip=5.2\n", "# constants: l1_bytes=16384\n",
		"# params: stride=64 variant=published\n", "# sweep: stride=16 32\n", "stride=B", "latency=cycles"};
	json_t *h = json_loads(header_text, 0, NULL);
	struct buf b = {0};
	csv_write_provenance(h, collect, &b);
	for (const char *line = b.data; *line; line = strchr(line, '\n') + 1)
		assert_int_equal(strncmp(line, "# ", 2), 0);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		if (!strstr(b.data, want[i]))
			fail_msg("'%s' is missing in\n%s", want[i], b.data);
	buf_free(&b);
	json_decref(h);
}

/* A locale with a decimal comma, where the system has one. */
static void the_locale_does_not_change_the_numbers(void **state)
{
	(void)state;
	static const char *const commas[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
	static const char point[] =
		"{\"params\":{\"stride\":16,\"variant\":\"published\"},\"metrics\":{\"latency\":1e-7,\"bandwidth\":0.3333333333333333}}";
	char *before = row_of(point);
	bool any = false;
	for (size_t i = 0; i < sizeof commas / sizeof *commas && !any; i++)
		any = setlocale(LC_ALL, commas[i]) != NULL;
	char *after = row_of(point);
	setlocale(LC_ALL, "C");
	assert_string_equal(before, "16,published,1e-07,0.3333333,,,,,0,ok\n");
	assert_string_equal(before, after);
	free(before);
	free(after);
}

/* Without "columns" the table comes from the other facts. */
static void a_header_without_columns_still_makes_a_table(void **state)
{
	(void)state;
	json_t *h =
		json_loads("{\"params\":{\"stride\":16},\"units\":{\"stride\":\"B\",\"latency\":\"cycles\"}}", 0, NULL);
	struct buf b = {0};
	csv_write_header(h, collect, &b);
	assert_string_equal(b.data, "stride,latency,sclk_mhz,mclk_mhz,temp_c,power_w,samples,status\n");
	buf_free(&b);
	json_decref(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_names_the_columns),
		cmocka_unit_test(numbers_are_plain_and_missing_values_are_empty),
		cmocka_unit_test(noisy_points_have_intervals_outliers_and_marks),
		cmocka_unit_test(choices_are_written_as_names),
		cmocka_unit_test(text_is_no_formula_and_numbers_stay),
		cmocka_unit_test(a_comment_is_no_formula),
		cmocka_unit_test(every_provenance_line_is_a_comment),
		cmocka_unit_test(the_locale_does_not_change_the_numbers),
		cmocka_unit_test(a_header_without_columns_still_makes_a_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
