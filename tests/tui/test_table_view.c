/* The table of points: order, values, cells, copied text; classes of a histogram. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/tui/screen_state.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
#include "tui/toolkit/key_codes.h"
#include "tui/views/table/sample_histogram.h"
#include "tui/views/table/table_view.h"

enum { RANGE, LATENCY, RATE, TIME };

static void a_table_sorts_by_each_column(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct point_table t;
	made_app(&a, &x, 7, 80, 24);
	const struct lab *b = &a.labs[0];
	for (int column = -1; column < TIME + 8; column++)
		for (int descending = 0; descending < 2; descending++) {
			point_table_make(b, column, descending, &t);
			assert_int_equal(t.rows, 7);
			for (int i = 1; column >= 0 && i < t.rows; i++) {
				struct reading one = point_table_value(&t, b, i - 1, column),
					       next = point_table_value(&t, b, i, column);
				assert_true(one.valid || !next.valid);
				if (next.valid)
					assert_true(descending ? one.value >= next.value : one.value <= next.value);
			}
			point_table_free(&t);
		}
	made_free(&a);
}

static void cells_have_units_and_remarks(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct point_table t;
	char text[64];
	made_app(&a, &x, 7, 80, 24);
	const struct lab *b = &a.labs[0];
	point_table_make(b, -1, false, &t);
	point_table_format(&t, b, 0, RANGE, text, sizeof text);
	assert_string_equal(text, "1 KiB");
	point_table_format(&t, b, 0, TIME, text, sizeof text);
	assert_string_equal(text, "160"); /* 240 cycles at 1.5 GHz */
	assert_string_equal(point_table_unit(&t, TIME, true), "ns");
	point_table_format(&t, b, 3, LATENCY, text, sizeof text);
	assert_string_equal(text, "failed");
	assert_string_equal(point_table_remark(b, 3), "GPU memory fault at 0x1000");
	assert_string_equal(point_table_remark(b, 5), "clock moved");
	assert_string_equal(point_table_remark(b, 6), "waiting");
	char *copied = point_table_copy_text(&t, b);
	assert_int_equal(strncmp(copied, "rangesize (B)\tlatency (cycles)\trate (GB/s)\ttime (ns)\t", 52), 0);
	assert_non_null(strstr(copied, "\n1024\t240\t25\t160\t"));
	free(copied);
	point_table_free(&t);
	made_free(&a);
}

static void keys_move_sort_and_keep_the_point(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 5, 80, 24);
	app_handle_key(&a, 'T');
	assert_ptr_equal(a.view, &view_table);
	app_handle_key(&a, TK_DOWN);
	assert_int_equal(a.labs[0].cursor, 1);
	app_handle_key(&a, TK_RIGHT);
	app_handle_key(&a, 's');
	app_handle_key(&a, 's');
	assert_true(table_view_of(&a)->sort == LATENCY && table_view_of(&a)->descending);
	assert_int_equal(a.labs[0].cursor, 1); /* the same point, in another row */
	app_handle_key(&a, TK_HOME);
	assert_int_equal(a.labs[0].cursor, 3); /* the largest latency, measured first */
	app_handle_key(&a, 's');
	assert_int_equal(table_view_of(&a)->sort, -1);
	app_handle_key(&a, 'y');
	assert_non_null(strstr(a.clipboard, "latency (cycles)"));
	free(a.clipboard);
	app_handle_key(&a, TK_ESC);
	assert_ptr_equal(a.view, views[0]);
	view_table.close(&a);
	made_free(&a);
}

static void a_table_draws_at_every_size(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	made_app(&a, &x, 7, 80, 24);
	app_handle_key(&a, 'T');
	for (int column = 0; column < 14; column += 5, app_handle_key(&a, TK_RIGHT))
		for (int w = 1; w <= 210; w += w < 90 ? 1 : 11)
			for (int h = 1; h <= 62; h += h < 30 ? 1 : 7) {
				a.ascii = w % 2;
				app_resize(&a, w, h);
				grid_resize(&g, w, h);
				screen_draw(&a, &g);
				for (int i = 0; i < w * h; i++)
					assert_true(!a.ascii || (g.cells[i].utf8[0] > 0 && !g.cells[i].utf8[1]));
			}
	grid_free(&g);
	view_table.close(&a);
	made_free(&a);
}

static void a_histogram_counts_every_sample(void **state)
{
	(void)state;
	struct sample_histogram h;
	json_t *list = json_array();
	histogram_make(list, 20, &h);
	assert_int_equal(h.classes, 0);
	json_array_append_new(list, json_real(1));
	histogram_make(list, 20, &h);
	assert_int_equal(h.classes, 0);
	for (int i = 0; i < 63; i++)
		json_array_append_new(list, json_real(1 + i % 8));
	histogram_make(list, 20, &h);
	assert_int_equal(h.classes, 8); /* twice the cube root of 64 */
	assert_true(h.low == 1 && h.high == 8);
	int all = 0;
	for (int i = 0; i < h.classes; i++)
		all += h.counts[i];
	assert_int_equal(all, 64);
	histogram_make(list, 3, &h);
	assert_int_equal(h.classes, 3);
	json_decref(list);
	list = json_pack("[f,f,f]", 2.0, 2.0, 2.0);
	histogram_make(list, 20, &h);
	assert_true(h.classes == 1 && h.counts[0] == 3 && h.largest == 3);
	json_decref(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_sorts_by_each_column),
		cmocka_unit_test(cells_have_units_and_remarks),
		cmocka_unit_test(keys_move_sort_and_keep_the_point),
		cmocka_unit_test(a_table_draws_at_every_size),
		cmocka_unit_test(a_histogram_counts_every_sample),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
