/* The code view's legend for the help page. */
#include "experiments/analysis/dual_issue.h"
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/code/code_view.h"

/* The marks between the sides (code_diff). */
static void add_diff_marks(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT), "the row of the cursor");
	legend_add(page, ROLE_TEXT, "=", "instructions that both sides have%s",
		code_view_of(a)->renamed ? ", whatever registers they use" : "");
	legend_add(page, ROLE_WARN, "~", "the same instruction with other operands");
	legend_add(page, ROLE_BAD, "<", "only on the left side");
	legend_add(page, ROLE_OK, ">", "only on the right side");
	legend_add(page, ROLE_WARN, "*", "on the loop's dependence chain: the next trip waits for it");
}

static void add_advice_marks(struct text_page *page)
{
	legend_add(
		page, ROLE_TITLE, "1.", "a likely cause of lost cycles, with this kernel's numbers; the largest first");
	legend_add(page, ROLE_DIM, "look", "where to see it: lines, instructions, other views");
	legend_add(page, ROLE_OK, "try", "what usually removes it");
}

static void add_tile_marks(struct text_page *page)
{
	legend_add(page, ROLE_TEXT, "0 to v", "register of D that has the element: 0 is the first one, a the eleventh");
	legend_add(page, ROLE_LEFT, "A", "the row of the element, and the lanes that have this row of A");
	legend_add(page, ROLE_RIGHT, "B", "its column, and the lanes that have this column of B");
	legend_add(page, ROLE_TITLE, "D", "the lane that has the element");
	legend_add(page, ROLE_DIM, "k", "an element's number within the row of A and the column of B");
}

void code_view_add_legend(const struct app *a, struct text_page *page)
{
	const struct code_view *v = code_view_of(a);
	if (!v || !v->shown.model) {
		legend_add(page, ROLE_DIM, "compiling", "the kernel's code is listed when the compiler is done");
		return;
	}
	if (v->comparing) {
		add_diff_marks(a, page);
		return;
	}
	if (v->advising) {
		add_advice_marks(page);
		return;
	}
	if (v->tiling) {
		add_tile_marks(page);
		return;
	}
	legend_add(page, ROLE_WARN, "*", "on the loop's dependence chain: the next trip waits for it");
	legend_add(page, ROLE_OK, glyph_text(a->ascii, GLYPH_HOLDS),
		"one of the instructions that the experiment expects in the hot loop");
	if (code_has_dual_issue(v->shown.model))
		legend_add(page, ROLE_WARN, "%", "reads several registers of one bank, one after the other");
	else
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
