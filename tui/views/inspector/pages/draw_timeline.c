/* The timeline page: the waves of one CU over cycles, a row for each wave slot; above them what the CU as a whole does,
 * below them what the wave does at the cursor, with its source. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/analysis/timeline/cu_activity.h"
#include "gpu/protocol/stalls/stall_reasons.h"
#include "plot/band_pattern.h"
#include "tui/shell/plot/plot_pane.h"
#include "tui/views/inspector/pages/timeline_cells.h"

enum { FOOT_ROWS = 6, CODE_ROWS_LEAST = 8, STRIPS = 2 };

static int column_of(const struct wave_spans *w, uint64_t cycle)
{
	return cycle < w->left ? -1 : (int)((cycle - w->left) / w->zoom);
}

static void draw_timeline_header(const struct app *a, struct area at)
{
	const struct wave_spans *w = &inspector_of(a)->waves;
	uint64_t end = w->left + w->zoom * (uint64_t)inspector_timeline_columns(a),
		 cycles = inspector_of(a)->code.cycles;
	unsigned waves = w->cu < w->cus ? w->by_cu[w->cu] : 0;
	char text[160];
	snprintf(text, sizeof text, "CU %d of %d: %u wave%s   cycles %llu..%llu of %llu, %llu per column", w->cu,
		w->cus, waves, waves == 1 ? "" : "s", (unsigned long long)w->left,
		(unsigned long long)(end < cycles ? end : cycles), (unsigned long long)cycles,
		(unsigned long long)w->zoom);
	area_draw_fitted(at, 1, 0, at.r.w - 1, ROLE_TEXT, text);
}

/* --- what the CU does --- */
/* A curve of filled columns; the label has its maximum. */
static void draw_strip(const struct app *a, struct area at, int role, const char *label, const double *value,
	size_t stride, double most)
{
	const int rows = at.r.h, columns = at.r.w - TIMELINE_LABEL;
	area_draw_text(at, 0, 0, ROLE_DIM, label);
	for (int c = 0; c < columns; c++) {
		const double v = value[(size_t)c * stride];
		int eighths = most > 0 ? (int)lround(v / most * 8 * rows) : 0;
		eighths = v > 0 && !eighths ? 1 : eighths;
		for (int y = 0; y < rows && eighths > 8 * y; y++) {
			const int level = eighths - 8 * y > 8 ? 8 : eighths - 8 * y;
			area_draw_glyph(at, TIMELINE_LABEL + c, rows - 1 - y, role,
				glyph_text(a->ascii, (enum glyph)(GLYPH_LEVEL0 + level - 1)));
		}
	}
}

static double most_of(const double *value, size_t stride, int n)
{
	double most = 0;
	for (int c = 0; c < n; c++)
		most = fmax(most, value[(size_t)c * stride]);
	return most;
}

static void draw_activity(const struct app *a, struct area at, int rows, const struct cu_activity *by_column)
{
	enum { STRIDE = sizeof *by_column / sizeof(double) };
	const int columns = at.r.w - TIMELINE_LABEL;
	char label[24];
	double most = most_of(&by_column->waves, STRIDE, columns);
	snprintf(label, sizeof label, "waves %.0f", ceil(most - 1e-9));
	draw_strip(
		a, area_sub(at, 0, 0, at.r.w, rows), ROLE_STRIP, label, &by_column->waves, STRIDE, ceil(most - 1e-9));
	most = most_of(&by_column->ipc, STRIDE, columns);
	snprintf(label, sizeof label, "IPC %.2g", most);
	draw_strip(a, area_sub(at, 0, rows, at.r.w, rows), ROLE_LEFT, label, &by_column->ipc, STRIDE, most);
}

/* Ticks every 10 columns, labeled with their cycle where there is room; the cursor's mark needs some. */
static void draw_cycle_ruler(const struct app *a, struct area at, int y, int columns)
{
	const struct wave_spans *w = &inspector_of(a)->waves;
	char text[24];
	int cursor = column_of(w, w->cursor);
	for (int c = 0, free = 0; c < columns; c += 10) {
		snprintf(text, sizeof text, "%llu", (unsigned long long)(w->left + w->zoom * (uint64_t)c));
		bool marked = c <= cursor && cursor <= c + (int)strlen(text);
		if (c < free || c + (int)strlen(text) > columns || marked)
			continue;
		area_draw_text(at, TIMELINE_LABEL + c, y, ROLE_DIM, text);
		free = c + (int)strlen(text) + 2;
	}
	area_draw_glyph(at, TIMELINE_LABEL + cursor, y, ROLE_CURSOR, glyph_text(a->ascii, GLYPH_DOWN));
}

/* --- the legend --- */
static void draw_stall_legend(const struct app *a, struct area at, int y, uint64_t shown)
{
	int x = 1;
	const int last = y + 1;
	for (int k = 0; k < STALL_REASON_COUNT; k++) {
		const struct stall_reason_info *reason = stall_reason_info(k);
		int width = text_width(reason->label) + 4;
		if (!(shown >> k & 1))
			continue;
		if (x + width > at.r.w) {
			x = 1;
			y++;
		}
		if (y >= at.r.h || y > last)
			return;
		area_draw_glyph(at, x, y, stall_reason_role(k), band_pattern_text(reason->letter, a->ascii));
		area_add_attr(at, x, y, 1, ATTR_REVERSE);
		area_draw_text(at, x + 2, y, ROLE_DIM, reason->label);
		x += width;
	}
}

/* --- the cursor --- */
/* When zoomed out, the cell shows what lasted longest in its cycles, which the span at the cursor may not be. */
static void append_column_cause(const struct app *a, const struct wave_span *at_cursor, struct buf *out)
{
	const struct wave_spans *w = &inspector_of(a)->waves;
	int column = column_of(w, w->cursor);
	uint64_t from = w->left + w->zoom * (uint64_t)(column < 0 ? 0 : column);
	const struct wave_span *s = column < 0 ? NULL : wave_spans_longest(w, w->selected, from, from + w->zoom);
	if (s && at_cursor && (s->cause != at_cursor->cause || s->issue != at_cursor->issue))
		buf_printf(out, "; most of the column: %s",
			stall_reason_label(issued_code_stall_name(&inspector_of(a)->code, s->cause)));
}

static void append_span(const struct inspector *v, const struct wave_span *s, struct buf *out)
{
	if (!s) {
		buf_puts(out, "no wave in this slot");
		return;
	}
	buf_printf(out, "wave %u %s until %llu (%llu cycles)%s%s", s->wave, s->issue ? "issues" : "waits",
		(unsigned long long)s->end, (unsigned long long)(s->end - s->start),
		v->waves.grain ? ", mostly " : ": ", stall_reason_label(issued_code_stall_name(&v->code, s->cause)));
}

/* The span at the cursor, its instruction and source line, and what the CU does there. */
static void draw_span_at_cursor(
	const struct app *a, struct area at, int y, const struct wave_span *s, const struct cu_activity *here)
{
	const struct inspector *v = inspector_of(a);
	struct buf b = {0};
	buf_printf(&b, "cycle %llu: ", (unsigned long long)v->waves.cursor);
	append_span(v, s, &b);
	append_column_cause(a, s, &b);
	area_draw_fitted(at, 1, y, at.r.w - 1, ROLE_CURSOR, b.data);
	buf_clear(&b);
	if (here) {
		buf_printf(&b, "CU %d there: waves %.3g, IPC %.2g", v->waves.cu, here->waves, here->ipc);
		area_draw_fitted(at, 1, y + 3, at.r.w - 1, ROLE_DIM, b.data);
	}
	buf_clear(&b);
	if (s) {
		buf_printf(&b, "%s +%06llx  %s", s->issue ? "from" : "at", (unsigned long long)s->offset,
			issued_code_text(&v->code, s->offset));
		area_draw_fitted(at, 1, y + 1, at.r.w - 1, ROLE_TEXT, b.data);
		inspector_draw_source(v, at, y + 2, s->offset);
	}
	buf_free(&b);
}

/* --- the page --- */
static int strip_rows(int height)
{
	return height < 24 ? 1 : height < 40 ? 2 : 4;
}

static void draw_slots(const struct app *a, struct area at, int first, int n, uint64_t *shown)
{
	const struct wave_spans *w = &inspector_of(a)->waves;
	const int cursor = column_of(w, w->cursor);
	for (int i = 0; i < n; i++) {
		const struct wave_slot_spans *r = &w->row[first + i];
		area_printf(
			at, 0, i, first + i == w->selected ? ROLE_SELECTED : ROLE_DIM, "SIMD%d.%d", r->simd, r->slot);
		*shown |= timeline_draw_slot(a, area_sub(at, TIMELINE_LABEL, i, at.r.w - TIMELINE_LABEL, 1), first + i,
			at.r.w - TIMELINE_LABEL, cursor);
	}
}

static void draw_empty_timeline(const struct wave_spans *w, struct area at, int y)
{
	area_draw_text(at, 1, y, ROLE_DIM,
		w->cu < w->cus && w->by_cu[w->cu] ? "no wave in these cycles"
						  : "no wave ran on this CU; [ and ] select another");
}

void inspector_draw_timeline(const struct app *a, struct area at)
{
	const struct inspector *v = inspector_of(a);
	const struct wave_spans *w = &v->waves;
	const int columns = inspector_timeline_columns(a), strip = strip_rows(at.r.h), head = 2 + STRIPS * strip;
	int rows = at.r.h - head - FOOT_ROWS;
	uint64_t shown = 0;
	if (!w->zoom)
		return;
	draw_timeline_header(a, at);
	rows = rows > 0 ? rows : at.r.h - head > 0;
	const int first = list_first_visible_row(w->selected, rows, w->rows),
		  n = w->rows - first < rows ? w->rows - first : rows, cursor = column_of(w, w->cursor);
	struct cu_activity *by_column = xcalloc((size_t)columns + 1, sizeof *by_column);
	cu_activity_measure(w, w->left, w->zoom, columns, by_column);
	if (n > 0) {
		draw_activity(a, area_sub(at, 0, 1, at.r.w, STRIPS * strip), strip, by_column);
		draw_cycle_ruler(a, at, head - 1, columns);
	} else
		draw_empty_timeline(w, at, head);
	draw_slots(a, area_sub(at, 0, head, at.r.w, n), first, n, &shown);
	int y = head + (n > 0 ? n : 1) + (rows > n + 1);
	const struct wave_span *s = wave_spans_at(w, w->selected, w->cursor);
	draw_span_at_cursor(a, at, y, s, n > 0 && cursor >= 0 && cursor < columns ? &by_column[cursor] : NULL);
	draw_stall_legend(a, at, y + 4, shown);
	free(by_column);
	if (s && at.r.h - y - FOOT_ROWS - 1 >= CODE_ROWS_LEAST)
		inspector_draw_code(a, &v->code, area_sub(at, 0, y + FOOT_ROWS + 1, at.r.w, at.r.h - y - FOOT_ROWS - 1),
			issued_code_find_line(&v->code, s->offset), at.r.h - y - FOOT_ROWS - 1);
}
