/* The experiments with their chapters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/view.h"

enum { CHAPTER_WIDTH = 8 };

static void draw_row(const struct app *a, const struct bench *b, struct area in, int y, bool selected)
{
	int role = selected ? ROLE_SELECTED : ROLE_TEXT;
	if (selected)
		area_text(in, 0, y, role, glyph(a->ascii, GLYPH_SELECT));
	for (int x = 1; selected && x < in.r.w; x++)
		area_text(in, x, y, role, " ");
	area_fit(in, 1, y, CHAPTER_WIDTH, selected ? role : ROLE_CHAPTER, b->x->chapter);
	const json_t *device = a->worker ? worker_device_record(a->worker) : NULL;
	bool runs = experiment_runs_on(b->x, record_text(device, "arch"));
	char text[240];
	snprintf(text, sizeof text, "%s%s%s", b->x->title, runs ? "" : " - needs ", runs ? "" : b->x->needs);
	area_fit(in, CHAPTER_WIDTH + 2, y, in.r.w - CHAPTER_WIDTH - 2, selected || runs ? role : ROLE_DIM, text);
	struct hit hit = { .click = "list-down" };
	snprintf(hit.argument, sizeof hit.argument, "%s", b->x->id);
	area_hit(in, 0, y, in.r.w, 1, hit);
}

void view_list(const struct app *a, struct area at)
{
	struct area in = area_inside(at);
	int *shown = xcalloc((size_t)a->bench_count, sizeof *shown), count = 0, selected = 0;
	for (int i = 0; i < a->bench_count; i++) {
		if (!app_matches(a, a->benches[i].x))
			continue;
		if (i == a->current)
			selected = count;
		shown[count++] = i;
	}
	char place[80];
	if (a->filter[0])
		snprintf(place, sizeof place, "/%.20s %d of %d", a->filter, count, a->bench_count);
	else if (a->catalog.waiting)
		snprintf(place, sizeof place, "reading the others");
	else
		snprintf(place, sizeof place, "%d of %d", selected + 1, a->bench_count);
	area_frame(at, app_focus(a) == FOCUS_LIST, "Experiments", place);
	int first = first_row(selected, in.r.h, count);
	for (int i = first; i < count && i < first + in.r.h; i++)
		draw_row(a, &a->benches[shown[i]], in, i - first, shown[i] == a->current);
	if (!count)
		area_fit(in, 1, 0, in.r.w - 1, ROLE_WARN, "no title has these letters");
	free(shown);
}
