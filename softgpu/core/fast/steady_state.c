/* Detects launches in a steady state and skips their repetitions. */
#include "softgpu/core/fast/steady_state.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/resident/freed_room.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/timing/scheduler.h"

enum {
	FIRST_INTERVAL = 1024, /* workgroups before the state is saved first; the interval doubles each time */
	MIN_WORKGROUPS = 8 * FIRST_INTERVAL, /* smaller launches are not examined */
	MAX_INSTRUCTIONS = 1024,             /* of a kernel that may repeat */
	GROUP_WORDS = 2,
	WAVE_WORDS = 5 + RESULT_SLOTS + 2, /* the last two if it has ended (freed_room.h) */
	SIMD_WORDS = 4 + UNIT_COUNT,
	CU_WORDS = 5,
	MAX_WORDS = MAX_ENGINES * 3 + 4 +
		MAX_CUS * (CU_WORDS + SIMDS * (SIMD_WORDS + MAX_WAVES_PER_SIMD * (WAVE_WORDS + GROUP_WORDS))),
};

struct repeat {
	uint64_t t, issued,
		interval; /* cycle and workgroups when the state was saved; workgroups until it is saved again */
	struct launch_sums sums;
	uint32_t next_engine, next_cu[MAX_ENGINES];
	size_t words;
	uint64_t saved[MAX_WORDS], now[MAX_WORDS];
};

/* --- which launches may repeat --- */
static bool has_no_effect(const struct uop *i)
{
	for (unsigned n = 0; n < MAX_INSTRUCTIONS; n++, i += i->words) {
		if (i->kind == UOP_ENDPGM)
			return true;
		if (i->kind != UOP_PLAIN && i->kind != UOP_WAITCNT)
			return false;
	}
	return false;
}

/* All workgroups except the last one are complete. */
static bool has_equal_workgroups(const struct launch *n)
{
	const struct dispatch *d = n->d;

	return d->grid[1] % d->workgroup[1] == 0 && d->grid[2] % d->workgroup[2] == 0 &&
		(d->grid[0] % d->workgroup[0] == 0 || (n->grid[1] == 1 && n->grid[2] == 1));
}

void repeat_begin(struct launch *n)
{
	if (n->total < MIN_WORKGROUPS || !n->m->model.timing || n->m->profiler || n->scratch_groups ||
		!has_equal_workgroups(n) || !has_no_effect(n->entry))
		return;
	n->repeat = malloc(sizeof *n->repeat); /* if this fails, the launch only takes longer */
	if (!n->repeat)
		return;
	n->repeat->words = n->repeat->issued = 0;
	n->repeat->interval = FIRST_INTERVAL;
}

void repeat_end(struct launch *n)
{
	free(n->repeat);
	n->repeat = NULL;
}

/* --- the state --- */
/* A time relative to cycle t. All past times count as t, because no issue comes before t. */
static uint64_t relative_time(uint64_t time, uint64_t t)
{
	return time >= CYCLE_NEVER ? CYCLE_NEVER : time > t ? time - t : 0;
}

static uint64_t *append_wave_state(uint64_t *p, const struct simd *s, uint32_t k, uint64_t t)
{
	const struct wave *w = s->by_age[k];
	const struct workgroup *g = w->group;

	*p++ = relative_time(w->next, t);
	*p++ = (uintptr_t)w->ip;
	*p++ = (uintptr_t)w->fetch_target;
	*p++ = w->slot | w->index << 8 | (uint64_t)g->slot << 16;
	*p++ = w->waitcnt[WAITCNT_VM].count | w->waitcnt[WAITCNT_LGKM].count << 8 | w->waitcnt[WAITCNT_VS].count << 16;
	*p++ = g->alive | g->arrived << 8;
	*p++ = relative_time(g->latest, t);
	for (unsigned n = 0; n < RESULT_SLOTS; n++)
		*p++ = relative_time(w->result_ready[n], t);
	return p;
}

static uint64_t *append_simd_state(uint64_t *p, const struct simd *s, uint64_t t)
{
	*p++ = s->count;
	*p++ = s->at_barrier;
	*p++ = s->used_slots;
	*p++ = relative_time(s->matrix_core_free, t);
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		*p++ = relative_time(scheduler_port(&s->cu->scheduler, s, u)->free_at, t);
	for (uint32_t k = 0; k < s->count; k++)
		p = append_wave_state(p, s, k, t);
	return p;
}

static uint64_t *append_cu_state(uint64_t *p, struct launch *n, const struct cu *cu, uint64_t t)
{
	*p++ = cu->touched;
	if (!cu->touched)
		return p;
	*p++ = cu->share[n->number].used;
	*p++ = cu->waves;
	*p++ = cu->next_simd;
	*p++ = relative_time(event_queue_time_of(&n->m->events, cu - n->m->cu), t);
	for (unsigned k = 0; k < SIMDS; k++)
		p = append_simd_state(p, &cu->simd[k], t);
	return p;
}

/* If this does not change, no more code is fetched. */
static uint64_t code_misses(const struct machine *m)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k < m->sqcs; k++)
		n += m->sqc[k].code_misses;
	return n;
}

static uint64_t *append_freed_room(uint64_t *p, const struct freed_room *f, uint64_t t)
{
	for (uint32_t k = f->head; k != f->tail; k++) {
		const struct freed_wave *e = &f->wave[k % f->size];
		*p++ = relative_time(e->at, t);
		*p++ = (uint64_t)e->wave->simd->number << 16 | e->wave->slot << 8 | e->last;
	}
	return p;
}

/* Records everything that affects the time of such a kernel. New state of the machine that affects it must be added. */
static size_t record_state(struct launch *n, uint64_t t, uint64_t *out)
{
	uint64_t *p = out;

	*p++ = n->next_engine;
	*p++ = code_misses(n->m);
	*p++ = relative_time(n->dispatch_at, t);
	*p++ = relative_time(n->end, t);
	for (unsigned e = 0; e < MAX_ENGINES; e++) {
		*p++ = n->free_cus[e];
		*p++ = n->next_cu[e];
		*p++ = relative_time(n->m->engine_free[e], t);
	}
	for (uint32_t k = 0; k < n->m->cus; k++)
		p = append_cu_state(p, n, &n->m->cu[k], t);
	return append_freed_room(p, &n->m->freed, t) - out;
}

static void save_state(struct launch *n, uint64_t t)
{
	struct repeat *r = n->repeat;

	r->t = t;
	r->issued = n->issued;
	r->sums = n->m->thread.sums;
	r->words = record_state(n, t, r->saved);
	r->next_engine = n->next_engine;
	memcpy(r->next_cu, n->next_cu, sizeof r->next_cu);
}

static bool matches_saved_state(struct launch *n, uint64_t t)
{
	struct repeat *r = n->repeat;

	if (!r->words || r->next_engine != n->next_engine || memcmp(r->next_cu, n->next_cu, sizeof r->next_cu))
		return false;
	return record_state(n, t, r->now) == r->words && !memcmp(r->now, r->saved, r->words * sizeof *r->now);
}

/* --- skipping periods --- */
/* Delays all times of a CU. */
static void shift_simd_time(struct simd *s, cycle_t dt)
{
	struct scheduler *q = &s->cu->scheduler;

	s->matrix_core_free += dt;
	for (uint32_t k = 0; k < s->count; k++) {
		struct wave *w = s->by_age[k];
		w->last += dt;
		for (unsigned n = 0; n < RESULT_SLOTS; n++)
			w->result_ready[n] += dt;
		if (w->next == CYCLE_NEVER)
			continue;
		w->next += dt;
		w->next = max_u64(w->next, q->now);
		scheduler_requeue(q, scheduler_wave_index(w), w);
	}
}

static void shift_cu_time(struct cu *cu, cycle_t dt)
{
	struct scheduler *q = &cu->scheduler;
	const struct scheduler before = *q;

	scheduler_clear(q);
	q->now = before.now + dt;
	for (unsigned k = 0; k < SIMDS * SCHED_SLOTS_PER_SIMD; k++)
		if (k % SCHED_SLOTS_PER_SIMD != UNIT_FETCH)
			q->port[k].free_at = before.port[k].free_at + dt;
	for (unsigned k = 0; k < SIMDS; k++)
		shift_simd_time(&cu->simd[k], dt);
}

static void shift_times(struct launch *n, uint64_t dt)
{
	event_queue_shift(&n->m->events, dt);
	freed_room_shift(n->m, dt);
	for (uint32_t k = 0; k < n->m->cus; k++)
		if (n->m->cu[k].touched)
			shift_cu_time(&n->m->cu[k], dt);
	for (unsigned e = 0; e < MAX_ENGINES; e++)
		n->m->engine_free[e] += dt;
	n->dispatch_at += dt;
	n->end += dt;
}

/* Adds the counts of `periods` more periods, each like the one since the state was saved. */
static void add_counts(struct launch *n, uint64_t periods)
{
	const struct repeat *r = n->repeat;
	uint64_t waves = n->m->thread.sums.waves - r->sums.waves, *sum = (uint64_t *)&n->m->thread.sums;
	const uint64_t *saved = (const uint64_t *)&r->sums;

	_Static_assert(sizeof(struct launch_sums) % sizeof(uint64_t) == 0, "contains only sums");
	for (size_t k = 0; k < sizeof(struct launch_sums) / sizeof *sum; k++)
		sum[k] += periods * (sum[k] - saved[k]);
	for (struct uop *i = (struct uop *)n->entry;; i += i->words) {
		i->hits += periods * waves;
		if (i->kind == UOP_ENDPGM)
			break;
	}
}

uint64_t repeat_skip_periods(struct launch *n, uint64_t t)
{
	struct repeat *r = n->repeat;

	if (matches_saved_state(n, t)) {
		uint64_t period = n->issued - r->issued, periods = (n->total - n->issued - 1) / period,
			 dt = periods * (t - r->t);
		shift_times(n, dt);
		add_counts(n, periods);
		launch_skip_workgroups(n, periods * period);
		repeat_end(n);
		return t + dt;
	}
	if (n->issued - r->issued >= r->interval) {
		r->interval *= r->words ? 2 : 1;
		save_state(n, t);
	}
	return t;
}
