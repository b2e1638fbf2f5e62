/* The legend of a view: what stands on the screen now, one row for each mark. The help page begins with it. */
#ifndef TUI_SHELL_LEGEND_H
#define TUI_SHELL_LEGEND_H

#include "tui/shell/text_page.h"

/* `mark` as it is drawn, in its role; the text says what it means. */
void legend_add(struct text_page *page, int role, const char *mark, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
