#include "softgpu/core/fast/launch_window.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"

enum {
	FREE_SLOTS = 2, /* of a window in which no workgroup had to wait: its rate is the dispatcher's, without noise */
	LEAST_CYCLES = 4096, /* of these */
	/* In a steady launch, the means of the halves differ by less: workgroups in flight by this part of those in the
	 * window, queues at the memory channels by this part of its cycles. */
	STEADY_GROUPS = 64,
	STEADY_QUEUE = 32,
	/* Workgroups that start together tend to load together and to store together. A window has so many times those
	 * in flight. */
	GENERATIONS = 4,
};

void window_open(struct launch *n, struct launch_window *w)
{
	const cycle_t period = max_u64(n->m->rates.dram_refresh_period >> 10, 1);

	memset(w, 0, sizeof *w);
	w->slot_cycles = (LEAST_CYCLES + period - 1) / period * period / FREE_SLOTS;
}

static uint64_t count_in_flight(const struct launch *n)
{
	return n->issued - n->done;
}

static uint64_t cycles_until(uint64_t time, cycle_t t)
{
	return time > t ? time - t : 0;
}

static uint64_t mean_queue(const struct launch *n, cycle_t t)
{
	uint64_t sum = 0;

	for (uint32_t k = 0; k < n->m->channels; k++) {
		const struct channel *c = &n->m->channel[k];
		sum += cycles_until(c->bank[0].free, t) + cycles_until(c->bank[1].free, t) +
			cycles_until(c->l3_free >> 10, t) + cycles_until(c->dram.bus_free >> 10, t);
	}
	return sum / n->m->channels;
}

/* How often lines of the launch have replaced all those in L2. */
static uint64_t count_refills(const struct launch *n)
{
	const struct cache *l2 = &n->m->channel->l2;

	return n->m->thread.sums.l2_miss / (UINT64_C(1) * n->m->channels * l2->sets * l2->ways);
}

static void begin_slot(struct launch *n, struct launch_window *w, cycle_t t)
{
	w->now = (struct window_slot){.queued = mean_queue(n, t), .refills = count_refills(n)};
	w->at = t;
	w->slot_end = t + w->slot_cycles;
}

void window_restart(struct launch *n, struct launch_window *w, cycle_t t)
{
	w->count = 0;
	w->groups = n->issued;
	w->sums = n->m->thread.sums;
	begin_slot(n, w, t);
}

static void add_until(struct launch *n, struct launch_window *w, cycle_t t)
{
	const uint64_t *now = (const uint64_t *)&n->m->thread.sums, *base = (const uint64_t *)&w->sums,
		       cycles = t - w->at;

	_Static_assert(sizeof(struct launch_sums) % sizeof(uint64_t) == 0, "contains only sums");
	w->now.groups += cycles * (n->issued - w->groups);
	w->now.in_flight += cycles * count_in_flight(n);
	for (unsigned k = 0; k < WINDOW_SUMS; k++)
		w->now.sums[k] += cycles * (now[k] - base[k]);
	w->at = t;
}

/* Makes one slot of two that follow one another. */
static struct window_slot merge_slots(const struct window_slot *s)
{
	struct window_slot both = s[0];

	both.groups += s[1].groups;
	both.in_flight += s[1].in_flight;
	both.blocked |= s[1].blocked;
	for (unsigned k = 0; k < WINDOW_SUMS; k++)
		both.sums[k] += s[1].sums[k];
	return both;
}

/* The workgroups that started in a window of all slots. */
static uint64_t count_window_groups(const struct launch_window *w)
{
	uint64_t before = 0, after = 0;

	for (unsigned k = 0; k < WINDOW_SLOTS / 2; k++) {
		before += w->slot[k].groups;
		after += w->slot[WINDOW_SLOTS / 2 + k].groups;
	}
	return (after - before) / (WINDOW_SLOTS / 2 * w->slot_cycles) * 2;
}

/* Doubles the length of slots, where a window is too short. */
static void lengthen_slots(struct launch *n, struct launch_window *w)
{
	if (w->count < WINDOW_SLOTS || count_window_groups(w) >= GENERATIONS * count_in_flight(n))
		return;
	w->count = WINDOW_SLOTS / 2;
	for (unsigned k = 0; k < w->count; k++)
		w->slot[k] = merge_slots(&w->slot[2 * k]);
	w->slot_cycles *= 2;
}

static void end_slot(struct launch *n, struct launch_window *w)
{
	if (w->count == WINDOW_SLOTS)
		memmove(w->slot, w->slot + 1, --w->count * sizeof *w->slot);
	w->slot[w->count++] = w->now;
	lengthen_slots(n, w);
	begin_slot(n, w, w->slot_end);
}

bool window_advance(struct launch *n, struct launch_window *w, cycle_t t)
{
	bool complete = false;

	w->now.blocked |= t > n->dispatch_at;
	for (; t >= w->slot_end; complete = true) {
		add_until(n, w, w->slot_end);
		end_slot(n, w);
	}
	add_until(n, w, t);
	return complete;
}

/* --- the rate --- */
/* The number of the last slots whose rate counts; 0: too few yet. */
static unsigned slots_of_window(const struct launch_window *w)
{
	bool blocked = false;

	for (unsigned k = 1; k <= FREE_SLOTS && k <= w->count; k++)
		blocked |= w->slot[w->count - k].blocked;
	const unsigned slots = blocked ? WINDOW_SLOTS : FREE_SLOTS;
	/* Loads come before stores, so the first lines that the launch replaces of its own are not like the rest. */
	const uint64_t refills = blocked ? 2 : 1;
	return w->count >= slots && w->slot[w->count - slots].refills >= refills ? slots : 0;
}

/* The counts of the second half above those of the first half. */
static void subtract_halves(const struct window_slot *slot, unsigned half, struct launch_rate *out)
{
	for (unsigned k = 0; k < half; k++) {
		out->groups += slot[half + k].groups - slot[k].groups;
		for (unsigned s = 0; s < WINDOW_SUMS; s++)
			out->sums[s] += slot[half + k].sums[s] - slot[k].sums[s];
	}
}

/* By how much the means of the halves differ: of workgroups in flight, and of the queues. */
static bool is_steady(const struct window_slot *slot, unsigned half, cycle_t cycles, uint64_t groups)
{
	int64_t in_flight = 0, queued = 0;

	for (unsigned k = 0; k < half; k++) {
		in_flight += (int64_t)(slot[half + k].in_flight - slot[k].in_flight);
		queued += (int64_t)(slot[half + k].queued - slot[k].queued);
	}
	return (uint64_t)llabs(in_flight) / cycles * STEADY_GROUPS <= groups &&
		(uint64_t)llabs(queued) / half * STEADY_QUEUE <= 2 * cycles;
}

/* Sums over the cycles of two halves of h cycles each differ by h times what happens in h cycles. */
bool window_find_rate(const struct launch_window *w, struct launch_rate *out)
{
	const unsigned slots = slots_of_window(w);
	const struct window_slot *first = &w->slot[w->count - slots];
	const cycle_t half = slots / 2 * w->slot_cycles;

	*out = (struct launch_rate){.cycles = half * half, .is_dispatcher_bound = slots == FREE_SLOTS};
	if (!slots)
		return false;
	subtract_halves(first, slots / 2, out);
	out->is_steady = is_steady(first, slots / 2, half, out->groups / half * 2);
	return out->groups && (out->is_steady || out->is_dispatcher_bound);
}
