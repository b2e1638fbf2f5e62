/* The plot's frame: title, legend, what is on the axes. */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "plot/chart_columns.h"
#include "plot/series_mark.h"
#include "tui/lab/lab.h"
#include "tui/lab/plot/pin_comparison.h"
#include "tui/shell/plot/plot_pane.h"
#include "tui/toolkit/chart_area.h"
#include "tui/toolkit/curve_legend.h"

enum names { NAMES, NAMES_AND_UNITS, UNITS };

/* How much the legend shows of each pinned and published curve. */
enum brevity { WORDS, FEW_LETTERS, MARKS };

static void add_current_items(const struct app *a, const struct plot_model *m, enum names what, struct curve_legend *l)
{
	char text[160];
	for (size_t i = 0; i < m->chart.series_count; i++) {
		const struct series *s = &m->series[i];
		const char *unit = unit_display(s->unit, a->ascii);
		if (s->role != SERIES_CURRENT || series_is_area(s) || s->style == STYLE_TOP)
			continue;
		snprintf(text, sizeof text, "%s%s%s", what == UNITS && *unit ? "" : s->label,
			what == NAMES_AND_UNITS && *unit ? ", " : "", what == NAMES ? "" : unit);
		curve_legend_add(l,
			s->style == STYLE_LINE ? glyph_text(a->ascii, GLYPH_H) : series_key_text(s, a->ascii),
			chart_series_role(s), text);
	}
}

/* Pinned curves that have no line of their own in the plot (plot_pins.c). */
static void add_pin_items(const struct app *a, const struct lab *b, const struct plot_model *m, enum brevity brief,
	struct curve_legend *l)
{
	char label[64], few[64];
	static const int columns[] = {[WORDS] = 64, [FEW_LETTERS] = 8, [MARKS] = 0};
	for (int i = 0; i < b->pin_count && m->chart.series_count; i++) {
		if (!pin_is_shown(b, i))
			continue;
		lab_format_pin_label(b, i, label, sizeof label);
		text_shorten(label, columns[brief], a->ascii, few, sizeof few);
		curve_legend_add(l, mark_text((char)('1' + i), a->ascii), pinned_curve_role(i), few);
	}
}

static void make_legend(const struct app *a, const struct lab *b, const struct plot_model *m, enum names what,
	enum brevity brief, bool with_pins, struct curve_legend *l)
{
	static const char *const previous[] = {"previous", "", ""}, *const published[] = {"published", "publ.", ""};
	l->count = 0;
	add_current_items(a, m, what, l);
	for (size_t i = 0; i < m->chart.series_count; i++)
		if (m->series[i].role == SERIES_PREVIOUS) {
			curve_legend_add(l, ".", ROLE_PREVIOUS, previous[brief]);
			break;
		}
	if (with_pins)
		add_pin_items(a, b, m, brief, l);
	for (size_t i = 0; i < m->chart.series_count; i++)
		if (m->series[i].role == SERIES_PUBLISHED) {
			curve_legend_add(l, mark_text(m->series[i].mark, a->ascii), ROLE_PUBLISHED, published[brief]);
			break;
		}
}

static const char *axis_unit(const struct plot_model *m, enum axis axis)
{
	for (size_t i = 0; i < m->chart.series_count; i++)
		if (m->series[i].axis == axis && m->series[i].role == SERIES_CURRENT)
			return m->series[i].unit;
	return "";
}

/* What the plot shows, if not simply the curves. */
static void format_plot_note(const struct plot_drawing *d, char *out, size_t size)
{
	const struct lab *b = d->b;
	const struct plot_model *m = d->m;
	if (m->pin_view != PINS_AS_CURVES && m->chart.series_count > 1)
		snprintf(out, size, "%s%s", m->series[1].label,
			m->pin_view == PINS_AS_DIFFERENCE ? ": pinned - current" : "");
	else if (m->shares)
		snprintf(out, size, "each point's cycles, by stall reason");
	else if (m->bands)
		snprintf(out, size, "%s, by stall reason%s",
			m->cycles ? "cycles of the launch" : b->x->metrics[plot_main_metric(b->x)].id,
			pin_count_shown(b) ? "; lines: pinned" : "");
	else if (plot_pin_rows(b, d->in.r.h))
		snprintf(out, size, "pinned: value and difference from current");
}

void plot_draw_headings(const struct plot_drawing *d)
{
	const struct lab *b = d->b;
	const struct area in = d->in;
	const char *left = unit_display(axis_unit(d->m, AXIS_LEFT), d->a->ascii),
		   *right = unit_display(axis_unit(d->m, AXIS_RIGHT), d->a->ascii);
	char note[80] = "";
	area_draw_text(in, 0, 0, ROLE_LEFT, left);
	area_draw_right(in, in.r.w, 0, ROLE_RIGHT, right);
	format_plot_note(d, note, sizeof note);
	if (b->curve.count && b->curve.ended < b->curve.count)
		snprintf(note, sizeof note, "%d of %d points", b->curve.ended, b->curve.count);
	int room = in.r.w - text_width(left) - text_width(right) - 2;
	if (text_width(note) <= room)
		area_draw_text(in, text_width(left) + 1 + (room - text_width(note)) / 2, 0, ROLE_DIM, note);
}

#define PART " zoomed in; 0 shows the whole x axis "

bool plot_has_frame(struct area at)
{
	return at.r.w >= 20 && at.r.h >= 6;
}

/* The longest legend that fits into the frame. */
static void fit_legend(const struct app *a, const struct lab *b, const struct plot_model *m, int w, bool heads,
	bool with_pins, struct curve_legend *l)
{
	for (int brief = WORDS; brief <= MARKS; brief++) {
		make_legend(a, b, m,
			heads                    ? NAMES
				: brief == WORDS ? NAMES_AND_UNITS
						 : UNITS,
			(enum brevity)brief, with_pins, l);
		if (curve_legend_width(l) + 6 <= w)
			return;
	}
	l->count = 0;
}

struct area plot_draw_frame(const struct plot_drawing *d, struct area at, bool focused)
{
	const struct lab *b = d->b;
	const struct plot_model *m = d->m;
	char text[160], title[200];
	struct curve_legend l;
	if (!plot_has_frame(at))
		return at;
	bool heads = at.r.h - 2 >= HEADED_ROWS; /* then the units are above the axes */
	fit_legend(d->a, b, m, at.r.w, heads, plot_pin_rows(b, at.r.h - 2) == 0, &l);
	const char *edited = b->original && b->x != b->original ? ", edited" : "";
	int room = at.r.w - curve_legend_width(&l) - 8;
	snprintf(title, sizeof title, "%s%s", b->x->title, edited);
	if (text_width(title) > room) /* the legend is more useful than the title: shorten the title to the id */
		snprintf(title, sizeof title, "%s%s", b->x->id, edited);
	if (text_width(title) > room)
		title[0] = 0;
	area_draw_frame(at, focused, title, NULL);
	curve_legend_draw(&l, at, at.r.w - 2);
	/* What is on the x axis. Bytes have their unit at the ticks, and a unit equal to the name is not repeated. */
	const char *unit =
		strcmp(m->chart.x_unit, "B") && strcmp(m->chart.x_unit, m->chart.x_label) ? m->chart.x_unit : "";
	snprintf(text, sizeof text, " x: %s%s%s ", m->chart.x_label, *unit ? ", " : "", unit);
	int w = text_width(text);
	if (*m->chart.x_label && w + 4 < at.r.w)
		area_draw_right(at, at.r.w - 2, at.r.h - 1, ROLE_DIM, text);
	if (b->window_high > b->window_low && w + text_width(PART) + 6 < at.r.w)
		area_draw_text(at, 2, at.r.h - 1, ROLE_DIM, PART);
	return area_inner(at);
}
