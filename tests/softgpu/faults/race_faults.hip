/* Accesses to LDS that a barrier or an atomic should order. */
#include "tests/softgpu/faults/faults.h"

enum { EDGE = 16 };

DEVICE void wait_if(bool needed)
{
	if (needed)
		barrier();
}

/* The tile is used before all of it was loaded. */
KERNEL(matmul_before)
{
	SHARED volatile uint32_t a[SIZE], b[SIZE];
	uint32_t sum = 0;
	for (uint32_t tile = 0; tile < 3; tile++) {
		a[ITEM] = in[(ITEM + tile) % SIZE]; // FAULT matmul_before
		b[ITEM] = in[(ITEM ^ tile) % SIZE]; // FAULT matmul_before
		wait_if(RIGHT);
		for (uint32_t k = 0; k < EDGE; k++)
			sum += a[ITEM / EDGE * EDGE + k] * b[k * EDGE + ITEM % EDGE]; // FAULT matmul_before
		barrier();
	}
	keep(out, n, sum);
}

/* The next tile is loaded while others still use this one. */
KERNEL(matmul_after)
{
	SHARED volatile uint32_t a[SIZE], b[SIZE];
	uint32_t sum = 0;
	for (uint32_t tile = 0; tile < 3; tile++) {
		a[ITEM] = in[(ITEM + tile) % SIZE]; // FAULT matmul_after
		b[ITEM] = in[(ITEM ^ tile) % SIZE]; // FAULT matmul_after
		barrier();
		for (uint32_t k = 0; k < EDGE; k++)
			sum += a[ITEM / EDGE * EDGE + k] * b[k * EDGE + ITEM % EDGE]; // FAULT matmul_after
		wait_if(RIGHT);
	}
	keep(out, n, sum);
}

/* The last steps are those of more than one wave. */
KERNEL(last_steps)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	barrier();
	for (uint32_t step = SIZE / 2; step; step /= 2) {
		if (ITEM < step)
			s[ITEM] += s[ITEM + step]; // FAULT last_steps
		wait_if(RIGHT || step > 128);
	}
	keep(out, n, ITEM ? 0 : s[0]);
}

KERNEL(result_of_reduction)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	barrier();
	for (uint32_t step = SIZE / 2; step; step /= 2) {
		if (ITEM < step)
			s[ITEM] += s[ITEM + step]; // FAULT result_of_reduction
		wait_if(RIGHT || step > 1);
	}
	keep(out, n, s[0]); // FAULT result_of_reduction
}

/* Two buffers save one of two barriers, not both. */
KERNEL(double_buffer)
{
	SHARED volatile uint32_t s[2][SIZE];
	uint32_t sum = 0;
	for (uint32_t k = 0; k < 4; k++) {
		s[k % 2][ITEM] = I + k; // FAULT double_buffer
		wait_if(RIGHT || !(k % 2));
		sum += s[k % 2][(ITEM + 64) % SIZE]; // FAULT double_buffer
	}
	keep(out, n, sum);
}

KERNEL(plain_histogram)
{
	SHARED uint32_t bins[64];
	volatile uint32_t *b = bins;
	if (ITEM < 64)
		bins[ITEM] = 0;
	barrier();
	if (RIGHT)
		__atomic_fetch_add(&bins[ITEM % 64], 1, __ATOMIC_RELAXED);
	else
		b[ITEM % 64] += 1; // FAULT plain_histogram
	barrier();
	keep(out, n, b[ITEM % 64]);
}

/* Each step reads what others overwrite in it. */
KERNEL(scan)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	barrier();
	for (uint32_t step = 1; step < SIZE; step *= 2) {
		const uint32_t more = ITEM >= step ? s[ITEM - step] : 0; // FAULT scan
		wait_if(RIGHT);
		s[ITEM] += more; // FAULT scan
		barrier();
	}
	keep(out, n, s[ITEM]);
}

KERNEL(transposed_tile)
{
	SHARED volatile uint32_t s[EDGE][EDGE];
	s[ITEM / EDGE][ITEM % EDGE] = I; // FAULT transposed_tile
	wait_if(RIGHT);
	keep(out, n, s[ITEM % EDGE][ITEM / EDGE]); // FAULT transposed_tile
}

KERNEL(broadcast)
{
	SHARED volatile uint32_t value;
	if (ITEM == 0)
		value = in[I % SIZE]; // FAULT broadcast
	wait_if(RIGHT);
	keep(out, n, value); // FAULT broadcast
}

/* The second phase uses the array again. */
KERNEL(second_phase)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	barrier();
	const uint32_t first = s[SIZE - 1 - ITEM]; // FAULT second_phase
	wait_if(RIGHT);
	s[ITEM] = first + 1; // FAULT second_phase
	barrier();
	keep(out, n, s[SIZE - 1 - ITEM]);
}

KERNEL(plain_maximum)
{
	SHARED uint32_t best;
	volatile uint32_t *b = &best;
	if (ITEM == 0)
		best = 0;
	barrier();
	if (RIGHT)
		__atomic_fetch_max(&best, I, __ATOMIC_RELAXED);
	else if (*b < I) // FAULT plain_maximum
		*b = I; // FAULT plain_maximum
	barrier();
	keep(out, n, *b);
}

/* One wave fills what the others read. */
KERNEL(producer)
{
	SHARED volatile uint32_t s[64];
	if (ITEM < 64)
		s[ITEM] = I; // FAULT producer
	wait_if(RIGHT);
	keep(out, n, s[ITEM % 64]); // FAULT producer
}

/* The counter is read while others still add to it. */
KERNEL(early_total)
{
	SHARED uint32_t total;
	if (ITEM == 0)
		total = 0;
	barrier();
	__atomic_fetch_add(&total, ITEM, __ATOMIC_RELAXED); // FAULT early_total
	wait_if(RIGHT);
	keep(out, n, *(volatile uint32_t *)&total); // FAULT early_total
}

KERNEL(clearing)
{
	SHARED uint32_t bins[64];
	if (ITEM < 64)
		*(volatile uint32_t *)&bins[ITEM] = 0; // FAULT clearing
	wait_if(RIGHT);
	if (ITEM >= 64)
		__atomic_fetch_add(&bins[ITEM % 64], 1, __ATOMIC_RELAXED); // FAULT clearing
	barrier();
	keep(out, n, bins[ITEM % 64]);
}

/* Two neighbors share a cell. */
KERNEL(shared_cell)
{
	SHARED volatile uint32_t s[SIZE];
	s[RIGHT ? ITEM : ITEM / 2] = I; // FAULT shared_cell
	if (!RIGHT && ITEM < SIZE / 2)
		s[SIZE / 2 + ITEM] = 0;
	barrier();
	keep(out, n, s[ITEM]);
}

/* The flag is no atomic, and comes before the value. */
KERNEL(late_value)
{
	SHARED volatile uint32_t value, flag;
	if (ITEM == 0)
		flag = 0;
	barrier();
	if (ITEM < __AMDGCN_WAVEFRONT_SIZE) {
		if (RIGHT)
			value = 42;
		else
			flag = 1;
		__builtin_amdgcn_s_sleep(100);
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
		if (RIGHT)
			flag = 1;
		else
			value = 42; // FAULT late_value
	} else {
		while (!flag)
			;
		__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	}
	keep(out, n, value); // FAULT late_value
}
