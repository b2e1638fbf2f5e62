/* The parameters as steppers and sliders; below them facts about the curve. Marks the x axis and values reduced
 * for the software GPU. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vendor/vendor_words.h"
#include "gpu/protocol/header_record.h"
#include "gpu/protocol/point_record.h"
#include "experiments/definition/default_values.h"
#include "tui/lab/plot/curve_digest.h"
#include "tui/lab/lab.h"
#include "tui/shell/screen_draw.h"
#include "tui/views/workbench/workbench.h"

enum { VALUE_WIDTH = 9, SLIDER_LEAST = 5, FACTS_LEAST = 3, WIDE_FACTS = 40 };

/* Columns for the marks ('>' selected, 'x' on the x axis) and for the name, by the available width. */
struct name_columns {
	int marks, name;
};
static struct name_columns name_columns(int width)
{
	return width >= 40    ? (struct name_columns){3, 14}
		: width >= 34 ? (struct name_columns){3, 10}
			      : (struct name_columns){3, 9};
}

static bool value_is_reduced(const struct lab *b, int i)
{
	return param_is_reduced_to(&b->x->params[i], b->arch, b->values[i]);
}

/* 0..1 of the way from minimum to maximum, in the parameter's steps. */
static double slider_fraction(const struct param *p, double v)
{
	struct scale s = {p->low, p->high, p->kind == PARAM_STEP_MULTIPLY && p->low > 0};
	return p->high > p->low ? fmin(1, fmax(0, scale_to_fraction(&s, v))) : 0;
}

static void draw_slider(const struct lab *b, int i, struct area row, int x, int w, bool ascii, int role)
{
	const struct param *p = &b->x->params[i];
	if (w < SLIDER_LEAST)
		return;
	int from = (int)lround(slider_fraction(p, b->values[i]) * (w - 3)), to = from;
	if (i == b->axis) {
		double low, high;
		lab_get_range_ends(b, &low, &high);
		from = (int)lround(slider_fraction(p, low) * (w - 3));
		to = (int)lround(slider_fraction(p, high) * (w - 3));
	}
	area_draw_glyph(row, x, 0, role, glyph_text(ascii, GLYPH_RAIL_LEFT));
	area_draw_glyph(row, x + w - 1, 0, role, glyph_text(ascii, GLYPH_RAIL_RIGHT));
	for (int k = 0; k < w - 2; k++)
		area_draw_glyph(row, x + 1 + k, 0, role,
			glyph_text(ascii,
				k < from || k > to     ? GLYPH_RAIL
					: i == b->axis ? GLYPH_RANGE
						       : GLYPH_KNOB));
}

static void draw_choice(const struct lab *b, int i, struct area row, int x, bool ascii, int role)
{
	char text[64];
	snprintf(text, sizeof text, "%s%s%s", glyph_text(ascii, GLYPH_LESS), b->x->params[i].choices[(int)b->values[i]],
		glyph_text(ascii, GLYPH_MORE));
	area_draw_fitted(row, x, 0, row.r.w - x, role, text);
}

/* A click selects; on the slider it sets the value. The wheel over value or slider steps the value. */
static void add_mouse_regions(const struct lab *b, int i, struct area row, int value, int rail, int rail_width)
{
	struct mouse_region choose = {.click = "param-down"},
			    turn = {.click = "param-down", .up = "param-more", .down = "param-less"}, set = turn;
	set.click = "param-at";
	set.part = true;
	snprintf(choose.argument, sizeof choose.argument, "%s", b->x->params[i].id);
	strcpy(turn.argument, choose.argument);
	strcpy(set.argument, choose.argument);
	area_add_hit(row, 0, 0, row.r.w, 1, choose);
	area_add_hit(row, value, 0, row.r.w - value, 1, turn);
	if (rail_width >= SLIDER_LEAST)
		area_add_hit(row, rail + 1, 0, rail_width - 2, 1, set);
}

static int mark_width(const struct lab *b, int i)
{
	return value_is_reduced(b, i) && i != b->axis;
}

/* The columns of the values, the same in all rows, so that the sliders begin below each other. A value that leaves no
 * room for a slider does not count. */
static int value_columns(const struct lab *b, int room)
{
	int wide = VALUE_WIDTH;
	char value[96];
	for (int i = 0; i < b->x->param_count; i++) {
		if (b->x->params[i].kind == PARAM_STEP_CHOICE && i != b->axis)
			continue;
		int mark = mark_width(b, i),
		    w = mark + text_width(lab_format_value(b, i, room - mark, value, sizeof value));
		if (w > wide && room - w - 1 >= SLIDER_LEAST)
			wide = w;
	}
	return wide;
}

/* False when the slider had no room. */
static bool draw_param_row(const struct app *a, const struct lab *b, int i, struct area row)
{
	bool selected = i == b->selected, swept = i == b->axis;
	int role = selected && workbench_focused_pane(a) == FOCUS_PARAMS ? ROLE_SELECTED
		: selected                                               ? ROLE_TITLE
									 : ROLE_TEXT;
	char value[96];
	struct name_columns c = name_columns(row.r.w);
	int at = c.marks + c.name;
	for (int x = 0; x < row.r.w; x++)
		area_draw_text(row, x, 0, role, " ");
	if (selected)
		area_draw_text(row, 0, 0, role, glyph_text(a->ascii, GLYPH_SELECT));
	if (swept)
		area_draw_text(row, 1, 0, selected ? role : ROLE_KEY, "x");
	area_draw_fitted(row, c.marks, 0, c.name, role, b->x->params[i].id);
	if (b->x->params[i].kind == PARAM_STEP_CHOICE && !swept) {
		draw_choice(b, i, row, at + 1, a->ascii, role);
		add_mouse_regions(b, i, row, at, 0, 0);
		return true;
	}
	/* A range may use the slider's columns. '~' marks a value reduced for the software GPU. */
	int room = row.r.w - at - 1, mark = mark_width(b, i), columns = value_columns(b, room);
	strcpy(value, mark ? "~" : "");
	lab_format_value(b, i, room - mark, value + mark, sizeof value - 1);
	int w = text_width(value), wide = w > columns ? w : columns, x = at + 1 + wide - w;
	area_draw_fitted(row, x, 0, room - (wide - w), role, value);
	if (mark)
		area_draw_text(row, x, 0, selected ? role : ROLE_WARN, "~");
	draw_slider(b, i, row, at + 2 + wide, room - wide - 1, a->ascii, selected ? role : ROLE_DIM);
	add_mouse_regions(b, i, row, at, at + 2 + wide, room - wide - 1);
	return room - wide - 1 >= SLIDER_LEAST;
}

/* --- facts --- */
struct facts {
	struct area in;
	int y;
};

static void add_fact(struct facts *f, int role, const char *text)
{
	if (f->y < f->in.r.h)
		area_draw_fitted(f->in, 1, f->y++, f->in.r.w - 1, role, text);
}

/* Wraps a text at blanks. */
static void add_wrapped_fact(struct facts *f, int role, const char *text)
{
	int width = f->in.r.w - 1;
	while (*text && width > 4 && f->y < f->in.r.h) {
		int n = (int)strlen(text);
		if (n > width && f->y + 1 == f->in.r.h) { /* the last row: ends with an ellipsis */
			add_fact(f, role, text);
			return;
		}
		if (n > width) {
			n = width;
			while (n > width / 2 && text[n] != ' ')
				n--;
		}
		char line[200];
		snprintf(line, sizeof line, "%.*s", n, text);
		add_fact(f, role, line);
		text += n;
		while (*text == ' ')
			text++;
	}
}

static void add_reduced_fact(struct facts *f, const struct lab *b, int i)
{
	const struct param *p = &b->x->params[i];
	char soft[48], published[48], text[160];
	double reduced = param_default_value(p, true, b->arch), full = param_default_value(p, false, b->arch);
	if (reduced == full)
		return;
	param_format(p, reduced, soft, sizeof soft);
	param_format(p, full, published, sizeof published);
	if (!value_is_reduced(b, i))
		snprintf(text, sizeof text, "published: %s, reduced: %s", published, soft);
	else if (f->in.r.w >= WIDE_FACTS)
		snprintf(text, sizeof text, "~ reduced for the software GPU: %s (published: %s)", soft, published);
	else
		snprintf(text, sizeof text, "~ reduced (published: %s)", published);
	add_wrapped_fact(f, value_is_reduced(b, i) ? ROLE_WARN : ROLE_DIM, text);
}

static void curve_facts(struct facts *f, const struct lab *b)
{
	const struct curve_tally t = curve_count_points(&b->curve);
	int unverified = experiment_has_times(b->x) ? t.unverified : 0;
	char text[120];
	if (!b->curve.count)
		return;
	bool verified = t.ok && experiment_has_times(b->x) && !unverified && !t.wrong;
	snprintf(text, sizeof text, "%d/%d points%s", t.ok, b->curve.count,
		unverified         ? ", not verified"
			: verified ? " verified"
				   : "");
	add_fact(f, unverified || t.wrong ? ROLE_DIM : ROLE_OK, text);
	const struct {
		int count;
		const char *what;
	} bad[] = {
		{t.failed, "failed"},
		{t.wrong, "with a wrong result"},
		{t.broken, "with unexpected instructions"},
		{t.moved, "with a changed clock"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (bad[i].count) {
			snprintf(text, sizeof text, "%d %s", bad[i].count, bad[i].what);
			add_fact(f, ROLE_WARN, text);
		}
}

/* The rule below the parameters serves as the slider when the selected row has no room for one. */
static void draw_rule(const struct app *a, const struct lab *b, struct area in, int y, bool slides)
{
	for (int x = 0; x < in.r.w; x++)
		area_draw_glyph(in, x, y, ROLE_FRAME, glyph_text(a->ascii, GLYPH_H));
	if (slides)
		draw_slider(b, b->selected, area_sub(in, 0, y, in.r.w, 1), 0, in.r.w, a->ascii, ROLE_FOCUS);
}

/* What Space will measure, in the lower edge of the frame. */
static void next_sweep(const struct app *a, const struct lab *b, struct area at)
{
	char text[120], edge[140];
	double seconds;
	lab_format_estimate(b, a->soft, &seconds, text, sizeof text);
	snprintf(edge, sizeof edge, " next %s ", text);
	if (*text && text_width(edge) + 4 > at.r.w)
		snprintf(edge, sizeof edge, " %s ", text);
	if (*text && text_width(edge) + 2 <= at.r.w)
		area_draw_text(at, 1, at.r.h - 1, ROLE_DIM, edge);
}

/* Registers, LDS and occupancy of the kernel at the cursor, and whether its hot loop has the expected
 * instructions. */
static void code_facts(struct facts *f, const struct app *a, const struct lab *b)
{
	const struct point *p = lab_cursor_point(b);
	const json_t *code = p ? point_get_code(p->record) : NULL;
	char text[120], lds[32];
	if (!code)
		return;
	struct reading bytes = record_get_reading(code, "lds_bytes");
	double waves = record_get_reading(code, "waves_per_simd").value;
	const char *arch = device_get_arch(a->workers ? worker_pool_device_record(a->workers) : NULL);
	char scalars[32] = "";
	if (!vendor_is_nvidia(arch))
		snprintf(scalars, sizeof scalars, ", %.0f SGPRs", record_get_reading(code, "sgprs").value);
	snprintf(text, sizeof text, "%.0f VGPRs%s%s%s, %.0f wave%s/SIMD", record_get_reading(code, "vgprs").value,
		scalars, bytes.valid && bytes.value > 0 ? ", LDS " : "",
		bytes.valid && bytes.value > 0 ? reading_format(bytes, "B", lds, sizeof lds) : "", waves,
		waves == 1 ? "" : "s");
	add_wrapped_fact(f, ROLE_TEXT, vendor_words_apply(arch, text, sizeof text));
	if (!strcmp(p->contract, "ok"))
		add_fact(f, ROLE_OK, "hot loop as expected");
}

static void draw_facts(const struct app *a, const struct lab *b, struct area in, int y, bool slides)
{
	struct facts f = {in, y};
	draw_rule(a, b, in, f.y++, slides);
	add_reduced_fact(&f, b, b->selected);
	curve_facts(&f, b);
	code_facts(&f, a, b);
	if (lab_cursor_point(b) && *lab_cursor_point(b)->verdict)
		add_wrapped_fact(&f, ROLE_CURSOR, lab_cursor_point(b)->verdict);
	if (b->selected < b->x->param_count)
		add_wrapped_fact(&f, ROLE_DIM, b->x->params[b->selected].help);
	if (f.y < in.r.h - 2) {
		add_fact(&f, ROLE_DIM, "");
		add_wrapped_fact(&f, ROLE_DIM, b->x->source);
	}
}

void workbench_draw_params(const struct app *a, struct area at)
{
	const struct lab *b = app_current_lab(a);
	struct area in = area_inner(at);
	area_draw_frame(
		at, workbench_focused_pane(a) == FOCUS_PARAMS, "Parameters", b && lab_is_scaled(b) ? "~ reduced" : "");
	if (!b)
		return;
	int count = b->x->param_count, facts = in.r.h - count - 1 >= FACTS_LEAST ? in.r.h - count : FACTS_LEAST + 1;
	if (in.r.h < 6)
		facts = 0;
	int rows = in.r.h - facts < count ? in.r.h - facts : count,
	    first = list_first_visible_row(b->selected, rows, count);
	bool slides = false;
	for (int i = 0; i < rows; i++)
		if (!draw_param_row(a, b, first + i, area_sub(in, 0, i, in.r.w, 1)))
			slides |= first + i == b->selected;
	if (!count)
		area_draw_text(in, 1, 0, ROLE_DIM, "no parameters");
	if (facts)
		draw_facts(a, b, in, rows > 1 || count ? rows : 1, slides);
	next_sweep(a, b, at);
}
