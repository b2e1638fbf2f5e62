#include "softgpu/core/check/races/lds_races.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/state/machine_limits.h"

/* What one wave did: up to which of its clocks, and where. */
struct wave_mark {
	uint32_t clock; /* 0: nothing */
	int32_t pc : 26;
	uint32_t lane : 6;
	uint32_t cycle; /* the lowest 32 bits */
};

/* A dword, or a byte of one that is accessed in parts. */
struct race_cell {
	struct wave_mark write, load;
	uint32_t instruction; /* of the write: struct lds_races.instruction */
	uint8_t write_wave, load_wave;
	bool is_atomic; /* the write */
	uint32_t loads; /* several waves loaded it: marks by wave, an index; 0: at most one did */
	uint32_t sync;  /* what atomics on it let happen before: clocks by wave, an index; 0: no atomic yet */
};

/* Rows of marks, one for each wave. Row 0 is not used; free rows are a list through mark[0].clock. */
struct mark_rows {
	struct wave_mark *mark;
	uint32_t count, capacity, free;
};

struct lds_races {
	uint32_t waves, cells;
	uint32_t instruction;
	bool failed; /* out of memory: nothing is reported any more */
	struct wave_clocks *clocks;
	struct mark_rows rows;
	struct race_cell *byte; /* by byte; NULL: no dword is split */
	uint64_t *split;        /* bit per dword: its bytes have cells of their own */
	struct race_cell dword[];
};

struct lds_races *lds_races_open(uint32_t lds_bytes, struct wave_clocks *clocks)
{
	const uint32_t cells = (lds_bytes + 3) / 4;
	struct lds_races *r = calloc(1, sizeof *r + cells * sizeof *r->dword);

	if (!r)
		return NULL;
	r->waves = clocks->waves;
	r->clocks = clocks;
	r->cells = cells;
	r->split = calloc(cells / 64 + 1, sizeof *r->split);
	if (r->split)
		return r;
	free(r);
	return NULL;
}

void lds_races_close(struct lds_races *r)
{
	if (!r)
		return;
	free(r->rows.mark);
	free(r->byte);
	free(r->split);
	free(r);
}

/* --- rows --- */
static struct wave_mark *row_of(const struct lds_races *r, uint32_t row)
{
	return r->rows.mark + (size_t)row * r->waves;
}

/* 0: out of memory. */
static uint32_t take_row(struct lds_races *r)
{
	struct mark_rows *rows = &r->rows;
	uint32_t row = rows->free;

	if (row) {
		rows->free = row_of(r, row)->clock;
	} else {
		if (rows->count + 1 >= rows->capacity) {
			const uint32_t capacity = rows->capacity ? 2 * rows->capacity : 64;
			struct wave_mark *more = realloc(rows->mark, (size_t)capacity * r->waves * sizeof *more);
			if (!more) {
				r->failed = true;
				return 0;
			}
			rows->mark = more;
			rows->capacity = capacity;
		}
		row = ++rows->count;
	}
	memset(row_of(r, row), 0, r->waves * sizeof(struct wave_mark));
	return row;
}

static void drop_row(struct lds_races *r, uint32_t row)
{
	if (!row)
		return;
	row_of(r, row)->clock = r->rows.free;
	r->rows.free = row;
}

/* --- order --- */
static bool happens_before(const struct lds_races *r, uint32_t other, uint32_t clock, uint32_t wave)
{
	return other == wave || clock <= r->clocks->clock[wave][other];
}

/* The wave learns what `other` knows, and what it did up to `clock`. */
static void acquire_from_wave(struct lds_races *r, uint32_t wave, uint32_t other, uint32_t clock)
{
	if (happens_before(r, other, clock, wave))
		return;
	for (uint32_t u = 0; u < r->waves; u++)
		if (u != other)
			learn_clock(&r->clocks->clock[wave][u], r->clocks->clock[other][u]);
	learn_clock(&r->clocks->clock[wave][other], clock);
	r->clocks->heard[wave] |= UINT32_C(1) << other;
	r->clocks->clock[wave][wave]++;
	r->clocks->clock[other][other]++; /* what it does from now on comes later */
}

static void acquire_from_atomics(struct lds_races *r, uint32_t wave, const struct race_cell *c)
{
	const struct wave_mark *known = row_of(r, c->sync);
	uint32_t news = 0;

	for (uint32_t u = 0; c->sync && u < r->waves; u++)
		if (u != wave)
			news |= (uint32_t)learn_clock(&r->clocks->clock[wave][u], known[u].clock) << u;
	r->clocks->heard[wave] |= news;
	r->clocks->clock[wave][wave] += news != 0;
}

static void release_to_atomics(struct lds_races *r, uint32_t wave, struct race_cell *c)
{
	if (!c->sync && !(c->sync = take_row(r)))
		return;
	for (uint32_t u = 0; u < r->waves; u++)
		if (r->clocks->clock[wave][u] > row_of(r, c->sync)[u].clock)
			row_of(r, c->sync)[u].clock = r->clocks->clock[wave][u];
}

/* --- cells --- */
static bool find_write_conflict(const struct lds_races *r, const struct lds_touch *t, uint32_t lane,
	const struct race_cell *c, struct lds_conflict *out)
{
	const bool same = c->write_wave == t->wave && c->instruction == r->instruction;

	if (!c->write.clock || (c->is_atomic && (t->kind == TOUCH_ATOMIC || t->kind == TOUCH_ATOMIC_LOAD)))
		return false;
	if (same ? c->write.lane == lane : happens_before(r, c->write_wave, c->write.clock, t->wave))
		return false;
	*out = (struct lds_conflict){.other_wave = c->write_wave,
		.other_lane = c->write.lane,
		.other_pc = c->write.pc,
		.other_cycle = c->write.cycle,
		.other_stores = true,
		.other_is_atomic = c->is_atomic,
		.same_instruction = same};
	return true;
}

static bool is_unordered_load(
	const struct lds_races *r, uint32_t wave, uint32_t other, const struct wave_mark *m, struct lds_conflict *out)
{
	if (!m->clock || happens_before(r, other, m->clock, wave))
		return false;
	*out = (struct lds_conflict){
		.other_wave = other, .other_lane = m->lane, .other_pc = m->pc, .other_cycle = m->cycle};
	return true;
}

static bool find_load_conflict(
	const struct lds_races *r, uint32_t wave, const struct race_cell *c, struct lds_conflict *out)
{
	if (!c->loads)
		return is_unordered_load(r, wave, c->load_wave, &c->load, out);
	for (uint32_t u = 0; u < r->waves; u++)
		if (is_unordered_load(r, wave, u, &row_of(r, c->loads)[u], out))
			return true;
	return false;
}

static void note_load(struct lds_races *r, uint32_t wave, struct wave_mark mark, struct race_cell *c)
{
	if (!c->loads) {
		if (!c->load.clock || happens_before(r, c->load_wave, c->load.clock, wave)) {
			c->load = mark;
			c->load_wave = wave;
			return;
		}
		if (!(c->loads = take_row(r)))
			return;
		row_of(r, c->loads)[c->load_wave] = c->load;
	}
	row_of(r, c->loads)[wave] = mark;
}

static void note_write(struct lds_races *r, const struct lds_touch *t, struct wave_mark mark, struct race_cell *c)
{
	c->write = mark;
	c->write_wave = t->wave;
	c->instruction = r->instruction;
	c->is_atomic = t->kind == TOUCH_ATOMIC;
	drop_row(r, c->loads);
	c->loads = 0;
	c->load.clock = 0;
}

/* One lane's access to a cell. True: it races. */
static bool touch_cell(
	struct lds_races *r, const struct lds_touch *t, uint32_t lane, struct race_cell *c, struct lds_conflict *out)
{
	const struct wave_mark mark = {r->clocks->clock[t->wave][t->wave], t->pc, lane, t->cycle};
	bool races = false;

	if (t->kind == TOUCH_POLL || (t->kind == TOUCH_ATOMIC && t->returns))
		acquire_from_atomics(r, t->wave, c);
	if (t->kind == TOUCH_POLL) {
		if (c->write.clock)
			acquire_from_wave(r, t->wave, c->write_wave, c->write.clock);
		return false;
	}
	races = find_write_conflict(r, t, lane, c, out);
	if (t->kind == TOUCH_LOAD)
		note_load(r, t->wave, mark, c);
	if (t->kind == TOUCH_LOAD || t->kind == TOUCH_ATOMIC_LOAD)
		return races;
	races = races || find_load_conflict(r, t->wave, c, out);
	note_write(r, t, mark, c);
	if (t->kind == TOUCH_ATOMIC)
		release_to_atomics(r, t->wave, c);
	return races;
}

/* Gives the bytes of a dword cells of their own, which begin with what is known of the dword. */
static bool split_dword(struct lds_races *r, uint32_t dword)
{
	if (r->split[dword / 64] >> (dword % 64) & 1)
		return true;
	if (!r->byte && !(r->byte = calloc((size_t)r->cells * 4, sizeof *r->byte))) {
		r->failed = true;
		return false;
	}
	for (unsigned k = 0; k < 4; k++) {
		struct race_cell *c = &r->byte[dword * 4 + k];
		*c = r->dword[dword];
		if (k && c->loads && (c->loads = take_row(r)))
			memcpy(row_of(r, c->loads), row_of(r, r->dword[dword].loads),
				r->waves * sizeof(struct wave_mark));
		if (k && c->sync && (c->sync = take_row(r)))
			memcpy(row_of(r, c->sync), row_of(r, r->dword[dword].sync),
				r->waves * sizeof(struct wave_mark));
	}
	r->split[dword / 64] |= UINT64_C(1) << (dword % 64);
	return true;
}

/* One lane's access to [from, to), which lies in one dword. */
static bool touch_dword(struct lds_races *r, const struct lds_touch *t, uint32_t lane, uint32_t from, uint32_t to,
	struct lds_conflict *out)
{
	const uint32_t dword = from / 4;
	struct lds_conflict found;
	bool races = false;

	if (to - from == 4 && !(r->split[dword / 64] >> (dword % 64) & 1)) {
		races = touch_cell(r, t, lane, &r->dword[dword], out);
		out->at = from;
		return races;
	}
	if (!split_dword(r, dword))
		return false;
	for (uint32_t at = from; at < to; at++)
		if (touch_cell(r, t, lane, &r->byte[at], &found) && !races) {
			*out = found;
			out->at = at;
			races = true;
		}
	return races;
}

static bool touch_lane(struct lds_races *r, const struct lds_touch *t, uint32_t lane, struct lds_conflict *out)
{
	const uint32_t end = t->at[lane] + t->bytes;
	struct lds_conflict found;
	bool races = false;

	for (uint32_t from = t->at[lane], to; from < end; from = to) {
		to = (from | 3) + 1 < end ? (from | 3) + 1 : end;
		if (touch_dword(r, t, lane, from, to, &found) && !races) {
			*out = found;
			races = true;
		}
	}
	out->lane = lane;
	return races;
}

void lds_races_touch(struct lds_races *r, const struct lds_touch *t, lds_conflict_fn *report, void *of)
{
	struct lds_conflict found;

	r->instruction++;
	for (uint64_t e = t->lanes; e && !r->failed; e &= e - 1)
		if (touch_lane(r, t, (uint32_t)__builtin_ctzll(e), &found) && !r->failed)
			report(of, &found);
	if (t->kind == TOUCH_ATOMIC)
		r->clocks->clock[t->wave][t->wave]++;
}
