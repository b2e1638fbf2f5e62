#include "plot/reading_span.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* The least scale of a quantity: a number, and a part of the largest value. The first row serves other units. */
static const struct {
	const char *unit;
	double least, part;
} quantities[] = {
	{"", 0, 0.2},
	{"MHz", 0, 0.08}, /* a clock that moves by 2 % is reported as moved */
	{"C", 8, 0},      /* sensors report whole or half degrees */
	{"W", 8, 0.2},
};
enum { LEVELS = 4 /* a change by one of them is a move */ };

void reading_span_add(struct reading_span *s, double value)
{
	s->low = s->any ? fmin(s->low, value) : value;
	s->high = s->any ? fmax(s->high, value) : value;
	s->any = true;
}

static double least_scale(const struct reading_span *s, const char *unit)
{
	size_t i = sizeof quantities / sizeof *quantities - 1;
	while (i && strcmp(quantities[i].unit, unit))
		i--;
	return fmax(quantities[i].least, quantities[i].part * fabs(s->high));
}

bool reading_span_moves(const struct reading_span *s, const char *unit)
{
	return s->any && s->high > s->low && s->high - s->low >= least_scale(s, unit) / LEVELS;
}

double reading_span_fraction(const struct reading_span *s, const char *unit, double value)
{
	double size = fmax(s->high - s->low, least_scale(s, unit));
	if (!reading_span_moves(s, unit))
		return 0.5;
	return fmin(1, fmax(0, 0.5 + (value - (s->low + s->high) / 2) / size));
}

char *reading_span_format(const struct reading_span *s, const char *unit, bool ascii, char *out, size_t size)
{
	char low[40] = "--", high[40] = "--";
	if (s->any) {
		units_format_rounded(low, sizeof low, s->low);
		units_format_rounded(high, sizeof high, s->high);
	}
	const char *shown = unit_display(unit, ascii);
	snprintf(out, size, "%s%s%s%s%s", low, strcmp(low, high) ? ".." : "", strcmp(low, high) ? high : "",
		*shown ? " " : "", shown);
	return out;
}
