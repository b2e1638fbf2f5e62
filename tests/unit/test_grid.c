/* The cell grid: clipping, UTF-8, dumps; what the views say about a known state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "tests/unit/screen_state.h"
#include "tui/view.h"

static struct grid g;

static struct area all(int w, int h)
{
	grid_resize(&g, w, h);
	g.ascii = false;
	return area_of(&g, (struct rect){ 0, 0, w, h });
}

static void expect(const char *text)
{
	char *got = grid_text(&g);
	assert_string_equal(got, text);
	free(got);
}

static void text_is_clipped(void **state)
{
	(void)state;
	struct area a = all(6, 3);
	assert_int_equal(area_text(area_part(a, 1, 1, 3, 1), 0, 0, ROLE_TEXT, "abcdef"), 6);
	area_text(a, -2, 0, ROLE_TEXT, "xyz");
	area_text(a, 0, 5, ROLE_TEXT, "below");
	area_text(a, 0, -1, ROLE_TEXT, "above");
	expect("z\n abc\n\n");
}

static void long_text_shows_that_it_was_cut(void **state)
{
	(void)state;
	struct area a = all(6, 2);
	area_fit(a, 0, 0, 4, ROLE_TEXT, "abcdef");
	area_fit(a, 0, 1, 6, ROLE_TEXT, "abcdef");
	expect("abc\u2026\nabcdef\n");
}

static void utf8_and_what_is_none(void **state)
{
	(void)state;
	struct area a = all(12, 3);
	area_text(a, 0, 0, ROLE_TEXT, "\u00b5s \u2500 \u28ff");
	area_text(a, 0, 1, ROLE_TEXT, "\xff\xc3 a\xe2\x82");       /* broken sequences */
	area_text(a, 0, 2, ROLE_TEXT, "\t\x1b[1m \u5b57 \u200b");    /* control characters, a wide one, one without width */
	expect("\u00b5s \u2500 \u28ff\n?? a??\n  [1m ? ?\n");
	assert_int_equal(text_columns("\u00b5s"), 2);
}

static void ascii_grid_holds_only_ascii(void **state)
{
	(void)state;
	struct area a = all(8, 1);
	g.ascii = true;
	area_text(a, 0, 0, ROLE_TEXT, "5 \u00b5s \u00d7 \u28ff");
	expect("5 us x ?\n");
}

static void frames(void **state)
{
	(void)state;
	struct area a = all(16, 3);
	g.ascii = true;
	area_frame(a, false, "One", "2");
	expect("+- One ---- 2 -+\n|              |\n+--------------+\n");
	area_frame(a, true, "One", "");
	expect("+= One ========+\n|              |\n+==============+\n");
}

/* A frame too small for its titles, or for itself, does no harm. */
static void tiny_frames(void **state)
{
	(void)state;
	for (int w = 1; w < 8; w++)
		for (int h = 1; h < 4; h++)
			area_frame(all(w, h), true, "a long title", "another");
}

static char *drawn(struct app *a, int w, int h)
{
	grid_resize(&g, w, h);
	app_resize(a, w, h);
	view_draw(a, &g);
	return grid_text(&g);
}

#define SHOWS(text, what) assert_non_null(strstr(text, what))

static void every_number_has_its_unit(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 120, 36);
	a.ascii = true;
	a.benches[0].cursor = 2;
	char *text = drawn(&a, 120, 36);
	SHOWS(text, "4 KiB  latency 240 cycles (236..249)");
	SHOWS(text, "rate 25 GB/s");
	SHOWS(text, "@ 1440 MHz  n 5");
	SHOWS(text, "1536 MHz");
	SHOWS(text, "945 MHz");
	SHOWS(text, "41 C");
	SHOWS(text, "-- W");                     /* a reading that is not there */
	SHOWS(text, "soft 64 MiB, published 1 GiB");
	SHOWS(text, "x rangesize");
	SHOWS(text, "<published>");
	SHOWS(text, "! moved > 2 %");
	free(text);
	made_free(&a);
}

static void failed_and_waiting_points_say_so(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	a.ascii = true;
	a.benches[0].cursor = 3;
	char *text = drawn(&a, 80, 24);
	SHOWS(text, "8 KiB  failed");
	SHOWS(text, "GPU memory fault at 0x1000");
	free(text);
	a.benches[0].cursor = 6;
	text = drawn(&a, 80, 24);
	SHOWS(text, "64 KiB  waiting");
	free(text);
	made_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_clipped), cmocka_unit_test(long_text_shows_that_it_was_cut), cmocka_unit_test(utf8_and_what_is_none),
		cmocka_unit_test(ascii_grid_holds_only_ascii), cmocka_unit_test(frames), cmocka_unit_test(tiny_frames),
		cmocka_unit_test(every_number_has_its_unit), cmocka_unit_test(failed_and_waiting_points_say_so),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	grid_free(&g);
	return failed;
}
