#include "softgpu/core/fast/steady_state.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/timing/scheduler.h"

enum {
	FIRST = 1024, /* workgroups before the state is kept for the first time; each time it is kept twice as long */
	WORTH = 8 * FIRST,   /* workgroups of a launch that is looked at */
	LONGEST_LINE = 1024, /* instructions of such a kernel */
	GROUP_WORDS = 2,
	WAVE_WORDS = 5,
	SIMD_WORDS = 3 + UNIT_COUNT,
	CU_WORDS = 5,
	MOST_WORDS = MAX_ENGINES * 2 + 4 +
		MAX_CUS * (CU_WORDS + SIMDS * (SIMD_WORDS + MAX_WAVES_PER_SIMD * (WAVE_WORDS + GROUP_WORDS))),
};

struct repeat {
	uint64_t t, issued, patience; /* when the state was kept, workgroups then, and for how many it stays */
	struct launch_sums sums;
	uint32_t next_engine, next_cu[MAX_ENGINES];
	size_t words;
	uint64_t kept[MOST_WORDS], now[MOST_WORDS];
};

/* --- what may repeat itself --- */
static bool has_no_effect(const struct uop *i)
{
	for (unsigned n = 0; n < LONGEST_LINE; n++, i += i->words) {
		if (i->kind == UOP_ENDPGM)
			return true;
		if (i->kind != UOP_PLAIN && i->kind != UOP_WAITCNT)
			return false;
	}
	return false;
}

/* All workgroups are whole, but for the very last one. */
static bool is_even(const struct launch *n)
{
	const struct dispatch *d = n->d;

	return d->grid[1] % d->workgroup[1] == 0 && d->grid[2] % d->workgroup[2] == 0 &&
		(d->grid[0] % d->workgroup[0] == 0 || (n->grid[1] == 1 && n->grid[2] == 1));
}

void repeat_begin(struct machine *m)
{
	struct launch *n = &m->launch;

	if (n->total < WORTH || !m->model.timing || m->profiler || n->scratch_groups || !is_even(n) ||
		!has_no_effect(n->entry))
		return;
	n->repeat = malloc(sizeof *n->repeat); /* without memory it just takes longer */
	if (!n->repeat)
		return;
	n->repeat->words = n->repeat->issued = 0;
	n->repeat->patience = FIRST;
}

void repeat_end(struct machine *m)
{
	free(m->launch.repeat);
	m->launch.repeat = NULL;
}

/* --- the state --- */
/* A time from now on; what is past is all the same: every issue still to come is not before now. */
static uint64_t from_now(uint64_t time, uint64_t t)
{
	return time >= CYCLE_NEVER ? CYCLE_NEVER : time > t ? time - t : 0;
}

static uint64_t *put_wave(uint64_t *p, const struct simd *s, uint32_t k, uint64_t t)
{
	const struct wave *w = s->by_age[k];
	const struct workgroup *g = w->group;

	*p++ = from_now(w->next, t);
	*p++ = (uintptr_t)w->ip;
	*p++ = (uintptr_t)w->fetch_target;
	*p++ = w->slot | w->index << 8 | (uint64_t)g->slot << 16;
	*p++ = w->waitcnt[WAITCNT_VM].count | w->waitcnt[WAITCNT_LGKM].count << 8;
	*p++ = g->alive | g->arrived << 8;
	*p++ = from_now(g->latest, t);
	return p;
}

static uint64_t *put_simd(uint64_t *p, const struct simd *s, uint64_t t)
{
	*p++ = s->count;
	*p++ = s->at_barrier;
	*p++ = s->used_slots;
	for (unsigned u = 0; u < UNIT_COUNT; u++)
		*p++ = from_now(scheduler_port(&s->cu->scheduler, s, u)->free_at, t);
	for (uint32_t k = 0; k < s->count; k++)
		p = put_wave(p, s, k, t);
	return p;
}

static uint64_t *put_cu(uint64_t *p, struct machine *m, const struct cu *cu, uint64_t t)
{
	*p++ = cu->touched;
	if (!cu->touched)
		return p;
	*p++ = cu->groups_used;
	*p++ = cu->waves;
	*p++ = cu->next_simd;
	*p++ = from_now(event_queue_time_of(&m->events, cu - m->cu), t);
	for (unsigned k = 0; k < SIMDS; k++)
		p = put_simd(p, &cu->simd[k], t);
	return p;
}

/* No line of code is fetched any more when this does not change. */
static uint64_t code_misses(const struct machine *m)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k < m->sqcs; k++)
		n += m->sqc[k].code_misses;
	return n;
}

/* All that such a kernel's time depends on: what is added to the machine and changes it belongs here. */
static size_t state(struct machine *m, uint64_t t, uint64_t *out)
{
	const struct launch *n = &m->launch;
	uint64_t *p = out;

	*p++ = n->next_engine;
	*p++ = code_misses(m);
	*p++ = from_now(n->dispatch_at, t);
	*p++ = from_now(n->end, t);
	for (unsigned e = 0; e < MAX_ENGINES; e++) {
		*p++ = n->free_cus[e];
		*p++ = n->next_cu[e];
	}
	for (uint32_t k = 0; k < m->cus; k++)
		p = put_cu(p, m, &m->cu[k], t);
	return p - out;
}

static void keep(struct machine *m, uint64_t t)
{
	struct repeat *r = m->launch.repeat;

	r->t = t;
	r->issued = m->launch.issued;
	r->sums = m->sums;
	r->words = state(m, t, r->kept);
	r->next_engine = m->launch.next_engine;
	memcpy(r->next_cu, m->launch.next_cu, sizeof r->next_cu);
}

static bool is_as_kept(struct machine *m, uint64_t t)
{
	struct repeat *r = m->launch.repeat;

	if (!r->words || r->next_engine != m->launch.next_engine ||
		memcmp(r->next_cu, m->launch.next_cu, sizeof r->next_cu))
		return false;
	return state(m, t, r->now) == r->words && !memcmp(r->now, r->kept, r->words * sizeof *r->now);
}

/* --- moving on --- */
static void shift_times(struct machine *m, uint64_t dt)
{
	event_queue_shift(&m->events, dt);
	for (uint32_t k = 0; k < m->cus; k++)
		if (m->cu[k].touched)
			cu_shift_time(&m->cu[k], dt);
	m->launch.dispatch_at += dt;
	m->launch.end += dt;
}

/* Counts of `periods` more periods like the one since the state was kept. */
static void add_counts(struct machine *m, uint64_t periods)
{
	const struct repeat *r = m->launch.repeat;
	uint64_t waves = m->sums.waves - r->sums.waves, *sum = (uint64_t *)&m->sums;
	const uint64_t *kept = (const uint64_t *)&r->sums;

	_Static_assert(sizeof(struct launch_sums) % sizeof(uint64_t) == 0, "nothing but sums");
	for (size_t k = 0; k < sizeof(struct launch_sums) / sizeof *sum; k++)
		sum[k] += periods * (sum[k] - kept[k]);
	for (struct uop *i = (struct uop *)m->launch.entry;; i += i->words) {
		i->hits += periods * waves;
		if (i->kind == UOP_ENDPGM)
			break;
	}
}

static void shift_groups(struct machine *m, uint64_t groups)
{
	struct launch *n = &m->launch;
	uint64_t at;

	at = n->issued += groups;
	for (unsigned k = 0; k < 3; k++, at /= n->grid[k - 1])
		n->next[k] = at % n->grid[k];
	atomic_fetch_add_explicit(&m->done, groups, memory_order_relaxed);
}

uint64_t repeat_skip_periods(struct machine *m, uint64_t t)
{
	struct launch *n = &m->launch;
	struct repeat *r = n->repeat;

	if (is_as_kept(m, t)) {
		uint64_t period = n->issued - r->issued, periods = (n->total - n->issued - 1) / period,
			 dt = periods * (t - r->t);
		shift_times(m, dt);
		add_counts(m, periods);
		shift_groups(m, periods * period);
		repeat_end(m);
		return t + dt;
	}
	if (n->issued - r->issued >= r->patience) {
		r->patience *= r->words ? 2 : 1;
		keep(m, t);
	}
	return t;
}
