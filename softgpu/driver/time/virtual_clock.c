#include "softgpu/driver/time/virtual_clock.h"

#include <stdatomic.h>

#include "softgpu/core/model_config.h"
#include "softgpu/core/timing/core_clock.h"

#define NS_PER_S  UINT64_C(1000000000)
#define PS_PER_NS 1000
/* Nanoseconds between readings at the same device time; ticks and ns both stay whole numbers. */
#define READING_STEP UINT64_C(1000)

static const struct model *clock_model;
static uint64_t timestamp_hz = NS_PER_S;
static cycle_t cycles;
static _Atomic ns_t now, last_reading;

static uint64_t scale_rounded(uint64_t value, uint64_t times, uint64_t over)
{
	return (uint64_t)(((unsigned __int128)value * times + over / 2) / over);
}

void vclock_init(const struct model *m)
{
	clock_model = m;
	timestamp_hz = (uint64_t)m->timestamp_hz;
	last_reading = NS_PER_S - READING_STEP;
	now = 2 * NS_PER_S;
	cycles = sclk_idle_cycles(m, now);
}

ns_t vclock_now(void)
{
	return now;
}

void vclock_advance(ns_t ns)
{
	now += ns;
	cycles += sclk_idle_cycles(clock_model, ns);
}

void vclock_advance_to(ns_t ns)
{
	if (ns > now)
		vclock_advance(ns - now);
}

ns_t vclock_add_launch(ns_t start_ns, uint64_t ps, cycle_t cycle_count)
{
	ns_t end = start_ns + (ps + PS_PER_NS / 2) / PS_PER_NS;

	if (now != start_ns) {
		vclock_advance_to(end);
	} else {
		now = end;
		cycles += cycle_count;
	}
	return end;
}

/* The core clock's cycle count never decreases. */
void vclock_set(ns_t ns)
{
	vclock_advance_to(ns);
	now = ns;
}

uint64_t vclock_to_ticks(ns_t ns)
{
	return scale_rounded(ns, timestamp_hz, NS_PER_S);
}

cycle_t vclock_core_cycles(void)
{
	return cycles;
}

/* The first reading, when the runtime starts, is one second before any packet: the runtime extrapolates for times
 * before its first reading. Readings run ahead of device time and never advance it; otherwise a polling thread would
 * change the time between two packets of another. */
ns_t vclock_read_counters(void)
{
	ns_t last = last_reading, next;

	do {
		ns_t device = now - now % READING_STEP;

		next = (last < NS_PER_S || last > device ? last : device) + READING_STEP;
	} while (!atomic_compare_exchange_weak(&last_reading, &last, next));
	return next;
}
