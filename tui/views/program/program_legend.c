/* The legend of the program's view for the help page. */
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/program/program_view.h"

void program_view_add_legend(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT), "the selected kernel, which Enter opens");
	legend_add(page, ROLE_TEXT, "launches", "that have ended; + means that one runs now");
	legend_add(page, ROLE_TEXT, "GPU", "time of all its launches, in the virtual time of the software GPU");
	legend_add(page, ROLE_TEXT, "share", "of the time of all launches and copies");
	legend_add(page, ROLE_TEXT, "slowest", "its slowest launch, which is captured");
	legend_add(page, ROLE_TEXT, "main stall",
		"the reason for most cycles of that launch, along its critical path; known when the program has ended");
	legend_add(page, ROLE_DIM, "--", "not known, or the launch was too long to be profiled; Enter measures it");
}
