/* The waves of one CU over time: what each wave slot did in which cycles, and the part that a screen shows. */
#ifndef EXPERIMENTS_ANALYSIS_TIMELINE_WAVE_SPANS_H
#define EXPERIMENTS_ANALYSIS_TIMELINE_WAVE_SPANS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct wave_span {
	uint64_t start, end;
	int64_t offset;
	uint32_t wave;
	uint8_t simd, slot, cause, issue;
	uint32_t issued; /* instructions */
};
struct wave_slot_spans {
	uint8_t simd, slot;
	int first, count;
}; /* a slot's spans, by time */

enum { WAVE_SLOTS_MAX = 4 * 10, CUS_MAX = 1024 };
struct wave_spans {
	struct wave_span *span; /* by slot, then by time; owned */
	int count;
	struct wave_slot_spans row[WAVE_SLOTS_MAX];
	int rows;
	int cu, cus;
	uint32_t by_cu[CUS_MAX];  /* waves per CU */
	uint64_t from, to, grain; /* as in the record: docs/protocol.md */
	/* the part that is shown */
	uint64_t left, zoom;       /* first cycle, cycles per column */
	uint64_t cursor;           /* cycle */
	int selected;              /* row */
	int columns;               /* that the part was made for */
	uint64_t fit_from, fit_to; /* the cycles that fill the columns; equal: zoomed since */
};

/* Reads "waves" of a record's "inside"; keeps the shown part if possible. */
void wave_spans_read(struct wave_spans *w, const json_t *waves);
void wave_spans_free(struct wave_spans *w);

/* The span of a row at a cycle; NULL if there was no wave. */
const struct wave_span *wave_spans_at(const struct wave_spans *w, int row, uint64_t cycle);
/* The longest span of the stall reason with the most cycles in [from, to) of a row. */
const struct wave_span *wave_spans_longest(const struct wave_spans *w, int row, uint64_t from, uint64_t to);

/* Shows all of [from, to) in `columns`. */
void wave_spans_fit(struct wave_spans *w, uint64_t from, uint64_t to, int columns);
/* The screen has another width now: the fitted cycles fill it again, or it shows as many cycles a column. */
void wave_spans_resize(struct wave_spans *w, int columns, uint64_t cycles);
/* Zooms in (by > 0) or out around the cursor. `cycles`: length of the launch. */
void wave_spans_zoom(struct wave_spans *w, int by, int columns, uint64_t cycles);
/* Moves the cursor by columns, or to a cycle, and scrolls to it. */
void wave_spans_move(struct wave_spans *w, int by, int columns, uint64_t cycles);
void wave_spans_move_to(struct wave_spans *w, uint64_t cycle, int columns, uint64_t cycles);
/* Moves the cursor to the start of the previous or next span of the selected row. */
void wave_spans_next_span(struct wave_spans *w, int by, int columns, uint64_t cycles);
/* Whether the shown part exceeds the loaded data or its resolution; then the cycles to request. */
bool wave_spans_needs_data(const struct wave_spans *w, int columns, uint64_t cycles, uint64_t *from, uint64_t *to);

#endif
