/* A wave slot's row of the timeline: filled cells in the colors of the stall reasons, with the name of the reason or
 * the instruction where there is room. A cell shows what its cycles were spent on longest. */
#include <stdio.h>
#include <string.h>

#include "gpu/protocol/stalls/stall_reasons.h"
#include "plot/band_pattern.h"
#include "tui/shell/plot/plot_pane.h"
#include "tui/views/inspector/pages/timeline_cells.h"

/* Columns that look alike: of one span, or of spans with the same reason that are merged or shorter than two columns.
 */
struct cell_run {
	int first, end, reason;
	const struct wave_span *span; /* NULL: of several */
};

static int reason_of(const struct inspector *v, const struct wave_span *s)
{
	return stall_reason_find(issued_code_stall_name(&v->code, s->cause));
}

static struct cell_run read_cell(const struct inspector *v, int row, int column)
{
	const struct wave_spans *w = &v->waves;
	const uint64_t from = w->left + w->zoom * (uint64_t)column;
	const struct wave_span *s = wave_spans_longest(w, row, from, from + w->zoom);
	struct cell_run r = {column, column + 1, s ? reason_of(v, s) : -1, s};
	if (s && (w->grain || s->end - s->start < 2 * w->zoom))
		r.span = NULL;
	return r;
}

/* "v_mac_f32" of "v_mac_f32_e32 v2, v3, v4"; "L2 queue" for a wait. */
static void name_run(const struct inspector *v, const struct cell_run *r, char *out, size_t size)
{
	const char *text = r->span && r->span->issue ? issued_code_text(&v->code, r->span->offset)
						     : stall_reason_info(r->reason)->label;
	bool is_instruction = text != stall_reason_info(r->reason)->label;
	snprintf(out, size, " %.*s ", is_instruction ? (int)strcspn(text, " ") : (int)strlen(text), text);
}

/* The cursor's cells are not filled. */
static void fill_cell(struct area at, int column, int role, const char *utf8, bool cursor)
{
	area_draw_glyph(at, column, 0, role, utf8);
	if (!cursor)
		area_add_attr(at, column, 0, 1, ATTR_REVERSE);
}

static void draw_run(const struct app *a, struct area at, const struct cell_run *r, bool edge, int cursor)
{
	const struct inspector *v = inspector_of(a);
	const int role = stall_reason_role(r->reason);
	char name[64], one[2] = "";
	name_run(v, r, name, sizeof name);
	const int width = (int)strlen(name), begin = r->first + edge;
	const bool named = r->end - begin >= width;
	for (int c = r->first; c < r->end; c++) {
		*one = named && c >= begin && c < begin + width ? name[c - begin] : 0;
		fill_cell(at, c, role,
			*one ? one
				: edge && c == r->first
				? glyph_text(a->ascii, GLYPH_EDGE)
				: band_pattern_text(stall_reason_info(r->reason)->letter, a->ascii),
			c == cursor);
	}
}

uint64_t timeline_draw_slot(const struct app *a, struct area at, int row, int columns, int cursor)
{
	const struct inspector *v = inspector_of(a);
	struct cell_run run = read_cell(v, row, 0), before = {.reason = -1};
	uint64_t shown = 0;
	for (int c = 1; c <= columns; c++) {
		struct cell_run next = c < columns ? read_cell(v, row, c) : (struct cell_run){.reason = -2};
		if (next.reason == run.reason && next.span == run.span) {
			run.end = c + 1;
			continue;
		}
		if (run.reason >= 0) {
			draw_run(a, at, &run, before.reason == run.reason, cursor);
			shown |= 1ull << run.reason;
		} else if (run.first <= cursor && cursor < run.end)
			area_draw_glyph(at, cursor, 0, ROLE_RULER, glyph_text(a->ascii, GLYPH_CURSOR));
		before = run;
		run = next;
	}
	return shown;
}
