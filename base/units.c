#include "base/units.h"

#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale(void)
{
	static locale_t c;
	if (!c)
		c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return c;
}

double number_parse(const char *text, char **end)
{
	return strtod_l(text, end, c_locale());
}

static int format_in_c_locale(char *out, size_t size, int digits, double value)
{
	locale_t old = uselocale(c_locale());
	int n = snprintf(out, size, "%.*g", digits, value);
	uselocale(old);
	return n;
}

/* True only if no 15 digits give the value, as for most measured values: it saves formatting and parsing them. 15
 * digits are exact as a double, and so are powers of ten up to 1e22: the quotient is rounded once, as by strtod. */
static bool needs_more_digits(double value)
{
	static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
		1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	double a = fabs(value);
	if (!(a >= 1e-7 && a < 1e14))
		return false;
	double power = tens[14 - (int)floor(log10(a))], digits = rint(a * power);
	return digits >= 1e14 && digits < 1e15 && digits / power != a;
}

char *number_format_exact(char *out, size_t size, double value)
{
	if (fabs(value) < 1e15 && value == floor(value)) {
		snprintf(out, size, "%.0f", value == 0 ? 0.0 : value);
		return out;
	}
	/* A text of at most 15 digits that gives the value is also its form with 15 digits, less the zeros at the end.
	 * This does not hold below DBL_MIN, where a double has fewer digits. 17 digits always give it. */
	for (int digits = fabs(value) < DBL_MIN ? 6 : DBL_DIG + needs_more_digits(value); digits <= 17; digits++) {
		format_in_c_locale(out, size, digits, value);
		if (digits == 17 || number_parse(out, NULL) == value)
			break;
	}
	return out;
}

double number_round_digits(double value, int digits)
{
	char text[40];
	if (!isfinite(value) || value == floor(value))
		return value;
	format_in_c_locale(text, sizeof text, digits, value);
	return number_parse(text, NULL);
}

static const struct {
	const char *text;
	double factor;
} prefixes[] = {
	{"Ki", 0x1p10},
	{"Mi", 0x1p20},
	{"Gi", 0x1p30},
	{"Ti", 0x1p40},
	{"K", 1e3},
	{"k", 1e3},
	{"M", 1e6},
	{"G", 1e9},
	{"T", 1e12},
	{"", 1},
};

static const char *skip_space(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

static bool ends_with_suffix(const char *text, size_t len, const char *tail)
{
	size_t n = strlen(tail);
	return len > n && !strncmp(text + len - n, tail, n);
}

char *unit_singular(char *out, size_t size, const char *unit)
{
	size_t len = strlen(unit);
	bool plural = len > 2 && unit[len - 1] == 's' && !strpbrk(unit, "/ ");
	bool es = ends_with_suffix(unit, len, "nches") || ends_with_suffix(unit, len, "sses"),
	     ies = ends_with_suffix(unit, len, "ies");
	if (plural)
		len -= ies ? 3 : es ? 2 : 1;
	snprintf(out, size, "%.*s%s", (int)len, unit, plural && ies ? "y" : "");
	return out;
}

static bool matches_unit(const char *text, size_t len, const char *unit)
{
	char one[64];
	unit_singular(one, sizeof one, unit);
	return (strlen(unit) == len && !strncmp(text, unit, len)) || (strlen(one) == len && !strncmp(text, one, len));
}

/* The factor of the text after a number: a prefix, the unit, or both. 0 if it is neither. */
static double suffix_factor(const char *s, const char *unit)
{
	s = skip_space(s);
	size_t len = strlen(s);
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	if (!len || matches_unit(s, len, unit))
		return 1;
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		size_t n = strlen(prefixes[i].text);
		if (strncmp(s, prefixes[i].text, n))
			continue;
		if (n && (len == n || matches_unit(s + n, len - n, unit)))
			return prefixes[i].factor;
	}
	return 0;
}

bool units_parse(const char *text, const char *unit, double *out, struct err *e)
{
	char *end;
	const char *start = skip_space(text);
	double v;
	if (start[0] == '0' && (start[1] == 'x' || start[1] == 'X'))
		v = (double)strtoull(start, &end, 16);
	else
		v = number_parse(start, &end);
	if (end == start || !isfinite(v))
		return err_set(e, ST_REQUEST, "'%s' is not a number; write, for example, 64, 2^20%s", text,
			!strcmp(unit, "B") ? " or 64 MiB" : "");
	if (*end == '^') {
		char *after;
		double power = number_parse(end + 1, &after);
		if (after == end + 1)
			return err_set(e, ST_REQUEST, "'%s' has no exponent after ^; write, for example, 2^20", text);
		v = pow(v, power);
		end = after;
	}
	double factor = suffix_factor(end, unit);
	if (factor == 0)
		return err_set(e, ST_REQUEST, "'%s' has the unit '%s'; write %s%s", text, skip_space(end),
			*unit ? "a number in " : "a plain number", unit);
	v *= factor;
	if (!isfinite(v))
		return err_set(e, ST_REQUEST, "'%s' is not a number in the range of a double", text);
	*out = v;
	return true;
}

static const char *const binary[] = {"", "Ki", "Mi", "Gi", "Ti"};
static const char *const decimal[] = {"", "k", "M", "G", "T"};

char *units_format(char *out, size_t size, double value, const char *unit, int digits)
{
	bool bytes = !strcmp(unit, "B"), count = !*unit;
	double base = bytes ? 1024 : 1000;
	int step = 0;
	if (value == 0)
		value = 0; /* drops the sign of -0 */
	if (bytes || count)
		while (step < 4 && fabs(value) >= base * (count ? 10 : 1)) {
			value /= base;
			step++;
		}
	char number[40];
	if (value == floor(value) && fabs(value) < 1e15)
		snprintf(number, sizeof number, "%.0f", value);
	else
		format_in_c_locale(number, sizeof number, digits, value);
	const char *prefix = bytes ? binary[step] : count ? decimal[step] : "";
	char one[64];
	if (!strcmp(number, "1"))
		unit = unit_singular(one, sizeof one, unit);
	snprintf(out, size, "%s%s%s%s", number, *unit || *prefix ? " " : "", prefix, unit);
	return out;
}

/* How many times 1024 divides the value: 16777216 is 16 Mi, but 100000 is not a multiple of 1024. */
static int binary_steps(double value)
{
	int step = 0;
	if (value != floor(value))
		return 0;
	while (step < 4 && fabs(value) >= 1024 && fmod(value, 1024) == 0) {
		value /= 1024;
		step++;
	}
	return fabs(value) < 1024 ? step : 0;
}

char *units_format_short(char *out, size_t size, double value, const char *unit)
{
	if (!strcmp(unit, "B") || fabs(value) < 10000)
		return units_format(out, size, value, unit, 4);
	int step = binary_steps(value);
	const char *const *prefix = step ? binary : decimal;
	char number[40];
	value /= pow(1024, step);
	for (; prefix == decimal && step < 4 && fabs(value) >= 999.5; step++)
		value /= 1000;
	format_in_c_locale(number, sizeof number, prefix == binary ? 4 : 3, value);
	snprintf(out, size, "%s %s%s%s", number, prefix[step], *unit ? " " : "", unit);
	return out;
}

int count_parse(const char *text, int most)
{
	long v = strtol(text, NULL, 10); /* clamps to the range of long */
	return v > most ? most : v < -(long)most ? -most : (int)v;
}

const char *unit_display(const char *unit, bool ascii)
{
	return ascii ? unit : !strcmp(unit, "C") ? "\u00b0C" : !strcmp(unit, "us") ? "\u00b5s" : unit;
}

char *units_format_rounded(char *out, size_t size, double value)
{
	bool whole = fabs(value) >= 9.95 || value == floor(value);
	locale_t old = uselocale(c_locale());
	snprintf(out, size, whole ? "%.0f" : "%.1f", value);
	uselocale(old);
	return out;
}

bool unit_is_time(const char *unit)
{
	static const char *const units[] = {"s", "ms", "us", "ns"};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (!strcmp(unit, units[i]))
			return true;
	return false;
}

char *number_format_digits(char *out, size_t size, double value)
{
	snprintf(out, size, fabs(value) >= 1000 && fabs(value) < 1e9 ? "%.0f" : "%.4g", value);
	return out;
}
