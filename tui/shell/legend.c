#include "tui/shell/legend.h"

#include <stdarg.h>
#include <stdio.h>

#include "tui/toolkit/theme.h"

enum { LEGEND_COLUMN = 19 /* as the keys below it */ };

void legend_add(struct text_page *page, int role, const char *mark, const char *fmt, ...)
{
	char text[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	text_page_add(page, role, mark, LEGEND_COLUMN, ROLE_TEXT, text);
}
