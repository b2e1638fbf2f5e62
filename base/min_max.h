/* The smaller and the larger of two unsigned values. */
#ifndef BASE_MIN_MAX_H
#define BASE_MIN_MAX_H

#include <stdint.h>

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

#endif
