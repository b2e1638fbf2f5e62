#include "tui/shell/text_page.h"

#include <stdio.h>
#include <string.h>

#include "tui/toolkit/theme.h"

enum { TEXT_WIDTH_MIN = 8 };

struct text_page text_page_counter(struct area in, const char *filter)
{
	return (struct text_page){.in = area_sub(in, 0, 0, in.r.w, 0), .filter = filter};
}

static bool passes_filter(const struct text_page *page, const char *label, const char *text)
{
	return !page->filter || !*page->filter || strcasestr(text, page->filter) || strcasestr(label, page->filter);
}

static void underline_filter(const struct text_page *page, int at, int y, const char *text, size_t n)
{
	const char *found = page->filter && *page->filter ? strcasestr(text, page->filter) : NULL;
	char before[400];
	if (!found || found >= text + n)
		return;
	snprintf(before, sizeof before, "%.*s", (int)(found - text), text);
	area_add_attr(page->in, at + text_width(before), y, text_width(page->filter), ATTR_BOLD | ATTR_UNDERLINE);
}

void text_page_add(struct text_page *page, int label_role, const char *label, int at, int role, const char *text)
{
	int width = page->in.r.w - at;
	if (!passes_filter(page, label, text))
		return;
	do {
		size_t n = text_fit_bytes(text, width > TEXT_WIDTH_MIN ? width : TEXT_WIDTH_MIN);
		int y = page->count++ - page->skip;
		if (y >= 0 && y < page->in.r.h) {
			area_draw_text(page->in, 1, y, label_role, label);
			area_printf(page->in, at, y, role, "%.*s", (int)n, text);
			underline_filter(page, at, y, text, n);
		}
		label = "";
		text += n + strspn(text + n, " ");
	} while (*text);
}

void text_page_draw_frame(struct area at, const char *title, const struct text_page *page, int count)
{
	char range[200];
	int last = page->skip + page->in.r.h < count ? page->skip + page->in.r.h : count;
	bool filtered = page->filter && *page->filter;
	snprintf(range, sizeof range, "%s%s%s%d..%d of %d", filtered ? "/" : "", filtered ? page->filter : "",
		filtered ? "  " : "", count ? page->skip + 1 : 0, last, count);
	area_draw_frame(at, true, title, range);
}

int text_page_limit_scroll(int scroll, int count, int rows)
{
	return count <= rows ? 0 : scroll > count - rows ? count - rows : scroll;
}
