/* Letters for a whole class: their shapes in both sizes, wrapping, and letters that could be mistaken for others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tui/toolkit/large_text.h"
#include "tui/toolkit/theme.h"

/* The caller frees the text. */
static char *draw_text(enum large_letters size, const char *text, int width)
{
	struct grid g = {0};
	int rows = large_text_height(size, text, width);
	grid_resize(&g, width, rows);
	assert_int_equal(
		draw_large_text(size, area_of_grid(&g, (struct rect){0, 0, width, rows}), 0, ROLE_TEXT, text), rows);
	char *dump = grid_dump_text(&g);
	grid_free(&g);
	return dump;
}

static void expect_text(enum large_letters size, const char *text, int width, const char *expected)
{
	char *dump = draw_text(size, text, width);
	assert_string_equal(dump, expected);
	free(dump);
}

static void letters_have_their_shapes(void **state)
{
	(void)state;
	expect_text(LETTERS_WIDE, "AT 1", 12, "▄▀▄ ▀█▀\n█▀█  █\n▀ ▀  ▀\n▄█\n █\n▀▀▀\n"); /* "AT", then "1" */
	expect_text(LETTERS_WIDE, "nmw", 20, "▄▄  ▄▄▄▄  ▄   ▄\n█ █ █ █ █ █ █ █\n▀ ▀ ▀ ▀ ▀  ▀ ▀\n");
	expect_text(LETTERS_NARROW, "nmw", 10, "▄ ▄▄ ▖ ▖\n▌▌▌▌▌▌▌▌\n▘▘▘▘▘▝▝\n");
}

static void text_wraps_at_blanks(void **state)
{
	(void)state;
	assert_int_equal(large_text_height(LETTERS_WIDE, "AT 1", 12), 6);
	assert_int_equal(large_text_height(LETTERS_WIDE, "AT 1", 14), 3); /* without the blank column at the end */
	assert_int_equal(large_text_height(LETTERS_NARROW, "AT 1", 7), 3);
	assert_int_equal(large_text_width(LETTERS_WIDE, "AT 1"), 15);
	assert_int_equal(large_text_width(LETTERS_NARROW, "AT 1"), 8);
	assert_int_equal(large_text_height(LETTERS_WIDE, "", 12), 0);
	assert_int_equal(large_text_height(LETTERS_WIDE, "mmm", 1), 9); /* at least a letter each */
}

/* Every printable character of ASCII differs from all others, but for O and the like that are the same by nature. */
static void no_letter_looks_like_another(void **state)
{
	(void)state;
	char *shapes[128] = {0};
	for (int size = LETTERS_WIDE; size <= LETTERS_NARROW; size++)
		for (char c = '!'; c <= '~'; c++) {
			const char text[] = {c, 0};
			shapes[(int)c] = draw_text((enum large_letters)size, text, 8);
			for (char other = '!'; other < c; other++)
				if (!strcmp(shapes[(int)c], shapes[(int)other]))
					fail_msg("'%c' looks like '%c':\n%s", c, other, shapes[(int)c]);
			if (c == '~')
				for (char other = '!'; other <= c; other++)
					free(shapes[(int)other]);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_have_their_shapes),
		cmocka_unit_test(text_wraps_at_blanks),
		cmocka_unit_test(no_letter_looks_like_another),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
