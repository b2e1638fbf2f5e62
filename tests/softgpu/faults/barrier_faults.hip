/* Barriers that a part of a wave skips, and then goes on. */
#include "tests/softgpu/faults/faults.h"

KERNEL(one_branch)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	if (RIGHT || ITEM % 4 < 3)
		barrier(); // FAULT one_branch
	keep(out, n, s[ITEM]);
}

/* Both branches have one: a wave waits at each of them. */
KERNEL(both_branches)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	if (RIGHT) {
		barrier();
	} else if (in[ITEM] % 2) {
		s[ITEM] += 1;
		barrier(); // FAULT both_branches
		s[ITEM] *= 3;
	} else {
		barrier(); // FAULT both_branches
		out[I % n] = s[ITEM ^ 1];
	}
	keep(out, n, s[ITEM]);
}

/* The number of trips differs from lane to lane. */
KERNEL(different_trips)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	for (uint32_t k = 0; k < (RIGHT ? 4 : 1 + ITEM % 4); k++) {
		s[ITEM] += k;
		barrier(); // FAULT different_trips
	}
	keep(out, n, s[ITEM]);
}

KERNEL(skipped_trip)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	for (uint32_t k = 0; k < 3; k++) {
		if (!RIGHT && in[ITEM] % 3 == k)
			continue;
		s[ITEM] += k;
		barrier(); // FAULT skipped_trip
	}
	keep(out, n, s[ITEM]);
}

KERNEL(left_loop)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	for (uint32_t k = 0; k < 4; k++) {
		if (!RIGHT && in[ITEM] % 5 < k)
			break;
		s[ITEM] += k;
		barrier(); // FAULT left_loop
	}
	keep(out, n, s[ITEM]);
}

DEVICE void store_and_wait(volatile uint32_t *s, uint32_t value)
{
	s[ITEM] = value;
	barrier(); // FAULT inside_of_call
}

KERNEL(inside_of_call)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = 0;
	if (RIGHT || ITEM < 188)
		store_and_wait(s, I);
	keep(out, n, s[ITEM]);
}
