#include "tui/shell/text_page.h"

#include <stdio.h>
#include <string.h>

#include "tui/toolkit/theme.h"

enum { TEXT_WIDTH_MIN = 8 };

struct text_page text_page_counter(struct area in)
{
	return (struct text_page){.in = area_sub(in, 0, 0, in.r.w, 0)};
}

void text_page_add(struct text_page *page, int label_role, const char *label, int at, int role, const char *text)
{
	int width = page->in.r.w - at;
	do {
		size_t n = text_fit_bytes(text, width > TEXT_WIDTH_MIN ? width : TEXT_WIDTH_MIN);
		int y = page->count++ - page->skip;
		if (y >= 0 && y < page->in.r.h) {
			area_draw_text(page->in, 1, y, label_role, label);
			area_printf(page->in, at, y, role, "%.*s", (int)n, text);
		}
		label = "";
		text += n + strspn(text + n, " ");
	} while (*text);
}

void text_page_draw_frame(struct area at, const char *title, const struct text_page *page, int count)
{
	char range[80];
	int last = page->skip + page->in.r.h < count ? page->skip + page->in.r.h : count;
	snprintf(range, sizeof range, "%d..%d of %d", count ? page->skip + 1 : 0, last, count);
	area_draw_frame(at, true, title, range);
}
