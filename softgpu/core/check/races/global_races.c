#include "softgpu/core/check/races/global_races.h"

#include <stdlib.h>

#include "softgpu/core/check/races/race_segments.h"

/* An instruction, while its lanes are looked at. */
struct touching {
	struct global_races *r;
	const struct global_touch *t;
	uint32_t segment, site;
	uint32_t asked; /* the segment that was asked for last, and the answer */
	bool is_before;
};

struct global_races *global_races_open(void)
{
	return calloc(1, sizeof(struct global_races));
}

void global_races_close(struct global_races *r)
{
	if (!r)
		return;
	global_shadow_close(&r->shadow);
	known_waves_close(&r->sets);
	free(r->segment);
	free(r->clock);
	free(r->site);
	free(r);
}

void global_races_begin(struct global_races *r, uint64_t groups, uint32_t waves_per_group)
{
	r->waves = waves_per_group;
	for (r->stride = 1; r->stride < waves_per_group;)
		r->stride *= 2;
	r->failed = groups > UINT32_MAX / r->stride;
	r->segments = 1;
	r->clocks = r->sites = 0;
	memset(r->site_of, 0, sizeof r->site_of);
	known_waves_begin(&r->sets, groups * r->stride);
	global_shadow_begin(&r->shadow);
}

/* --- workgroups --- */
void global_races_start_group(
	const struct global_races *r, struct group_order *g, uint64_t number, struct wave_clocks *clocks)
{
	*g = (struct group_order){.number = r->failed ? 0 : (uint32_t)number, .clocks = clocks};
}

void global_races_end_group(struct global_races *r, struct group_order *g)
{
	for (uint32_t w = 0; w < r->waves; w++)
		known_waves_drop(&r->sets, g->known[w]);
}

void global_races_pass_barrier(struct global_races *r, struct group_order *g)
{
	known_set all = KNOWN_NOTHING;

	for (uint32_t w = 0; w < r->waves; w++) {
		all = known_waves_join(&r->sets, all, g->known[w]);
		known_waves_drop(&r->sets, g->known[w]);
	}
	for (uint32_t w = 0; w < r->waves; w++)
		g->known[w] = known_waves_hold(&r->sets, all);
	known_waves_drop(&r->sets, all);
}

void global_races_pass_order(struct global_races *r, const struct group_order *from, uint32_t from_wave,
	struct group_order *to, uint32_t to_wave)
{
	struct group_order *of = (struct group_order *)from;
	const uint32_t segment = r->failed ? 0 : race_segment_enter(r, of, from_wave, false);

	if (segment && race_segment_learn(r, to, to_wave, segment))
		to->clocks->clock[to_wave][to_wave]++;
}

/* --- marks --- */
static bool is_before(struct touching *x, uint32_t segment)
{
	if (segment != x->asked) {
		x->asked = segment;
		x->is_before = race_segment_is_before(x->r, x->t->group, x->t->wave, segment);
	}
	return x->is_before;
}

/* Parts of a dword are accessed by lanes one after the other: how many are before the one of this byte. */
static uint32_t lanes_before_byte(const struct touching *x, const struct shadow_mark *m, unsigned byte)
{
	const uint32_t bytes = x->r->site[m->site].bytes;

	return bytes && bytes < 4 ? (byte - (unsigned)__builtin_ctz(m->mask)) / bytes : 0;
}

/* The mark of the lane's access, together with that of the lanes before it. */
static struct shadow_mark extend_mark(const struct touching *x, struct shadow_mark before, uint32_t lane, uint32_t mask)
{
	const struct shadow_mark now = {x->segment, x->site, lane, mask};

	if (before.segment != x->segment || !(before.mask & ~mask))
		return now;
	before.mask |= mask;
	if (before.site == x->site &&
		before.lane + lanes_before_byte(x, &before, (unsigned)__builtin_ctz(mask)) == lane)
		return before;
	return (struct shadow_mark){x->segment, x->site, lane, before.mask};
}

static void describe_mark(
	const struct touching *x, const struct shadow_mark *m, uint32_t mask, bool stores, struct global_conflict *out)
{
	const struct race_segment *s = &x->r->segment[m->segment];
	const unsigned byte = (unsigned)__builtin_ctz(m->mask & mask);

	*out = (struct global_conflict){.at = byte,
		.other_group = s->wave / x->r->stride,
		.other_wave = s->wave % x->r->stride,
		.other_lane = (m->lane + lanes_before_byte(x, m, byte)) % MAX_LANES,
		.other_pc = x->r->site[m->site].pc,
		.other_stores = stores};
}

static bool is_unordered(struct touching *x, const struct shadow_mark *m, uint32_t mask)
{
	return m->mask & mask && !is_before(x, m->segment);
}

/* --- conflicts --- */
static bool counts_as_atomic(const struct touching *x, const struct shadow_cell *c)
{
	const enum touch_kind kind = x->t->kind;

	return kind == TOUCH_ATOMIC || kind == TOUCH_ATOMIC_LOAD || (kind == TOUCH_STORE && c->bits & CELL_AWAITED);
}

static bool find_write_race(struct touching *x, const struct shadow_cell *c, uint32_t mask, struct global_conflict *out)
{
	const struct shadow_mark m = shadow_mark_get(c, MARK_WRITE);

	if ((c->bits & CELL_ATOMIC && counts_as_atomic(x, c)) || !is_unordered(x, &m, mask))
		return false;
	describe_mark(x, &m, mask, true, out);
	out->other_is_atomic = c->bits & CELL_ATOMIC;
	return true;
}

static bool find_load_race(struct touching *x, const struct shadow_cell *c, uint32_t mask, struct global_conflict *out)
{
	for (unsigned which = MARK_LOAD; which <= MARK_OTHER_LOAD; which++) {
		const struct shadow_mark m = shadow_mark_get(c, which);
		if (is_unordered(x, &m, mask)) {
			describe_mark(x, &m, mask, false, out);
			return true;
		}
	}
	return false;
}

/* --- notes --- */
static void note_load(struct touching *x, struct shadow_cell *c, uint32_t lane, uint32_t mask)
{
	for (unsigned which = MARK_LOAD; which <= MARK_OTHER_LOAD; which++) {
		const struct shadow_mark m = shadow_mark_get(c, which);
		if (!m.mask || is_before(x, m.segment)) {
			shadow_mark_set(c, which, extend_mark(x, m, lane, mask));
			return;
		}
	}
}

/* What the write ends: loads of these bytes. */
static void forget_loads(struct shadow_cell *c, uint32_t mask)
{
	for (unsigned which = MARK_LOAD; which <= MARK_OTHER_LOAD; which++) {
		struct shadow_mark m = shadow_mark_get(c, which);
		m.mask &= ~mask;
		if (m.segment)
			shadow_mark_set(c, which, m);
	}
}

/* An atomic replaces one that is not ordered: who comes after this one comes after that one, too. */
static void keep_release(struct touching *x, struct shadow_cell *c, uint64_t dword)
{
	const struct shadow_mark m = shadow_mark_get(c, MARK_WRITE);
	struct cell_sync *s = NULL;

	if (!(c->bits & CELL_ATOMIC) || !m.mask || is_before(x, m.segment))
		return;
	if (!(s = global_shadow_sync(&x->r->shadow, dword))) {
		x->r->failed = true;
		return;
	}
	c->bits |= CELL_SYNC;
	for (uint32_t k = 0; k < s->count; k++)
		if (x->r->segment[s->segment[k]].wave == x->r->segment[m.segment].wave) {
			s->segment[k] = m.segment;
			return;
		}
	if (s->count < SYNC_SEGMENTS)
		s->segment[s->count++] = m.segment;
	else
		s->known = race_segment_add(x->r, s->known, m.segment);
}

static void note_write(struct touching *x, struct shadow_cell *c, uint64_t dword, uint32_t lane, uint32_t mask)
{
	const bool atomic = counts_as_atomic(x, c);

	if (x->t->kind == TOUCH_ATOMIC)
		keep_release(x, c, dword);
	if (x->t->swaps)
		c->bits |= CELL_AWAITED;
	shadow_mark_set(c, MARK_WRITE, extend_mark(x, shadow_mark_get(c, MARK_WRITE), lane, mask));
	c->bits = (uint16_t)(atomic ? c->bits | CELL_ATOMIC : c->bits & ~CELL_ATOMIC);
	x->r->segment[x->segment].released |= atomic;
	forget_loads(c, mask);
}

/* True: it races. */
static bool touch_cell(struct touching *x, struct shadow_cell *c, uint64_t dword, uint32_t lane, uint32_t mask,
	struct global_conflict *out)
{
	const bool loads = x->t->kind == TOUCH_LOAD || x->t->kind == TOUCH_ATOMIC_LOAD;
	bool races = find_write_race(x, c, mask, out);

	if (x->t->kind == TOUCH_LOAD)
		note_load(x, c, lane, mask);
	if (loads)
		return races;
	races = races || find_load_race(x, c, mask, out);
	note_write(x, c, dword, lane, mask);
	return races;
}

/* --- parts of dwords --- */
/* A part of a dword is written, and another wave wrote another part. */
static bool must_split(struct touching *x, const struct shadow_cell *c, uint32_t mask)
{
	const struct shadow_mark m = shadow_mark_get(c, MARK_WRITE);

	return x->t->kind == TOUCH_STORE && m.mask & ~mask && !is_before(x, m.segment);
}

/* NULL: out of memory. */
static struct shadow_cell *split_cell(struct touching *x, struct shadow_cell *c, uint64_t dword)
{
	struct shadow_cell *bytes = global_shadow_bytes(&x->r->shadow, dword);

	if (!bytes)
		x->r->failed = true;
	for (unsigned k = 0; bytes && !(c->bits & CELL_SPLIT) && k < 4; k++)
		for (unsigned which = 0; which < MARKS; which++) {
			struct shadow_mark m = shadow_mark_get(c, which);
			if (!(m.mask >> k & 1))
				continue;
			m.lane = (m.lane + lanes_before_byte(x, &m, k)) % MAX_LANES;
			m.mask = 1u << k;
			shadow_mark_set(&bytes[k], which, m);
			bytes[k].bits |= c->bits & (CELL_ATOMIC | CELL_AWAITED);
		}
	c->bits |= CELL_SPLIT;
	return bytes;
}

static bool touch_bytes(struct touching *x, struct shadow_cell *c, uint64_t dword, uint32_t lane, uint32_t mask,
	struct global_conflict *out)
{
	struct shadow_cell *bytes = split_cell(x, c, dword);
	struct global_conflict found;
	bool races = false;

	for (unsigned k = 0; bytes && k < 4; k++)
		if (mask >> k & 1 && touch_cell(x, &bytes[k], dword, lane, 1u << k, &found) && !races) {
			*out = found;
			races = true;
		}
	return races;
}

/* --- lanes --- */
/* Calls fn for each dword of the lane's access, with the bytes of it, until it returns true. */
typedef bool dword_fn(struct touching *x, struct shadow_cell *c, uint64_t dword, uint32_t lane, uint32_t mask,
	struct global_conflict *out);

static bool for_each_dword(struct touching *x, uint32_t lane, dword_fn *fn, struct global_conflict *out)
{
	const uint64_t from = x->t->at[lane], end = from + x->t->bytes;
	struct global_conflict found;
	bool any = false;

	for (uint64_t dword = from / 4; dword * 4 < end; dword++) {
		struct shadow_cell *c = global_shadow_find(&x->r->shadow, dword, x->t->wanted, x->t->wanted_of);
		const unsigned first = dword * 4 < from ? (unsigned)(from % 4) : 0,
			       last = end - dword * 4 < 4 ? (unsigned)(end - dword * 4) : 4;
		if (!c || !fn(x, c, dword, lane, (1u << last) - (1u << first), &found) || any)
			continue;
		*out = found;
		out->at += dword * 4;
		any = true;
	}
	out->lane = lane;
	return any;
}

static bool touch_dword(struct touching *x, struct shadow_cell *c, uint64_t dword, uint32_t lane, uint32_t mask,
	struct global_conflict *out)
{
	if (c->bits & CELL_SPLIT || (mask != 15 && must_split(x, c, mask)))
		return touch_bytes(x, c, dword, lane, mask, out);
	return touch_cell(x, c, dword, lane, mask, out);
}

/* What was written there, or released, happens before the wave. True: that is news. */
static bool acquire_dword(struct touching *x, struct shadow_cell *c, uint64_t dword, uint32_t lane, uint32_t mask,
	struct global_conflict *out)
{
	struct global_races *r = x->r;
	struct group_order *g = x->t->group;
	const struct shadow_cell *of = c->bits & CELL_SPLIT ? global_shadow_bytes(&r->shadow, dword) : c;
	const struct shadow_mark m = of ? shadow_mark_get(of, MARK_WRITE) : (struct shadow_mark){0};
	struct cell_sync *s = c->bits & CELL_SYNC ? global_shadow_sync(&r->shadow, dword) : NULL;
	bool news = m.mask && race_segment_learn(r, g, x->t->wave, m.segment);

	(void)lane, (void)mask;
	*out = (struct global_conflict){0};
	if (x->t->kind == TOUCH_POLL)
		c->bits |= CELL_AWAITED;
	for (uint32_t k = 0; s && k < s->count; k++)
		news |= race_segment_learn(r, g, x->t->wave, s->segment[k]);
	if (s)
		news |= race_segment_learn_set(r, g, x->t->wave, s->known);
	if (s && x->t->kind == TOUCH_ATOMIC) { /* the atomic itself has all of it now */
		known_waves_drop(&r->sets, s->known);
		*s = (struct cell_sync){0};
	}
	return news;
}

static void acquire_lanes(struct touching *x)
{
	struct global_conflict none;
	bool news = false;

	for (uint64_t l = x->t->lanes; l; l &= l - 1)
		news |= for_each_dword(x, (uint32_t)__builtin_ctzll(l), acquire_dword, &none);
	if (news)
		x->t->group->clocks->clock[x->t->wave][x->t->wave]++;
}

void global_races_touch(struct global_races *r, const struct global_touch *t, global_conflict_fn *report, void *of)
{
	struct touching x = {.r = r, .t = t};
	struct global_conflict found;

	if (r->failed)
		return;
	if (t->kind == TOUCH_POLL || (t->kind == TOUCH_ATOMIC && t->returns))
		acquire_lanes(&x);
	if (t->kind == TOUCH_POLL || !(x.segment = race_segment_enter(r, t->group, t->wave, t->kind != TOUCH_ATOMIC)))
		return;
	x.site = race_site_find(r, t->pc, t->bytes);
	for (uint64_t l = t->lanes; l && !r->failed; l &= l - 1)
		if (for_each_dword(&x, (uint32_t)__builtin_ctzll(l), touch_dword, &found) && !r->failed)
			report(of, &found);
}
