/* A bench's curves: pinned ones, settings taken back, curves that come back without being measured again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "tests/unit/screen_state.h"
#include "tui/keys.h"
#include "tui/view.h"

enum { POINTS = 19 };

static char *screen(struct app *a, int w, int h)
{
	struct grid g = {0};
	app_resize(a, w, h);
	grid_resize(&g, w, h);
	view_draw(a, &g);
	char *text = grid_text(&g);
	grid_free(&g);
	return text;
}

static void four_curves_are_pinned_and_no_more(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, POINTS, 120, 36);
	struct bench *b = &a.benches[0];
	struct curve other = {0};
	made_curve(b, &other, POINTS, 30);
	const char *const names[PINS_MAX] = { "MI210", "MI300X", "monday", "tuesday" };
	for (int i = 0; i < PINS_MAX; i++)
		assert_true(bench_pin(b, &other, names[i]));
	assert_false(bench_pin(b, &other, "a fifth"));
	assert_true(bench_pin(b, &b->curve, "MI300X")); /* replaces the one of that name */
	assert_int_equal(b->pin_count, PINS_MAX);
	assert_true(b->pins[1].curve.points[0].metrics[0].value == b->curve.points[0].metrics[0].value);
	assert_true(b->pins[1].curve.points != b->curve.points);
	a.ascii = true;
	char *text = screen(&a, 200, 60);
	assert_non_null(strstr(text, "1 MI210  2 MI300X  3 monday  4 tuesday"));
	free(text);
	bench_unpin(b, 0);
	assert_string_equal(b->pins[0].label, "MI300X");
	assert_int_equal(bench_pin_named(b, "tuesday"), 2);
	assert_false(bench_pin(b, &(struct curve){0}, "nothing"));
	curve_free(&other);
	made_free(&a);
}

static void a_pin_of_the_bench_is_named_by_what_differs(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	char text[64];
	made_app(&a, &x, POINTS, 120, 36);
	struct bench *b = &a.benches[0];
	app_key(&a, 'p');
	assert_int_equal(b->pin_count, 1);
	assert_string_equal(bench_pin_text(b, 0, text, sizeof text), "pinned");
	for (int i = 0; i < POINTS; i++) {
		b->curve.points[i].values[1] = 1 << 20;
		b->curve.points[i].values[2] = 1;
	}
	assert_string_equal(bench_pin_text(b, 0, text, sizeof text), "size 64 MiB, published");
	app_key(&a, 'p'); /* another curve: a second pin */
	assert_int_equal(b->pin_count, 2);
	app_key(&a, 'p'); /* the same again: let go */
	assert_int_equal(b->pin_count, 1);
	app_key(&a, TK_BACKSPACE);
	assert_int_equal(b->pin_count, 0);
	made_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_curves_are_pinned_and_no_more), cmocka_unit_test(a_pin_of_the_bench_is_named_by_what_differs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
