/* A line that the user types on the status line: a filter, a value, a name. */
#ifndef TUI_SHELL_INPUT_LINE_H
#define TUI_SHELL_INPUT_LINE_H

#include "tui/lab/app.h"

/* Opens the line with a text and a prompt. Enter passes the text to `take`, which returns false to keep the line open;
 * Esc closes it. A caller that needs every change sets a->input.typed after this call. */
void input_line_open(struct app *a, bool (*take)(struct app *a, const char *text), const char *text, const char *fmt,
	...) __attribute__((format(printf, 4, 5)));
void input_line_handle_key(struct app *a, int key);
/* Applies a key to a text: a character, Backspace, Ctrl-U, Ctrl-W. False for other keys. */
bool text_edit_key(char *text, size_t size, int key);

#endif
