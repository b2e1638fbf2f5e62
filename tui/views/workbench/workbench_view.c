/* The workbench as a view: its panes, their focus and their keys. */
#include "tui/lab/plot/clock_readings.h"
#include "tui/shell/keymap.h"
#include "tui/shell/plot/plot_pane.h"
#include "tui/shell/shell.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/views/workbench/workbench.h"

static const enum pane panes[FOCUS_COUNT] = {
	[FOCUS_LIST] = PANE_LIST, [FOCUS_PARAMS] = PANE_PARAMS, [FOCUS_PLOT] = PANE_PLOT};

struct layout workbench_layout(const struct app *a, int w, int h)
{
	return layout_main(w, h, a->zoom, clock_pane_rows(a));
}

bool workbench_pane_is_visible(const struct app *a, enum focus f)
{
	struct layout l = workbench_layout(a, a->width, a->height);
	return layout_has_pane(&l, panes[f]);
}

enum focus workbench_focused_pane(const struct app *a)
{
	return workbench_pane_is_visible(a, a->focus) ? a->focus : FOCUS_PLOT;
}

static int focused_place(const struct app *a)
{
	return (int)workbench_focused_pane(a);
}

static void focus_place(struct app *a, int place)
{
	a->focus = (enum focus)place;
	a->zoom = a->zoom && workbench_pane_is_visible(a, a->focus);
}

/* --- drawing --- */
/* A click in the plot's columns moves the cursor, the wheel zooms. */
static void draw_plot(const struct app *a, struct area at)
{
	struct mouse_region region = {.click = "cursor-at", .up = "window-in", .down = "window-out", .part = true};
	int frame = plot_has_frame(at);
	struct plot_column_span c = plot_split_columns(at.r.w - 2 * frame);
	area_add_hit(at, frame + c.left, 0, c.width, at.r.h, region);
	plot_pane_draw(a, at, workbench_focused_pane(a) == FOCUS_PLOT);
}

/* The panes are placed on the whole screen; workbench_layout leaves header, status line and key line free. */
static void draw_workbench(const struct app *a, struct area at)
{
	static const struct {
		enum pane pane;
		void (*draw)(const struct app *, struct area);
	} parts[] = {
		{PANE_LIST, workbench_draw_experiments},
		{PANE_PARAMS, workbench_draw_params},
		{PANE_PLOT, draw_plot},
		{PANE_CLOCKS, workbench_draw_clocks},
		{PANE_VALUE, workbench_draw_value},
		{PANE_EXPLANATION, workbench_draw_explanation},
	};
	struct layout l = workbench_layout(a, at.g->w, at.g->h);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (layout_has_pane(&l, parts[i].pane))
			parts[i].draw(a, area_of_grid(at.g, l.pane[parts[i].pane]));
}

/* --- mouse --- */
static bool rect_has(struct rect r, int x, int y)
{
	return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;
}

/* The pane below the pointer gets the focus. */
static void focus_clicked_pane(struct app *a, int x, int y)
{
	struct layout l = workbench_layout(a, a->width, a->height);
	for (int f = 0; f < FOCUS_COUNT; f++)
		if (rect_has(l.pane[panes[f]], x, y))
			a->focus = (enum focus)f;
	if (rect_has(l.pane[PANE_CLOCKS], x, y))
		a->focus = FOCUS_PLOT;
}

static bool turn_wheel_here(struct app *a, bool up)
{
	bool plot = workbench_focused_pane(a) == FOCUS_PLOT;
	app_handle_key(a, plot ? (up ? TK_LEFT : TK_RIGHT) : up ? TK_UP : TK_DOWN);
	return true;
}

/* --- the view --- */
static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/workbench/workbench_keys.def"
#undef ACTION
};

static const struct view_place places[FOCUS_COUNT] = {
	[FOCUS_LIST] = {"experiments", "Experiments"},
	[FOCUS_PARAMS] = {"parameters", "Parameters"},
	[FOCUS_PLOT] = {"plot", "Plot"},
};

const struct view view_workbench = {
	.name = "workbench",
	.title = "Workbench, in all panes",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.places = places,
	.place_count = FOCUS_COUNT,
	.current_place = focused_place,
	.focus_place = focus_place,
	.draw = draw_workbench,
	.notice = workbench_notice,
	.click = focus_clicked_pane,
	.wheel = turn_wheel_here,
	.legend = workbench_add_legend,
};
