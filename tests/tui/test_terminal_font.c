/* Terminals without all characters: which type has which, and that a console has every character of the screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/text_width.h"
#include "gpu/protocol/stalls/stall_reasons.h"
#include "plot/band_pattern.h"
#include "plot/series_mark.h"
#include "tui/toolkit/terminal_font.h"
#include "tui/toolkit/theme.h"

static void types_have_their_fonts(void **state)
{
	(void)state;
	assert_int_equal(terminal_font_of("xterm-256color"), FONT_UNICODE);
	assert_int_equal(terminal_font_of("tmux-256color"), FONT_UNICODE);
	assert_int_equal(terminal_font_of(NULL), FONT_UNICODE);
	assert_int_equal(terminal_font_of("linux"), FONT_CONSOLE);
	assert_int_equal(terminal_font_of("linux-16color"), FONT_CONSOLE);
	assert_int_equal(terminal_font_of("vt100"), FONT_ASCII);
	assert_int_equal(terminal_font_of("vt220"), FONT_ASCII);
}

static void check_console_shows(const char *utf8)
{
	const char *shown = console_character(utf8), *at = shown;
	unsigned code = text_decode(&at);
	if (!console_has_character(code) || *at)
		fail_msg("%s is shown as %s", utf8, shown);
	if (!strcmp(shown, "?") && strcmp(utf8, "?") != 0)
		fail_msg("%s has no look-alike", utf8);
}

static void a_console_shows_every_glyph_mark_and_pattern(void **state)
{
	(void)state;
	for (int g = 0; g < GLYPH_COUNT; g++)
		check_console_shows(glyph_text(false, (enum glyph)g));
	for (const char *mark = "*o+x#@%&123456789.-"; *mark; mark++)
		check_console_shows(mark_text(*mark, false));
	for (int i = 0; i < STALL_REASON_COUNT; i++)
		check_console_shows(band_pattern_text(stall_reason_info(i)->letter, false));
	for (int i = 0; i < STALL_REASON_COUNT; i++)
		for (int k = 0; k < i; k++)
			assert_string_not_equal(
				console_character(band_pattern_text(stall_reason_info(i)->letter, false)),
				console_character(band_pattern_text(stall_reason_info(k)->letter, false)));
	static const char *const others[] = {"µ", "°", "²", "³", "×", "·", "≥", "≤", "▀", "▄", "█", "A", "~"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		check_console_shows(others[i]);
}

/* Only who set the canvas to braille sees it on a console. */
static void braille_stays(void **state)
{
	(void)state;
	assert_string_equal(console_character("⠒"), "⠒");
	assert_string_equal(console_character("é"), "é");
	assert_string_equal(console_character("Ω"), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_have_their_fonts),
		cmocka_unit_test(a_console_shows_every_glyph_mark_and_pattern),
		cmocka_unit_test(braille_stays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
