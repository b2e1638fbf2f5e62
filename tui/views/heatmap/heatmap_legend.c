/* The heat map's legend for the help page. */
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/heatmap/heatmap_view.h"

void heatmap_view_add_legend(const struct app *a, struct text_page *page)
{
	struct heatmap h;
	const struct heatmap_view *v = heatmap_view_of(a);
	if (!v || !v->lab)
		return;
	if (!heatmap_view_make(a, &h)) {
		legend_add(
			page, ROLE_TITLE, "x: y:", "the two parameters, and how many values of each would be measured");
		return;
	}
	legend_add(page, ROLE_HEAT0, "cell", "%s at one combination of %s (columns) and %s (rows)", h.label, h.x_label,
		h.y_label);
	legend_add(page, ROLE_HEAT4, "0 .. 9",
		"levels, where a cell has no room for its value; below the map with their values");
	legend_add(page, ROLE_TEXT, "[ ]", "cursor: the lines below the map describe this cell; Enter opens its curve");
	legend_add(
		page, ROLE_TEXT, "!", "the point is not trusted: clock moved, wrong result, unexpected instructions");
	legend_add(page, ROLE_BAD, glyph_text(a->ascii, GLYPH_FAILED), "the point failed");
	legend_add(page, ROLE_DIM, ".", "not measured yet");
	if (h.log)
		legend_add(page, ROLE_DIM, "(logarithmic)", "each level has the same ratio between its ends");
	heatmap_free(&h);
}
