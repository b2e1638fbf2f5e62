/* Names below an axis: a long one takes the columns that short names next to it leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tui/toolkit/chart_area.h"

enum { NAMES = 8, HEIGHT = 12 };

/* The screen of a chart with a point over each name; the caller frees it. */
static char *draw_names(const char *const names[NAMES], int width)
{
	struct chart_point points[NAMES];
	struct series s = {.label = "rate",
		.unit = "",
		.mark = '*',
		.role = SERIES_CURRENT,
		.points = points,
		.count = NAMES,
		.style = STYLE_COLUMN};
	struct chart c = {
		.title = "", .x_label = "", .x_unit = "", .x_names = names, .x_name_count = NAMES, .series = &s};
	struct chart_look look = {.ascii = true, .canvas = CANVAS_ASCII};
	struct grid g = {0};
	c.series_count = 1;
	for (int i = 0; i < NAMES; i++)
		points[i] = (struct chart_point){.x = i, .y = i + 1, .low = i + 1, .high = i + 1, .valid = true};
	chart_fit_scales(&c, false, false);
	grid_resize(&g, width, HEIGHT);
	chart_draw(&look, &c, (struct area){&g, {0, 0, width, HEIGHT}});
	char *text = grid_dump_text(&g);
	grid_free(&g);
	return text;
}

static void long_names_take_free_columns(void **state)
{
	(void)state;
	static const char *const names[NAMES] = {"k1-naive", "k2-lds-tile", "k3-register-tile", "k4-global-prefetch",
		"k5-lds", "k6-dual-issue", "k7-unroll", "k8-batched-gmem"};
	char *text = draw_names(names, 80);
	for (int i = 0; i < NAMES; i++)
		assert_non_null(strstr(text, names[i]));
	free(text);
}

static void names_without_room_are_cut(void **state)
{
	(void)state;
	static const char *const names[NAMES] = {"first-of-long-names", "second-of-long-names", "third-of-long-names",
		"fourth-of-long-names", "fifth-of-long-names", "sixth-of-long-names", "seventh-of-long-names",
		"eighth-of-long-names"};
	char *text = draw_names(names, 80);
	for (int i = 0; i < NAMES; i++) {
		char begin[9] = "";
		assert_non_null(strstr(text, strncat(begin, names[i], 8)));
	}
	assert_null(strstr(text, names[2]));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_names_take_free_columns),
		cmocka_unit_test(names_without_room_are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
