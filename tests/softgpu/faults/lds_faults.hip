/* LDS: indices outside of what the workgroup asked for. */
#include "tests/softgpu/faults/faults.h"

extern __attribute__((shared)) uint32_t dynamic[];

/* The launch asks for half of it. */
KERNEL(dynamic_too_small)
{
	volatile uint32_t *s = dynamic;
	const uint32_t at = RIGHT ? ITEM % (SIZE / 2) : ITEM;
	if (ITEM < SIZE / 2 || !RIGHT)
		s[at] = I; // FAULT dynamic_too_small
	barrier();
	keep(out, n, s[ITEM / 2]);
}

KERNEL(tile_end)
{
	SHARED volatile uint32_t s[SIZE];
	const uint32_t at = RIGHT ? ITEM : ITEM + 1;
	s[at] = I; // FAULT tile_end
	barrier();
	keep(out, n, s[SIZE / 2]);
}

KERNEL(tile_start)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	barrier();
	const int before = (int)ITEM - 1;
	keep(out, n, s[RIGHT && before < 0 ? 0 : before]); // FAULT tile_start
}

KERNEL(first_step)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	barrier();
	const uint32_t step = RIGHT ? SIZE / 2 : SIZE;
	const uint32_t other = ITEM < SIZE / 2 ? s[ITEM + step] : 0; // FAULT first_step
	keep(out, n, other);
}

KERNEL(tile_without_halo)
{
	SHARED volatile uint32_t s[RIGHT ? SIZE + 2 : SIZE];
	s[ITEM + 1] = I; // FAULT tile_without_halo
	if (RIGHT && ITEM < 2)
		s[ITEM * (SIZE + 1)] = 0;
	barrier();
	keep(out, n, s[ITEM]);
}

/* A column more than the rows have, in the last row. */
KERNEL(padded_row)
{
	SHARED volatile uint32_t s[16 * 16];
	const uint32_t y = ITEM / 16, x = ITEM % 16;
	s[y * (RIGHT ? 16 : 17) + x] = I; // FAULT padded_row
	barrier();
	keep(out, n, s[ITEM / 2]);
}

KERNEL(misaligned_lds_count)
{
	SHARED uint64_t s[SIZE + 1];
	s[ITEM] = 1;
	s[SIZE] = 1;
	barrier();
	__atomic_fetch_add((uint64_t *)((char *)&s[ITEM] + (RIGHT ? 0 : 4)), 1, __ATOMIC_RELAXED); // FAULT misaligned_lds_count
	barrier();
	keep(out, n, s[ITEM]);
}
