/* The timeline page: the waves of one CU over cycles. One row for each wave slot, one letter for the state that
 * the wave was in longest in a column. */
#include <stdio.h>
#include <string.h>

#include "gpu/protocol/stalls/stall_reasons.h"
#include "base/buf.h"
#include "tui/views/inspector/inspector_draw.h"

enum { LABEL = 8, HEAD_ROWS = 2, FOOT_ROWS = 4 };

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

/* Ticks every 10 columns, labeled with their cycle where there is room; the cursor's mark needs some. */
static void draw_cycle_ruler(const struct app *a, struct area at, int columns)
{
	const struct wave_spans *w = &inspector_of(a)->waves;
	char text[24];
	int cursor = column_of(w, w->cursor);
	for (int c = 0, free = 0; c < columns; c += 10) {
		snprintf(text, sizeof text, "%llu", (unsigned long long)(w->left + w->zoom * (uint64_t)c));
		bool marked = c <= cursor && cursor <= c + (int)strlen(text);
		if (c < free || c + (int)strlen(text) > columns || marked)
			continue;
		area_draw_text(at, LABEL + c, HEAD_ROWS - 1, ROLE_DIM, text);
		free = c + (int)strlen(text) + 2;
	}
	area_draw_glyph(
		at, LABEL + column_of(w, w->cursor), HEAD_ROWS - 1, ROLE_CURSOR, glyph_text(a->ascii, GLYPH_DOWN));
}

/* Returns the stall reasons in the row, as a bit mask. */
static uint64_t draw_slot_row(const struct app *a, struct area at, int r, int y, int columns)
{
	const struct wave_spans *w = &inspector_of(a)->waves;
	int cursor = column_of(w, w->cursor);
	uint64_t shown = 0;
	area_printf(at, 0, y, r == w->selected ? ROLE_SELECTED : ROLE_DIM, "SIMD%d.%d", w->row[r].simd, w->row[r].slot);
	for (int c = 0; c < columns; c++) {
		uint64_t from = w->left + w->zoom * (uint64_t)c;
		const struct wave_span *s = wave_spans_longest(w, r, from, from + w->zoom);
		char letter[2] = " ";
		if (s) {
			const char *cause = issued_code_stall_name(&inspector_of(a)->code, s->cause);
			letter[0] = stall_letter(cause);
			area_draw_text(at, LABEL + c, y, stall_role(cause, s->issue), letter);
			shown |= 1ull << (s->cause & 63);
		}
		if (c == cursor)
			area_add_attr(
				at, LABEL + c, y, 1, r == w->selected ? ATTR_REVERSE | ATTR_BOLD : ATTR_UNDERLINE);
	}
	return shown;
}

static void draw_stall_legend(const struct app *a, struct area at, int y, uint64_t shown)
{
	const struct issued_code *c = &inspector_of(a)->code;
	int x = 1;
	for (int k = 0; k < c->causes; k++) {
		const char *label = stall_reason_label(c->cause[k]);
		int width = text_width(label) + 4;
		if (!(shown >> k & 1))
			continue;
		if (x + width > at.r.w) {
			x = 1;
			y++;
		}
		if (y >= at.r.h)
			return;
		char letter[2] = {stall_letter(c->cause[k]), 0};
		area_draw_text(at, x, y, stall_role(c->cause[k], true), letter);
		area_draw_text(at, x + 2, y, ROLE_DIM, label);
		x += width;
	}
}

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

/* The span at the cursor. */
static void draw_span_at_cursor(const struct app *a, struct area at, int y)
{
	const struct wave_spans *w = &inspector_of(a)->waves;
	const struct wave_span *s = wave_spans_at(w, w->selected, w->cursor);
	struct buf b = {0};
	buf_printf(&b, "cycle %llu: ", (unsigned long long)w->cursor);
	if (s)
		buf_printf(&b, "wave %u %s until %llu (%llu cycles)%s%s", s->wave, s->issue ? "issues" : "waits",
			(unsigned long long)s->end, (unsigned long long)(s->end - s->start),
			w->grain ? ", mostly " : ": ",
			stall_reason_label(issued_code_stall_name(&inspector_of(a)->code, s->cause)));
	else
		buf_puts(&b, "no wave in this slot");
	append_column_cause(a, s, &b);
	area_draw_fitted(at, 1, y, at.r.w - 1, ROLE_CURSOR, b.data);
	buf_clear(&b);
	if (s)
		buf_printf(&b, "%s +%06llx  %s", s->issue ? "from" : "at", (unsigned long long)s->offset,
			issued_code_text(&inspector_of(a)->code, s->offset));
	area_draw_fitted(at, 1, y + 1, at.r.w - 1, ROLE_TEXT, s ? b.data : "");
	buf_free(&b);
}

void inspector_draw_timeline(const struct app *a, struct area at)
{
	const struct wave_spans *w = &inspector_of(a)->waves;
	int columns = inspector_timeline_columns(a), rows = at.r.h - HEAD_ROWS - FOOT_ROWS;
	uint64_t shown = 0;
	if (!w->zoom)
		return;
	draw_timeline_header(a, at);
	if (rows < 1)
		rows = at.r.h - HEAD_ROWS > 0 ? 1 : 0;
	int first = list_first_visible_row(w->selected, rows, w->rows),
	    n = w->rows - first < rows ? w->rows - first : rows;
	if (n > 0)
		draw_cycle_ruler(a, at, columns);
	for (int i = 0; i < n; i++)
		shown |= draw_slot_row(a, at, first + i, HEAD_ROWS + i, columns);
	if (!w->rows)
		area_draw_text(at, 1, HEAD_ROWS, ROLE_DIM,
			w->cu < w->cus && w->by_cu[w->cu] ? "no wave in these cycles"
							  : "no wave ran on this CU; [ and ] select another");
	int y = HEAD_ROWS + (n > 0 ? n : 1) + (rows > n + 1);
	draw_span_at_cursor(a, at, y);
	draw_stall_legend(a, at, y + 2, shown);
}
