/* The hardware page: the tunable constants, and the plot of the current experiment. */
#include <stdio.h>
#include <string.h>

#include "tui/shell/plot/plot_pane.h"
#include "tui/views/inspector/inspector_draw.h"

enum { NAME_COLUMNS = 26, LIST_WIDTH = 56, DETAIL_ROWS = 4 };

static void draw_tunable(const struct app *a, const struct tunable *k, bool selected, struct area at)
{
	char value[48], standard[48];
	bool turned = k->value != k->standard;
	int role = selected ? ROLE_SELECTED : turned ? ROLE_WARN : ROLE_TEXT;
	for (int x = 0; selected && x < at.r.w; x++)
		area_draw_text(at, x, 0, role, " ");
	area_draw_text(at, 0, 0, role, selected ? glyph_text(a->ascii, GLYPH_SELECT) : turned ? "*" : " ");
	area_draw_fitted(at, 2, 0, NAME_COLUMNS - 2, role, k->name);
	area_draw_fitted(at, NAME_COLUMNS, 0, 14, role, tunable_format_value(k, k->value, value, sizeof value));
	if (turned)
		area_printf(at, NAME_COLUMNS + 15, 0, selected ? role : ROLE_DIM, "was %s",
			tunable_format_value(k, k->standard, standard, sizeof standard));
}

static int draw_tunable_list(const struct app *a, struct area at)
{
	const struct tunables *k = &inspector_of(a)->tunables;
	int matching = 0, here = 0, y = 0;
	for (int i = 0; i < k->count; i++) {
		here = i == k->selected ? matching : here;
		matching += tunables_match_filter(k, i);
	}
	int first = list_first_visible_row(here, at.r.h, matching), n = 0;
	for (int i = 0; i < k->count && y < at.r.h; i++)
		if (tunables_match_filter(k, i) && n++ >= first)
			draw_tunable(a, &k->list[i], i == k->selected, area_sub(at, 0, y++, at.r.w, 1));
	if (!matching)
		area_printf(at, 1, 0, ROLE_DIM, "no constant matches '%s'", k->filter);
	return matching;
}

static void draw_tunable_detail(const struct tunables *k, struct area at)
{
	char low[48], high[48];
	const struct tunable *n = tunables_selected(k);
	if (!n)
		return;
	area_draw_fitted(at, 1, 0, at.r.w - 1, ROLE_CURSOR, n->help);
	area_printf(at, 1, 1, ROLE_DIM, "%s to %s", tunable_format_value(n, n->low, low, sizeof low),
		tunable_format_value(n, n->high, high, sizeof high));
	char source[300];
	snprintf(source, sizeof source, "source: %s", *n->source ? n->source : "same as the default model");
	area_draw_fitted(at, 1, 2, at.r.w - 1, ROLE_DIM, source);
}

void inspector_draw_tunables(const struct app *a, struct area at)
{
	const struct inspector *v = inspector_of(a);
	bool side_by_side = at.r.w >= LIST_WIDTH + 50, below = !side_by_side && at.r.h >= 17;
	int width = side_by_side ? LIST_WIDTH : at.r.w, height = below ? at.r.h / 2 : at.r.h,
	    turned = tunables_changed_count(&v->tunables);
	char text[DEVICE_NAME_MAX + 128];
	snprintf(text, sizeof text, "%s%s%s", *a->next_device ? a->next_device : a->device,
		v->tunables.filter[0] ? "   filter: " : "", v->tunables.filter);
	area_draw_fitted(at, 1, 0, width - 1, turned ? ROLE_WARN : ROLE_TEXT, text);
	int rows = height - 1 - DETAIL_ROWS;
	draw_tunable_list(a, area_sub(at, 0, 1, width, rows > 0 ? rows : height - 1));
	if (rows > 0)
		draw_tunable_detail(&v->tunables, area_sub(at, 0, 1 + rows, width, DETAIL_ROWS - 1));
	if (side_by_side)
		plot_pane_draw(a, area_sub(at, LIST_WIDTH, 0, at.r.w - LIST_WIDTH, at.r.h), false);
	if (below)
		plot_pane_draw(a, area_sub(at, 0, height, at.r.w, at.r.h - height), false);
}
