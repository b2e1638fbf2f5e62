/* The single lines that tell: value at the cursor, why, status. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/lab.h"
#include "tui/shell/bindings.h"
#include "tui/lab/lab_estimate.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/lab/lab_measure.h"
#include "tui/shell/screen_draw.h"
#include "tui/lab/explain_point.h"

/* --- value at the cursor --- */
static void put_metric(struct buf *out, const struct metric *m, const struct point *p, int k)
{
	char value[64], low[64], high[64];
	buf_printf(out, "  %s %s", m->id, reading_format(p->metrics[k], m->unit, value, sizeof value));
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
	[POINT_CANCELLED] = "cancelled",
};

void view_draw_value(const struct app *a, struct area at)
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
		put_metric(&out, &b->x->metrics[k], p, k);
	if (p->seconds.count) {
		buf_printf(&out, "  %s", seconds_format(p->seconds.median, text, sizeof text));
		buf_printf(&out, " @ %s  n %d", reading_format(p->clocks.sclk_mhz, "MHz", text, sizeof text),
			p->seconds.count);
	}
	area_draw_fitted(at, x, 0, at.r.w - x, ROLE_TEXT, out.data);
	buf_free(&out);
}

static bool busy(const struct app *a)
{
	return measure_is_running(a) && a->worker;
}

enum { REASON_AT = 3 /* column of the line "why", behind its mark */ };

/* What is wrong with the point at the cursor, where the line "why" tells it; NULL elsewhere. */
static const char *reason_above(const struct app *a)
{
	const struct lab *b = app_current_lab(a);
	const struct point *p = b ? lab_cursor_point(b) : NULL;
	struct layout l = layout_main(a->width, a->height, a->zoom);
	return a->view == VIEW_MAIN && layout_has_pane(&l, PANE_EXPLANATION) && p && p->text[0] ? p->text : NULL;
}

static const char *status_message(const struct app *a)
{
	const char *reason = reason_above(a);
	if (a->message[0] || busy(a) || a->fatal[0])
		return a->message[0] ? a->message : busy(a) ? "" : a->fatal;
	return reason && text_width(reason) > a->width - REASON_AT ? reason : "";
}

/* Whether the status line's message is that reason: then it begins on the line "why" and goes on in the status line. */
static bool told_above(const struct app *a)
{
	const char *reason = reason_above(a);
	return reason && a->entry.kind == ENTRY_NONE && !strncmp(status_message(a), reason, strlen(reason));
}

/* "latency 376 cycles, S0 2.6.3 (128 KiB), measured +0.2 %" for each metric with a published row at the cursor; empty
 * without. */
static void published_here(const struct lab *b, struct buf *out)
{
	char value[64];
	const struct point *p = lab_cursor_point(b);
	for (int k = 0; k < b->x->metric_count; k++) {
		const struct validation_row *r = lab_published_at_cursor(b, k);
		if (!r)
			continue;
		struct reading printed = {true, r->row->value};
		buf_printf(out, "%s%s %s, %s", out->len ? "; " : "published: ", b->x->metrics[k].id,
			reading_format(printed, r->row->unit, value, sizeof value), r->row->source);
		if (p->status == POINT_OK && p->metrics[k].valid && r->row->value != 0)
			buf_printf(out, ", measured %+.1f %%",
				100 * (published_round_like_source(r->row, p->metrics[k].value) / r->row->value - 1));
	}
}

/* What is wrong with the point at the cursor. */
static void reason(const struct app *a, const struct point *p, struct area at)
{
	int role = p->status == POINT_FAILED ? ROLE_BAD : ROLE_WARN, room = at.r.w - REASON_AT;
	area_draw_glyph(at, 1, 0, role, glyph_text(a->ascii, p->status == POINT_FAILED ? GLYPH_FAILED : GLYPH_MOVED));
	if (told_above(a))
		area_printf(at, REASON_AT, 0, role, "%.*s", (int)text_fit_bytes(p->text, room), p->text);
	else
		area_draw_fitted(at, REASON_AT, 0, room, role, p->text);
}

/* Why the curve is as it is there, over as many rows as it takes and there are; returns the row behind, and in *x where
 * it ended on the last one. */
static int facts(const char *why, struct area at, int *x)
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

/* Why the point at the cursor is as it is, what was published of it, the question that the experiment answers: as many
 * as there are rows, in this order; what was published goes behind the reason where both fit. */
void view_draw_explanation(const struct app *a, struct area at)
{
	const struct lab *b = app_current_lab(a);
	const struct point *p = b ? lab_cursor_point(b) : NULL;
	struct buf published = {0}, why = {0};
	int row = 0, x = at.r.w;
	if (!b)
		return;
	if (p && !a->bare)
		published_here(b, &published);
	if (p && p->text[0]) {
		reason(a, p, at);
		row = 1;
	} else if (p) {
		explain_point(a, b, &why);
		row = why.len ? facts(why.data, at, &x) : 0;
	}
	if (published.len && row && x + text_width(published.data) <= at.r.w)
		area_draw_text(at, x, row - 1, ROLE_PUBLISHED, published.data);
	else if (published.len)
		area_draw_fitted(at, 1, row++, at.r.w - 1, ROLE_PUBLISHED, published.data);
	area_draw_fitted(at, 1, row, at.r.w - 1, ROLE_DIM, b->x->question);
	buf_free(&published);
	buf_free(&why);
}

/* --- status --- */
static int progress(const struct app *a, struct area at)
{
	char bar[64] = "";
	int cells = at.r.w >= 100 ? 20 : 10, done = (int)lround(sweep_fraction(a->sweep) * cells);
	for (int i = 0; i < cells; i++)
		strcat(bar, glyph_text(a->ascii, i < done ? GLYPH_DONE : GLYPH_TODO));
	int x = 1 + area_draw_text(at, 1, 0, ROLE_OK, bar) + 1;
	char text[240];
	snprintf(text, sizeof text, "sweep %d/%d  %s", sweep_done_count(a->sweep), a->sweeping->curve.count,
		sweep_status_text(a->sweep));
	area_draw_fitted(at, x, 0, at.r.w - x, ROLE_TEXT, text);
	return x + text_width(text) + 2;
}

static const char *state_text(const struct app *a)
{
	if (a->fatal[0])
		return "no device";
	if (!a->worker || worker_controller_state(a->worker) == WORKER_STARTING)
		return "opening the device";
	if (a->measure_at)
		return "about to measure";
	return a->sweep && a->sweeping == app_current_lab(a) ? sweep_status_text(a->sweep) : "ready";
}

/* What a Space or the pause behind a key will measure, where that is not what is shown. */
static void next_sweep(const struct app *a, struct area at, int x)
{
	const struct lab *b = app_current_lab(a);
	char text[120];
	double seconds;
	if (!b || a->fatal[0] || lab_curve_is_complete(b, &b->curve, a->soft))
		return;
	estimate_format_current(b, a->soft, &seconds, text, sizeof text);
	if (*text && x + 12 + text_width(text) < at.r.w)
		area_printf(at, x, 0, ROLE_DIM, "next sweep %s", text);
}

/* Warnings that came while something else stood here; returns the columns it takes from the right. */
static int unread(const struct app *a, struct area at)
{
	int count = app_unread_log_count(a);
	char text[60], key[40];
	if (!count)
		return 0;
	binding_format_keys(action_by_name("log"), app_key_scope(a), 1, key, sizeof key);
	snprintf(text, sizeof text, "%s %d unread%s%s ", glyph_text(a->ascii, GLYPH_MOVED), count, *key ? ": " : "",
		key);
	area_draw_right(at, at.r.w, 0, ROLE_WARN, text);
	area_add_hit(at, at.r.w - text_width(text), 0, text_width(text), 1, (struct mouse_region){.click = "log"});
	return text_width(text) + 1;
}

bool input_line_has_message_room(const struct app *a, int width)
{
	int x = 1 + text_width(a->entry.prompt) + text_width(a->entry.text) + 3;
	return x + text_width(a->message) <= width;
}

static void entry_line(const struct app *a, struct area at)
{
	int x = 1 + area_draw_text(at, 1, 0, ROLE_KEY, a->entry.prompt), room = at.r.w - x - 1;
	const char *text = a->entry.text;
	for (; text_width(text) > room && *text; text++) /* the end is where the letters appear */
		while (((unsigned char)text[1] & 0xc0) == 0x80)
			text++;
	area_draw_text(at, x, 0, ROLE_ENTRY, text);
	if (text != a->entry.text)
		area_draw_glyph(at, x, 0, ROLE_ENTRY, glyph_text(a->ascii, GLYPH_ELLIPSIS));
	area_draw_text(at, x + text_width(text), 0, ROLE_ENTRY, "_");
	if (input_line_has_message_room(a, at.r.w))
		area_draw_text(at, x + text_width(text) + 3, 0, a->message_role, a->message);
}

static void blank(struct area at)
{
	for (int y = 0; y < at.r.h; y++)
		for (int x = 0; x < at.r.w; x++)
			area_draw_text(at, x, y, ROLE_TEXT, " ");
}

/* A message that has no room on the status line from column x on: in the row above it alone where that is enough, so
 * that the progress stays; else it begins there and goes on below. False where there is no row above. */
static bool tell_above(const struct app *a, struct area at, int x, int role, const char *message)
{
	int room = at.r.w - 1;
	bool lasts = !a->message[0] && a->view != VIEW_MAIN; /* what no key takes away covers no row of a page */
	if (at.r.h < 2 || lasts || x + text_width(message) <= at.r.w)
		return false;
	size_t n = x > 1 && text_width(message) <= room ? strlen(message) : text_fit_bytes(message, room);
	blank(area_sub(at, 0, 0, at.r.w, message[n] ? 2 : 1));
	area_printf(at, 1, 0, role, "%.*s", (int)n, message);
	message += n;
	area_draw_fitted(at, 1, 1, room, role, message + strspn(message, " "));
	return true;
}

void view_draw_status(const struct app *a, struct area both)
{
	struct area at = area_sub(both, 0, both.r.h - 1, both.r.w, 1);
	if (a->entry.kind != ENTRY_NONE) {
		entry_line(a, at);
		return;
	}
	int x = 1;
	bool running = busy(a);
	const char *message = status_message(a);
	int role = a->message[0] ? (int)a->message_role : ROLE_BAD;
	if (told_above(a)) {
		message += text_fit_bytes(reason_above(a), at.r.w - REASON_AT);
		message += strspn(message, "; ");
	}
	int free = at.r.w - (*message ? 0 : unread(a, at));
	if (running)
		x = progress(a, area_sub(at, 0, 0, free, 1));
	else if (!*message)
		x += area_draw_text(at, 1, 0, ROLE_OK, state_text(a)) + 2;
	if (!running && !*message)
		next_sweep(a, area_sub(at, 0, 0, free, 1), x);
	if (!told_above(a) && tell_above(a, both, x, role, message))
		return;
	/* What went wrong is worth more than the progress, when both do not fit. */
	if (*message && running && role == ROLE_BAD && x + text_width(message) > at.r.w) {
		blank(at);
		x = 1;
	}
	area_draw_fitted(at, x, 0, at.r.w - x, role, message);
}
