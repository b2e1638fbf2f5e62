/* The cell grid: clipping, UTF-8, dumps; and what the workbench shows for a known state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "tests/tui/screen_state.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"

static struct grid g;

static struct area whole_grid(int w, int h)
{
	grid_resize(&g, w, h);
	g.ascii = false;
	return area_of_grid(&g, (struct rect){0, 0, w, h});
}

static void expect_dump(const char *text)
{
	char *got = grid_dump_text(&g);
	assert_string_equal(got, text);
	free(got);
}

/* No text is cut without an ellipsis. Blanks are no text. */
static void cut_text_has_an_ellipsis(void **state)
{
	(void)state;
	struct area a = whole_grid(6, 5);
	area_draw_text(a, 3, 0, ROLE_TEXT, "abc");
	area_draw_text(a, 3, 1, ROLE_TEXT, "abc  ");
	area_draw_text(a, 0, 2, ROLE_TEXT, "first ");
	area_draw_text(a, 6, 2, ROLE_TEXT, "lost");
	area_draw_right(a, 6, 3, ROLE_TEXT, "to the left");
	area_printf(area_sub(a, 0, 4, 3, 1), 1, 0, ROLE_TEXT, "%d", 123);
	expect_dump("   abc\n   abc\nfirst…\n… left\n 1…\n");
}

static void text_is_clipped(void **state)
{
	(void)state;
	struct area a = whole_grid(6, 3);
	assert_int_equal(area_draw_text(area_sub(a, 1, 1, 3, 1), 0, 0, ROLE_TEXT, "abcdef"), 6);
	area_draw_text(a, -2, 0, ROLE_TEXT, "xyz");
	area_draw_text(a, 0, 5, ROLE_TEXT, "below");
	area_draw_text(a, 0, -1, ROLE_TEXT, "above");
	expect_dump("…\n ab…\n\n");
}

static void long_text_ends_with_an_ellipsis(void **state)
{
	(void)state;
	struct area a = whole_grid(6, 2);
	area_draw_fitted(a, 0, 0, 4, ROLE_TEXT, "abcdef");
	area_draw_fitted(a, 0, 1, 6, ROLE_TEXT, "abcdef");
	expect_dump("abc\u2026\nabcdef\n");
}

static void invalid_utf8_becomes_question_marks(void **state)
{
	(void)state;
	struct area a = whole_grid(12, 3);
	area_draw_text(a, 0, 0, ROLE_TEXT, "\u00b5s \u2500 \u28ff");
	area_draw_text(a, 0, 1, ROLE_TEXT, "\xff\xc3 a\xe2\x82"); /* broken sequences */
	area_draw_text(
		a, 0, 2, ROLE_TEXT, "\t\x1b[1m \u5b57 \u200b"); /* control characters, a wide one, one without width */
	expect_dump("\u00b5s \u2500 \u28ff\n?? a??\n ?[1m ? ?\n");
	assert_int_equal(text_width("\u00b5s"), 2);
}

static void ascii_grid_holds_only_ascii(void **state)
{
	(void)state;
	struct area a = whole_grid(8, 1);
	g.ascii = true;
	area_draw_text(a, 0, 0, ROLE_TEXT, "5 \u00b5s \u00d7 \u28ff");
	expect_dump("5 us x ?\n");
}

static void frames_have_titles(void **state)
{
	(void)state;
	struct area a = whole_grid(16, 3);
	g.ascii = true;
	area_draw_frame(a, false, "One", "2");
	expect_dump("+- One ---- 2 -+\n|              |\n+--------------+\n");
	area_draw_frame(a, true, "One", "");
	expect_dump("+= One ========+\n|              |\n+==============+\n");
}

/* Frames too small for their titles, or for a frame at all. */
static void tiny_frames_are_clipped(void **state)
{
	(void)state;
	for (int w = 1; w < 8; w++)
		for (int h = 1; h < 4; h++)
			area_draw_frame(whole_grid(w, h), true, "a long title", "another");
}

static char *drawn(struct app *a, int w, int h)
{
	grid_resize(&g, w, h);
	app_resize(a, w, h);
	screen_draw(a, &g);
	return grid_dump_text(&g);
}

#define SHOWS(text, what) assert_non_null(strstr(text, what))

static void every_number_has_its_unit(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 120, 36);
	a.ascii = true;
	a.labs[0].cursor = 2;
	char *text = drawn(&a, 120, 36);
	SHOWS(text, "4 KiB  latency 240 cycles (236..249)");
	SHOWS(text, "rate 25 GB/s");
	SHOWS(text, "@ 1440 MHz  n 5");
	SHOWS(text, "1536 MHz");
	SHOWS(text, "945 MHz");
	SHOWS(text, "41 C");
	SHOWS(text, "-- W"); /* not available */
	SHOWS(text, "~ reduced (published: 1 GiB)");
	SHOWS(text, "x rangesize");
	SHOWS(text, "<published>");
	SHOWS(text, "! changed > 2 %");
	free(text);
	made_free(&a);
}

static void failed_and_waiting_points_are_labeled(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	a.ascii = true;
	a.labs[0].cursor = 3;
	char *text = drawn(&a, 80, 24);
	SHOWS(text, "8 KiB  failed");
	SHOWS(text, "GPU memory fault at 0x1000");
	free(text);
	a.labs[0].cursor = 6;
	text = drawn(&a, 80, 24);
	SHOWS(text, "64 KiB  waiting");
	free(text);
	made_free(&a);
}

/* The screen as text; the caller frees it. */
static char *screen(struct app *a, int w, int h)
{
	app_resize(a, w, h);
	grid_resize(&g, w, h);
	screen_draw(a, &g);
	return grid_dump_text(&g);
}

static int times(const char *text, const char *what)
{
	int n = 0;
	for (const char *at = text; (at = strstr(at, what)); at++)
		n++;
	return n;
}

#define TAIL "sessions/of-the-second-lab/range-1.wbs"

static void a_long_message_takes_two_rows(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	a.ascii = true;
	setenv("HOME", "/home/of/somebody", 1);
	for (int view = 0; view < 2; view++) {
		a.view = view ? view_find("log") : views[0];
		app_show_message(&a, ROLE_OK, "switched to replay:%s; earlier curves stay visible, dimmed",
			"/home/of/somebody/recordings/" TAIL);
		char *text = screen(&a, 80, 24);
		assert_int_equal(times(text, "switched to replay:~/recordings/" TAIL ";"), 1);
		SHOWS(text, "visible, dimmed");
		free(text);
	}
	app_show_message(&a, ROLE_OK, "written: /home/of/somebodyelse/%s", TAIL); /* another home; one row is enough */
	char *text = screen(&a, 80, 24);
	SHOWS(text, "written: /home/of/somebodyelse/" TAIL);
	free(text);
	made_free(&a);
}

static void a_long_error_is_shown_once_and_in_full(void **state)
{
	(void)state;
	static const char fault[] =
		"GPU memory fault at 0x00007f0012345000, page not present, by a read of 4 bytes in lane 17 of wave 3, "
		"workgroup 2, kernel range_published";
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 100, 30);
	strcpy(a.labs[0].curve.points[3].text, fault);
	a.labs[0].cursor = 3;
	for (int with_message = 0; with_message < 2; with_message++) {
		if (with_message)
			snprintf(a.message, sizeof a.message, "%s; continuing with a new worker", fault);
		char *text = screen(&a, 100, 30);
		assert_int_equal(times(text, "GPU memory fault"), 1);
		assert_int_equal(times(text, "kernel range_published"), 1);
		assert_int_equal(times(text, "continuing with a new worker"), with_message);
		free(text);
	}
	made_free(&a);
}

static void nothing_is_between_the_rows_of_an_error(void **state)
{
	(void)state;
	static const char fault[] = "wrong result: out[0] is 0, expected 9.99999993922529e-09; out[1] is 0, expected "
				    "1.999999810209374e-08; out[2] is 0, expected 2.999999892949745e-08; 2 of 3 differ";
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 120, 36);
	snprintf(x.question, sizeof x.question, "How long?");
	strcpy(a.labs[0].curve.points[3].text, fault);
	strcpy(a.labs[0].curve.points[4].verify, "failed");
	a.labs[0].cursor = 3;
	char *text = screen(&a, 120, 36), *first = strstr(text, " wrong result: out[0]"), *end = strchr(first, '\n');
	assert_true(strstr(text, "How long?") && strstr(text, "How long?") < first);
	assert_ptr_equal(strstr(end, "2 of 3 differ"), strstr(text, "2 of 3 differ"));
	assert_null(memchr(end + 1, '\n', (size_t)(strstr(end, "2 of 3 differ") - end - 1)));
	free(text);
	made_free(&a);
}

static void a_curve_with_a_wrong_result_is_not_verified(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 6, 120, 36);
	x.work = WORK_LAUNCH;
	char *text = screen(&a, 120, 36);
	SHOWS(text, "6/6 points verified");
	free(text);
	strcpy(a.labs[0].curve.points[4].verify, "failed");
	text = screen(&a, 120, 36);
	SHOWS(text, "6/6 points ");
	SHOWS(text, "1 with a wrong result");
	assert_null(strstr(text, "verified"));
	free(text);
	made_free(&a);
}

static void a_small_plot_keeps_its_units(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 40, 12);
	char *text = screen(&a, 40, 12);
	assert_true(strstr(text, "cycles") && strstr(text, "GB/s"));
	free(text);
	made_free(&a);
}

static void readings_are_separated_from_their_names(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	for (int i = 0; i < 19; i++) {
		a.labs[0].curve.points[i].clocks.temp_c = (struct reading){true, 37.39};
		a.labs[0].curve.points[i].clocks.power_w = (struct reading){true, 44.25};
	}
	char *text = screen(&a, 80, 24);
	assert_true(strstr(text, "sclk 1440 ") && strstr(text, " 1536 MHz"));
	assert_true(strstr(text, "mclk 945 MHz  temp 37 °C  power 44 W"));
	free(text);
	for (int i = 0; i < 19; i++) {
		a.labs[0].curve.points[i].clocks.sclk_mhz = (struct reading){true, 1536};
		a.labs[0].curve.points[i].clocks_moved = false;
	}
	text = screen(&a, 80, 24); /* nothing moves: one line */
	assert_non_null(strstr(text, "sclk 1536 MHz  mclk 945 MHz  "));
	assert_null(strstr(text, "clocks of each point"));
	free(text);
	/* Power that moves has a strip, unless it is modeled. */
	for (int i = 0; i < 19; i++)
		a.labs[0].curve.points[i].clocks.power_w = (struct reading){true, i < 9 ? 44 : 80};
	for (int soft = 0; soft < 2; soft++) {
		a.soft = soft;
		text = screen(&a, 80, 24);
		assert_true((strstr(text, "clocks of each point") == NULL) == soft);
		free(text);
	}
	made_free(&a);
}

static void an_axis_is_named_once(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	strcpy(x.params[0].id, "lanes");
	strcpy(x.params[0].unit, "lanes");
	char *text = screen(&a, 80, 24);
	assert_true(strstr(text, "x: lanes ") && !strstr(text, "lanes, lanes"));
	free(text);
	made_free(&a);
}

static void values_are_shortened_to_their_room(void **state)
{
	(void)state;
	static const struct {
		const char *unit;
		double value;
		int room;
		const char *text;
	} cases[] = {
		{"threads", 16777216, 20, "16777216 threads"},
		{"threads", 16777216, 14, "16 Mi threads"},
		{"threads", 16777216, 9, "16 Mi"},
		{"reads", 1e6, 10, "1 M reads"},
		{"reads", 102400000, 11, "102 M reads"},
		{"reads", 999999, 9, "1 M reads"},
		{"words", 64, 4, "64"},
		{"B", 1 << 28, 7, "256 MiB"},
		{"B", 1 << 28, 6, "256 Mi"},
	};
	struct app a;
	struct experiment x;
	char text[96];
	made_app(&a, &x, 19, 80, 24);
	struct lab *b = &a.labs[0];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		strcpy(x.params[1].unit, cases[i].unit);
		b->values[1] = cases[i].value;
		assert_string_equal(lab_format_value(b, 1, cases[i].room, text, sizeof text), cases[i].text);
	}
	assert_string_equal(lab_format_value(b, 0, 14, text, sizeof text), "1 KiB..256 MiB");
	assert_string_equal(lab_format_value(b, 0, 13, text, sizeof text), "1 Ki..256 Mi");
	strcpy(x.params[0].unit, "words");
	assert_string_equal(lab_format_value(b, 0, 18, text, sizeof text), "1024..256 Mi words");
	assert_string_equal(lab_format_value(b, 0, 14, text, sizeof text), "1024..256 Mi");
	made_free(&a);
}

static void a_recording_sets_the_parameters(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct plan p;
	made_app(&a, &x, 0, 80, 24);
	struct lab *b = &a.labs[0];
	json_t *header = json_pack("{s:s, s:{s:i, s:s}, s:{s:s, s:[i,i,i]}}", "experiment", "made-range", "params",
		"size", 1 << 22, "variant", "compiled", "sweep", "param", "rangesize", "values", 2048, 4096, 65536);
	assert_true(lab_apply_recording(b, header));
	assert_true(b->values[1] == 1 << 22 && b->values[2] == 1 && b->axis == 0);
	assert_true(lab_build_plan(b, true, &p, NULL));
	assert_int_equal(plan_point_count(&p), 3);
	assert_true(p.axes[0].values[0] == 2048 && p.axes[0].values[2] == 65536);
	plan_free(&p);
	json_object_set_new(header, "experiment", json_string("another"));
	assert_false(lab_apply_recording(b, header));
	json_decref(header);
	made_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_text_has_an_ellipsis),
		cmocka_unit_test(text_is_clipped),
		cmocka_unit_test(long_text_ends_with_an_ellipsis),
		cmocka_unit_test(invalid_utf8_becomes_question_marks),
		cmocka_unit_test(ascii_grid_holds_only_ascii),
		cmocka_unit_test(frames_have_titles),
		cmocka_unit_test(tiny_frames_are_clipped),
		cmocka_unit_test(every_number_has_its_unit),
		cmocka_unit_test(failed_and_waiting_points_are_labeled),
		cmocka_unit_test(a_long_message_takes_two_rows),
		cmocka_unit_test(a_long_error_is_shown_once_and_in_full),
		cmocka_unit_test(nothing_is_between_the_rows_of_an_error),
		cmocka_unit_test(a_curve_with_a_wrong_result_is_not_verified),
		cmocka_unit_test(a_small_plot_keeps_its_units),
		cmocka_unit_test(readings_are_separated_from_their_names),
		cmocka_unit_test(an_axis_is_named_once),
		cmocka_unit_test(values_are_shortened_to_their_room),
		cmocka_unit_test(a_recording_sets_the_parameters),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	grid_free(&g);
	return failed;
}
