/* The legend of the view of checks for the help page. */
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/checks/checks_view.h"

void checks_view_add_legend(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT),
		"the selected place, whose report is below; Enter shows the step");
	legend_add(page, ROLE_TEXT, "what", "the kind of fault (docs/check.md has all)");
	legend_add(page, ROLE_TEXT, "where", "the line of the source, with all of its instructions");
	legend_add(page, ROLE_TEXT, "accesses", "of work-items, in all points that were checked");
	legend_add(page, ROLE_DIM, "suppressed", "by a comment in the source: // wavedeck: ignore KIND");
}
