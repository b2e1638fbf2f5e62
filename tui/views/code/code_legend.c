/* The code view's legend for the help page. */
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/code/code_view.h"

void code_view_add_legend(const struct app *a, struct text_page *page)
{
	const struct code_view *v = code_view_of(a);
	if (!v || !v->shown.model)
		return;
	legend_add(page, ROLE_WARN, "*", "on the loop's dependence chain: the next trip waits for it");
	legend_add(page, ROLE_OK, glyph_text(a->ascii, GLYPH_HOLDS),
		"one of the instructions that the experiment expects in the hot loop");
	legend_add(page, ROLE_DIM, "+", "crosses a boundary of 32 bytes, so that it takes two fetches");
	legend_add(
		page, ROLE_FOCUS, glyph_text(a->ascii, GLYPH_TIED), "belongs to the selected line of the other pane");
	if (!v->profile)
		return;
	legend_add(page, ROLE_TEXT, "issue", "cycles that one execution of the instruction took to issue");
	legend_add(page, ROLE_TEXT, "stall", "cycles that a wave waited before it, for each execution");
	legend_add(page, ROLE_TEXT, "share", "its part of all cycles of the launch, issue and stall");
	legend_add(page, ROLE_TEXT, "stall by", "what the waves waited for most, and how many cycles");
}
