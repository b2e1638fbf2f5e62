#include "plot/chart_svg_mark.h"

/* Paths from the middle of the mark; a `line` has no area to fill. */
static const struct {
	char mark;
	const char *path;
	bool open, line;
} shapes[] = {
	{'*', "m-3.5,0a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0z", false, false},
	{'o', "m-3.5,0a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0z", true, false},
	{'+', "m-4,0h8m-4,-4v8", false, true},
	{'x', "m-3.2,-3.2l6.4,6.4m0,-6.4l-6.4,6.4", false, true},
	{'#', "m-3.5,-3.5h7v7h-7z", false, false},
	{'@', "m0,-4.5l4.5,4.5l-4.5,4.5l-4.5,-4.5z", false, false},
	{'%', "m0,-4.2l4.2,7.2h-8.4z", false, false},
	{'&', "m0,4.2l4.2,-7.2h-8.4z", false, false},
};

const char *svg_series_color(size_t series)
{
	static const char *const colors[SVG_COLORS] = {
		"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#222222"};
	return colors[series % SVG_COLORS];
}

void svg_draw_mark(struct buf *out, char mark, double x, double y, const char *color, bool open)
{
	size_t i = 0, last = sizeof shapes / sizeof *shapes - 1;
	while (i < last && shapes[i].mark != mark)
		i++;
	if (shapes[i].mark != mark)
		i = 0;
	bool hollow = !shapes[i].line && (open || shapes[i].open);
	buf_printf(out, "<path class=\"mark%s\" stroke=\"%s\" stroke-width=\"1.4\" fill=\"%s\" d=\"M%.2f,%.2f%s\"/>",
		hollow ? " hollow" : "", color,
		shapes[i].line   ? "none"
			: hollow ? "#ffffff"
				 : color,
		x, y, shapes[i].path);
}
