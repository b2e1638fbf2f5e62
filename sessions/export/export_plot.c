/* Export format "plot": the curves drawn with characters. */
#include <stdlib.h>

#include "base/units.h"
#include "plot/chart.h"
#include "sessions/export/exporters.h"

enum { PLOT_HEIGHT = 24, PLOT_WIDTH_MAX = 160 };

/* Without anything to draw, prints the table. */
void plot_export(const struct session_output *o)
{
	struct session_chart *s = session_chart_new(o->header, o->points, o->extras);
	if (!s) {
		table_export(o);
		return;
	}
	int shown = session_chart_published_count(s), width = o->width > PLOT_WIDTH_MAX ? PLOT_WIDTH_MAX : o->width;
	char *text = chart_render_text(session_chart_of(s), width, PLOT_HEIGHT, o->ascii);
	fputs(text, o->file);
	if (shown)
		fprintf(o->file, "  published: %d of %d value%s, from %s\n", shown, o->extras->published_rows,
			plural_s((unsigned)o->extras->published_rows), o->extras->sources);
	free(text);
	session_chart_free(s);
}
