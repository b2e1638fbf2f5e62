/* Charts below that of a session: ratios to the first combination of parameters, cycles by stall reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "sessions/export/side_charts.h"
#include "sessions/export/svg_picture.h"

static const char header_text[] =
	"{\"type\":\"session\",\"experiment\":\"lds\",\"title\":\"LDS\",\"sweep\":[{\"param\":\"variant\",\"values\":[0,1]},{\"param\":\"stride\",\"values\":[1,2,4]}],"
	"\"columns\":{\"params\":[{\"id\":\"stride\",\"unit\":\"words\"},{\"id\":\"variant\",\"choices\":[\"asm\",\"hip\"]}],"
	"\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0},{\"id\":\"rate\",\"unit\":\"GB/s\",\"axis\":1}]}}";

static json_t *make_record(int stride, const char *variant, double latency, double lds, double conflict)
{
	json_t *p = json_pack("{s:s, s:s, s:{s:i,s:s}, s:{s:f,s:f}, s:f}", "type", "point", "status", "ok", "params",
		"stride", stride, "variant", variant, "metrics", "latency", latency, "rate", 10.0, "sclk_mhz", 1500.0);
	if (lds > 0)
		json_object_set_new(
			p, "profile", json_pack("{s:{s:f,s:f}}", "account", "LDS", lds, "LDS_CONFLICT", conflict));
	return p;
}

/* Two variants: the second has 1.25 times the latency, or the same. Half of the cycles of stride 4 are conflicts. */
static void make_points(struct point_list *list, double factor, bool profiles)
{
	for (int v = 0; v < 2; v++)
		for (int stride = 1; stride <= 4; stride *= 2) {
			json_t *p = make_record(stride, v ? "hip" : "asm", 80 * stride * (v ? factor : 1),
				profiles ? 500 : 0, stride == 4 ? 500 : 0);
			point_list_add_record(list, p);
			json_decref(p);
		}
}

static void other_groups_are_shown_as_ratio_to_the_first(void **state)
{
	(void)state;
	for (int same = 0; same < 2; same++) {
		struct point_list points = {0};
		struct side_chart list[SIDE_CHARTS_MAX];
		json_t *header = json_loads(header_text, 0, NULL);
		make_points(&points, same ? 1 : 1.25, false);
		struct session_chart *s = session_chart_new(header, &points, NULL);
		assert_non_null(s);
		assert_int_equal(side_charts_make(s, &points, list), 1);
		assert_string_equal(list[0].title, "latency: ratio to variant=asm");
		const struct series *ratio = NULL;
		for (size_t i = 0; i < list[0].chart.series_count; i++)
			if (list[0].series[i].count) {
				assert_null(ratio);
				ratio = &list[0].series[i];
				assert_int_equal(i, 2); /* its place, and so its color, in the session's chart */
			}
		assert_true(ratio && ratio->count == 3 && ratio->points[1].y == (same ? 1 : 1.25));
		assert_string_equal(ratio->label, same ? "variant=hip, identical" : "variant=hip");
		assert_true(list[0].chart.y[AXIS_LEFT].low <= 1 &&
			list[0].chart.y[AXIS_LEFT].high >= (same ? 1 : 1.25) && list[0].chart.y[AXIS_LEFT].low > 0.5);
		side_chart_free(&list[0]);
		session_chart_free(s);
		point_list_free(&points);
		json_decref(header);
	}
}

static void profiles_are_stacked_up_to_the_metric(void **state)
{
	(void)state;
	struct point_list points = {0};
	struct side_chart list[SIDE_CHARTS_MAX];
	json_t *header = json_loads(header_text, 0, NULL);
	make_points(&points, 1.25, true);
	struct session_chart *s = session_chart_new(header, &points, NULL);
	assert_int_equal(side_charts_make(s, &points, list), 3);
	assert_string_equal(list[1].title, "latency by stall reason, variant=asm");
	assert_string_equal(list[2].title, "latency by stall reason, variant=hip");
	const struct chart *c = &list[1].chart;
	assert_int_equal(c->series_count, 3); /* LDS, LDS conflict, other */
	assert_true(c->series[0].points[2].high == 160 && c->series[1].points[2].low == 160 &&
		c->series[1].points[2].high == 320 && c->series[2].points[2].high == 320);
	assert_true(c->series[1].points[0].high == c->series[1].points[0].low);
	for (int i = 0; i < 3; i++)
		side_chart_free(&list[i]);
	session_chart_free(s);
	point_list_free(&points);
	json_decref(header);
}

/* A curve to compare: its difference where that is asked for; a level over the stacks of the session's own curve. */
static void a_compared_curve_is_a_difference_and_a_level(void **state)
{
	(void)state;
	struct point_list own = {0}, other = {0};
	struct side_chart list[SIDE_CHARTS_MAX];
	json_t *header = json_loads(header_text, 0, NULL);
	for (int stride = 1; stride <= 4; stride *= 2) {
		json_t *p = make_record(stride, "asm", 80 * stride, 500, 0),
		       *q = make_record(stride, "asm", 80 * stride + 7, 0, 0);
		point_list_add_record(&own, p);
		point_list_add_record(&other, q);
		json_decref(p);
		json_decref(q);
	}
	const struct compared_curve pinned = {"1 before", &other};
	const struct chart_extras extras = {.compared = &pinned, .compared_count = 1, .differences = true};
	struct session_chart *s = session_chart_new(header, &own, &extras);
	assert_int_equal(side_charts_make(s, &own, list), 2);
	assert_string_equal(list[0].title, "latency: difference from the current curve");
	for (size_t i = 0; i < list[0].chart.series_count; i++)
		if (list[0].series[i].count) {
			assert_string_equal(list[0].series[i].unit, "cycles");
			assert_true(list[0].series[i].points[2].y == 7);
		}
	const struct series *level = &list[1].series[list[1].chart.series_count - 1];
	assert_int_equal(level->style, STYLE_LEVEL);
	assert_string_equal(level->label, "1 before");
	assert_true(level->points[1].y == 167 && list[1].chart.y[AXIS_LEFT].high >= 327);
	for (int i = 0; i < 2; i++)
		side_chart_free(&list[i]);
	session_chart_free(s);
	point_list_free(&own);
	point_list_free(&other);
	json_decref(header);
}

/* A point without a profile would make a hole: then no stack is drawn. One combination has no ratio. */
static void without_profiles_or_groups_there_is_no_chart(void **state)
{
	(void)state;
	struct point_list points = {0};
	struct side_chart list[SIDE_CHARTS_MAX];
	json_t *header = json_loads(header_text, 0, NULL);
	for (int stride = 1; stride <= 4; stride *= 2) {
		json_t *p = make_record(stride, "asm", 80, stride == 2 ? 0 : 500, 0);
		point_list_add_record(&points, p);
		json_decref(p);
	}
	struct session_chart *s = session_chart_new(header, &points, NULL);
	assert_int_equal(side_charts_make(s, &points, list), 0);
	session_chart_free(s);
	point_list_free(&points);
	json_decref(header);
}

static void the_picture_contains_them(void **state)
{
	(void)state;
	struct point_list points = {0};
	json_t *header = json_loads(header_text, 0, NULL);
	struct buf b = {0};
	make_points(&points, 1.25, true);
	struct session_output o = {.header = header, .points = &points, .width = 100};
	assert_true(svg_append_picture(&b, &o, false));
	assert_non_null(strstr(b.data, "latency: ratio to variant=asm"));
	assert_non_null(strstr(b.data, "LDS conflict at 4 words: 160 cycles"));
	assert_non_null(strstr(b.data, "core clock 1500 MHz, memory clock: not available"));
	buf_free(&b);
	point_list_free(&points);
	json_decref(header);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_compared_curve_is_a_difference_and_a_level),
		cmocka_unit_test(other_groups_are_shown_as_ratio_to_the_first),
		cmocka_unit_test(profiles_are_stacked_up_to_the_metric),
		cmocka_unit_test(without_profiles_or_groups_there_is_no_chart),
		cmocka_unit_test(the_picture_contains_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
