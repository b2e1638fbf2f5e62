/* The waves of one CU over cycles: what each wave slot did when, and the part of it that a screen shows. */
#ifndef EXPERIMENTS_ANALYSIS_WAVE_SPANS_H
#define EXPERIMENTS_ANALYSIS_WAVE_SPANS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct wave_span {
	uint64_t start, end;
	int64_t offset;
	uint32_t wave;
	uint8_t simd, slot, cause, issue;
};
struct wave_slot_spans {
	uint8_t simd, slot;
	int first, count;
}; /* a slot's spans, in the order of time */

enum { WAVE_SLOTS_MAX = 4 * 10, CUS_MAX = 1024 };
struct wave_spans {
	struct wave_span *span; /* by row, then by time; owned */
	int count;
	struct wave_slot_spans row[WAVE_SLOTS_MAX];
	int rows;
	int cu, cus;
	uint32_t by_cu[CUS_MAX];  /* waves */
	uint64_t from, to, grain; /* as in the record: gpu/protocol/record.h */
	/* what is shown of it */
	uint64_t left, zoom; /* first cycle, cycles a column */
	uint64_t cursor;     /* cycle */
	int selected;        /* row */
};

/* From "waves" of a record's "inside"; what is shown stays where it was, as far as it is there. */
void wave_spans_read(struct wave_spans *w, const json_t *waves);
void wave_spans_free(struct wave_spans *w);

/* The span of the row at that cycle, NULL: no wave was there then. */
const struct wave_span *wave_spans_at(const struct wave_spans *w, int row, uint64_t cycle);
/* The one that has most of the cycles [from, to) of the row. */
const struct wave_span *wave_spans_longest(const struct wave_spans *w, int row, uint64_t from, uint64_t to);

/* All of [from, to) in so many columns. */
void wave_spans_fit(struct wave_spans *w, uint64_t from, uint64_t to, int columns);
/* Zooms in (by > 0) or out, around the cursor. `cycles` is the launch's. */
void wave_spans_zoom(struct wave_spans *w, int by, int columns, uint64_t cycles);
/* Moves the cursor by columns; to a cycle. The view follows. */
void wave_spans_move(struct wave_spans *w, int by, int columns, uint64_t cycles);
void wave_spans_move_to(struct wave_spans *w, uint64_t cycle, int columns, uint64_t cycles);
/* The cursor to where the selected row's span before or behind it begins. */
void wave_spans_next_span(struct wave_spans *w, int by, int columns, uint64_t cycles);
/* Whether what is shown is more than is there, or finer; then the cycles to ask for. */
bool wave_spans_needs_data(const struct wave_spans *w, int columns, uint64_t cycles, uint64_t *from, uint64_t *to);

#endif
