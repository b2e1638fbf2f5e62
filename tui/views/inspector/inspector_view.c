/* The inspector as a view: its pages and their keys. */
#include "tui/shell/keymap.h"
#include "tui/views/inspector/inspector_draw.h"
#include "tui/views/inspector/inspector_pages.h"

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/inspector/inspector_keys.def"
#include "tui/views/inspector/pages/timeline_keys.def"
#include "tui/views/inspector/pages/lanes_keys.def"
#include "tui/views/inspector/pages/sets_keys.def"
#include "tui/views/inspector/pages/steps_keys.def"
#include "tui/views/inspector/pages/hardware_keys.def"
#undef ACTION
};

static const struct view_place pages[INSPECTOR_PAGE_COUNT] = {
#define PAGE_PLACE(id, key, title, name, part, draw) [INSPECTOR_##id] = {name, "Inspector: " title},
	INSPECTOR_PAGES(PAGE_PLACE)
#undef PAGE_PLACE
};

static int shown_page(const struct app *a)
{
	return inspector_of(a) ? (int)inspector_of(a)->page : INSPECTOR_TIMELINE;
}

static void focus_page(struct app *a, int page)
{
	inspector_show_page(a, (enum inspector_page)page);
}

const struct view view_inspector = {
	.name = "inspector",
	.title = "Inspector",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.places = pages,
	.place_count = INSPECTOR_PAGE_COUNT,
	.current_place = shown_page,
	.focus_place = focus_page,
	.draw = inspector_draw,
	.legend = inspector_add_legend,
	.open = inspector_enter,
	.close = inspector_close,
	.pump = inspector_resize,
	.busy = inspector_work,
};
