/* The view of a study of what causes of lost cycles cost a point (tui/lab/what_if). */
#ifndef TUI_VIEWS_WHAT_IF_WHAT_IF_VIEW_H
#define TUI_VIEWS_WHAT_IF_WHAT_IF_VIEW_H

#include "tui/lab/what_if/what_if_study.h"
#include "tui/shell/keymap.h"
#include "tui/shell/text_page.h"

struct what_if_view {
	int selected; /* row */
};

extern const struct view view_what_if;
const struct what_if_view *what_if_view_of(const struct app *a); /* NULL before the view was opened */
/* The numbers of the rows' causes, what costs most first, those that are not measured last; returns how many. */
int what_if_rows(const struct what_if_study *s, int out[IDEAL_PARTS]);

/* --- drawing --- */
void what_if_view_draw(const struct app *a, struct area at);
void what_if_view_add_legend(const struct app *a, struct text_page *page);

#define ACTION ACTION_FUNCTION
#include "tui/views/what_if/what_if_keys.def"
#undef ACTION

#endif
