/* The order of the waves of a workgroup, for checks of races in LDS and in global memory.
 *
 * Every wave has a clock, and knows up to which clock of each other wave everything happened before it. */
#ifndef SOFTGPU_CORE_CHECK_RACES_WAVE_CLOCKS_H
#define SOFTGPU_CORE_CHECK_RACES_WAVE_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "softgpu/core/state/machine_limits.h"

/* What an access is. A poll waits for what another wave stores. An atomic load is the plain load before a loop of
 * compare-and-swap (kernel_find_atomic_loads). */
enum touch_kind { TOUCH_LOAD, TOUCH_POLL, TOUCH_ATOMIC_LOAD, TOUCH_STORE, TOUCH_ATOMIC };

struct wave_clocks {
	uint32_t waves;
	/* [w][u]: of wave u, what happened before w; [w][w]: its own. It changes with all that w knows. */
	uint32_t clock[MAX_GROUP_WAVES][MAX_GROUP_WAVES];
	uint32_t heard[MAX_GROUP_WAVES]; /* waves, a bit each, from which w has learned in LDS */
};

static inline void wave_clocks_begin(struct wave_clocks *c, uint32_t waves)
{
	c->waves = waves;
	for (uint32_t w = 0; w < waves; w++)
		c->clock[w][w] = 1;
}

/* True: it is news. */
static inline bool learn_clock(uint32_t *known, uint32_t clock)
{
	const bool later = clock > *known;

	if (later)
		*known = clock;
	return later;
}

/* A barrier lets the waves go. Those that have ended count as arrived. */
static inline void wave_clocks_pass_barrier(struct wave_clocks *c)
{
	uint32_t all[MAX_GROUP_WAVES] = {0};

	for (uint32_t w = 0; w < c->waves; w++)
		for (uint32_t u = 0; u < c->waves; u++)
			learn_clock(&all[u], c->clock[w][u]);
	for (uint32_t w = 0; w < c->waves; w++) {
		memcpy(c->clock[w], all, sizeof all);
		c->clock[w][w]++;
	}
}

#endif
