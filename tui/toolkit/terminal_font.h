/* What a type of terminal can show: most show every character of a UTF-8 locale, the Linux console has a font of 256 or
 * 512 characters, and the terminals of old have ASCII. */
#ifndef TUI_TOOLKIT_TERMINAL_FONT_H
#define TUI_TOOLKIT_TERMINAL_FONT_H

#include <stdbool.h>

enum terminal_font { FONT_UNICODE, FONT_CONSOLE, FONT_ASCII };

/* By the name of the type, as in TERM; NULL or an unknown name: FONT_UNICODE. */
enum terminal_font terminal_font_of(const char *type);
/* The character with which a console shows this one: itself if it is in code page 437, which all console fonts
 * contain, otherwise one that looks like it. Braille, which only the user can have chosen, stays. */
const char *console_character(const char *utf8);
bool console_has_character(unsigned code);

#endif
