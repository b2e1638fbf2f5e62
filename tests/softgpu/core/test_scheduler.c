/* The scheduler issues waves in the same order as a search over all of them: earliest first, then by SIMD, then the
 * oldest; for random units, costs and wave lifetimes. No older wave issues during a burst. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "softgpu/core/timing/scheduler.h"

enum { TURNS = 20000, KINDS = 300 };

static uint32_t state;

static uint32_t pick(uint32_t below)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % below;
}

/* Instructions of every unit and cost, and waves without a machine. */
static struct uop insts[KINDS];
static struct wave waves[SIMDS][MAX_WAVES_PER_SIMD];
static struct machine machine = {.model.barrier_cycles = 4};
static struct cu cu;
static uint32_t rows; /* that an older wave ends */
static uint64_t turns;
static struct {
	const struct wave *of;
	uint64_t until, turn;
} row[SIMDS]; /* the last one of each SIMD */

static void make_insts(void)
{
	for (unsigned k = 0; k < KINDS; k++) {
		insts[k].unit = pick(2) ? UNIT_VALU : pick(UNIT_COUNT);
		insts[k].cost = !pick(10) ? 1 + pick(255) : pick(2) ? 4 : 1; /* gfx9 and gfx11 */
	}
}

static void add(unsigned k, uint64_t t)
{
	struct simd *s = &cu.simd[k];
	struct wave *w = &waves[k][0];

	while (w->group)
		w++;
	w->group = (struct workgroup *)1; /* it is there */
	w->simd = s;
	w->ip = &insts[pick(KINDS)];
	w->next = t;
	w->last = turns;
	w->age = s->count;
	s->by_age[s->count++] = w;
	scheduler_requeue(&cu.scheduler, scheduler_wave_index(w), w);
}

static void leave(struct wave *w)
{
	struct simd *s = w->simd;

	w->group = NULL;
	s->count--;
	for (uint32_t k = w->age; k < s->count; k++) {
		s->by_age[k] = s->by_age[k + 1];
		s->by_age[k]->age = k;
	}
	scheduler_remove_wave(&cu.scheduler, s->number, w->age);
}

static void open_cu(void)
{
	memset(&cu, 0, sizeof cu);
	memset(waves, 0, sizeof waves);
	memset(row, 0, sizeof row);
	cu.m = &machine;
	scheduler_clear(&cu.scheduler);
	for (unsigned k = 0; k < SIMDS; k++) {
		cu.simd[k].cu = &cu;
		cu.simd[k].number = k;
		cu.simd[k].by_age = cu.scheduler.wave + k * SCHED_SLOTS_PER_SIMD;
	}
}

/* The next wave, by searching all; NULL: none. */
static struct wave *first_of_all(uint64_t *t)
{
	struct wave *first = NULL;

	*t = CYCLE_NEVER;
	for (unsigned k = 0; k < SIMDS; k++)
		for (uint32_t j = 0; j < cu.simd[k].count; j++) {
			struct wave *w = cu.simd[k].by_age[j];
			if (scheduler_ready_cycle(&cu.scheduler, w) < *t) {
				*t = scheduler_ready_cycle(&cu.scheduler, w);
				first = w;
			}
		}
	return first;
}

/* The next wave of the scheduler, skipping those whose port is busy; NULL: none. */
static struct wave *first_turn(uint64_t *t)
{
	struct scheduler *q = &cu.scheduler;

	while ((*t = scheduler_next_cycle(q)) < CYCLE_NEVER) {
		scheduler_enter_cycle(q, *t);
		uint64_t at = q->ring[*t % SCHED_RING_CYCLES];
		assert_int_not_equal(at, 0);
		unsigned number = __builtin_ctzll(at);
		struct issue_port *port = &q->port[q->port_of[number]];
		struct wave *w = q->wave[number];
		assert_int_equal(q->port_of[number], scheduler_port_index(number, w));
		scheduler_pop_wave(q, *t);
		if (port->free_at <= *t)
			return w;
		scheduler_wait_port(q, number, port);
	}
	return NULL;
}

/* Cycles until a wave's next instruction: mostly 0, sometimes few, sometimes many. */
static uint64_t later(uint64_t t)
{
	const uint32_t which = pick(128);

	return t + (which < 100 ? 0 : pick(which < 126 ? 8 : which < 127 ? 130 : 3000));
}

/* Not the wave in the burst, nor one that arrived after its start. */
static bool may_release(const struct wave *w, const struct wave *stopped)
{
	const unsigned k = stopped->simd->number;

	return w->simd->number != k && (!row[k].of || w->last < row[k].turn);
}

/* A stopped wave continues, as after a barrier, once the bursts of all younger waves are over. */
static void release(struct wave **stopped, uint64_t t)
{
	struct wave *w = *stopped;
	const struct wave *younger = row[w->simd->number].of;

	w->simd->at_barrier--;
	w->next = later(t + machine.model.barrier_cycles);
	assert_true(!younger || younger->age <= w->age || w->next > row[w->simd->number].until);
	scheduler_requeue(&cu.scheduler, scheduler_wave_index(w), w);
	*stopped = NULL;
}

/* The wave issues at cycle t: it continues, ends, is held back without its unit, or stops until another wave wakes it.
 */
static void take(struct wave *w, uint64_t t, struct wave **stopped)
{
	struct scheduler *q = &cu.scheduler;
	const unsigned to = scheduler_port_index(scheduler_wave_index(w), w);
	const uint32_t what = pick(100);

	if (what < 3) {
		w->next = later(t + 1);
		scheduler_wake_port_waiter(q, to);
		scheduler_requeue(q, scheduler_wave_index(w), w);
		return;
	}
	q->port[to].free_at = t + w->ip->cost;
	w->next = later(t + w->ip->cost);
	w->ip = &insts[pick(KINDS)];
	if (*stopped && may_release(w, *stopped) && pick(2))
		release(stopped, t);
	if (what < 8)
		leave(w);
	scheduler_wake_port_waiter(q, to);
	if (what < 8)
		return;
	if (what < 12 && !*stopped) {
		w->next = CYCLE_NEVER;
		w->simd->at_barrier++;
		*stopped = w;
		return;
	}
	scheduler_requeue(q, scheduler_wave_index(w), w);
}

/* The earliest cycle at which an older wave of the SIMD can issue, and the earliest at which one may try. */
static uint64_t first_older(const struct wave *w, uint64_t *asks)
{
	uint64_t first = *asks = CYCLE_NEVER;

	for (uint32_t j = 0; j < w->age; j++) {
		const struct wave *o = w->simd->by_age[j];
		*asks = min_u64(*asks, o->next);
		first = min_u64(first, scheduler_ready_cycle(&cu.scheduler, o));
	}
	return first;
}

/* How long a burst may be that the wave begins in the current cycle. */
static void check_row(const struct wave *w)
{
	const struct scheduler *q = &cu.scheduler;
	uint64_t asks, first = first_older(w, &asks), wanted = q->now + pick(SCHED_RING_CYCLES);
	uint64_t until = scheduler_burst_until(q, w->simd, scheduler_wave_index(w), wanted);

	assert_true(until >= q->now && until <= wanted && until < first);
	if (until < wanted && until + 1 != q->far_earliest && !w->simd->at_barrier)
		assert_true(asks <= until + 1);
	rows += w->age && until > q->now && until < wanted;
	row[w->simd->number].of = w;
	row[w->simd->number].until = until;
	row[w->simd->number].turn = turns;
}

static void same_order(void **unused)
{
	(void)unused;
	for (state = 1; state < 40; state += 13) {
		struct wave *stopped = NULL;
		uint32_t busy = 0, seed = state;
		open_cu();
		make_insts();
		for (unsigned n = 0; n < TURNS; n++, turns++) {
			uint64_t t, expected;
			unsigned k = pick(SIMDS);
			if (cu.simd[k].count < 1 + seed % MAX_WAVES_PER_SIMD)
				add(k, later(cu.scheduler.now));
			struct wave *first = first_of_all(&expected), *w = first_turn(&t);
			assert_ptr_equal(w, first);
			assert_int_equal(t, expected);
			busy += cu.scheduler.port[UNIT_VALU].waiting != 0;
			if (w)
				check_row(w);
			if (w)
				take(w, t, &stopped);
		}
		assert_true(seed % MAX_WAVES_PER_SIMD < 4 || busy > TURNS / 100); /* or nothing was seen of waiting */
		state = seed;
	}
	assert_true(rows > TURNS / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(same_order)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
