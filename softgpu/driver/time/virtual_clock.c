#include "softgpu/driver/time/virtual_clock.h"

#include <stdatomic.h>

#include "base/min_max.h"
#include "softgpu/core/model_config.h"
#include "softgpu/core/timing/core_clock.h"

#define NS_PER_S  UINT64_C(1000000000)
#define PS_PER_NS 1000
/* Nanoseconds between readings at the same device time; ticks and ns both stay whole numbers. */
#define READING_STEP UINT64_C(1000)
/* More than ROCr extrapolates from its last reading: a sixteenth of a second (GpuAgent::TranslateTime of ROCr 5.2). */
#define SEPARATION UINT64_C(125000000)

static uint64_t scale_rounded(uint64_t value, uint64_t times, uint64_t over)
{
	return (uint64_t)(((unsigned __int128)value * times + over / 2) / over);
}

void vclock_init(struct virtual_clock *c, const struct model *m)
{
	c->model = m;
	c->timestamp_hz = (uint64_t)m->timestamp_hz;
	c->last_reading = NS_PER_S - READING_STEP;
	c->now = 2 * NS_PER_S;
	c->cycles = sclk_idle_cycles(m, c->now);
}

ns_t vclock_now(const struct virtual_clock *c)
{
	return c->now;
}

void vclock_advance(struct virtual_clock *c, ns_t ns)
{
	c->now += ns;
	c->cycles += sclk_idle_cycles(c->model, ns);
}

void vclock_advance_to(struct virtual_clock *c, ns_t ns)
{
	if (ns > c->now)
		vclock_advance(c, ns - c->now);
}

ns_t vclock_add_launch(struct virtual_clock *c, ns_t start_ns, uint64_t ps, cycle_t cycles)
{
	ns_t end = start_ns + (ps + PS_PER_NS / 2) / PS_PER_NS;

	if (c->now != start_ns) {
		vclock_advance_to(c, end);
	} else {
		c->now = end;
		c->cycles += cycles;
	}
	return end;
}

/* The end is a whole number of readings, and so of ticks. */
void vclock_separate(struct virtual_clock *c)
{
	ns_t end = c->now + SEPARATION;

	vclock_advance_to(c, end + READING_STEP - end % READING_STEP);
}

void vclock_follow_launches(struct virtual_clock *c, ns_t ns, cycle_t cycles)
{
	c->now = max_u64(c->now, ns);
	c->cycles = max_u64(c->cycles, cycles);
}

void vclock_restart(struct virtual_clock *c, ns_t ns)
{
	c->now = ns;
	c->cycles = sclk_idle_cycles(c->model, ns);
}

uint64_t vclock_to_ticks(const struct virtual_clock *c, ns_t ns)
{
	return scale_rounded(ns, c->timestamp_hz, NS_PER_S);
}

cycle_t vclock_core_cycles(const struct virtual_clock *c)
{
	return c->cycles;
}

/* The first reading, when the runtime starts, is one second before any packet: the runtime extrapolates for times
 * before its first reading. Readings run ahead of device time and never advance it; otherwise a polling thread would
 * change the time between two packets of another. */
ns_t vclock_read_counters(struct virtual_clock *c)
{
	ns_t last = c->last_reading, next;

	do {
		ns_t device = c->now - c->now % READING_STEP;

		next = (last < NS_PER_S || last > device ? last : device) + READING_STEP;
	} while (!atomic_compare_exchange_weak(&c->last_reading, &last, next));
	return next;
}
