/* The legend of the view of what causes cost for the help page. */
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/what_if/what_if_view.h"

void what_if_view_add_legend(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT),
		"the selected cause; below, what its ideal part does");
	legend_add(page, ROLE_TEXT, "%", "of the launch's cycles that it saves when the cause is gone");
	legend_add(page, ROLE_TITLE, "all", "the launch when all of these causes are gone");
	legend_add(page, ROLE_WARN, "changes",
		"the launch leaves other results, so it does something else: its kernel has a race");
}
