/* The legend of the workers' view for the help page. */
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/workers/workers_view.h"

void workers_view_add_legend(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT),
		"the selected worker, described below the rows");
	legend_add(page, ROLE_TEXT, "worker", "%s",
		"a process that opens the device and measures one point after another; :set workers=N sets how many");
	legend_add(page, ROLE_DIM, "not started", "a worker starts when points wait for it");
	legend_add(page, ROLE_OK, "running", "it measures; with the part that is done, after a second");
	legend_add(page, ROLE_WARN, "ended", "its worker died; another one starts when points wait");
	legend_add(page, ROLE_TEXT, "time", "since the point was sent to the worker");
	legend_add(page, ROLE_TEXT, "done", "points that it measured, of all sweeps since the device was opened");
	legend_add(page, ROLE_WARN, "deaths", "%s",
		"workers that died there; their point goes to another worker, and fails after three deaths");
	legend_add(page, ROLE_TEXT, "pid", "of the process on this machine");
	legend_add(page, ROLE_TEXT, "points/s", "of the running sweep, since its start");
	legend_add(page, ROLE_DIM, "--", "it measures nothing, or has no process");
}
