/* The successor of a line is P(P^-1(line) + 1 mod lines) for a permutation P of the lines: a cycle of all of them,
 * which a plain random permutation is not. P is a Feistel network over the next power of two; numbers beyond the last
 * line are permuted again ("cycle walking", Black and Rogaway 2002), at most once on average. */
#include "gpu/protocol/chase_cycle.h"

#include <stdbool.h>

enum { ROUNDS = 4 }; /* Luby and Rackoff 1988: four rounds of a random function are a random permutation */

/* The two halves of a number: the lower `low` bits and the `high` bits above. They differ by one bit if the number of
 * bits is odd. */
struct feistel {
	unsigned low, high;
};

static uint64_t low_mask(unsigned bits)
{
	return (UINT64_C(1) << bits) - 1;
}

static struct feistel feistel_of(uint64_t lines)
{
	unsigned bits = lines > 1 ? 64 - (unsigned)__builtin_clzll(lines - 1) : 0;
	return (struct feistel){.low = bits / 2, .high = bits - bits / 2};
}

/* The finalizer of SplitMix64 (Steele, Lea, Flood 2014), another function in each round. */
static uint64_t round_function(unsigned round, uint64_t half)
{
	uint64_t z = (half + 1) * UINT64_C(0x9e3779b97f4a7c15) + round;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Even rounds change the upper half, odd ones the lower half: each round is its own inverse. */
static uint64_t apply_round(const struct feistel *f, unsigned round, uint64_t x)
{
	uint64_t low = x & low_mask(f->low), high = x >> f->low;
	if (round % 2)
		low ^= round_function(round, high) & low_mask(f->low);
	else
		high ^= round_function(round, low) & low_mask(f->high);
	return high << f->low | low;
}

static uint64_t permute(const struct feistel *f, uint64_t lines, uint64_t x, bool inverse)
{
	do {
		for (unsigned k = 0; k < ROUNDS; k++)
			x = apply_round(f, inverse ? ROUNDS - 1 - k : k, x);
	} while (x >= lines);
	return x;
}

uint64_t chase_cycle_next(uint64_t lines, uint64_t line)
{
	const struct feistel f = feistel_of(lines);
	uint64_t position = permute(&f, lines, line, true) + 1;
	return permute(&f, lines, position < lines ? position : 0, false);
}
