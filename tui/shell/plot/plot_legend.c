/* The plot's texts: title and legend, units of the axes, cycle breakdown at the cursor, knees and rulers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "plot/band_pattern.h"
#include "plot/series_mark.h"
#include "tui/lab/lab.h"
#include "tui/shell/plot/plot_pane.h"

enum names { NAMES, NAMES_AND_UNITS, UNITS };

/* How much the legend shows of each pinned and published curve. */
enum brevity { WORDS, FEW_LETTERS, MARKS };

/* "1 size 64 MiB, published  2 MI210"; shorter forms when space is short. */
static void legend_pins(const struct lab *b, const struct plot_model *m, enum brevity brief, struct buf *text)
{
	static const int letters[] = {[WORDS] = 64, [FEW_LETTERS] = 8, [MARKS] = 0};
	char label[64];
	int axis = b->curve.count ? b->curve.axis : b->axis;
	for (int i = 0; i < b->pin_count; i++)
		if (b->pins[i].curve.axis == axis && m->chart.series_count) {
			lab_format_pin_label(b, i, label, sizeof label);
			buf_printf(text, "%s%d%s%.*s", brief == MARKS ? " " : "  ", i + 1, brief == MARKS ? "" : " ",
				brief == MARKS ? 0 : (int)text_fit_bytes(label, letters[brief]), label);
		}
}

static void format_legend(const struct app *a, const struct lab *b, const struct plot_model *m, enum names what,
	enum brevity brief, char *out, size_t size)
{
	static const char *const last[] = {"  . previous", "  .", ""},
				 *const published_words[] = {" published", " publ.", ""};
	struct buf text = {0};
	bool ghost = false;
	const char *published = NULL;
	for (size_t i = 0; i < m->chart.series_count; i++) {
		const struct series *s = &m->series[i];
		ghost |= s->role == SERIES_PREVIOUS;
		published = !published && s->role == SERIES_PUBLISHED ? mark_text(s->mark, a->ascii) : published;
		if (s->role == SERIES_CURRENT && !series_is_area(s))
			buf_printf(&text, "%s%s %s%s%s", text.len ? "  " : "", mark_text(s->mark, a->ascii),
				what == UNITS && *s->unit ? "" : s->label,
				what == NAMES_AND_UNITS && *s->unit ? ", " : "", what == NAMES ? "" : s->unit);
	}
	if (ghost)
		buf_puts(&text, last[brief]);
	legend_pins(b, m, brief, &text);
	if (published)
		buf_printf(&text, "%s%s%s", brief == MARKS ? " " : "  ", published, published_words[brief]);
	snprintf(out, size, "%s", text.data ? text.data : "");
	buf_free(&text);
}

static const char *axis_unit(const struct plot_model *m, enum axis axis)
{
	for (size_t i = 0; i < m->chart.series_count; i++)
		if (m->series[i].axis == axis && m->series[i].role == SERIES_CURRENT)
			return m->series[i].unit;
	return "";
}

void plot_draw_headings(const struct plot_drawing *d)
{
	const struct lab *b = d->b;
	const struct area in = d->in;
	const char *left = axis_unit(d->m, AXIS_LEFT), *right = axis_unit(d->m, AXIS_RIGHT);
	char note[80] = "";
	area_draw_text(in, 0, 0, ROLE_LEFT, left);
	area_draw_right(in, in.r.w, 0, ROLE_RIGHT, right);
	if (d->m->bands)
		snprintf(note, sizeof note,
			d->m->shares           ? "each point's cycles, by stall reason"
				: d->m->cycles ? "cycles of the launch, by stall reason"
					       : "%s, by stall reason",
			d->m->shares || d->m->cycles ? "" : b->x->metrics[plot_main_metric(b->x)].id);
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

struct area plot_draw_frame(
	const struct app *a, const struct lab *b, const struct plot_model *m, struct area at, bool focused)
{
	char text[160], title[200];
	if (!plot_has_frame(at))
		return at;
	bool heads = at.r.h - 2 >= HEADED_ROWS; /* then the units are above the axes */
	for (int brief = WORDS; brief <= MARKS; brief++) {
		format_legend(a, b, m,
			heads                    ? NAMES
				: brief == WORDS ? NAMES_AND_UNITS
						 : UNITS,
			(enum brevity)brief, text, sizeof text);
		if (text_width(text) + 6 <= at.r.w)
			break;
	}
	const char *edited = b->original && b->x != b->original ? ", edited" : "";
	snprintf(title, sizeof title, "%s%s", b->x->title, edited);
	if (text_width(title) + text_width(text) + 8 >
		at.r.w) /* the legend is more useful than the title: shorten the title to the id */
		snprintf(title, sizeof title, "%s%s", b->x->id, edited);
	if (text_width(title) + text_width(text) + 8 > at.r.w)
		title[0] = 0;
	area_draw_frame(at, focused, title, text);
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

/* --- cycle breakdown --- */
struct cause_share {
	int cause;
	double share;
};

/* The shown stall reasons of the point at the cursor, the largest first. */
static int shares_here(const struct plot_drawing *d, struct cause_share *out)
{
	const struct point *p = lab_cursor_point(d->b);
	double cycles[STALL_REASON_COUNT], all, rest = 1;
	int n = 0;
	if (!p || p->status != POINT_OK || !breakdown_from_record(p->record, cycles, &all))
		return 0;
	for (int i = 0; i < d->m->bands; i++) {
		int cause = d->m->causes[i], at = n++;
		double share = cause == STALL_OTHER ? rest : cycles[cause] / all;
		rest -= share;
		for (; at > 0 && out[at - 1].share < share; at--)
			out[at] = out[at - 1];
		out[at] = (struct cause_share){cause, share};
	}
	while (n && out[n - 1].share < 0.0005)
		n--;
	return n;
}

int stall_family_role(int cause)
{
	return ROLE_STALL_ISSUE + (int)stall_reason_info(cause)->family;
}

void plot_draw_breakdown(const struct plot_drawing *d, int row, int rows)
{
	struct cause_share list[STALL_REASON_COUNT];
	int n = shares_here(d, list), x = 1;
	char text[64];
	for (int i = 0; i < n && rows; i++) {
		const struct stall_reason_info *cause = stall_reason_info(list[i].cause);
		snprintf(text, sizeof text, "%s %.*f %%", cause->label, list[i].share < 0.0995, 100 * list[i].share);
		if (x > 1 && x + 2 + text_width(text) > d->in.r.w) {
			x = 1;
			row++;
			if (!--rows)
				return;
		}
		x += area_draw_text(d->in, x, row, stall_family_role(list[i].cause),
			     band_pattern_text(cause->letter, d->a->ascii)) +
			1;
		x += area_draw_text(d->in, x, row, ROLE_TEXT, text) + 2;
	}
	if (!n)
		area_draw_text(d->in, 1, row, ROLE_DIM, "no profile for the point at the cursor");
}

/* --- labels --- */
static bool is_breakdown_role(int role)
{
	return role >= ROLE_STALL_ISSUE && role < ROLE_STALL_ISSUE + STALL_FAMILY_COUNT;
}

/* Only over blanks and rulers (with `over_areas` also over areas), with a blank on either side; inside the canvas. */
static bool put_label(const struct plot_drawing *d, int x, int y, bool over_areas, int role, const char *text)
{
	const struct area at = d->canvas;
	int w = text_width(text);
	if (y < 0 || y >= at.r.h || x < 0 || x + w > at.r.w)
		return false;
	for (int i = x > 0 ? x - 1 : 0; i <= x + w && i < at.r.w; i++) {
		const struct cell *c = &at.g->cells[(at.r.y + y) * at.g->w + at.r.x + i];
		if (c->utf8[0] != ' ' && c->role != ROLE_RULER && !(over_areas && is_breakdown_role(c->role)))
			return false;
	}
	area_draw_text(at, x, y, role, text);
	return true;
}

static void knee_labels(const struct plot_drawing *d)
{
	static const struct {
		int side, dx, dy;
	} places[] = {{0, 2, 1}, {0, 2, 0}, {-1, -1, -1}, {-1, 0, -2}, {0, 2, 2}, {0, 2, -1}};
	const struct scale *s = &d->m->chart.y[AXIS_LEFT];
	for (int i = 0; i < d->m->knee_count; i++) {
		const char *text = d->m->knee_texts[i];
		int x = chart_find_column(&d->m->chart.x, measured_curve_x(&d->b->curve, d->m->knees[i].last),
			d->canvas.r.w, app_canvas_kind(d->a));
		int y = (int)lround((1 - scale_to_fraction(s, d->m->knees[i].from)) * (d->canvas.r.h - 1));
		for (size_t k = 0; x >= 0 && k < sizeof places / sizeof *places; k++)
			if (put_label(d, x + places[k].dx + places[k].side * text_width(text), y + places[k].dy, false,
				    ROLE_KNEE, text))
				break;
	}
}

/* Right of its line; left of it where the next ruler is too close. */
static void ruler_names(const struct plot_drawing *d)
{
	for (size_t i = 0; i < d->m->chart.ruler_count; i++) {
		const struct chart_ruler *r = &d->m->chart.rulers[i];
		int x = chart_find_column(&d->m->chart.x, r->x, d->canvas.r.w, app_canvas_kind(d->a)),
		    w = text_width(r->label);
		for (int y = 0; x >= 0 && y < 6; y++) /* first over blanks, then over the areas */
			if (put_label(d, x + 1, y % 3, y >= 3, ROLE_RULER_NAME, r->label) ||
				put_label(d, x - w, y % 3, y >= 3, ROLE_RULER_NAME, r->label))
				break;
	}
}

void plot_draw_labels(const struct plot_drawing *d)
{
	ruler_names(d);
	knee_labels(d);
}
