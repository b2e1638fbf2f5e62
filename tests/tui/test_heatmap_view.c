/* The heat map view without a device: choosing the axes, the cursor, drawing at every size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/tui/screen_state.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
#include "tui/toolkit/key_codes.h"
#include "tui/views/heatmap/heatmap_view.h"

enum { COLUMNS = 5, ROWS = 3 };

/* As a measurement of size (y) over rangesize (x) leaves it, with one failed point and one that is missing. */
static void give_grid(struct app *a)
{
	struct heatmap_view *v = heatmap_view_of(a);
	v->grid.header = json_pack("{s:s, s:[{s:s, s:[i,i,i]}, {s:s, s:[i,i,i,i,i]}], s:{s:[s,s,s], s:[{s:s, s:i}]}}",
		"experiment", "made-range", "sweep", "param", "size", "values", 1, 2, 3, "param", "rangesize", "values",
		1, 2, 4, 8, 16, "columns", "params", "rangesize", "size", "variant", "metrics", "id", "latency", "axis",
		0);
	v->grid.count = v->grid.ended = COLUMNS * ROWS;
	v->grid.points = xcalloc(COLUMNS * ROWS, sizeof *v->grid.points);
	for (int i = 0; i < COLUMNS * ROWS; i++) {
		v->grid.points[i].values[1] = 1 + i / COLUMNS;
		json_t *p = json_pack("{s:{s:i, s:i, s:s}, s:s, s:{s:f}}", "params", "rangesize", 1 << i % COLUMNS,
			"size", 1 + i / COLUMNS, "variant", "published", "status", i == 7 ? "failed" : "ok", "metrics",
			"latency", 100.0 + i);
		if (i == 7)
			json_object_del(p, "metrics");
		point_list_add_record(&v->points, i == 9 ? NULL : p);
		json_decref(p);
	}
	v->measured_lab = v->lab;
	v->measured_x = v->x;
	v->measured_y = v->y;
}

static void open_heatmap_of(struct app *a, struct experiment *x)
{
	made_app(a, x, 5, 80, 24);
	app_handle_key(a, 'H');
	assert_ptr_equal(a->view, &view_heatmap);
}

static void close_heatmap_of(struct app *a)
{
	view_heatmap.close(a);
	made_free(a);
}

static void the_axes_are_two_parameters(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct err e = {0};
	open_heatmap_of(&a, &x);
	const struct heatmap_view *v = heatmap_view_of(&a);
	assert_true(v->x == 0 && v->y == 1);
	app_handle_key(&a, 'y');
	assert_true(v->x == 0 && v->y == 2); /* skips the one on the x axis */
	app_handle_key(&a, 'y');
	assert_int_equal(v->y, 1);
	assert_true(app_run_action(&a, "heatmap-y", "rangesize", &e));
	assert_int_equal(v->y, 1); /* that one is on the x axis */
	app_handle_key(&a, 'x');
	assert_int_equal(v->x, 2);
	close_heatmap_of(&a);
}

static void many_equal_steps_are_doubled(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct plan p;
	open_heatmap_of(&a, &x);
	x.params[0] = made_param("stride", "words", 1, 64, 1, PARAM_STEP_ADD, 1);
	assert_true(heatmap_build_plan(&a, &p, NULL));
	assert_int_equal(p.axes[1].count, 7);
	for (int i = 0; i < 7; i++)
		assert_true(p.axes[1].values[i] == 1 << i);
	assert_int_equal(p.axes[0].count, 11); /* 1 MiB to 1 GiB */
	plan_free(&p);
	heatmap_view_of(&a)->most = 64;
	assert_true(heatmap_build_plan(&a, &p, NULL));
	assert_int_equal(p.axes[1].count, 64);
	plan_free(&p);
	heatmap_view_of(&a)->y = -1;
	assert_false(heatmap_build_plan(&a, &p, NULL));
	close_heatmap_of(&a);
}

static void the_cursor_stays_on_the_map(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	open_heatmap_of(&a, &x);
	const struct heatmap_view *v = heatmap_view_of(&a);
	app_handle_key(&a, TK_RIGHT); /* nothing is measured */
	assert_int_equal(v->column, 0);
	give_grid(&a);
	for (int i = 0; i < 9; i++) {
		app_handle_key(&a, TK_RIGHT);
		app_handle_key(&a, TK_UP);
	}
	assert_true(v->column == COLUMNS - 1 && v->row == ROWS - 1);
	app_handle_key(&a, 'Y');
	assert_non_null(strstr(a.clipboard, "\n3\t110\t111\t112\t113\t114\n"));
	free(a.clipboard);
	app_handle_key(&a, 'y'); /* another axis: not measured */
	struct heatmap h;
	assert_false(heatmap_view_make(&a, &h));
	close_heatmap_of(&a);
}

static void a_map_draws_at_every_size(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	open_heatmap_of(&a, &x);
	for (int known = 0; known < 2; known++) {
		if (known)
			give_grid(&a);
		for (int w = 1; w <= 210; w += w < 90 ? 1 : 11)
			for (int h = 1; h <= 62; h += h < 30 ? 1 : 7) {
				a.ascii = w % 2;
				app_resize(&a, w, h);
				grid_resize(&g, w, h);
				screen_draw(&a, &g);
				for (int i = 0; i < w * h; i++)
					assert_true(!a.ascii || (g.cells[i].utf8[0] > 0 && !g.cells[i].utf8[1]));
			}
	}
	grid_free(&g);
	close_heatmap_of(&a);
}

static void press_keys(struct app *a, const char *keys)
{
	for (; *keys; keys++)
		app_handle_key(a, (unsigned char)*keys);
}

static void a_map_of_another_device_is_dropped(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct heatmap h;
	open_heatmap_of(&a, &x);
	give_grid(&a);
	heatmap_view_of(&a)->grid.device = measured_curve_device_hash(a.device);
	press_keys(&a, "1H");
	assert_true(heatmap_view_make(&a, &h));
	heatmap_free(&h);
	strcpy(a.device, "hip:0");
	press_keys(&a, "1H");
	assert_false(heatmap_view_make(&a, &h));
	heatmap_free(&h);
	assert_non_null(strstr(a.message, "heat map of another device was dropped; Space measures it on hip:0"));
	close_heatmap_of(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_of_another_device_is_dropped),
		cmocka_unit_test(the_axes_are_two_parameters),
		cmocka_unit_test(many_equal_steps_are_doubled),
		cmocka_unit_test(the_cursor_stays_on_the_map),
		cmocka_unit_test(a_map_draws_at_every_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
