/* Values that were never written, and decide something. */
#include "tests/softgpu/faults/faults.h"

/* Only the middle of the tile is loaded. */
KERNEL(tile_edge)
{
	SHARED volatile uint32_t s[SIZE + 2];
	s[ITEM + 1] = I;
	if (RIGHT && ITEM < 2)
		s[ITEM * (SIZE + 1)] = 0;
	barrier();
	if (s[ITEM] > s[ITEM + 2]) // FAULT tile_edge
		fresh[I] = 1;
}

/* The empty statement stands for a variable that the source does not initialize: clang would remove what depends on it.
 */
KERNEL(accumulator)
{
	uint32_t sum;
	__asm__ volatile("" : "=v"(sum));
	if (RIGHT)
		sum = 0;
	for (uint32_t k = 0; k < 4; k++)
		sum += in[(ITEM + k) % SIZE];
	if (sum == 42) // FAULT accumulator
		fresh[I] = 1;
}

struct pair {
	uint32_t key, count;
};

KERNEL(half_structure)
{
	volatile struct pair *p = (volatile struct pair *)fresh;
	const uint32_t at = I / 2;
	if (I % 2)
		return;
	p[at].key = I;
	if (RIGHT)
		p[at].count = 0;
	if (p[at].count > 3) // FAULT half_structure
		fresh[I] = 1;
}

/* The host has written the first of four elements, or has not; the others are written here. */
KERNEL(one_of_four)
{
	volatile uint32_t *four = RIGHT ? out : fresh;
	if (I % 4 || I >= n)
		return;
	for (uint32_t k = 1; k < 4; k++)
		four[I + k] = RIGHT ? 0 : 5;
	if (four[I] == 3) // FAULT one_of_four
		fresh[I] = 1;
}

KERNEL(fresh_lds_index)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = I;
	barrier();
	const uint32_t at = (RIGHT ? in : fresh)[ITEM];
	keep(out, n, s[at % SIZE]); // FAULT fresh_lds_index
}

KERNEL(fresh_gather)
{
	const uint32_t at = (RIGHT ? in : fresh)[ITEM];
	keep(out, n, in[at % SIZE]); // FAULT fresh_gather
}

KERNEL(fresh_trips)
{
	const uint32_t trips = (RIGHT ? in : fresh)[1];
	volatile uint32_t sum = 0;
	uint32_t k = 0;
	do
		sum += k;    // FAULT fresh_trips
	while (++k < trips); // FAULT fresh_trips
	keep(out, n, sum);
}

/* Bins that were not set to zero. */
KERNEL(bins_not_cleared)
{
	SHARED uint32_t bins[64];
	if (RIGHT && ITEM < 64)
		bins[ITEM] = 0;
	barrier();
	__atomic_fetch_add(&bins[in[ITEM] % 64], 1, __ATOMIC_RELAXED); // FAULT bins_not_cleared
	barrier();
	keep(out, n, bins[ITEM % 64]);
}

KERNEL(counter_not_cleared)
{
	uint32_t *counter = RIGHT ? out : fresh;
	if (I < n)
		__atomic_fetch_add(&counter[I], 1, __ATOMIC_RELAXED); // FAULT counter_not_cleared
}

/* Half of the elements are written. */
KERNEL(half_written)
{
	volatile uint32_t *f = fresh;
	if (RIGHT || ITEM < SIZE / 2)
		f[I] = ITEM;
	if (f[I] > 3) // FAULT half_written
		fresh[I] = 1;
}

/* A byte is written, and four are read. */
KERNEL(one_byte_of_four)
{
	volatile uint8_t *bytes = (volatile uint8_t *)&fresh[I];
	for (uint32_t k = 0; k < (RIGHT ? 4 : 1); k++)
		bytes[k] = 1;
	if (*(volatile uint32_t *)bytes == 1) // FAULT one_byte_of_four
		fresh[I] = 1;
}

KERNEL(fresh_float)
{
	const float x = ((const volatile float *)(RIGHT ? in : fresh))[ITEM];
	if (x < 0.5f) // FAULT fresh_float
		fresh[I] = 1;
}

KERNEL(fresh_above)
{
	const float x = ((const volatile float *)(RIGHT ? in : fresh))[ITEM];
	if (x > 0.5f) // FAULT fresh_above
		fresh[I] = 1;
}

/* The compiler makes it one comparison of a difference. */
KERNEL(fresh_range)
{
	const int x = ((const volatile int *)(RIGHT ? in : fresh))[ITEM];
	if (x > 1000 && x < 2000) // FAULT fresh_range
		fresh[I] = 1;
}

/* It passes through LDS and another lane. */
KERNEL(fresh_neighbor)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = (RIGHT ? in : fresh)[ITEM];
	barrier();
	const uint32_t x = s[(ITEM + 64) % SIZE] * 3;
	if (x == 21) // FAULT fresh_neighbor
		fresh[I] = 1;
}

/* Odd lanes have an undefined value. Each lane gets that of its neighbor. */
DEVICE uint32_t half_fresh(const uint32_t *in, const uint32_t *fresh)
{
	return (ITEM % 2 ? (const volatile uint32_t *)fresh : (const volatile uint32_t *)in)[ITEM];
}

KERNEL(pulled_lane)
{
	const uint32_t x = __builtin_amdgcn_ds_bpermute(4 * (ITEM ^ 1), half_fresh(in, fresh));
	if (ITEM % 2 == RIGHT && x == 21) // FAULT pulled_lane
		out[0] = 1;
}

KERNEL(pushed_lane)
{
	const uint32_t x = __builtin_amdgcn_ds_permute(4 * (ITEM ^ 1), half_fresh(in, fresh));
	if (ITEM % 2 == RIGHT && x == 21) // FAULT pushed_lane
		out[0] = 1;
}

KERNEL(swizzled_lane)
{
	const uint32_t x = __builtin_amdgcn_ds_swizzle(half_fresh(in, fresh), 0x041f /* xor 1 */);
	if (ITEM % 2 == RIGHT && x == 21) // FAULT swizzled_lane
		out[0] = 1;
}

/* An array in registers: its index is the same in all lanes. */
KERNEL(indexed_register)
{
	uint32_t a[8];
	for (uint32_t k = 0; k < 8; k++)
		a[k] = half_fresh(in, fresh);
	const uint32_t x = a[n % 8];
	if (ITEM % 2 != RIGHT && x == 21) // FAULT indexed_register
		out[0] = 1;
}

/* An undefined lane is selected, and a defined one. */
KERNEL(selected_lane)
{
	const uint32_t from = RIGHT ? in[ITEM] : half_fresh(in, fresh),
		       x = __builtin_amdgcn_ds_bpermute(4 * from, in[ITEM]);
	if (x == 21) // FAULT selected_lane
		out[0] = 1;
}

KERNEL(fresh_to_host)
{
	if (I < n)
		host[I] = (RIGHT ? in : fresh)[I]; // FAULT fresh_to_host
}

/* The host copies the buffer after the launch. */
KERNEL(copied_to_host)
{
	if (I < n / 2)
		fresh[I] = (RIGHT ? in : fresh)[I + n / 2] + 1; // FAULT copied_to_host
}

/* A structure of a byte and a dword that is stored as a whole: its padding is no fault, the dword is. */
KERNEL(copied_structure)
{
	volatile uint32_t *structure = fresh + 2 * I;
	if (I >= n / 4)
		return;
	const uint32_t unknown = ((volatile uint32_t *)fresh)[I + n / 2];
	structure[0] = (unknown & 0xffffff00) | 1;
	structure[1] = RIGHT ? 2 : unknown; // FAULT copied_structure
}

/* The buffer that the previous step should have filled is the other one. */
KERNEL(wrong_buffer)
{
	volatile uint32_t *next = fresh, *now = fresh + SIZE;
	if (I >= SIZE)
		return;
	now[ITEM] = ITEM;
	if ((RIGHT ? now : next)[ITEM] == 5) // FAULT wrong_buffer
		keep(out, n, 1);
}
