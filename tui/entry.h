/* A line being typed on the status line: the list's filter, a parameter's value or range. */
#ifndef TUI_ENTRY_H
#define TUI_ENTRY_H

#include "tui/app.h"

void entry_begin(struct app *a, enum entry_kind kind, const char *text, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* A question of a view's: `done` gets the line, `typed` (or NULL) hears of every letter, and of Esc with an empty line. */
void entry_ask(struct app *a, bool (*done)(struct app *, const char *), void (*typed)(struct app *), const char *text, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
void entry_key(struct app *a, int key);

#endif
