/* The command line's own parts: options, what is left of a plan to be resumed, charts and tables from records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/cli_support.h"
#include "sessions/export/session_chart.h"
#include "cli/run/plan_parts.h"
#include "cli/run/run_limit.h"

static bool parse(const struct option *options, const char *line, struct argument_list *words, struct err *e)
{
	static char copy[256];
	char *argv[32], *save = NULL;
	int argc = 0;
	snprintf(copy, sizeof copy, "%s", line);
	for (char *w = strtok_r(copy, " ", &save); w && argc < 31; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	argv[argc] = NULL;
	return options_parse(options, argc, argv, words, e);
}

static void a_point_that_does_not_end_has_a_limit(void **state)
{
	(void)state;
	struct run_limit l;
	char text[200];
	assert_true(run_limit_parse(NULL, &l, NULL));
	assert_false(run_limit_is_over(&l, 1e6, 1799)); /* a long run of points that end */
	assert_true(run_limit_is_over(&l, 1801, 1801));
	assert_non_null(strstr(run_limit_format(&l, 2, 8, false, text, sizeof text),
		"a point did not end within 30 min; kept 2 of 8 points"));
	assert_non_null(strstr(text, "--limit 0 for no limit"));
}

static void limit_is_that_of_the_run(void **state)
{
	(void)state;
	struct run_limit l;
	struct err e;
	char text[200];
	assert_true(run_limit_parse("90", &l, NULL));
	assert_false(run_limit_is_over(&l, 89, 89));
	assert_true(run_limit_is_over(&l, 91, 1));
	assert_string_equal(run_limit_format(&l, 2, 8, true, text, sizeof text),
		"reached the limit of 90 s; kept 2 of 8 points; continue with --resume");
	assert_true(run_limit_parse("0", &l, NULL));
	assert_false(run_limit_is_over(&l, 1e9, 1e9)); /* no limit */
	assert_false(run_limit_parse("-1", &l, &e));
	assert_false(run_limit_parse("soon", &l, &e));
	assert_non_null(strstr(e.text, "--limit needs seconds"));
}

static void options_are_accepted_anywhere(void **state)
{
	(void)state;
	const char *device = NULL;
	bool json = false;
	const struct option options[] = {{"--device", &device, NULL}, {"--json", NULL, &json}, {NULL, NULL, NULL}};
	struct argument_list words;
	struct err e = {0};
	assert_true(parse(options, "run a --device soft:mi25,l1_bytes=4096 b=1..2 --json -- --c", &words, &e));
	assert_string_equal(device, "soft:mi25,l1_bytes=4096");
	assert_true(json);
	assert_int_equal(words.count, 3);
	assert_string_equal(words.list[1], "b=1..2");
	assert_string_equal(words.list[2], "--c");
	free(words.list);
	assert_true(parse(options, "run --device=hip:0", &words, &e));
	assert_string_equal(device, "hip:0");
	free(words.list);
}

static void wrong_options_get_a_suggestion(void **state)
{
	(void)state;
	static const struct {
		const char *line, *word;
	} cases[] = {
		{"run --devize x", "--device"},
		{"run --device", "needs a value"},
		{"run --json=1", "no value"},
		{"run -x", "help run"},
		{"run --device=", "needs a value"},
	};
	const char *device = NULL;
	bool json = false;
	const struct option options[] = {{"--device", &device, NULL}, {"--json", NULL, &json}, {NULL, NULL, NULL}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct argument_list words;
		struct err e = {0};
		assert_false(parse(options, cases[i].line, &words, &e));
		assert_int_equal(e.status, ST_REQUEST);
		assert_non_null(strstr(e.text, cases[i].word));
		assert_null(words.list);
	}
}

static void commands_are_found_or_suggested(void **state)
{
	(void)state;
	struct err e = {0};
	assert_string_equal(command_find("doctor", &e)->name, "doctor");
	assert_null(command_find("docter", &e));
	assert_non_null(strstr(e.text, "did you mean 'doctor'"));
}

/* --- parts of a plan --- */

static struct experiment *two_params(void)
{
	struct experiment *x = xcalloc(1, sizeof *x);
	strcpy(x->id, "chase");
	x->param_count = 2;
	strcpy(x->params[0].id, "variant");
	x->params[0].kind = PARAM_STEP_CHOICE;
	strcpy(x->params[0].choices[0], "a");
	strcpy(x->params[0].choices[1], "b");
	x->params[0].choice_count = 2;
	strcpy(x->params[1].id, "stride");
	x->params[1].kind = PARAM_STEP_MULTIPLY;
	x->params[1].high = 4096;
	return x;
}

static struct plan_axis axis(int param, int count, double first, double factor)
{
	struct plan_axis a = {param, xmalloc((size_t)count * sizeof(double)), count};
	for (int i = 0; i < count; i++, first = factor ? first * factor : first + 1)
		a.values[i] = first;
	return a;
}

static struct plan plan_of(struct experiment *x, int axes)
{
	struct plan p = {.x = x, .verify = true};
	p.fixed[1] = 64;
	p.axis_count = axes;
	if (axes == 2)
		p.axes[0] = axis(0, 2, 0, 0);
	if (axes)
		p.axes[axes - 1] = axis(1, 5, 16, 2);
	return p;
}

/* Whatever is there already: the parts are exactly the rest, once each, with the values of the whole plan. */
static void parts_are_exactly_the_missing_points(void **state)
{
	(void)state;
	struct experiment *x = two_params();
	for (int axes = 0; axes <= 2; axes++) {
		struct plan p = plan_of(x, axes);
		int n = plan_point_count(&p);
		assert_int_equal(n, axes == 2 ? 10 : axes ? 5 : 1);
		for (unsigned mask = 0; mask < 1u << n; mask++) {
			bool have[10], seen[10] = {0};
			struct plan_parts parts;
			for (int i = 0; i < n; i++)
				have[i] = mask >> i & 1;
			plan_parts_make(&p, have, &parts);
			for (int k = 0; k < parts.count; k++) {
				const struct plan_part *part = &parts.list[k];
				for (int i = 0; i < plan_point_count(&part->plan); i++) {
					double got[PARAMS_MAX] = {0}, want[PARAMS_MAX] = {0};
					int at = part->point[i];
					assert_true(at >= 0 && at < n && !have[at] && !seen[at]);
					seen[at] = true;
					plan_point_values(&part->plan, i, got);
					plan_point_values(&p, at, want);
					assert_memory_equal(got, want, 2 * sizeof(double));
				}
			}
			for (int i = 0; i < n; i++)
				assert_true(have[i] != seen[i]);
			plan_parts_free(&parts);
		}
		plan_free(&p);
	}
	free(x);
}

static void only_good_points_count_as_measured(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"{\"type\":\"point\",\"params\":{\"variant\":\"a\",\"stride\":16},\"status\":\"failed\"}",
		"{\"type\":\"point\",\"params\":{\"variant\":\"b\",\"stride\":16},\"status\":\"ok\"}",
		"{\"type\":\"point\",\"params\":{\"stride\":32},\"status\":\"ok\"}",
		"{\"type\":\"point\",\"params\":{\"variant\":1,\"stride\":64},\"status\":\"ok\"}",
		"{\"type\":\"point\",\"params\":{\"variant\":\"b\",\"stride\":64.0},\"status\":\"ok\"}",
		"{\"type\":\"point\",\"params\":{\"variant\":\"c\",\"stride\":128},\"status\":\"ok\"}",
	};
	enum { COUNT = sizeof lines / sizeof *lines };
	struct experiment *x = two_params();
	struct err e = {0};
	struct measured_points m;
	struct session s = {.header = json_pack("{s:s}", "experiment", "chase")};
	size_t at = 0;
	for (int i = 0; i < COUNT; i++)
		point_list_add_line(&s.points, lines[i], strlen(lines[i]));
	measured_points_make(&m, &s, x);
	assert_false(measured_points_find(&m, (double[]){0, 16}, &at)); /* failed */
	assert_true(measured_points_find(&m, (double[]){1, 16}, &at) && at == 1);
	assert_false(measured_points_find(&m, (double[]){0, 32}, &at));
	assert_true(measured_points_find(&m, (double[]){1, 64}, &at) && at == 4); /* the later one */
	assert_false(measured_points_find(&m, (double[]){0, 128}, &at));
	measured_points_free(&m);
	assert_true(session_check_experiment(&s, x, "f", &e));
	strcpy(x->id, "other");
	assert_false(session_check_experiment(&s, x, "f", &e));
	assert_int_equal(e.status, ST_REQUEST);
	point_list_free(&s.points);
	json_decref(s.header);
	free(x);
}

/* --- charts from records --- */

static void a_chart_has_a_series_per_metric_and_group(void **state)
{
	(void)state;
	json_t *h = json_loads(
		"{\"title\":\"T\",\"sweep\":[{\"param\":\"variant\",\"values\":[\"a\",\"b\"]},{\"param\":\"stride\",\"values\":[16,32]}],"
		"\"columns\":{\"params\":[{\"id\":\"variant\",\"choices\":[\"a\",\"b\"]},{\"id\":\"stride\",\"unit\":\"B\",\"log\":true}],"
		"\"metrics\":[{\"id\":\"l\",\"unit\":\"cycles\",\"axis\":0},{\"id\":\"r\",\"unit\":\"GB/s\",\"axis\":1},{\"id\":\"t\",\"axis\":-1}]}}",
		0, NULL);
	struct point_list points = {0}, none = {0};
	for (int i = 0; i < 4; i++) {
		json_t *point = json_pack("{s:{s:s, s:i}, s:{s:i, s:n}, s:b}", "params", "variant", i < 2 ? "a" : "b",
			"stride", 16 << i % 2, "metrics", "l", 100 + i, "r", "clocks_moved", i == 3);
		point_list_add_record(&points, point);
		json_decref(point);
	}
	point_list_add_record(&points, NULL); /* not measured */
	struct session_chart *s = session_chart_new(h, &points, NULL);
	assert_non_null(s);
	const struct chart *c = session_chart_of(s);
	assert_int_equal(c->series_count, 4);
	assert_string_equal(c->x_label, "stride");
	assert_true(c->x.log2 && c->x.low == 16 && c->x.high == 32);
	assert_string_equal(c->series[2].label, "l variant=b");
	assert_int_equal(c->series[2].count, 2);
	assert_true(
		c->series[2].points[1].y == 103 && c->series[2].points[1].suspect && !c->series[2].points[0].suspect);
	assert_true(c->series[1].axis == AXIS_RIGHT && !c->series[1].points[0].valid);
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < i; k++)
			assert_true(c->series[i].mark != c->series[k].mark);
	session_chart_free(s);
	assert_null(session_chart_new(h, &none, NULL));
	point_list_free(&points);
	json_decref(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_point_that_does_not_end_has_a_limit),
		cmocka_unit_test(limit_is_that_of_the_run),
		cmocka_unit_test(options_are_accepted_anywhere),
		cmocka_unit_test(wrong_options_get_a_suggestion),
		cmocka_unit_test(commands_are_found_or_suggested),
		cmocka_unit_test(parts_are_exactly_the_missing_points),
		cmocka_unit_test(only_good_points_count_as_measured),
		cmocka_unit_test(a_chart_has_a_series_per_metric_and_group),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
