/* A line being typed on the status line: the list's filter, a parameter's value or range. */
#ifndef TUI_SHELL_INPUT_LINE_H
#define TUI_SHELL_INPUT_LINE_H

#include "tui/shell/app.h"

void input_line_open(struct app *a, enum entry_kind kind, const char *text, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The line is handed to `take` when Enter is pressed. Who wants to hear of every letter sets a->entry.typed behind the
 * call. */
void input_line_open_with(struct app *a, bool (*take)(struct app *a, const char *text), const char *text,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void input_line_handle_key(struct app *a, int key);
/* What a key does to a line being typed: letters, Backspace, Ctrl-U, Ctrl-W. False when it is none of that. */
bool text_edit_key(char *text, size_t size, int key);

#endif
