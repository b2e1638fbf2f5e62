#include "tui/toolkit/curve_legend.h"

#include <stdio.h>

#include "base/text_width.h"
#include "tui/toolkit/theme.h"

void curve_legend_add(struct curve_legend *l, const char *mark, int role, const char *text)
{
	if (l->count == CURVE_LEGEND_MAX)
		return;
	l->list[l->count].mark = mark;
	l->list[l->count].role = role;
	snprintf(l->list[l->count].text, sizeof l->list[0].text, "%s", text);
	l->count++;
}

int curve_legend_width(const struct curve_legend *l)
{
	int w = 0;
	for (int i = 0; i < l->count; i++)
		w += (i ? 2 : 0) + text_width(l->list[i].mark) +
			(*l->list[i].text ? 1 + text_width(l->list[i].text) : 0);
	return w;
}

void curve_legend_draw(const struct curve_legend *l, struct area at, int right)
{
	int x = right - curve_legend_width(l) - 1;
	if (l->count)
		area_draw_text(at, x - 1, 0, ROLE_DIM, " ");
	for (int i = 0; i < l->count; i++) {
		int next = x + area_draw_text(at, x, 0, l->list[i].role, l->list[i].mark);
		if (*l->list[i].text)
			next += area_printf(at, next, 0, ROLE_DIM, " %s", l->list[i].text);
		area_draw_text(at, next, 0, ROLE_DIM, i + 1 < l->count ? "  " : " ");
		x = next + 2;
	}
}
