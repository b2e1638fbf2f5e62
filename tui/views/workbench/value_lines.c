/* The lines below the plot: the value at the cursor, the explanation of the point. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "sessions/compare/published_sources.h"
#include "tui/lab/lab.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/status_line.h"
#include "tui/views/workbench/workbench.h"
#include "tui/lab/explain_point.h"

/* --- value at the cursor --- */
static void append_metric(struct buf *out, bool ascii, const struct metric *m, const struct point *p, int k)
{
	char value[64], low[64], high[64];
	bool named = strcmp(m->id, metric_unit(m)) != 0; /* not "cycles 61 cycles" */
	buf_printf(out, "  %s%s%s", named ? m->id : "", named ? " " : "",
		reading_format(p->metrics[k], unit_display(metric_unit(m), ascii), value, sizeof value));
	reading_format(p->metrics_low[k], "", low, sizeof low);
	reading_format(p->metrics_high[k], "", high, sizeof high);
	if (p->seconds.count > 1 && strcmp(low, high))
		buf_printf(out, " (%s..%s)", low, high);
}

static const char *const status_names[] = {
	[POINT_WAITING] = "waiting",
	[POINT_RUNNING] = "running",
	[POINT_OK] = "",
	[POINT_FAILED] = "failed",
	[POINT_CANCELLED] = "canceled",
};

void workbench_draw_value(const struct app *a, struct area at)
{
	const struct lab *b = app_current_lab(a);
	const struct point *p = b ? lab_cursor_point(b) : NULL;
	char text[96];
	struct buf out = {0};
	if (!p)
		return;
	if (b->curve.axis >= 0)
		buf_printf(&out, "%s",
			param_format(&b->x->params[b->curve.axis], p->values[b->curve.axis], text, sizeof text));
	else
		buf_printf(&out, "%s", b->x->id);
	int x = 1 + area_draw_text(at, 1, 0, ROLE_CURSOR, out.data);
	buf_clear(&out);
	if (p->status != POINT_OK) {
		area_printf(at, x, 0, p->status == POINT_FAILED ? ROLE_BAD : ROLE_DIM, "  %s", status_names[p->status]);
		buf_free(&out);
		return;
	}
	for (int k = 0; k < b->x->metric_count; k++)
		append_metric(&out, a->ascii, &b->x->metrics[k], p, k);
	if (p->seconds.count) {
		buf_printf(&out, "  %s", seconds_format(p->seconds.median, a->ascii, text, sizeof text));
		buf_printf(&out, " @ %s  n %d", reading_format(p->clocks.sclk_mhz, "MHz", text, sizeof text),
			p->seconds.count);
	}
	area_draw_fitted(at, x, 0, at.r.w - x, ROLE_TEXT, out.data);
	buf_free(&out);
}

const char *workbench_notice(const struct app *a)
{
	const struct lab *b = app_current_lab(a);
	const struct point *p = b ? lab_cursor_point(b) : NULL;
	struct layout l = workbench_layout(a, a->width, a->height);
	return layout_has_pane(&l, PANE_EXPLANATION) && p && p->text[0] ? p->text : NULL;
}

/* Appends "latency 376 cycles, Vega64 notes 2.6.3 (128 KiB), measured +0.2 %" for each metric with a published row
 * at the cursor. */
static void append_published(const struct lab *b, bool ascii, struct buf *out)
{
	char value[64], source[120];
	const struct point *p = lab_cursor_point(b);
	for (int k = 0; k < b->x->metric_count; k++) {
		const struct validation_row *r = lab_published_at_cursor(b, k);
		if (!r)
			continue;
		struct reading low = {true, r->row->low}, high = {true, r->row->high};
		const char *unit = unit_display(r->row->unit, ascii);
		buf_printf(out, "%s%s %s", out->len ? "; " : "published: ", b->x->metrics[k].id,
			reading_format(low, unit, value, sizeof value));
		if (published_is_interval(r->row))
			buf_printf(out, " to %s", reading_format(high, unit, value, sizeof value));
		buf_printf(out, ", %s", published_source_format(source, sizeof source, r->row->source));
		if (p->status == POINT_OK && p->metrics[k].valid && r->row->low != 0)
			buf_printf(out, ", measured %+.1f %%",
				100 * published_relative_error(r->row, p->metrics[k].value));
	}
}

/* What is wrong with the point at the cursor: in the first row, or in the last one if the status line below goes on
 * with it. `rest`: the other rows. */
static void draw_reason(const struct app *a, const struct point *p, struct area pane, struct area *rest)
{
	int others = pane.r.h - 1, above = status_line_continues_notice(a) ? others : 0;
	struct area at = area_sub(pane, 0, above, pane.r.w, 1);
	*rest = area_sub(pane, 0, above ? 0 : 1, pane.r.w, others);
	int role = p->status == POINT_FAILED ? ROLE_BAD : ROLE_WARN, room = at.r.w - NOTICE_COLUMN;
	area_draw_glyph(at, 1, 0, role, glyph_text(a->ascii, p->status == POINT_FAILED ? GLYPH_FAILED : GLYPH_MOVED));
	if (status_line_continues_notice(a))
		area_printf(at, NOTICE_COLUMN, 0, role, "%.*s", (int)text_fit_bytes(p->text, room), p->text);
	else
		area_draw_fitted(at, NOTICE_COLUMN, 0, room, role, p->text);
}

/* Draws the explanation over as many rows as needed and available. Returns the row after it; *x is the column
 * where the last row ended. */
static int draw_facts_text(const char *why, struct area at, int *x)
{
	int row = 0;
	*x = 1 + area_draw_text(at, 1, 0, ROLE_KEY, "why ");
	while (*why) {
		int left = row ? 1 : *x, room = at.r.w - left;
		size_t n = row + 1 < at.r.h ? text_fit_bytes(why, room) : strlen(why);
		char line[400];
		snprintf(line, sizeof line, "%.*s", (int)n, why);
		area_draw_fitted(at, left, row, room, ROLE_TEXT, line);
		*x = left + text_width(line) + 2;
		why += n;
		why += strspn(why, " ");
		row++;
	}
	return row;
}

/* In this order, as far as the rows go: the explanation of the point, its published values, the experiment's
 * question. The published values go behind the explanation where both fit. */
void workbench_draw_explanation(const struct app *a, struct area at)
{
	const struct lab *b = app_current_lab(a);
	const struct point *p = b ? lab_cursor_point(b) : NULL;
	struct buf published = {0}, why = {0};
	struct area rest = at;
	int row = 0, x = at.r.w;
	if (!b)
		return;
	if (p && !a->hide_published)
		append_published(b, a->ascii, &published);
	if (p && p->text[0]) {
		draw_reason(a, p, at, &rest);
	} else if (p) {
		explain_point(a, b, &why);
		row = why.len ? draw_facts_text(why.data, at, &x) : 0;
	}
	if (published.len && row && x + text_width(published.data) <= at.r.w)
		area_draw_text(at, x, row - 1, ROLE_PUBLISHED, published.data);
	else if (published.len)
		area_draw_fitted(rest, 1, row++, rest.r.w - 1, ROLE_PUBLISHED, published.data);
	area_draw_fitted(rest, 1, row, rest.r.w - 1, ROLE_DIM, b->x->question);
	buf_free(&published);
	buf_free(&why);
}
