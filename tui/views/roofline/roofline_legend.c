/* The roofline view's legend for the help page. */
#include "tui/shell/legend.h"
#include "tui/toolkit/chart_area.h"
#include "tui/toolkit/theme.h"
#include "tui/views/roofline/roofline_view.h"

void roofline_view_add_legend(const struct app *a, struct text_page *page)
{
	const struct roofline_view *v = roofline_view_of(a);
	if (!v)
		return;
	legend_add(page, ROLE_PINNED, "A B C", "measured points and kernels of files, in the chart and in the list");
	legend_add(page, ROLE_LEFT, glyph_text(a->ascii, GLYPH_H), "%s",
		"the roof: the memory's bandwidth on the slope, the peak of the units on the flat part, of the selected point's device");
	legend_add(page, ROLE_DIM, "f16", "%s",
		"the peaks of the device's other types of numbers; the roof is that of the type on which the kernel spends most time");
	legend_add(page, pinned_curve_role(2), "a b c",
		"the same points over their bytes between L2 and the CUs, and the roof of the L2");
	legend_add(page, ROLE_TEXT, "x axis", "%s for each byte from memory: further right means more work for a byte",
		v->unit == ROOFLINE_FLOPS ? "floating-point operations" : "instructions");
	legend_add(page, ROLE_TEXT, "y axis", "what the kernel achieved, in %s", roofline_unit_name(v->unit));
	legend_add(page, ROLE_TEXT, "limit", "what bounds the point, and how much of it the kernel uses");
	legend_add(page, ROLE_TEXT, "1/8", "ticks are powers of two");
}
