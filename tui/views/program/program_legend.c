/* The legends of the program's view for the help page: of the kernels, and of a kernel's launches. */
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/program/program_view.h"

static void add_launches_legend(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT),
		"the selected launch, which Enter opens if it was kept");
	legend_add(page, ROLE_TEXT, "launch", "its number in its process, from 0, as capture --launch has it");
	legend_add(page, ROLE_TEXT, "grid", "workgroups of the launch; block: work-items of a workgroup");
	legend_add(page, ROLE_TEXT, "share", "of the time of all launches of the kernel");
	legend_add(page, ROLE_TEXT, "captured",
		"kept: Enter runs it again; not kept: Enter says how to keep it; otherwise why it cannot run again");
	legend_add(page, ROLE_DIM, "--", "not known before the program has ended");
	legend_add(page, ROLE_BAD, "failed", "an error ended the launch");
}

static void add_kernels_legend(const struct app *a, struct text_page *page)
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

void program_view_add_legend(const struct app *a, struct text_page *page)
{
	if (program_view_of(a) && program_view_of(a)->launches.symbol)
		add_launches_legend(a, page);
	else
		add_kernels_legend(a, page);
}
