#include "softgpu/core/profile/profile_events.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/profile/timeline_spans.h"

enum { SPANS_MAX = 1 << 20, FIRST_GRAIN = 64 /* cycles */ };

struct profile_events {
	bool waves, windowed; /* windowed: keep the spans of one CU between two cycles */
	uint32_t cu;
	cycle_t from, to, grain; /* grain: cycles per span after merging; 0: not merged */
	uint32_t *by_cu, cus;    /* waves */
	struct softgpu_span *span;
	size_t spans, room;
	uint64_t dropped;
	uint64_t (*count[CACHE_KINDS])[EVENTS]; /* by instance and set; NULL: not requested */
	uint32_t instances[CACHE_KINDS], sets[CACHE_KINDS];
};

static bool allocate_set_counts(struct profile_events *e, const struct machine *m)
{
	const uint32_t instances[CACHE_KINDS] = {m->cus, m->channels, m->sqcs, m->cus};
	const uint32_t sets[CACHE_KINDS] = {
		m->cu[0].memory[0].l1.sets, m->channel[0].l2.sets, m->sqc[0].data.sets, m->model.lds_banks};

	for (unsigned k = 0; k < CACHE_KINDS; k++) {
		e->instances[k] = instances[k];
		e->sets[k] = sets[k];
		e->count[k] = calloc((size_t)instances[k] * sets[k], sizeof *e->count[k]);
		if (!e->count[k])
			return false;
	}
	return true;
}

struct profile_events *profile_events_open(const struct machine *m, unsigned what)
{
	struct profile_events *e = what & (SOFTGPU_PROFILE_WAVES | SOFTGPU_PROFILE_SETS) ? calloc(1, sizeof *e) : NULL;

	if (!e)
		return NULL;
	e->waves = what & SOFTGPU_PROFILE_WAVES;
	e->windowed = m->span_window.on;
	e->cu = m->span_window.cu;
	e->from = m->span_window.from;
	e->to = m->span_window.to;
	e->cus = m->cus;
	e->by_cu = calloc(m->cus, sizeof *e->by_cu);
	if (e->by_cu && (!(what & SOFTGPU_PROFILE_SETS) || allocate_set_counts(e, m)))
		return e;
	profile_events_close(e);
	return NULL;
}

void profile_events_close(struct profile_events *e)
{
	if (!e)
		return;
	for (unsigned k = 0; k < CACHE_KINDS; k++)
		free(e->count[k]);
	free(e->span);
	free(e->by_cu);
	free(e);
}

/* --- the timeline --- */
static bool is_continuation(const struct softgpu_span *a, const struct softgpu_span *b)
{
	return a->end == b->start && a->issue == b->issue && a->cause == b->cause && a->offset == b->offset &&
		!b->issued;
}

/* Windows are complete: if there are too many spans, merges them, at lower resolution. */
static bool merge_spans(struct profile_events *e)
{
	if (!e->windowed)
		return false;
	while (e->spans > SPANS_MAX / 4 * 3 && e->grain < UINT64_MAX / 2) {
		e->grain = e->grain ? 2 * e->grain : FIRST_GRAIN;
		e->spans = spans_coarsen(e->span, e->spans, e->grain, e->cus);
	}
	return true;
}

static bool ensure_span_room(struct profile_events *e)
{
	if (e->spans < e->room || (e->spans >= SPANS_MAX && merge_spans(e)))
		return true;
	size_t room = e->room ? 2 * e->room : 4096;
	struct softgpu_span *more = room <= SPANS_MAX ? realloc(e->span, room * sizeof *more) : NULL;
	if (!more)
		return false;
	e->span = more;
	e->room = room;
	return true;
}

static bool is_outside_window(const struct profile_events *e, const struct softgpu_span *span)
{
	return e->windowed &&
		((span->cu != e->cu && e->cu != SOFTGPU_EVERY_CU) || span->end <= e->from || span->start >= e->to);
}

void profile_events_add_span(struct profile_events *e, const struct softgpu_span *span, size_t *last)
{
	if (!e || !e->waves || is_outside_window(e, span))
		return;
	bool known = *last && *last <= e->spans && e->span[*last - 1].wave == span->wave; /* merging moves spans */
	if (known && is_continuation(&e->span[*last - 1], span)) {
		e->span[*last - 1].end = span->end;
		return;
	}
	if (!ensure_span_room(e)) {
		e->dropped++;
		*last = 0;
		return;
	}
	e->span[e->spans++] = *span;
	*last = e->spans;
}

size_t profile_events_read_timeline(
	const struct profile_events *e, struct softgpu_span *out, size_t max, uint64_t *dropped)
{
	if (dropped)
		*dropped = e ? e->dropped : 0;
	if (!e || !e->spans)
		return 0;
	memcpy(out, e->span, (max < e->spans ? max : e->spans) * sizeof *out);
	return e->spans;
}

cycle_t profile_events_read_bucket(const struct profile_events *e)
{
	return e ? e->grain : 0;
}

void profile_events_add_wave(struct profile_events *e, uint32_t cu)
{
	if (e)
		e->by_cu[cu]++;
}

size_t profile_events_read_waves(const struct profile_events *e, uint32_t *out, size_t max)
{
	if (!e || !e->waves)
		return 0;
	memcpy(out, e->by_cu, (max < e->cus ? max : e->cus) * sizeof *out);
	return e->cus;
}

/* --- sets and banks --- */
void profile_events_count(struct profile_events *e, enum cache_kind cache, uint32_t instance, uint64_t set,
	enum cache_event event, uint64_t n)
{
	if (e && e->count[cache])
		e->count[cache][(size_t)instance * e->sets[cache] + set][event] += n;
}

size_t profile_events_read_sets(const struct profile_events *e, struct softgpu_set *out, size_t max)
{
	static const char *const names[CACHE_KINDS] = {"L1", "L2", "scalar", "LDS"};
	size_t n = 0;

	for (unsigned c = 0; e && c < CACHE_KINDS && e->count[c]; c++)
		for (uint32_t k = 0; k < e->instances[c] * e->sets[c]; k++) {
			const uint64_t *v = e->count[c][k];
			if (!v[CACHE_EVENT_HIT] && !v[CACHE_EVENT_MISS] && !v[CACHE_EVENT_EVICTION])
				continue;
			if (n < max)
				out[n] = (struct softgpu_set){names[c], k / e->sets[c], k % e->sets[c],
					v[CACHE_EVENT_HIT], v[CACHE_EVENT_MISS], v[CACHE_EVENT_EVICTION]};
			n++;
		}
	return n;
}
