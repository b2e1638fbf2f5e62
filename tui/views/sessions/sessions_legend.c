/* The session view's legend for the help page: the list, and what is below it. */
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/sessions/sessions_view.h"

static void add_list(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT), "the selected session; Enter opens it");
	legend_add(page, ROLE_PINNED, "A B C",
		"marked sessions, which c compares; A is the one that others are compared with");
	legend_add(page, ROLE_TEXT, "soft:mi25*", "the device; * if constants of the model were changed");
	legend_add(page, ROLE_OK, "quality",
		"what is to know before using the numbers: clock changes, wrong results, missing points");
	legend_add(page, ROLE_WARN, "quality", "the same in this color: something is wrong or missing");
	legend_add(page, ROLE_DIM, "...", "the file is being read");
}

static void add_points(struct text_page *page)
{
	legend_add(page, ROLE_TEXT, "sclk", "the clock of the GPU's cores while the point was measured");
	legend_add(page, ROLE_OK, "ok", "the kernel's output equals that of a C reference");
	legend_add(page, ROLE_WARN, "clock moved",
		"the core clock changed by more than 2 %% during the point: do not trust its time");
}

static void add_comparison_marks(struct text_page *page)
{
	legend_add(page, ROLE_DIM, "10..12", "the quartiles of the point's samples");
	legend_add(page, ROLE_TEXT, "B / A", "the value of B as ratio to that of A");
	legend_add(page, ROLE_OK, "same", "the quartiles overlap: the difference is within the noise");
	legend_add(page, ROLE_TEXT, "differs", "the quartiles do not overlap");
	legend_add(page, ROLE_WARN, "!", "one of the points failed or is not trusted");
	legend_add(page, ROLE_WARN, "-", "one session lacks the point");
}

void sessions_view_add_legend(const struct app *a, struct text_page *page)
{
	const struct sessions_view *v = sessions_view_of(a);
	if (!v)
		return;
	add_list(a, page);
	if (v->pane == SHOW_POINTS)
		add_points(page);
	if (v->pane == SHOW_COMPARISON)
		add_comparison_marks(page);
}
