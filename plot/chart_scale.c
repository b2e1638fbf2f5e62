#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text_width.h"
#include "base/units.h"
#include "plot/chart.h"

/* Where values <= 0 are on a logarithmic scale. Finite, because callers multiply it. */
static const double OFF_SCALE = -1e9;

double scale_to_fraction(const struct scale *s, double v)
{
	if (!s->log2)
		return (v - s->low) / (s->high - s->low);
	if (!(v > 0))
		return OFF_SCALE;
	return log2(v / s->low) / log2(s->high / s->low);
}

double scale_from_fraction(const struct scale *s, double at)
{
	if (!s->log2)
		return s->low + at * (s->high - s->low);
	return s->low * exp2(at * log2(s->high / s->low));
}

/* --- ticks --- */

/* The smallest step >= `least` that is 1, 2 or 5 times a power of ten; for bytes, a power of two. */
static double nice_step(double least, bool bytes)
{
	if (bytes)
		return exp2(ceil(log2(least) - 1e-9));
	double power = pow(10, floor(log10(least) + 1e-9));
	static const double steps[] = {1, 2, 5};
	for (int i = 0; i < 3; i++)
		if (steps[i] * power >= least * (1 - 1e-9))
			return steps[i] * power;
	return 10 * power;
}

static void format_bytes_tick(char *out, size_t size, double value)
{
	units_format(out, size, value, "B", 6);
}

/* Replaces the decimal comma that some locales print. */
static void replace_decimal_comma(char *text)
{
	for (; *text; text++)
		if (*text == ',')
			*text = '.';
}

/* A count with as many decimals as the step needs; with a prefix k, M ... if the axis reaches 10000. */
static void format_count_tick(char *out, size_t size, double value, double step, double largest)
{
	static const char *const prefix[] = {"", "k", "M", "G", "T", "P"};
	int p = 0;
	double unit = 1;
	while (p < 5 && largest >= 10000 * unit) {
		unit *= 1000;
		p++;
	}
	double small = step / unit;
	int decimals = small >= 1 ? 0 : (int)ceil(-log10(small) - 1e-9);
	if (value == 0)
		snprintf(out, size, "0");
	else if (decimals > 6 || largest / unit >= 1e6) /* as many digits as distinguish two ticks */
		snprintf(out, size, "%.*g", (int)fmin(15, ceil(log10(largest / step)) + 1), value);
	else
		snprintf(out, size, "%.*f%s", decimals, value / unit, prefix[p]);
	replace_decimal_comma(out);
}

static size_t make_linear_ticks(const struct scale *s, bool bytes, struct axis_tick *out, size_t max)
{
	double range = s->high - s->low, least = range / (double)max;
	double step = nice_step(least, bytes);
	for (int tries = 0; floor(s->high / step + 1e-9) - ceil(s->low / step - 1e-9) + 1 > (double)max && tries < 8;
		tries++)
		step = nice_step(step * 1.5, bytes);
	double first = ceil(s->low / step - 1e-9);
	double largest = fmax(fabs(s->low), fabs(s->high));
	size_t n = 0;
	for (double k = first; n < max && k * step <= s->high + range * 1e-9; k++) {
		out[n].value = k * step;
		if (bytes)
			format_bytes_tick(out[n].text, sizeof out[n].text, out[n].value);
		else
			format_count_tick(out[n].text, sizeof out[n].text, out[n].value, step, largest);
		n++;
	}
	return n;
}

/* "256", "16k", "1/8", "1/4k": for powers of two, the prefixes are powers of 1024, as usual for counts of threads or
 * elements; a fraction is exact where 0.00391 is not. */
static void format_power_tick(char *out, size_t size, double value)
{
	static const char *const prefix[] = {"", "k", "M", "G", "T", "P"};
	int p = 0;
	double whole = value < 1 ? 1 / value : value;
	while (p < 5 && whole >= 1024) {
		whole /= 1024;
		p++;
	}
	snprintf(out, size, "%s%.0f%s", value < 1 ? "1/" : "", whole, prefix[p]);
}

static size_t make_log_ticks(const struct scale *s, bool bytes, struct axis_tick *out, size_t max)
{
	int first = (int)ceil(log2(s->low) - 1e-9), last = (int)floor(log2(s->high) + 1e-9);
	int every = 1;
	while ((last - first) / every + 1 > (int)max)
		every++;
	size_t n = 0;
	for (int k = first; k <= last && n < max; k += every, n++) {
		out[n].value = exp2(k);
		if (bytes && k >= 0)
			format_bytes_tick(out[n].text, sizeof out[n].text, out[n].value);
		else
			format_power_tick(out[n].text, sizeof out[n].text, out[n].value);
	}
	return n;
}

size_t scale_make_ticks(const struct scale *s, const char *unit, struct axis_tick *out, size_t max)
{
	bool bytes = unit && !strcmp(unit, "B");
	if (!max || !(s->high > s->low) || !isfinite(s->low) || !isfinite(s->high))
		return 0;
	if (s->log2 && s->high >= 2 * s->low)
		return make_log_ticks(s, bytes, out, max);
	return make_linear_ticks(s, bytes && s->high - s->low >= 1, out, max);
}

size_t chart_make_x_ticks(const struct chart *c, struct axis_tick *out, size_t max)
{
	size_t n = 0;
	if (!c->x_name_count)
		return scale_make_ticks(&c->x, c->x_unit, out, max);
	for (size_t i = 0; i < c->x_name_count && n < max; i++) {
		if ((double)i < c->x.low || (double)i > c->x.high)
			continue;
		out[n].value = (double)i;
		snprintf(out[n++].text, sizeof out->text, "%.31s", c->x_names[i]);
	}
	return n;
}

int chart_count_label_rows(const struct axis_tick *ticks, size_t count, double width, double character)
{
	for (size_t i = 0; i < count; i++)
		if ((text_width(ticks[i].text) + 1) * character > width / (double)count)
			return 2;
	return 1;
}

/* --- fitting --- */

struct range {
	double low, high;
	bool any;
};

static void include_value(struct range *r, double v)
{
	if (!isfinite(v) || fabs(v) > 1e300)
		return;
	r->low = r->any ? fmin(r->low, v) : v;
	r->high = r->any ? fmax(r->high, v) : v;
	r->any = true;
}

static struct range x_range(const struct chart *c)
{
	struct range r = {0};
	for (size_t i = 0; i < c->series_count; i++)
		for (size_t k = 0; k < c->series[i].count; k++)
			include_value(&r, c->series[i].points[k].x);
	return r;
}

static void include_series(struct range *r, const struct series *s)
{
	for (size_t k = 0; k < s->count; k++) {
		const struct chart_point *p = &s->points[k];
		if (!p->valid)
			continue;
		include_value(r, p->y);
		if (p->low < p->high) {
			include_value(r, p->low);
			include_value(r, p->high);
		}
	}
}

static struct range y_range(const struct chart *c, enum axis axis)
{
	struct range r = {0};
	for (size_t i = 0; i < c->series_count; i++) {
		struct range line = {0};
		if (c->series[i].axis != axis)
			continue;
		include_series(c->series[i].style == STYLE_LINE ? &line : &r, &c->series[i]);
		if (line.any)
			include_value(&r, line.low);
	}
	return r;
}

/* The ends are those of the sweep, which the user chose. */
static struct scale fit_x_scale(struct range r, bool log)
{
	if (!r.any)
		return (struct scale){0, 1, false};
	log = log && r.low > 0;
	if (r.high > r.low && (r.high - r.low) > 1e-12 * fabs(r.high))
		return (struct scale){r.low, r.high, log};
	if (log)
		return (struct scale){r.low / 2, r.low * 2, true};
	double half = r.low ? fabs(r.low) / 2 : 1;
	return (struct scale){r.low - half, r.low + half, false};
}

/* From 0 to the next round number; a logarithmic scale runs between powers of two. */
static struct scale fit_y_scale(struct range r, bool log)
{
	if (!r.any)
		return (struct scale){0, 1, false};
	if (log && r.low > 0) {
		double low = exp2(floor(log2(r.low))), high = exp2(ceil(log2(r.high)));
		return (struct scale){low, high > low ? high : 2 * low, true};
	}
	double low = fmin(r.low, 0), high = fmax(r.high, 0);
	if (high - low < DBL_MIN * 1e10)
		return (struct scale){low, low + 1, false};
	double step = nice_step((high - low) / 5, false);
	return (struct scale){floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, false};
}

bool values_double(const double *values, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (!(values[i - 1] > 0) || values[i] != 2 * values[i - 1])
			return false;
	return count > 2;
}

double axis_end_for(double value)
{
	return fit_y_scale((struct range){0, 1.2 * value, true}, false).high;
}

void chart_fit_scales(struct chart *c, bool x_log, bool y_log)
{
	struct range x = x_range(c);
	c->x = fit_x_scale(x, x_log && !c->x_name_count);
	if (c->x_name_count && x.any)
		c->x = (struct scale){x.low - 0.5, x.high + 0.5, false};
	for (int a = 0; a < AXIS_COUNT; a++) {
		c->has_axis[a] = false;
		for (size_t i = 0; i < c->series_count; i++)
			if ((int)c->series[i].axis == a)
				c->has_axis[a] = true;
		c->y[a] = fit_y_scale(y_range(c, (enum axis)a), y_log);
	}
}

/* --- a window --- */

/* Includes the value of a line segment where it crosses the edge of the window. */
static void include_edge(
	struct range *r, const struct chart_point *a, const struct chart_point *b, double x, const struct scale *s)
{
	double at0 = scale_to_fraction(s, a->x), at1 = scale_to_fraction(s, b->x), at = scale_to_fraction(s, x);
	if (a->valid && b->valid && at1 > at0 && at > at0 && at < at1)
		include_value(r, a->y + (b->y - a->y) * (at - at0) / (at1 - at0));
}

static struct range window_range(const struct chart *c, enum axis axis)
{
	struct range r = {0};
	for (size_t i = 0; i < c->series_count; i++) {
		const struct series *s = &c->series[i];
		struct range line = {0}, *to = s->style == STYLE_LINE ? &line : &r;
		for (size_t k = 0; s->axis == axis && k < s->count; k++) {
			const struct chart_point *p = &s->points[k];
			if (p->valid && p->x >= c->x.low && p->x <= c->x.high) {
				include_value(to, p->y);
				include_value(to, p->low < p->high ? p->low : p->y);
				include_value(to, p->low < p->high ? p->high : p->y);
			}
			if (k + 1 < s->count) {
				include_edge(to, p, p + 1, c->x.low, &c->x);
				include_edge(to, p, p + 1, c->x.high, &c->x);
			}
		}
		if (line.any)
			include_value(&r, line.low);
	}
	return r;
}

void chart_set_x_window(struct chart *c, double low, double high)
{
	low = fmax(low, c->x.low);
	high = fmin(high, c->x.high);
	if (!(high > low) || (low == c->x.low && high == c->x.high))
		return;
	c->x = (struct scale){low, high, c->x.log2};
	for (int a = 0; a < AXIS_COUNT; a++)
		c->y[a] = fit_y_scale(window_range(c, (enum axis)a), c->y[a].log2);
}

void chart_fit_around(struct chart *c, enum axis axis, double base, double least)
{
	struct range r = window_range(c, axis);
	include_value(&r, base);
	double lacks = least - (r.high - r.low);
	if (lacks > 0) {
		r.low -= lacks / 2;
		r.high += lacks / 2;
	}
	if (!(r.high > r.low))
		r.high = r.low + 1;
	if (c->y[axis].log2 && r.low > 0 && r.high >= 2 * r.low) {
		c->y[axis] = fit_y_scale(r, true);
		return;
	}
	double step = nice_step((r.high - r.low) / 5, false);
	c->y[axis] = (struct scale){floor(r.low / step + 1e-9) * step, ceil(r.high / step - 1e-9) * step, false};
}
