#include "plot/chart_columns.h"

#include "plot/band_pattern.h"
#include "plot/series_mark.h"

enum { FEW_POINTS = 4 };
static const double FAR_APART = 2, COLUMN_SHARE = 0.8; /* of the way from one category to the next */

enum series_style measured_series_style(const struct chart_point *points, size_t count, bool categories)
{
	if (categories)
		return STYLE_COLUMN;
	for (size_t i = 0; count <= FEW_POINTS && i + 1 < count; i++) {
		double low = points[i].x, high = points[i + 1].x;
		if (low > high) {
			low = high;
			high = points[i].x;
		}
		if (low >= 0 && high > FAR_APART * low)
			return STYLE_POINTS;
	}
	return STYLE_CURVE;
}

void column_find_span(const struct chart *c, const struct series *s, double x, double *left, double *right)
{
	size_t count = 0, at = 0;
	for (size_t i = 0; i < c->series_count; i++) {
		if (c->series[i].style != STYLE_COLUMN || !c->series[i].count)
			continue;
		if (&c->series[i] == s)
			at = count;
		count++;
	}
	double width = COLUMN_SHARE / (double)(count ? count : 1);
	*left = x - COLUMN_SHARE / 2 + width * (double)at;
	*right = *left + width;
}

const char *column_text(char mark, bool ascii)
{
	static const char marks[] = "*+o#@%&", letters[] = "#=%:@+&";
	static const char *const glyphs[] = {"\u2588", "\u2592", "\u2593", "\u2591"};
	enum { LETTERS = sizeof letters - 1, GLYPHS = sizeof glyphs / sizeof *glyphs };
	static char text[LETTERS][2];
	int at = 0;
	while (at < LETTERS - 1 && marks[at] != mark)
		at++;
	text[at][0] = letters[at];
	return ascii ? text[at] : glyphs[at % GLYPHS];
}

const char *series_key_text(const struct series *s, bool ascii)
{
	return series_is_area(s)           ? band_pattern_text(s->mark, ascii)
		: s->style == STYLE_COLUMN ? column_text(s->mark, ascii)
					   : mark_text(s->mark, ascii);
}
