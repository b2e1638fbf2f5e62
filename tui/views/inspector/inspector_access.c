/* Accesses that a check reported: the steps page goes there. */
#include <string.h>

#include "tui/lab/lab.h"
#include "tui/views/inspector/inspector.h"

static void seek_access(struct app *a, const struct traced_access *at)
{
	struct inspector *v = inspector_get(a);
	v->wave = at->wave;
	v->lane = at->lane;
	v->nth = 0;
	v->seek = SEEK_FIRST;
	v->seek_windows = 0;
	v->loaded &= ~(unsigned)(PART_LANES | PART_STEPS);
	v->request_step = 0;
	v->request_cycle = at->cycle;
	v->request_offset = at->offset;
	v->page = INSPECTOR_STEPS;
}

void inspector_show_access(struct app *a, const struct traced_access *list, int count)
{
	struct inspector *v = inspector_get(a);
	struct lab *b = app_current_lab(a);
	if (!b)
		return;
	inspector_cancel_request(a);
	inspector_take_point(a, b);
	memcpy(v->access, list, (size_t)count * sizeof *list);
	v->access_count = count;
	v->shown_access = 0;
	seek_access(a, &list[0]);
}

void inspector_turn_access(struct app *a)
{
	struct inspector *v = inspector_get(a);
	if (!v->access_count) {
		app_show_message(a, ROLE_DIM, "no check reported an access of this launch; ! shows what checks found");
		return;
	}
	v->shown_access = (v->shown_access + 1) % v->access_count;
	seek_access(a, &v->access[v->shown_access]);
	inspector_show_page(a, INSPECTOR_STEPS);
	if (v->access_count == 1)
		app_show_message(a, ROLE_DIM, "the access that the check reported; it has no other side");
	else
		app_show_message(a, ROLE_DIM,
			v->shown_access ? "the other side of the race, which came first"
					: "the access that the check reported");
}
