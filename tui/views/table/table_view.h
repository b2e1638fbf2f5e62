/* The table view: the points of the current curve with statistics, and the samples of one point. */
#ifndef TUI_VIEWS_TABLE_TABLE_VIEW_H
#define TUI_VIEWS_TABLE_TABLE_VIEW_H

#include "tui/lab/app.h"
#include "tui/shell/keymap.h"
#include "tui/toolkit/grid.h"
#include "tui/views/table/point_table.h"

struct table_view {
	int column; /* of the cursor */
	int sort;   /* column; -1: as measured */
	bool descending;
};

extern const struct view view_table;
static inline struct table_view *table_view_of(const struct app *a) /* NULL before the view was opened */
{
	return app_view_state(a, &view_table);
}

/* The table as it is shown, of the current lab; point_table_free. */
void table_view_make(const struct app *a, struct point_table *out);
void table_view_add_legend(const struct app *a, struct text_page *page);
void table_view_draw(const struct app *a, struct area at);

#define ACTION ACTION_FUNCTION
#include "tui/views/table/table_keys.def"
#undef ACTION

#endif
