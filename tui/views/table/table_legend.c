/* The table view's legend for the help page. */
#include "tui/lab/lab.h"
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/table/table_view.h"

void table_view_add_legend(const struct app *a, struct text_page *page)
{
	const struct table_view *v = table_view_of(a);
	const struct lab *b = app_current_lab(a);
	legend_add(page, ROLE_SELECTED, glyph_text(a->ascii, GLYPH_SELECT),
		"the point at the cursor, in all views; its statistics and samples are below the table");
	if (v && v->sort >= 0)
		legend_add(page, ROLE_KEY, glyph_text(a->ascii, v->descending ? GLYPH_DOWN : GLYPH_UP),
			"rows are sorted by this column, the %s value first", v->descending ? "largest" : "smallest");
	legend_add(page, ROLE_TEXT, "time", "median of the point's samples; the metrics are computed from it");
	legend_add(page, ROLE_TEXT, "min q1 q3 max", "the smallest sample, the quartiles, the largest sample");
	legend_add(page, ROLE_TEXT, "spread", "distance of the quartiles in percent of the median");
	legend_add(page, ROLE_TEXT, "n", "samples of the point; exact times need only one");
	legend_add(page, ROLE_DIM, "--", "not measured, or the device has no such reading");
	legend_add(page, ROLE_WARN, "last column", "why the numbers of a point are in doubt, if there is room for it");
	for (int i = 0; b && i < b->curve.count; i++)
		if (b->curve.points[i].status == POINT_FAILED) {
			legend_add(page, ROLE_DIM, "failed", "the point has no value; the pane below says why");
			return;
		}
}
