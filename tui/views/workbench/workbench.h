/* The workbench: the list of experiments, the parameters, the plot. The home view. */
#ifndef TUI_VIEWS_WORKBENCH_WORKBENCH_H
#define TUI_VIEWS_WORKBENCH_WORKBENCH_H

#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"
#include "tui/toolkit/screen_layout.h"

/* `where` in workbench_keys.def: its panes. */
enum { IN_LIST = 1 << FOCUS_LIST, IN_PARAMS = 1 << FOCUS_PARAMS, IN_PLOT = 1 << FOCUS_PLOT };

extern const struct view view_workbench;

enum focus workbench_focused_pane(const struct app *a); /* the plot if the chosen pane has no room */
bool workbench_pane_is_visible(const struct app *a, enum focus f);
const char *workbench_notice(const struct app *a); /* what is wrong with the point at the cursor; NULL */

struct layout workbench_layout(const struct app *a, int w, int h); /* the panes on a screen of that size */

/* --- panes --- */
void workbench_draw_experiments(const struct app *a, struct area at);
void workbench_draw_params(const struct app *a, struct area at);
void workbench_draw_clocks(const struct app *a, struct area at);
void workbench_draw_value(const struct app *a, struct area at);
void workbench_draw_explanation(const struct app *a, struct area at);

/* --- actions --- */
#define ACTION ACTION_FUNCTION
#include "tui/views/workbench/workbench_keys.def"
#undef ACTION

/* --- workbench_legend.c --- */
void workbench_add_legend(const struct app *a, struct text_page *page);

#endif
