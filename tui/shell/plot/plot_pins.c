/* The pinned curves as lines above the plot: their values at the cursor, and how much they differ from the current
 * curve. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/units.h"
#include "plot/series_mark.h"
#include "tui/lab/plot/curve_digest.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/pin_comparison.h"
#include "tui/shell/plot/plot_pane.h"
#include "tui/toolkit/chart_area.h"

enum { ROWS_BESIDE_PINS = 10 /* for units, axis and a plot that still shows its curves */ };

/* How much a line says; the longest form that leaves each label some room is used. */
enum pin_words { PIN_NAMES, PIN_VALUES, PIN_FIRST_VALUE, PIN_FORMS };
enum { LABEL_COLUMNS_LEAST = 16 };

int plot_pin_rows(const struct lab *b, int height)
{
	int n = pin_count_shown(b), room = height - ROWS_BESIDE_PINS;
	return !b->curve.count || room < 1 ? 0 : n < room ? n : room;
}

static void append_percent(struct buf *out, double ratio, bool ascii)
{
	double percent = 100 * (ratio - 1);
	if (ratio >= 10)
		buf_printf(out, " %s%.0f", ascii ? "x" : "\u00d7", ratio);
	else
		buf_printf(out, " %+.*f %%", fabs(percent) < 9.95, percent);
}

/* " -2.3 %", " x0.98" or " -1.4": the pinned value against the current one. */
static void append_pin_change(
	struct buf *out, const struct plot_drawing *d, struct reading pinned, struct reading current)
{
	char text[64];
	struct reading ratio = pin_ratio(pinned, current), difference = pin_difference(pinned, current);
	switch (d->m->pin_view) {
	case PINS_AS_RATIO:
		if (ratio.valid)
			buf_printf(out, " %s%.*f", d->a->ascii ? "x" : "\u00d7", ratio.value < 10 ? 2 : 0, ratio.value);
		break;
	case PINS_AS_DIFFERENCE:
		if (difference.valid)
			buf_printf(out, " %s%s", difference.value > 0 ? "+" : "",
				reading_format(difference, "", text, sizeof text));
		break;
	default:
		if (ratio.valid)
			append_percent(out, ratio.value, d->a->ascii);
	}
}

static void append_pin_values(
	struct buf *out, const struct plot_drawing *d, const struct point *pinned, enum pin_words words, bool changes)
{
	const struct experiment *x = d->b->x;
	const struct point *current = lab_cursor_point(d->b);
	char value[64];
	for (int k = 0, shown = 0; k < x->metric_count; k++) {
		if (x->metrics[k].axis < 0 || x->metrics[k].line || (shown++ && words == PIN_FIRST_VALUE))
			continue;
		buf_printf(out, "  %s%s%s", words == PIN_NAMES ? x->metrics[k].id : "", words == PIN_NAMES ? " " : "",
			reading_format(pinned->metrics[k], unit_display(x->metrics[k].unit, d->a->ascii), value,
				sizeof value));
		if (changes && current->status == POINT_OK)
			append_pin_change(out, d, pinned->metrics[k], current->metrics[k]);
	}
}

/* Where the stacks show the cycles of the launch, the values do not say where the pinned curve's level is. */
static void append_pin_cycles(struct buf *out, const struct plot_drawing *d, const struct point *pinned)
{
	double cycles[STALL_REASON_COUNT], all;
	char value[64];
	if (!d->m->cycles)
		return;
	if (breakdown_from_record(pinned->record, cycles, &all))
		buf_printf(out, "  %s", units_format(value, sizeof value, all, "cycles", 4));
	else
		buf_puts(out, "  pinned without profile");
}

static int count_measured_points(const struct measured_curve *c)
{
	return curve_count_points(c).ok;
}

/* What holds for the whole curve; "" if it differs. */
static const char *describe_pin_agreement(struct pin_agreement a, int points, char *out, size_t size)
{
	if (!a.shared || a.equal + a.near < a.shared)
		return "";
	const char *what = a.equal == a.shared ? "identical" : "equal within the noise";
	if (a.shared == points)
		return what;
	snprintf(out, size, "%s at %d of %d points", what, a.shared, points);
	return out;
}

/* What the line of a pinned curve says after its label. */
static char *format_pin_values(const struct plot_drawing *d, int pin, enum pin_words words)
{
	struct buf out = {0};
	char text[64];
	const struct point *p = pin_find_point(d->b, pin, d->b->cursor);
	struct pin_agreement agreement = pin_compare_curve(d->b, pin);
	const char *same = describe_pin_agreement(agreement, count_measured_points(&d->b->curve), text, sizeof text);
	buf_puts(&out, "");
	if (!p)
		buf_puts(&out, "  no point here");
	else if (p->status != POINT_OK)
		buf_puts(&out, "  not measured here");
	else
		append_pin_values(&out, d, p, words, agreement.equal < agreement.shared);
	if (p && p->status == POINT_OK)
		append_pin_cycles(&out, d, p);
	if (*same)
		buf_printf(&out, "  %s", same);
	return out.data;
}

/* The columns that all labels get in that form; less than they need if the lines are too long for that. */
static int pin_label_columns(const struct plot_drawing *d, enum pin_words words, int *needed)
{
	int room = d->in.r.w;
	char label[64];
	*needed = 0;
	for (int i = 0; i < d->b->pin_count; i++) {
		if (!pin_is_shown(d->b, i))
			continue;
		char *values = format_pin_values(d, i, words);
		int w = text_width(lab_format_pin_label(d->b, i, label, sizeof label)),
		    left = d->in.r.w - 3 - text_width(values);
		*needed = w > *needed ? w : *needed;
		room = left < room ? left : room;
		free(values);
	}
	return room < *needed ? room : *needed;
}

static enum pin_words choose_pin_words(const struct plot_drawing *d, int *label_columns)
{
	int words = PIN_NAMES, needed;
	*label_columns = pin_label_columns(d, PIN_NAMES, &needed);
	while (words + 1 < PIN_FORMS && *label_columns < needed && *label_columns < LABEL_COLUMNS_LEAST)
		*label_columns = pin_label_columns(d, (enum pin_words)++ words, &needed);
	return (enum pin_words)words;
}

static void draw_pin_line(const struct plot_drawing *d, int pin, int row, enum pin_words words, int label_columns)
{
	char label[64], *values = format_pin_values(d, pin, words);
	int after = 3 + (label_columns > 0 ? label_columns : 0);
	area_draw_text(d->in, 1, row, pinned_curve_role(pin), mark_text((char)('1' + pin), d->a->ascii));
	area_draw_fitted(d->in, 3, row, label_columns, ROLE_TEXT, lab_format_pin_label(d->b, pin, label, sizeof label));
	area_draw_fitted(d->in, after, row, d->in.r.w - after, ROLE_TEXT, values);
	free(values);
}

void plot_draw_pins(const struct plot_drawing *d, int row, int rows)
{
	int left = pin_count_shown(d->b), end = row + rows, label_columns;
	if (!rows)
		return;
	enum pin_words words = choose_pin_words(d, &label_columns);
	for (int i = 0; i < d->b->pin_count && row < end; i++) {
		if (!pin_is_shown(d->b, i))
			continue;
		if (row + 1 == end && left > 1) {
			area_printf(d->in, 1, row++, ROLE_DIM, "and %d more pinned curves", left);
			continue;
		}
		draw_pin_line(d, i, row++, words, label_columns);
		left--;
	}
}
