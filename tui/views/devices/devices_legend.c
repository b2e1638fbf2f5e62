/* The device view's legend for the help page. */
#include "tui/shell/legend.h"
#include "tui/toolkit/theme.h"
#include "tui/views/devices/devices_view.h"

void devices_view_add_legend(const struct app *a, struct text_page *page)
{
	legend_add(page, ROLE_OK, glyph_text(a->ascii, GLYPH_KNOB), "the device that the workbench measures on");
	legend_add(page, ROLE_TEXT, "soft:", "an AMD GPU simulated in software; its constants can be changed");
	legend_add(page, ROLE_TEXT, "hip:", "a real GPU; missing is normal on a machine without one");
	legend_add(page, ROLE_DIM, "runtime", "the property was reported by HIP");
	legend_add(page, ROLE_TITLE, "rocm-smi", "the reading came from AMD's management library, like amd-smi");
	legend_add(page, ROLE_WARN, "assumed", "no source is known for this constant; other constants name theirs");
}
