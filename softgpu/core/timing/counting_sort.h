/* Sorting by counting: of things of n kinds, count[k] is how many are of kind k. After counts_add_up it is where the
 * first of them belongs; each that is put there adds one. Then counts_step_back makes it what it was, and count[n] the
 * number of all. */
#ifndef SOFTGPU_CORE_TIMING_COUNTING_SORT_H
#define SOFTGPU_CORE_TIMING_COUNTING_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void counts_add_up(uint32_t *count, size_t n)
{
	uint32_t sum = 0;

	for (size_t k = 0; k < n; k++) {
		const uint32_t here = count[k];
		count[k] = sum;
		sum += here;
	}
}

static inline void counts_step_back(uint32_t *count, size_t n)
{
	memmove(count + 1, count, n * sizeof *count);
	count[0] = 0;
}

#endif
