/* Screenshots: well-formed SVG in the colors of the theme, and PNG where cairo is installed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/assert_range.h"
#include "tests/tui/screen_state.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
#include "tui/toolkit/cell_painter.h"
#include "tui/toolkit/screenshot.h"
#include "tests/scratch.h"

static struct grid g;

static struct area new_grid(int w, int h)
{
	struct err e;
	assert_true(theme_load("dark", NULL, NULL, &e));
	grid_resize(&g, w, h);
	g.ascii = false;
	return area_of_grid(&g, (struct rect){0, 0, w, h});
}

static char *encode_svg(int colors)
{
	struct buf out = {0};
	struct err e;
	assert_true(screenshot_encode_svg(&g, colors, &out, &e));
	return out.data;
}

static void assert_svg_contains(int colors, const char *text)
{
	char *svg = encode_svg(colors);
	if (!strstr(svg, text))
		fail_msg("'%s' is not in\n%s", text, svg);
	free(svg);
}

/* --- a small XML reader: tags are balanced, attributes quoted, text escaped --- */
static const char *skip_attributes(const char *s)
{
	while (isspace((unsigned char)*s)) {
		s += strspn(s, " \n");
		size_t name = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:-");
		if (!name)
			return s;
		assert_memory_equal(s + name, "=\"", 2);
		s += name + 2;
		size_t value = strcspn(s, "\"<&");
		assert_int_equal(s[value], '"');
		s += value + 1;
	}
	return s;
}

static void assert_well_formed(const char *s)
{
	char open[16][16];
	int depth = 0, elements = 0;
	for (; *s; s++) {
		if (*s == '&')
			assert_true(!strncmp(s, "&amp;", 5) || !strncmp(s, "&lt;", 4) || !strncmp(s, "&gt;", 4));
		if (*s != '<')
			continue;
		bool closing = s[1] == '/';
		s += 1 + closing;
		size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz");
		assert_uint_in_range(n, 1, 15);
		if (closing) {
			assert_true(depth > 0 && !strncmp(open[depth - 1], s, n) && !open[depth - 1][n]);
			assert_int_equal(s[n], '>');
			depth--;
			s += n;
			continue;
		}
		elements++;
		assert_true(depth < 16);
		snprintf(open[depth++], 16, "%.*s", (int)n, s);
		s = skip_attributes(s + n);
		if (*s == '/') {
			depth--;
			s++;
		}
		assert_int_equal(*s, '>');
	}
	assert_int_equal(depth, 0);
	assert_true(elements > 3);
}

/* --- SVG --- */
static void svg_of_the_workbench_is_well_formed(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 120, 36);
	new_grid(120, 36);
	screen_draw(&a, &g);
	char *first = encode_svg(256), *second = encode_svg(256);
	assert_well_formed(first);
	assert_string_equal(first, second);
	assert_true(strlen(first) < 60000);
	free(first);
	free(second);
	made_free(&a);
}

static void svg_has_the_size_of_the_grid(void **state)
{
	(void)state;
	new_grid(10, 3);
	char text[80];
	snprintf(text, sizeof text, "width=\"%d\" height=\"%d\"", 10 * CELL_WIDTH + 2 * PICTURE_MARGIN,
		3 * CELL_HEIGHT + 2 * PICTURE_MARGIN);
	assert_svg_contains(256, text);
}

static void svg_text_is_escaped(void **state)
{
	(void)state;
	area_draw_text(new_grid(20, 1), 0, 0, ROLE_TEXT, "a<b && \"c\">d");
	char *svg = encode_svg(256);
	assert_well_formed(svg);
	assert_non_null(strstr(svg, ">a&lt;b &amp;&amp; \"c\"&gt;d</text>"));
	free(svg);
}

static void every_run_of_text_has_its_column_and_width(void **state)
{
	(void)state;
	area_draw_text(new_grid(20, 2), 2, 1, ROLE_TEXT, "two words  apart \u25b6");
	assert_svg_contains(256, "<text x=\"26\" y=\"38\" textLength=\"72\" fill=\"#d0d0d0\">two words</text>");
	assert_svg_contains(256, "<text x=\"114\" y=\"38\" textLength=\"40\" fill=\"#d0d0d0\">apart</text>");
	assert_svg_contains(256, "<text x=\"162\" y=\"38\" textLength=\"8\" fill=\"#d0d0d0\">\u25b6</text>");
}

static void lines_blocks_and_braille_are_shapes(void **state)
{
	(void)state;
	area_draw_text(new_grid(8, 1), 0, 0, ROLE_TEXT, "\u2500\u2500\u2588\u2584\u2801");
	char *svg = encode_svg(256);
	assert_null(strstr(svg, "<text"));
	assert_non_null(strstr(svg, "M10 18h16v1h-16z")); /* one line through two cells */
	assert_non_null(strstr(svg, "M26 10h8v16h-8z"));  /* full block */
	assert_non_null(strstr(svg, "M34 18h8v8h-8z"));   /* lower half */
	assert_non_null(strstr(svg, "M44 12h0"));         /* the upper left dot */
	free(svg);
}

static void colors_are_those_of_the_theme(void **state)
{
	(void)state;
	struct err e;
	struct area a = new_grid(8, 2);
	area_draw_text(a, 0, 0, ROLE_SELECTED, "ab");
	area_draw_text(a, 0, 1, ROLE_BAD, "cd");
	assert_svg_contains(256, "fill=\"#ff5f5f\" class=\"b\">cd");                  /* 203 */
	assert_svg_contains(256, "<path fill=\"#005f87\" d=\"M10 10h16v16h-16z\"/>"); /* 24 */
	assert_svg_contains(256, "rx=\"6\" fill=\"#121212\"");
	assert_svg_contains(16, "fill=\"#ff0000\" class=\"b\">cd"); /* 9 */
	assert_svg_contains(8, "fill=\"#cd0000\" class=\"b\">cd");  /* 1 */
	assert_true(theme_load("light", NULL, NULL, &e));
	assert_svg_contains(256, "rx=\"6\" fill=\"#ffffff\"");
	assert_svg_contains(256, "fill=\"#af0000\" class=\"b\">cd"); /* 124 */
}

static void without_colors_there_are_bold_dim_and_reverse(void **state)
{
	(void)state;
	struct err e;
	struct area a = new_grid(8, 3);
	area_draw_text(a, 0, 0, ROLE_SELECTED, "ab");
	area_draw_text(a, 0, 1, ROLE_TITLE, "cd");
	area_draw_text(a, 0, 2, ROLE_DIM, "ef");
	for (int pass = 0; pass < 2; pass++) { /* NO_COLOR, then the theme itself */
		int colors = pass ? 256 : 0;
		if (pass)
			assert_true(theme_load("mono", NULL, NULL, &e));
		assert_svg_contains(colors, "<path fill=\"#d0d0d0\" d=\"M10 10h16v16h-16z\"/>");
		assert_svg_contains(colors, "fill=\"#121212\">ab");
		assert_svg_contains(colors, "fill=\"#d0d0d0\" class=\"b\">cd");
		assert_svg_contains(colors, "fill=\"#848484\">ef");
	}
}

/* --- files --- */
static void an_unknown_extension_lists_the_formats(void **state)
{
	(void)state;
	struct err e;
	new_grid(4, 1);
	static const char *const names[] = {"screen.jpg", "screen", "some.svg/screen", ""};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_false(screenshot_write(&g, 256, names[i], &e));
		assert_int_equal(e.status, ST_REQUEST);
		assert_non_null(strstr(e.text, "unknown picture format"));
		assert_non_null(strstr(e.text, ".svg or .png"));
	}
}

static void a_file_that_cannot_be_written_is_named(void **state)
{
	(void)state;
	struct err e;
	new_grid(4, 1);
	assert_false(screenshot_write(&g, 256, "/proc/none/screen.svg", &e));
	assert_non_null(strstr(e.text, "/proc/none/screen.svg"));
}

static void png_has_the_size_of_the_grid_or_names_the_package(void **state)
{
	(void)state;
	struct err e;
	struct buf png = {0};
	area_draw_text(new_grid(10, 3), 0, 0, ROLE_TEXT, "\u2500 \u28ff \u25b6 text");
	if (!screenshot_encode_png(&g, 256, &png, &e)) {
		assert_non_null(strstr(e.text, "apt-get install libcairo2"));
		assert_non_null(strstr(e.text, ".svg"));
		return;
	}
	const unsigned char *bytes = (const unsigned char *)png.data;
	assert_true(png.len > 33);
	assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
	assert_int_equal(bytes[18] << 8 | bytes[19], 2 * (10 * CELL_WIDTH + 2 * PICTURE_MARGIN));
	assert_int_equal(bytes[22] << 8 | bytes[23], 2 * (3 * CELL_HEIGHT + 2 * PICTURE_MARGIN));
	buf_free(&png);
}

static void the_action_writes_the_screen_and_reports_it(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct err e;
	char path[SCRATCH_PATH];
	int file = mkstemps(scratch_path(path, "XXXXXX.svg"), 4);
	assert_true(file >= 0);
	close(file);
	made_app(&a, &x, 19, 80, 24);
	assert_true(app_run_action(&a, "screenshot", path, &e));
	assert_non_null(strstr(a.message, "screenshot written to"));
	FILE *in = fopen(path, "r");
	char line[64] = "";
	assert_true(in && fgets(line, sizeof line, in));
	assert_memory_equal(line, "<svg xmlns=", 11);
	fclose(in);
	unlink(path);
	assert_true(app_run_action(&a, "screenshot", NULL, &e));
	assert_non_null(strstr(a.message, "needs a file name"));
	made_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(svg_of_the_workbench_is_well_formed),
		cmocka_unit_test(svg_has_the_size_of_the_grid),
		cmocka_unit_test(svg_text_is_escaped),
		cmocka_unit_test(every_run_of_text_has_its_column_and_width),
		cmocka_unit_test(lines_blocks_and_braille_are_shapes),
		cmocka_unit_test(colors_are_those_of_the_theme),
		cmocka_unit_test(without_colors_there_are_bold_dim_and_reverse),
		cmocka_unit_test(an_unknown_extension_lists_the_formats),
		cmocka_unit_test(a_file_that_cannot_be_written_is_named),
		cmocka_unit_test(png_has_the_size_of_the_grid_or_names_the_package),
		cmocka_unit_test(the_action_writes_the_screen_and_reports_it),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	grid_free(&g);
	return failed;
}
