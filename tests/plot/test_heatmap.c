/* Heat maps: levels, scales, the picture; a session of two parameters as a map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "plot/heatmap.h"
#include "sessions/export/session_heatmap.h"

static const char header_text[] =
	"{\"type\":\"session\",\"sweep\":[{\"param\":\"form\",\"values\":[\"plain\",\"padded\"]},{\"param\":\"size\",\"values\":[1024,2048,4096]}],"
	"\"columns\":{\"params\":[{\"id\":\"size\",\"unit\":\"B\"},{\"id\":\"form\",\"choices\":[\"plain\",\"padded\"]}],"
	"\"metrics\":[{\"id\":\"roof\",\"unit\":\"GB/s\",\"axis\":0,\"line\":true},{\"id\":\"rate\",\"unit\":\"GB/s\",\"axis\":0}]}}";

static void add_made_point(struct point_list *points, double size, const char *form, double rate, const char *verify)
{
	json_t *p = json_pack("{s:s, s:{s:f, s:s}, s:s, s:s, s:{s:f}}", "type", "point", "params", "size", size, "form",
		form, "status", "ok", "verify", verify, "metrics", "rate", rate);
	point_list_add_record(points, p);
	json_decref(p);
}

static void make_map(struct heatmap *h, json_t **header)
{
	struct point_list points = {0};
	*header = json_loads(header_text, 0, NULL);
	assert_non_null(*header);
	add_made_point(&points, 1024, "plain", 10, "ok");
	add_made_point(&points, 4096, "padded", 900, "ok");
	add_made_point(&points, 2048, "padded", 5, "failed"); /* a wrong result has no value */
	add_made_point(&points, 8192, "padded", 7, "ok");     /* not swept */
	point_list_add_record(&points, NULL);
	assert_true(session_heatmap_make(*header, &points, -1, h));
	point_list_free(&points);
}

static void a_session_of_two_parameters_is_a_map(void **state)
{
	(void)state;
	struct heatmap h;
	json_t *header;
	make_map(&h, &header);
	assert_int_equal(h.columns, 3);
	assert_int_equal(h.rows, 2);
	assert_string_equal(h.label, "rate"); /* the first metric that is measured */
	assert_string_equal(h.x_names[1], "2 KiB");
	assert_string_equal(h.y_names[1], "padded");
	assert_true(heatmap_cell(&h, 0, 0)->valid && heatmap_cell(&h, 0, 0)->value == 10);
	assert_true(heatmap_cell(&h, 2, 1)->value == 900);
	assert_true(heatmap_cell(&h, 1, 1)->measured && !heatmap_cell(&h, 1, 1)->valid);
	assert_false(heatmap_cell(&h, 1, 0)->measured);
	assert_true(h.least == 0 && h.most == 5 && h.log);
	heatmap_free(&h);
	json_decref(header);
}

static void other_sessions_are_none(void **state)
{
	(void)state;
	struct heatmap h;
	struct point_list points = {0};
	json_t *header = json_loads(header_text, 0, NULL);
	json_array_remove(json_object_get(header, "sweep"), 0);
	assert_false(session_heatmap_make(header, &points, -1, &h));
	heatmap_free(&h);
	json_object_set(header, "sweep", json_array_get(json_object_get(header, "sweep"), 0));
	assert_false(session_heatmap_make(header, &points, -1, &h));
	json_decref(header);
}

static void levels_cover_the_values(void **state)
{
	(void)state;
	struct heatmap h;
	json_t *header;
	make_map(&h, &header);
	assert_int_equal(heatmap_level(&h, 10, 10), 0);
	assert_int_equal(heatmap_level(&h, 900, 10), 9);
	assert_int_equal(heatmap_level(&h, 95, 10), 5); /* by the logarithm */
	h.log = false;
	assert_int_equal(heatmap_level(&h, 95, 10), 0);
	assert_int_equal(heatmap_level(&h, 1e6, 10), 9);
	h.low = h.high;
	assert_int_equal(heatmap_level(&h, h.high, 10), 5);
	heatmap_free(&h);
	json_decref(header);
}

static void the_picture_names_every_cell(void **state)
{
	(void)state;
	struct heatmap h;
	struct buf b = {0};
	json_t *header;
	make_map(&h, &header);
	assert_true(svg_draw_heatmap(&b, &h, 10, 900) > 44);
	int cells = 0;
	for (const char *at = b.data; (at = strstr(at, "class=\"cell\"")); at++)
		cells++;
	assert_int_equal(cells, 6);
	assert_non_null(strstr(b.data, "<title>size 4 KiB, form padded: 900 GB/s</title>"));
	assert_non_null(strstr(b.data, "<title>size 2 KiB, form padded: failed"));
	assert_non_null(strstr(b.data, "<title>size 2 KiB, form plain: not measured</title>"));
	buf_free(&b);
	heatmap_free(&h);
	json_decref(header);
}

/* More columns than pixels share cells, which show the largest value; narrow cells have no white frames. */
static void many_columns_share_cells(void **state)
{
	(void)state;
	enum { COLUMNS = 5000 };
	struct heatmap h = {"size", "", "form", "", "rate", "GB/s", COLUMNS, 1, NULL, NULL, NULL, 0, 0, false, -1, -1};
	struct buf b = {0};
	h.x_names = calloc(COLUMNS, sizeof *h.x_names);
	h.y_names = calloc(1, sizeof *h.y_names);
	h.cells = calloc(COLUMNS, sizeof *h.cells);
	for (int i = 0; i < COLUMNS; i++)
		*heatmap_cell(&h, i, 0) = (struct heat_cell){i == 4321 ? 700 : i % 3, i != 17, i != 17, i == 4321};
	snprintf(h.x_names[4321], HEATMAP_NAME, "peak");
	heatmap_fit(&h);
	svg_draw_heatmap(&b, &h, 0, 900);
	int cells = 0;
	for (const char *at = b.data; (at = strstr(at, "class=\"cell\"")); at++)
		cells++;
	assert_int_equal(cells, (COLUMNS + 7) / 8); /* 700 pixels */
	assert_non_null(strstr(b.data, ": the largest of each 8"));
	assert_non_null(strstr(b.data, "<title>size peak, form : 700 GB/s, not trusted</title>"));
	assert_null(strstr(b.data, "stroke=\"#ffffff\""));
	buf_free(&b);
	heatmap_free(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_of_two_parameters_is_a_map),
		cmocka_unit_test(other_sessions_are_none),
		cmocka_unit_test(levels_cover_the_values),
		cmocka_unit_test(the_picture_names_every_cell),
		cmocka_unit_test(many_columns_share_cells),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
