#include "experiments/analysis/timeline/wave_spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* --- reading --- */
static int compare_slot_and_start(const void *a, const void *b)
{
	const struct wave_span *x = a, *y = b;
	if (x->simd != y->simd)
		return x->simd - y->simd;
	if (x->slot != y->slot)
		return x->slot - y->slot;
	return (x->start > y->start) - (x->start < y->start);
}

static json_int_t array_integer(const json_t *row, size_t i)
{
	return json_integer_value(json_array_get(row, i));
}

static void read_spans(struct wave_spans *w, const json_t *list)
{
	w->count = (int)json_array_size(list);
	w->span = xcalloc((size_t)w->count + 1, sizeof *w->span);
	for (int i = 0; i < w->count; i++) {
		const json_t *r = json_array_get(list, (size_t)i);
		w->span[i] = (struct wave_span){(uint64_t)array_integer(r, 3), (uint64_t)array_integer(r, 4),
			array_integer(r, 6), (uint32_t)array_integer(r, 0), (uint8_t)array_integer(r, 1),
			(uint8_t)array_integer(r, 2), (uint8_t)array_integer(r, 5), (uint8_t)array_integer(r, 7),
			(uint32_t)array_integer(r, 9)};
	}
	qsort(w->span, (size_t)w->count, sizeof *w->span, compare_slot_and_start);
}

/* A wave's last stores may be acknowledged when its slot already has the next wave; then the next wave's span wins. */
static void clip_overlapping_spans(struct wave_spans *w)
{
	for (int i = 0; i + 1 < w->count; i++) {
		struct wave_span *s = &w->span[i], *next = s + 1;
		if (s->simd == next->simd && s->slot == next->slot && s->end > next->start)
			s->end = next->start;
	}
}

static void group_spans_by_slot(struct wave_spans *w)
{
	w->rows = 0;
	for (int i = 0; i < w->count; i++) {
		const struct wave_span *s = &w->span[i];
		struct wave_slot_spans *r = w->rows ? &w->row[w->rows - 1] : NULL;
		if (!r || r->simd != s->simd || r->slot != s->slot) {
			if (w->rows == WAVE_SLOTS_MAX)
				return;
			r = &w->row[w->rows++];
			*r = (struct wave_slot_spans){s->simd, s->slot, i, 0};
		}
		r->count++;
	}
}

void wave_spans_free(struct wave_spans *w)
{
	free(w->span);
	memset(w, 0, sizeof *w);
}

static uint64_t object_u64(const json_t *o, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(o, key));
}

void wave_spans_read(struct wave_spans *w, const json_t *waves)
{
	const json_t *by_cu = json_object_get(waves, "by_cu");
	free(w->span);
	read_spans(w, json_object_get(waves, "spans"));
	clip_overlapping_spans(w);
	group_spans_by_slot(w);
	w->cu = (int)object_u64(waves, "cu");
	w->from = object_u64(waves, "from");
	w->to = object_u64(waves, "to");
	w->grain = object_u64(waves, "grain");
	w->cus = (int)json_array_size(by_cu) < CUS_MAX ? (int)json_array_size(by_cu) : CUS_MAX;
	for (int i = 0; i < w->cus; i++)
		w->by_cu[i] = (uint32_t)array_integer(by_cu, (size_t)i);
	if (w->selected >= w->rows)
		w->selected = w->rows ? w->rows - 1 : 0;
}

/* --- lookup --- */
/* The first span of the row that ends after the cycle, or the end of the row. */
static int first_span_ending_after(const struct wave_spans *w, int row, uint64_t cycle)
{
	int low = w->row[row].first, high = low + w->row[row].count;
	while (low < high) {
		int middle = (low + high) / 2;
		if (w->span[middle].end > cycle)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static int slot_spans_end(const struct wave_spans *w, int row)
{
	return w->row[row].first + w->row[row].count;
}

const struct wave_span *wave_spans_at(const struct wave_spans *w, int row, uint64_t cycle)
{
	if (row < 0 || row >= w->rows)
		return NULL;
	int i = first_span_ending_after(w, row, cycle);
	return i < slot_spans_end(w, row) && w->span[i].start <= cycle ? &w->span[i] : NULL;
}

const struct wave_span *wave_spans_longest(const struct wave_spans *w, int row, uint64_t from, uint64_t to)
{
	enum { KINDS = 128 };
	uint64_t sum[KINDS] = {0}, best = 0, longest = 0;
	const struct wave_span *out = NULL;
	int kind = -1;
	if (row < 0 || row >= w->rows)
		return NULL;
	for (int pass = 0; pass < 2; pass++)
		for (int i = first_span_ending_after(w, row, from); i < slot_spans_end(w, row) && w->span[i].start < to;
			i++) {
			const struct wave_span *s = &w->span[i];
			uint64_t a = s->start > from ? s->start : from, b = s->end < to ? s->end : to;
			int k = (s->cause * 2 + s->issue) % KINDS;
			if (!pass && (sum[k] += b - a) > best) {
				best = sum[k];
				kind = k;
			} else if (pass && k == kind && b - a > longest) {
				longest = b - a;
				out = s;
			}
		}
	return out;
}

/* --- the shown part --- */
void wave_spans_fit(struct wave_spans *w, uint64_t from, uint64_t to, int columns)
{
	uint64_t cycles = to > from ? to - from : 1, n = columns > 0 ? (uint64_t)columns : 1;
	w->left = from;
	w->zoom = (cycles + n - 1) / n;
	w->cursor = from;
	w->columns = columns;
	w->fit_from = from;
	w->fit_to = to;
}

static void scroll_to_cursor(struct wave_spans *w, int columns, uint64_t cycles)
{
	uint64_t shown = w->zoom * (uint64_t)(columns > 0 ? columns : 1);
	if (cycles && w->cursor >= cycles)
		w->cursor = cycles - 1;
	if (w->cursor < w->left)
		w->left = w->cursor;
	if (w->cursor >= w->left + shown)
		w->left = w->cursor - shown + w->zoom;
	if (w->left + shown > cycles)
		w->left = cycles > shown ? cycles - shown : 0;
}

void wave_spans_resize(struct wave_spans *w, int columns, uint64_t cycles)
{
	const uint64_t cursor = w->cursor;
	if (w->fit_to > w->fit_from)
		wave_spans_fit(w, w->fit_from, w->fit_to, columns);
	w->columns = columns;
	w->cursor = cursor;
	scroll_to_cursor(w, columns, cycles);
}

void wave_spans_move_to(struct wave_spans *w, uint64_t cycle, int columns, uint64_t cycles)
{
	w->cursor = cycle;
	scroll_to_cursor(w, columns, cycles);
}

void wave_spans_move(struct wave_spans *w, int by, int columns, uint64_t cycles)
{
	uint64_t step = w->zoom * (uint64_t)(by < 0 ? -by : by);
	wave_spans_move_to(w, by > 0 ? w->cursor + step : w->cursor > step ? w->cursor - step : 0, columns, cycles);
}

void wave_spans_zoom(struct wave_spans *w, int by, int columns, uint64_t cycles)
{
	uint64_t most = (cycles + (uint64_t)columns - 1) / (uint64_t)(columns > 0 ? columns : 1),
		 column = w->zoom ? (w->cursor - w->left) / w->zoom : 0;
	w->fit_to = w->fit_from;
	for (; by > 0 && w->zoom > 1; by--)
		w->zoom = (w->zoom + 1) / 2;
	for (; by < 0 && w->zoom < most; by++)
		w->zoom = w->zoom * 2 < most ? w->zoom * 2 : most;
	w->left = w->cursor > column * w->zoom ? w->cursor - column * w->zoom : 0;
	scroll_to_cursor(w, columns, cycles);
}

void wave_spans_next_span(struct wave_spans *w, int by, int columns, uint64_t cycles)
{
	if (w->selected >= w->rows)
		return;
	int first = w->row[w->selected].first, end = slot_spans_end(w, w->selected),
	    i = first_span_ending_after(w, w->selected, w->cursor);
	if (by > 0)
		i += i < end && w->span[i].start <= w->cursor;
	else
		i -= i == end || w->span[i].start >= w->cursor;
	if (i >= first && i < end)
		wave_spans_move_to(w, w->span[i].start, columns, cycles);
}

bool wave_spans_needs_data(const struct wave_spans *w, int columns, uint64_t cycles, uint64_t *from, uint64_t *to)
{
	uint64_t shown = w->zoom * (uint64_t)columns, end = w->left + shown < cycles ? w->left + shown : cycles;
	*from = w->left > shown ? w->left - shown : 0; /* with one screen more on both sides */
	*to = end + shown < cycles ? end + shown : cycles;
	return w->left < w->from || end > w->to || (w->grain > 1 && w->grain > w->zoom);
}
